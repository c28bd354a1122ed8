"""f_debias learns two sides from the generator's states, says how well, and is train once."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
import torch

from core.runs.types import Status
from tests.training.auditing.generation import tiny_generator as tiny
from training.auditing.debiasing.ideology_head import STATES_PER_TEXT, FittedHead, IdeologyHead, fit_head
from training.auditing.debiasing.training_data import SideTexts
from training.loop.events import Events, StoppedError
from training.loop.training_loop import TrainingError
from training.types import CorpusError


def texts(words: tuple[str, ...], count: int, start: int) -> tuple[str, ...]:
    """Rows of words of one side alone."""
    return tuple(
        " ".join(words[(at * place + at // 4) % len(words)] for place in range(1, 4 + at % 3))
        for at in range(start, start + count)
    )


LEARNT = SideTexts(texts(tiny.LIBERAL, 96, 0), texts(tiny.CONSERVATIVE, 96, 3))
DEV = SideTexts(texts(tiny.LIBERAL, 12, 170), texts(tiny.CONSERVATIVE, 12, 174))


def fitted(
    folder: Path, *, train: SideTexts = LEARNT, dev: SideTexts = DEV, seed: int = 1
) -> tuple[FittedHead, str]:
    out = io.StringIO()
    found = fit_head(
        tiny.generator(),
        train,
        dev,
        seed=seed,
        events=Events("run", out),
        weights=folder / "head.safetensors",
    )
    return found, out.getvalue()


def test_two_sides_are_learned_and_liberal_is_class_1(tmp_path: Path) -> None:
    found, said = fitted(tmp_path)
    assert found.dev_macro_f1 > 0.9
    made = tiny.generator()
    for side, words in enumerate((tiny.CONSERVATIVE, tiny.LIBERAL)):
        states = torch.stack([row[-1] for row in made.states(made.ids(texts(words, 12, 180), longest=50))])
        assert (found.head(states).argmax(1) == side).float().mean() > 0.9
    assert max(json.loads(row)["metrics"].get("dev", 0) for row in said.splitlines()) == pytest.approx(
        found.dev_macro_f1, abs=1e-5
    )
    assert not any(one.requires_grad for one in found.head.parameters())


def test_reading_states_reports_progress(tmp_path: Path) -> None:
    """To read thousands of articles with a generator takes longer than to learn from them."""
    _, said = fitted(tmp_path)
    rows = [json.loads(row) for row in said.splitlines()]
    begun = next(at for at, row in enumerate(rows) if row["message"] == "f_debias reads 192 texts")
    progress = [(row["step"], row["steps"]) for row in rows[begun + 1 : begun + 4]]
    assert progress == [(64, 192), (128, 192), (192, 192)]


def test_swapped_dev_labels_give_a_low_score(tmp_path: Path) -> None:
    found, _ = fitted(tmp_path, dev=SideTexts(DEV.conservative, DEV.liberal))
    assert found.dev_macro_f1 < 0.5


def test_saved_weights_are_loaded_and_depend_on_the_seed(tmp_path: Path) -> None:
    one, _ = fitted(tmp_path)
    again, said = fitted(tmp_path)
    assert "already trained" in said
    other, _ = fitted(tmp_path / "other", seed=2)
    same, _ = fitted(tmp_path / "same")
    assert again.dev_macro_f1 == one.dev_macro_f1 == same.dev_macro_f1
    for name, value in one.head.state_dict().items():
        assert torch.equal(value, again.head.state_dict()[name])
        assert torch.equal(value, same.head.state_dict()[name])
    assert not torch.equal(one.head.answer.weight, other.head.answer.weight)


def test_weights_of_another_generator_are_refused(tmp_path: Path) -> None:
    fitted(tmp_path)
    from safetensors.torch import save_file

    save_file(IdeologyHead(16).state_dict(), tmp_path / "head.safetensors")
    with pytest.raises(TrainingError, match="does not belong to gpt2"):
        fitted(tmp_path)


@pytest.mark.parametrize("empty", [(), (" ", "")])
def test_a_one_sided_corpus_is_refused(tmp_path: Path, empty: tuple[str, ...]) -> None:
    with pytest.raises(CorpusError, match="no conservative text"):
        fitted(tmp_path, train=SideTexts(LEARNT.liberal, empty))
    with pytest.raises(CorpusError, match="no liberal text"):
        fitted(tmp_path, dev=SideTexts(empty, DEV.conservative))


def test_reading_states_can_be_stopped(tmp_path: Path) -> None:
    events = Events("run", io.StringIO(), stop_requested=lambda: Status.CANCELLED)
    with pytest.raises(StoppedError):
        fit_head(tiny.generator(), LEARNT, DEV, seed=1, events=events, weights=tmp_path / "head.safetensors")


def test_a_text_gives_few_states_with_its_last_one() -> None:
    from training.auditing.debiasing.ideology_head import _read_states

    made, long = tiny.generator(), " ".join(tiny.WORDS[:30])
    events = Events("run", io.StringIO())
    rows = _read_states(made, SideTexts((long, "the"), ("a law",)), seed=3, events=events)
    assert [(len(row), row.liberal) for row in rows] == [(2, 0), (STATES_PER_TEXT, 1), (1, 1)]
    whole = made.states(made.ids([long], longest=100))[0]
    assert torch.equal(rows[1].states[-1], whole[-1])


def test_the_first_layer_takes_states_that_are_not_standardised() -> None:
    head = tiny.head()
    states = torch.randn(5, 32) * 3
    weight, bias = head.first_layer()
    torch.testing.assert_close(
        head(states), head.answer(torch.tanh(states @ weight.T + bias)), atol=1e-4, rtol=1e-4
    )
    same = torch.ones(9, 32)
    head.standardise(same)
    assert torch.isfinite(head(same)).all(), "a number that never changes divides by nothing"
