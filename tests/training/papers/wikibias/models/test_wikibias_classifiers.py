"""Table 5's classifiers learn an invented rule, leave out what they say, and come to the same end when stopped."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from core.runs.types import Status
from tests.training.papers.wikibias.invented_corpus import (
    assert_same_weights,
    make_context,
    make_corpus,
    make_lively_base,
    pairs,
)
from tests.training.tiny_encoders import make_encoder
from training.loop.events import Events, StoppedError
from training.loop.training_loop import TrainingError, TrainingSettings
from training.metrics import accuracy
from training.papers.wikibias.models import classifiers, sentence_model
from training.papers.wikibias.models.classifiers import TRAINING_SETS, binary, remove_unlikely, train_binary
from training.papers.wikibias.models.sentence_model import new_classifier, scaled_learning_rate
from training.papers.wikibias.types import Budget, Corpus, TrainingContext
from training.types import TaggedSentence

SMOKE = Budget(auto_epochs=1, manual_epochs=1, continued_epochs=1, batch_size=8)


def small() -> Corpus:
    return make_corpus(manual=12, auto=20, dev=6, test=6)


@pytest.fixture
def lively(tiny_base: Path, tmp_path: Path) -> Path:
    return make_lively_base(tmp_path / "lively", like=tiny_base)


def test_it_learns_which_sentences_are_biased(
    lively: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sentence_model, "RATE", 1e-4)
    given = make_corpus()
    here = make_context(lively, tmp_path / "work", budget=Budget(manual_epochs=6))
    predictions = binary(training="manual")(given, here)
    assert predictions.biased is not None
    assert accuracy([one.biased for one in given.test], predictions.biased) > 0.9
    assert predictions.tags is None
    assert predictions.kinds is None
    assert predictions.facts is not None
    assert predictions.facts["dev_accuracy"] > 0.9


@pytest.mark.parametrize("training", TRAINING_SETS)
def test_every_row_answers_every_test_sentence(training: str, tiny_base: Path, tmp_path: Path) -> None:
    given = small()
    predictions = binary(training=training)(given, make_context(tiny_base, tmp_path, budget=SMOKE))
    assert predictions.biased is not None
    assert len(predictions.biased) == len(given.test)


@pytest.mark.parametrize(
    ("training", "epochs", "rows"),
    [
        ("manual", 5, "manual"),
        ("auto", 3, "auto"),
        ("auto-manual", 3, "manual"),
        ("auto-5", 3, "sifted"),
        ("auto-10", 3, "sifted"),
    ],
)
def test_settings_are_those_printed(
    training: str, epochs: int, rows: str, tiny_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, seen = small(), []

    def watch(_: object, streams: Sequence[object], settings: TrainingSettings, **rest: object) -> None:
        seen.append((len(streams[0].rows), settings, rest.get("body")))  # type: ignore[attr-defined]

    monkeypatch.setattr(sentence_model, "train", watch)
    binary(training=training)(given, make_context(tiny_base, tmp_path))
    trained, settings, body = seen[-1]
    expected = {"manual": len(given.manual), "auto": len(given.auto)}.get(
        rows, len(given.auto) - round(len(given.auto) / 2 * (0.05 if training == "auto-5" else 0.1))
    )
    assert trained == expected
    epoch = -(-trained // 16)
    assert (settings.batch_size, settings.steps, settings.eval_every) == (16, epochs * epoch, epoch)
    assert (settings.max_grad_norm, settings.weight_decay, settings.warmup, settings.final_lr_ratio) == (
        1.0,
        0.0,
        0.0,
        1.0,
    )
    assert body is None
    assert len(seen) == (1 if training in ("manual", "auto") else 2)


def test_fresh_layers_learn_faster_where_the_corpus_is_cut() -> None:
    encoder = torch.nn.Linear(2, 2)
    assert sentence_model.backbone_of(encoder, Budget()) is None
    assert sentence_model.backbone_of(encoder, Budget(short=True)) is encoder


def test_the_rate_is_the_printed_one_at_the_printed_width() -> None:
    assert scaled_learning_rate(768) == 2e-5
    assert scaled_learning_rate(384) == 4e-5


@pytest.mark.parametrize(("training", "share"), [("auto-5", 0.05), ("auto-10", 0.1)])
def test_the_least_likely_biased_sentences_are_left_out(
    training: str, share: float, tiny_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, learnt = small(), []
    here = make_context(tiny_base, tmp_path, budget=SMOKE)
    auto = train_binary(given, here, training="auto")
    real = classifiers.train_classifier

    def watch(classifier: object, sentences: Sequence[TaggedSentence], *rest: object, **more: object) -> None:
        learnt.append(list(sentences))
        real(classifier, sentences, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(classifiers, "train_classifier", watch)
    predictions = binary(training=training)(given, here)
    biased = [one for one in given.auto if one.biased]
    logits = auto.read(auto.rows(biased), device=here.device)
    order = np.argsort(logits[:, 1] - logits[:, 0], kind="stable")
    gone = {id(biased[at]) for at in order[: round(share * len(biased))]}
    assert predictions.facts is not None
    assert predictions.facts["left_out"] == len(gone) == round(share * 20)
    assert [id(one) for one in learnt[-1]] == [id(one) for one in given.auto if id(one) not in gone]


def test_a_sifted_row_starts_from_the_encoder_and_not_from_the_classifier_that_sifted(
    tiny_base: Path, tmp_path: Path
) -> None:
    given, none = small(), replace(SMOKE, auto_epochs=0)
    fresh = new_classifier(make_context(tiny_base, tmp_path), 2).model.state_dict()
    train_binary(given, make_context(tiny_base, tmp_path, budget=SMOKE), training="auto")
    sifting = train_binary(
        given, make_context(tiny_base, tmp_path, budget=none), training="auto-10"
    ).model.state_dict()
    assert all(torch.equal(value, fresh[name]) for name, value in sifting.items())
    further = replace(SMOKE, continued_epochs=0)
    going_on = train_binary(
        given, make_context(tiny_base, tmp_path, budget=further), training="auto-manual"
    ).model
    auto = load_file(tmp_path / "classifier-auto.safetensors")
    assert all(torch.equal(value, auto[name]) for name, value in going_on.state_dict().items())


def test_neutral_sentences_stay_and_the_earlier_of_equals_goes() -> None:
    sentences = pairs(4, seed=1)
    biased = [one for one in sentences if one.biased]
    kept = remove_unlikely(sentences, np.array([0.5, 0.2, 0.2, 0.9], dtype=np.float32), 1)
    assert kept == [one for one in sentences if one is not biased[1]]
    assert remove_unlikely(sentences, np.ones(4, dtype=np.float32), 0) == sentences


def test_stopped_at_any_step_it_comes_to_the_same_end(tiny_base: Path, tmp_path: Path) -> None:
    given, row = make_corpus(manual=4, auto=12, dev=4, test=4), binary(training="auto-10")
    here = make_context(tiny_base, tmp_path / "whole", budget=SMOKE)
    whole = row(given, here)
    broken, stops = replace(here, folder=tmp_path / "broken"), 0
    for _ in range(30):
        try:
            again = row(given, _stopped_after(broken, 3))
            break
        except StoppedError:
            stops += 1
    assert stops > 2
    assert again == whole
    assert_same_weights(tmp_path / "whole", tmp_path / "broken")


def _stopped_after(here: TrainingContext, asked: int) -> TrainingContext:
    asks = count()
    stop_requested: Callable[[], Status | None] = lambda: Status.PAUSED if next(asks) >= asked else None  # noqa: E731
    return replace(here, events=Events("test", stream=io.StringIO(), stop_requested=stop_requested))


def test_rows_share_their_stages(tiny_base: Path, tmp_path: Path) -> None:
    given, here = small(), make_context(tiny_base, tmp_path, budget=SMOKE)
    stages: list[str] = []
    here.events.sinks.append(lambda told: stages.append(f"{told['stage']}: {told['message']}"))
    for training in ("auto", "auto-manual", "auto-5", "auto-10", "auto-5"):
        binary(training=training)(given, here)
    assert stages.count("classifier auto: already trained") == 2
    assert stages.count("chances of AUTO: already trained") == 1
    assert stages[-1] == "classifier auto-5: already trained"


def test_the_same_seed_gives_the_same_classifier(tiny_base: Path, tmp_path: Path) -> None:
    given = small()
    one, same, other = (
        train_binary(
            given, make_context(tiny_base, tmp_path / name, budget=SMOKE, seed=seed), training="manual"
        )
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    rows = one.rows(given.test)
    first, second, third = (made.read(rows, device=torch.device("cpu")) for made in (one, same, other))
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, third)


@pytest.mark.parametrize("architecture", ["bert", "roberta", "xlnet", "mpnet"])
def test_padding_changes_no_answer(architecture: str, tiny_base: Path, tmp_path: Path) -> None:
    base = make_encoder(tmp_path / architecture, architecture, like=tiny_base)
    made = new_classifier(make_context(base, tmp_path), 2)
    sentences = pairs(2, seed=1)
    sentences.append(replace(sentences[0], tokens=sentences[0].tokens * 4, tags=sentences[0].tags * 4))
    rows = made.rows(sentences)
    together = made.read(rows, device=torch.device("cpu"))
    alone = [made.read([row], device=torch.device("cpu"))[0] for row in rows]
    np.testing.assert_allclose(
        together, alone, atol=1e-2 if torch.ops.mkldnn._is_mkldnn_bf16_supported() else 1e-5
    )


def test_what_is_missing_is_named(tiny_base: Path, tmp_path: Path) -> None:
    given, here = small(), make_context(tiny_base, tmp_path, budget=SMOKE)
    for training in TRAINING_SETS[1:]:
        with pytest.raises(
            TrainingError, match=rf"invented has no noisy part.*{training} needs.*authors' drive"
        ):
            binary(training=training)(replace(given, auto=()), here)
    with pytest.raises(TrainingError, match=r"invented has no clean part.*authors' drive"):
        binary(training="manual")(replace(given, manual=()), here)
    with pytest.raises(TrainingError, match=r"no dev part to choose"):
        binary(training="manual")(replace(given, dev=()), here)
    with pytest.raises(ValueError, match=r"auto-7 is none of manual, auto"):
        binary(training="auto-7")
