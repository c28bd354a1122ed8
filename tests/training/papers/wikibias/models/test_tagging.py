"""Every tagger of Table 7 learns an invented rule end to end; stopped, it comes to the same end; gaps are named."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from core.runs.types import Status
from tests.training.papers.wikibias.invented_corpus import (
    assert_same_weights,
    make_context,
    make_corpus,
    tagged,
)
from tests.training.tiny_corpora import ADJECTIVES, make_base
from training.loop.events import Events, StoppedError
from training.loop.training_loop import TrainingError
from training.metrics.tags import authors_scores, spans
from training.papers.wikibias.datasets import biased_sources
from training.papers.wikibias.models import tagging
from training.papers.wikibias.models.tagging import (
    LossWeights,
    TaggerConfig,
    learning_rates,
    loss_fn,
    loss_weightings,
    relabel,
    tagger,
    train_tagger,
)
from training.papers.wikibias.types import Budget, Corpus, Predictions
from training.types import INSIDE, OUTSIDE

SMOKE = Budget(auto_epochs=1, manual_epochs=1, continued_epochs=1, batch_size=8, limit=32, short=True)
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def tiny_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small encoder that is always the same, since what is learnt in a moment hangs on where it begins."""
    torch.manual_seed(2)
    return make_base(tmp_path_factory.mktemp("base") / "bert")


def smoke_material() -> Corpus:
    return make_corpus(manual=16, auto=16, dev=8, test=8)


def exact(given: Corpus, predictions: Predictions) -> float:
    assert predictions.tags is not None
    return authors_scores(given.test, predictions.tags)[0].f1


@pytest.mark.parametrize("crf", [False, True])
def test_it_learns_which_words_are_biased(tiny_base: Path, tmp_path: Path, crf: bool) -> None:
    given = make_corpus(manual=96)
    budget = Budget(manual_epochs=6, batch_size=8, short=True)
    predictions = tagger(training="manual", crf=crf)(given, make_context(tiny_base, tmp_path, budget=budget))
    assert exact(given, predictions) > 0.9


VARIANTS = [
    {"training": "manual"},
    {"training": "auto"},
    {"training": "auto-manual"},
    {"training": "auto-manual", "ling": True},
    {"training": "relabelled", "ling": True},
    {"training": "auto", "joint": True},
    {"training": "auto-manual", "ling": True, "joint": True},
    {"training": "auto", "ling": True, "crf": True},
    {"training": "auto", "ling": True, "joint": True, "crf": True},
]


@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: "-".join(map(str, options.values())))
def test_every_variant_answers_every_sentence(
    tiny_base: Path, tmp_path: Path, options: dict[str, str | bool]
) -> None:
    given = smoke_material()
    predictions = tagger(**options)(given, make_context(tiny_base, tmp_path, budget=SMOKE))  # type: ignore[arg-type]
    assert predictions.tags is not None
    assert predictions.facts is not None
    assert [len(tags) for tags in predictions.tags] == [len(one) for one in given.test]
    for tags in predictions.tags:
        assert all(after != INSIDE or before != OUTSIDE for before, after in zip([OUTSIDE, *tags], tags))  # noqa: B905
    joint = bool(options.get("joint"))
    assert (predictions.biased is not None) == joint
    assert ({"weight_biased", "dev_accuracy"} <= predictions.facts.keys()) == joint
    assert ("lists" in predictions.facts) == bool(options.get("ling"))
    assert not list(tmp_path.glob("*.pt"))


def test_a_joint_model_learns_both(tiny_base: Path, tmp_path: Path) -> None:
    given = make_corpus(auto=128)
    budget = Budget(auto_epochs=6, batch_size=8, short=True)
    predictions = tagger(training="auto", joint=True)(given, make_context(tiny_base, tmp_path, budget=budget))
    assert predictions.biased is not None
    assert exact(given, predictions) > 0.9
    right = [said == one.biased for said, one in zip(predictions.biased, given.test, strict=True)]
    assert sum(right) > 0.9 * len(right)


def test_rows_share_their_stages(tiny_base: Path, tmp_path: Path) -> None:
    given, here = smoke_material(), make_context(tiny_base, tmp_path, budget=SMOKE)
    tagger(training="auto", ling=True)(given, here)
    learnt = [path.stat().st_mtime_ns for path in tmp_path.iterdir()]
    assert len(learnt) == 1
    tagger(training="relabelled", ling=True)(given, here)
    names = sorted(path.name.split("-")[1] for path in tmp_path.iterdir())
    assert names == ["auto", "auto", "relabelled", "relabelled"]
    assert learnt[0] in [path.stat().st_mtime_ns for path in tmp_path.iterdir()]


def test_other_word_lists_make_another_stage(tiny_base: Path, tmp_path: Path) -> None:
    given, lists = smoke_material(), tmp_path / "lists"
    lists.mkdir()
    here = replace(make_context(tiny_base, tmp_path / "work", budget=SMOKE), lists=lists)
    for number in (1, 2):
        (lists / f"list_{number}.txt").write_text("shameful\n", encoding="utf-8")
        predictions = tagger(training="manual", ling=True)(given, here)
        assert predictions.facts is not None
        assert predictions.facts["lists"] == number
        assert len(list(here.folder.iterdir())) == number


def test_relabelling_learns_from_the_tags_it_gave(tiny_base: Path, tmp_path: Path) -> None:
    given = make_corpus(manual=16, auto=64, dev=8, test=8)
    here = make_context(tiny_base, tmp_path, budget=SMOKE)
    said = relabel(given, here)
    assert [one.tokens for one in said] == [one.tokens for one in biased_sources(given.auto)]
    teacher = train_tagger(given, here, TaggerConfig("auto-manual", ling=True)).tagger
    assert [list(one.tags) for one in said] == teacher.predict(said, device=CPU).tags

    (path,) = tmp_path.glob("*-tags.safetensors")
    flat = [int(token.lower() == "the") for one in said for token in one.tokens]
    save_file({"tags": torch.tensor(flat, dtype=torch.int8)}, path)
    budget = replace(SMOKE, auto_epochs=8, batch_size=4)
    predictions = tagger(training="relabelled", ling=True)(given, replace(here, budget=budget))
    assert predictions.tags is not None
    marked = Counter(
        one.tokens[start].lower()
        for one, tags in zip(given.test, predictions.tags, strict=True)
        for start, _ in spans(tags)
    )
    assert marked.most_common(1)[0][0] == "the"
    assert not marked.keys() & {*ADJECTIVES}
    assert predictions.facts is not None
    assert predictions.facts["relabelled"] == 1.0


def test_stopped_at_any_step_it_comes_to_the_same_end(tiny_base: Path, tmp_path: Path) -> None:
    given = make_corpus(manual=16, auto=32, dev=8, test=8)
    here = make_context(tiny_base, tmp_path / "whole", budget=SMOKE)
    row = tagger(training="relabelled", ling=True)
    whole = row(given, here)
    broken, stops = replace(here, folder=tmp_path / "broken"), 0
    for _ in range(12):
        orders = _stop_after(5)
        try:
            again = row(given, replace(broken, events=Events("r", io.StringIO(), stop_requested=orders)))
            break
        except StoppedError:
            stops += 1
    assert stops > 2
    assert again == whole
    assert_same_weights(tmp_path / "whole", tmp_path / "broken")


def _stop_after(asked: int) -> Callable[[], Status | None]:
    asks = count()
    return lambda: Status.PAUSED if next(asks) >= asked else None


def test_the_same_seed_gives_the_same_answers(tiny_base: Path, tmp_path: Path) -> None:
    given, row = smoke_material(), tagger(training="auto", joint=True)
    one, same, other = (
        row(given, make_context(tiny_base, tmp_path / name, budget=SMOKE, seed=seed))
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    assert one == same
    assert one != other


def test_a_short_training_searches_nothing() -> None:
    assert learning_rates(Budget()) == (3e-5, 5e-5)
    assert learning_rates(SMOKE) == (5e-5,)
    assert len(loss_weightings(Budget())) == 4
    assert loss_weightings(SMOKE) == (LossWeights(1, 1),)


def test_the_search_takes_the_best_on_dev(
    tiny_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tagging, "RATES", (1e-9, 5e-5))
    given = make_corpus(manual=48, auto=2)
    budget = Budget(manual_epochs=3, batch_size=8)
    found = train_tagger(given, make_context(tiny_base, tmp_path, budget=budget), TaggerConfig("manual"))
    assert found.rate == 5e-5
    assert len(list(tmp_path.iterdir())) == 2


def test_words_behind_the_cut_are_outside(tiny_base: Path, tmp_path: Path) -> None:
    given = smoke_material()
    found = train_tagger(given, make_context(tiny_base, tmp_path, budget=SMOKE), TaggerConfig("auto")).tagger
    long = tagged("The shameful senator visited the harbour . " * 60)
    (tags,) = found.predict([long], device=CPU).tags
    assert len(tags) == len(long)
    assert set(tags[200:]) == {OUTSIDE}


@pytest.mark.parametrize("crf", [False, True])
def test_joint_tags_are_learnt_from_biased_sentences_alone(
    tiny_base: Path, tmp_path: Path, crf: bool
) -> None:
    given = smoke_material()
    recipe = TaggerConfig("auto", joint=True, crf=crf)
    found = train_tagger(given, make_context(tiny_base, tmp_path, budget=SMOKE), recipe).tagger
    rows = found.rows([tagged("The senator visited the harbour ."), tagged("The shameful senator .")])
    model = found.model.eval()
    for weights in (LossWeights(0, 0), LossWeights(1, 0), LossWeights(0, 1)):
        model.zero_grad()
        output = found.output(rows, device=CPU)
        output.tags.retain_grad()
        assert output.sentence is not None
        output.sentence.retain_grad()
        loss_fn(model, output, rows, weights).backward()
        neutral, biased = output.tags.grad.abs().sum((1, 2)).tolist()
        assert neutral == 0 < biased
        said = output.sentence.grad.abs().sum(1).tolist()
        assert [value > 0 for value in said] == [weights.neutral > 0, weights.biased > 0]


def test_taggers_learn_from_biased_sources() -> None:
    both = [tagged("A shameful one"), tagged("A one"), replace(tagged("A shameful one"), original=False)]
    assert biased_sources(both) == both[:1]


def test_what_is_missing_is_named(tiny_base: Path, tmp_path: Path) -> None:
    given, here = smoke_material(), make_context(tiny_base, tmp_path, budget=SMOKE)
    for training in ("auto", "auto-manual", "relabelled"):
        with pytest.raises(TrainingError, match=r"invented has no noisy part .* which .* needs"):
            tagger(training=training)(replace(given, auto=()), here)
    with pytest.raises(TrainingError, match="no clean part"):
        tagger(training="manual")(replace(given, manual=()), here)
    neutral = [one for one in given.dev if not one.biased]
    with pytest.raises(TrainingError, match="dev part"):
        tagger(training="manual")(replace(given, dev=neutral), here)


def test_rows_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="auto-5 is none of manual"):
        tagger(training="auto-5")
    with pytest.raises(ValueError, match="no labels"):
        tagger(training="relabelled", joint=True)
