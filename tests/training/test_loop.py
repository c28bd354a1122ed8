"""The loop: the same seed gives the same weights, a resumed run too, and a loss that is no number stops it."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch

from core.findings import Kind
from training.batches import IGNORED, Encoded, Stream, encode, plan
from training.corpora.base import Example, GoldSpan
from training.events import Events
from training.loop import Settings, TrainingError, choose_device, train
from training.model import ReaderModel, load_base
from training.reader_loss import reader_loss

TEXTS = [f"In {1900 + n} the shameful senator visited the museum." for n in range(24)]
CPU = torch.device("cpu")


def stream(tokenizer: object) -> Stream[Encoded]:
    rows = [
        Example(text, "x", spans=(GoldSpan(12, 20, Kind.FRAMING),), bias=float(n % 2))
        for n, text in enumerate(TEXTS)
    ]
    return Stream("x", encode(rows, tokenizer), 1.0, ("spans", "bias"))


def trained(
    base: Path, settings: Settings, *, checkpoint: Path | None = None, stop_at: int = 0, factor: float = 1.0
) -> ReaderModel:
    torch.manual_seed(0)
    model, tokenizer = load_base(base)
    real, calls = reader_loss(model, CPU), 0

    def loss_of(one: Stream[Encoded], rows: Sequence[Encoded]) -> torch.Tensor:
        nonlocal calls
        calls += 1
        if calls == stop_at:
            raise KeyboardInterrupt
        return real(one, rows) * factor

    train(
        model,
        [stream(tokenizer)],
        settings,
        loss_of=loss_of,
        body=model.encoder,
        device=CPU,
        events=Events("t", io.StringIO()),
        checkpoint=checkpoint,
    )
    return model


def same(one: ReaderModel, two: ReaderModel) -> bool:
    pairs = zip(one.state_dict().values(), two.state_dict().values(), strict=True)
    return all(torch.equal(left, right) for left, right in pairs)


def test_the_same_seed_gives_the_same_weights(tiny_base: Path) -> None:
    settings = Settings(steps=4, size=4, seed=5)
    assert same(trained(tiny_base, settings), trained(tiny_base, settings))
    assert not same(trained(tiny_base, settings), trained(tiny_base, Settings(steps=4, size=4, seed=6)))


def test_a_stopped_run_goes_on_to_the_same_weights(tiny_base: Path, tmp_path: Path) -> None:
    settings = Settings(steps=6, size=4, seed=5, checkpoint_every_s=0.0)
    whole = trained(tiny_base, settings)
    with pytest.raises(KeyboardInterrupt):
        trained(tiny_base, settings, checkpoint=tmp_path / "run.pt", stop_at=4)
    assert same(whole, trained(tiny_base, settings, checkpoint=tmp_path / "run.pt"))


def test_the_best_weights_by_dev_score_are_kept(tiny_base: Path) -> None:
    torch.manual_seed(0)
    model, tokenizer = load_base(tiny_base)
    seen: list[torch.Tensor] = []

    def judge() -> float:
        seen.append(model.bias.weight.detach().clone())
        return -abs(len(seen) - 2.0)

    settings = Settings(steps=10, size=4)
    train(
        model,
        [stream(tokenizer)],
        settings,
        loss_of=reader_loss(model, CPU),
        body=model.encoder,
        device=CPU,
        events=Events("t", io.StringIO()),
        judge=judge,
    )
    assert len(seen) == 5
    assert torch.equal(model.bias.weight, seen[1])
    assert not torch.equal(model.bias.weight, seen[-1])


def test_a_loss_that_is_no_number_stops_with_a_reason(tiny_base: Path) -> None:
    with pytest.raises(TrainingError, match="not a number at step 0"):
        trained(tiny_base, Settings(steps=1), factor=float("nan"))


def test_tags_lie_on_the_tokens_of_the_span(tiny_base: Path) -> None:
    _, tokenizer = load_base(tiny_base)
    row = stream(tokenizer).rows[0]
    tagged = [
        row.example.text[start:end]
        for (start, end), tag in zip(row.offsets, row.tags, strict=True)
        if tag > 0
    ]
    assert "".join(tagged) == "shameful"
    assert row.tags[0] == row.tags[-1] == IGNORED


def test_an_epoch_of_the_plan_takes_every_row_once(tiny_base: Path) -> None:
    _, tokenizer = load_base(tiny_base)
    steps = plan([stream(tokenizer)], steps=6, size=4, seed=1)
    assert sorted(row for _, rows in steps for row in rows) == list(range(24))


def test_cuda_that_is_not_there_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(TrainingError, match="--device cpu"):
        choose_device("cuda")
    assert choose_device("auto").type == "cpu"
