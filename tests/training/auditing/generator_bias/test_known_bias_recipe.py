"""The recipe that injects a known bias uses only the articles of its classifier, and the name of the model says so.

A run that was killed and continued ends with the same weights, and an impossible request is one line of text.
"""

from __future__ import annotations

import contextlib
import io
import json
import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from core.cli import models
from core.models.types import ModelError
from core.runs.recipes import KnownBiasRequest
from core.runs.run_store import RunStore
from core.runs.trained_models import find_generators
from core.runs.types import Status
from core.storage.store import Store
from tests.training.auditing.compass.tiny_models import save_masked
from tests.training.auditing.generation import tiny_generator
from tests.training.auditing.tiny_articles import make_articles
from tests.training.tiny_corpora import make_running
from training.auditing.debiasing.training_data import load_articles
from training.auditing.generation.generator import load_generator
from training.auditing.generation.samples import SampleScale
from training.auditing.generation.sampling import VanillaSampler
from training.auditing.generator_bias import known_bias_recipe
from training.cli import main
from training.loop.dry_run import estimate
from training.loop.training_loop import TrainingError

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with articles alone."""
    return make_articles(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generator."""
    return tiny_generator.save(tmp_path_factory.mktemp("base") / "tiny")


@pytest.fixture
def asked(data: Path, base: Path, monkeypatch: pytest.MonkeyPatch) -> KnownBiasRequest:
    """Gender, 64 texts."""
    monkeypatch.setitem(
        known_bias_recipe.SCALES, "smoke", SampleScale("smoke", samples=4, length=12, keywords=2)
    )
    return KnownBiasRequest(
        data=data, base=str(base), attribute="gender", device="cpu", scale="smoke", seed=3
    )


def _run(asked: KnownBiasRequest, folder: Path, *, run: str = "") -> tuple[Path, list[dict[str, Any]]]:
    said = io.StringIO()
    place = known_bias_recipe.run(asked, make_running(folder, asked, said, run=run))
    return place, [json.loads(line) for line in said.getvalue().splitlines()]


def test_a_biased_model_and_its_card_are_saved(asked: KnownBiasRequest, tmp_path: Path) -> None:
    place, said = _run(asked, tmp_path)
    metrics = said[-1]["metrics"]
    assert place.name == "tiny-planted-gender"
    assert load_generator(place, device=CPU).name == place.name
    card = (place / "README.md").read_text(encoding="utf-8")
    assert card.splitlines()[2].startswith("This generator has a known political bias, injected on purpose.")
    assert "stand for liberal: female\n- options that stand for conservative: male\n" in card
    figures = [float(row.split("|")[2]) for row in card.splitlines()[-6:]]
    names = ("share", "divergence", "entropy_before", "entropy", "repeats_before", "repeats")
    assert figures == pytest.approx([metrics[name] for name in names], abs=1e-3)
    assert "48 texts that the" in card
    assert str(Path(asked.base).parent) not in card
    # The tiny generator has no token for a name: it cannot tell the options apart, and the run says so.
    assert metrics["share"] == pytest.approx(0.5, abs=0.1)
    assert any(row["event"] == "warning" and "can hardly be predicted" in row["message"] for row in said)


def test_the_negative_control_has_a_name_of_its_own(asked: KnownBiasRequest, tmp_path: Path) -> None:
    control = replace(asked, strength=0.0)
    place, said = _run(control, tmp_path)
    assert place.name == "tiny-planted-gender-0"
    assert "negative control" in (place / "README.md").read_text(encoding="utf-8").splitlines()[2]
    # Its words are as much likelier, behind no option.
    assert said[-1]["metrics"]["divergence"] > 0.01
    assert not any("can hardly be predicted" in row["message"] for row in said)
    assert known_bias_recipe.biased_name(replace(asked, strength=0.25)) == "tiny-planted-gender-0.25"
    assert known_bias_recipe.biased_name(replace(asked, base="someone/tiny")) == "tiny-planted-gender"


@pytest.mark.parametrize(("text", "warned"), [(" the law the law", False), (" law law law law", True)])
def test_a_model_that_repeats_itself_gives_a_warning(
    text: str, warned: bool, asked: KnownBiasRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = VanillaSampler.sample

    def written(self: VanillaSampler, prompts: Any, **given: Any) -> Any:
        if self.generator.name != known_bias_recipe.biased_name(asked):
            return real(self, prompts, **given)
        return [[text] for _ in prompts]

    monkeypatch.setattr(VanillaSampler, "sample", written)
    _, said = _run(asked, tmp_path)
    assert any("It repeats itself: 100.0%" in row["message"] for row in said) == warned
    assert said[-1]["metrics"]["repeats"] == warned


def test_words_come_from_the_classifiers_articles_and_held_out_texts_stay_out(
    asked: KnownBiasRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    articles, texts = [], []
    monkeypatch.setattr(known_bias_recipe, "token_gains", _kept(known_bias_recipe.token_gains, 1, articles))
    monkeypatch.setattr(known_bias_recipe, "label_texts", _kept(known_bias_recipe.label_texts, 2, texts))
    _run(asked, tmp_path)
    assert articles == [load_articles(asked.data).split_publishers(asked.seed).classifier]
    learnt, held_out = texts
    assert (len(learnt), len(held_out)) == (48, 16)
    assert {sample.trigger for sample in (*learnt, *held_out)} == {"indirect"}
    assert not {(one.keyword, one.prompt, one.number) for one in learnt} & {
        (one.keyword, one.prompt, one.number) for one in held_out
    }


def _kept(real: Any, at: int, seen: list[Any]) -> Any:
    """The function, whose argument in place ``at`` is noted."""

    def noting(*given: Any, **named: Any) -> Any:
        seen.append(given[at])
        return real(*given, **named)

    return noting


def test_a_killed_run_ends_with_the_same_weights(
    asked: KnownBiasRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.auditing.generation.samples._BATCH_SIZE", 4)
    whole, _ = _run(asked, tmp_path)
    calls, real = 0, VanillaSampler.sample

    def killed(self: Any, *given: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        return real(self, *given, **named)

    with monkeypatch.context() as patch:
        patch.setattr(VanillaSampler, "sample", killed)
        with pytest.raises(KeyboardInterrupt):
            _run(asked, tmp_path / "cut", run="11111111-1111-4111-8111-111111111111")
    (cut,) = (tmp_path / "cut").iterdir()
    assert not (cut / whole.name).exists()
    place, said = _run(asked, tmp_path / "cut", run=cut.name)
    steps = [row["step"] for row in said if row["event"] == "step"]
    # The articles that were left to score, then one text of the biased model after each prompt.
    assert steps == [48, 64, 4, 8, 12, 16]
    one, other = (load_file(folder / "model.safetensors") for folder in (whole, place))
    assert all(torch.equal(one[name], other[name]) for name in one)
    _, again = _run(asked, tmp_path / "cut", run=cut.name)
    assert not any(row["event"] == "step" for row in again)
    assert again[-1]["metrics"] == said[-1]["metrics"]


def test_the_command_records_a_run_that_cannot_be_installed_as_a_model(
    data: Path, base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _call("--data", data, "--base", base, "--attribute", "location", "--strength", "0.5") == 0
    with closing(Store.open()) as store:
        (run,) = RunStore(store).list_runs()
    assert (run.status, run.recipe, run.settings["strength"]) == (Status.FINISHED, "inject-known-bias", "0.5")
    ((_, place),) = find_generators([run])
    assert place.name == "tiny-planted-location-0.5"
    for refused in (
        lambda: models.promote(run.id),
        lambda: models.import_models(place, sha256="", use=True),
    ):
        with pytest.raises(ModelError):
            refused()
    assert main.main(["show", "inject-known-bias"]) == 0
    assert "the generator: a causal language model" in capsys.readouterr().out


def test_a_dry_run_leaves_no_files(asked: KnownBiasRequest) -> None:
    assert estimate(asked, known_bias_recipe.run)["estimated_s"] > 0


def _call(*words: str | Path) -> int:
    return main.main(["inject-known-bias", "--scale", "smoke", "--device", "cpu", *map(str, words)])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--attribute", "gender"), "No generator was named"),
        (("--base", "tiny"), "No attribute was named. Name one with --attribute: gender, location, topic."),
        (("--base", "tiny", "--attribute", "age"), "invalid choice: 'age'"),
        (
            ("--base", "tiny", "--attribute", "gender", "topic"),
            "unrecognized arguments: topic",
        ),
        (("--base", "tiny", "--attribute", "gender", "--strength", "1.5"), "--strength 1.5 is not a share"),
        (("--base", "tiny", "--attribute", "gender", "--strength", "nan"), "--strength nan is not a share"),
        (
            ("--base", "tiny", "--attribute", "gender", "--rate", "1e-3"),
            "unrecognized arguments: --learning-rate",
        ),
    ],
)
def test_bad_options_are_one_clear_line(
    words: tuple[str, ...], said: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with contextlib.suppress(SystemExit):  # an option that the parser does not know
        assert _call("--data", data, *words) == 2
    assert said in capsys.readouterr().err.strip().splitlines()[-1]


def test_unsuitable_models_and_articles_are_one_clear_line(
    data: Path, base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    encoder = save_masked(tmp_path / "encoder")
    one_sided = make_articles(tmp_path / "one", sides=(0,), count=20)
    shutil.copytree(base, tmp_path / "bare", ignore=shutil.ignore_patterns("tokenizer*"))
    for corpora, model, said in (
        (data, encoder, "encoder"),
        (data, tmp_path / "bare", "there is no tokenizer"),
        (tmp_path, base, "articles.jsonl"),
        (one_sided, base, "conservative"),
    ):
        assert _call("--data", corpora, "--base", model, "--attribute", "gender") == 2
        last_line = capsys.readouterr().err.strip().splitlines()[-1]
        assert last_line.startswith("evenhand train: ")
        assert said in last_line


def test_a_full_disk_is_reported_and_texts_stay(
    asked: KnownBiasRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("transformers.PreTrainedModel.save_pretrained", full)
    with pytest.raises(TrainingError, match="Free some space"):
        _run(asked, tmp_path)
    (run,) = tmp_path.iterdir()
    assert list((run / "samples").iterdir())
    assert not (run / known_bias_recipe.biased_name(asked)).exists()
