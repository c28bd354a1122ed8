"""The loop: the same seed gives the same weights, a resumed run too, and a loss that is no number stops it."""

from __future__ import annotations

import errno
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from core.runs.types import Status
from core.types import Kind
from training.loop.batches import IGNORED, EncodedExample, Stream, encode, plan_batches
from training.loop.events import DryRun, Events, StoppedError
from training.loop.training_loop import TrainingError, TrainingSettings, choose_device, train
from training.modeling.reader import ReaderModel, load_base, reader_loss
from training.types import Example, GoldSpan

TEXTS = [f"In {1900 + n} the shameful senator visited the museum." for n in range(24)]
CPU = torch.device("cpu")


def stream(tokenizer: object) -> Stream[EncodedExample]:
    rows = [
        Example(text, "x", spans=(GoldSpan(12, 20, Kind.FRAMING),), bias=float(n % 2))
        for n, text in enumerate(TEXTS)
    ]
    return Stream("x", encode(rows, tokenizer), 1.0, ("spans", "bias"))


def trained(
    base: Path,
    settings: TrainingSettings,
    *,
    checkpoint: Path | None = None,
    stop_at: int = 0,
    factor: float = 1.0,
) -> ReaderModel:
    torch.manual_seed(0)
    model, tokenizer = load_base(base)
    real, calls = reader_loss(model, CPU), 0

    def loss_fn(one: Stream[EncodedExample], rows: Sequence[EncodedExample]) -> torch.Tensor:
        nonlocal calls
        calls += 1
        if calls == stop_at:
            raise KeyboardInterrupt
        return real(one, rows) * factor

    train(
        model,
        [stream(tokenizer)],
        settings,
        loss_fn=loss_fn,
        backbone=model.encoder,
        device=CPU,
        events=Events("t", io.StringIO()),
        checkpoint=checkpoint,
    )
    return model


def same(one: ReaderModel, two: ReaderModel) -> bool:
    pairs = zip(one.state_dict().values(), two.state_dict().values(), strict=True)
    return all(torch.equal(left, right) for left, right in pairs)


def test_the_same_seed_gives_the_same_weights(tiny_base: Path) -> None:
    settings = TrainingSettings(steps=4, batch_size=4, seed=5)
    assert same(trained(tiny_base, settings), trained(tiny_base, settings))
    assert not same(
        trained(tiny_base, settings), trained(tiny_base, TrainingSettings(steps=4, batch_size=4, seed=6))
    )


def test_a_stopped_run_goes_on_to_the_same_weights(tiny_base: Path, tmp_path: Path) -> None:
    settings = TrainingSettings(steps=6, batch_size=4, seed=5, checkpoint_every_s=0.0)
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

    settings = TrainingSettings(steps=10, batch_size=4)
    train(
        model,
        [stream(tokenizer)],
        settings,
        loss_fn=reader_loss(model, CPU),
        backbone=model.encoder,
        device=CPU,
        events=Events("t", io.StringIO()),
        eval_fn=judge,
    )
    assert len(seen) == 5
    assert torch.equal(model.bias.weight, seen[1])
    assert not torch.equal(model.bias.weight, seen[-1])


def line(rows: int = 8) -> list[list[int]]:
    return [[number] for number in range(rows)]


def fit_line(
    settings: TrainingSettings, *, eval_fn: Callable[[], float] | None = None, **more: Any
) -> torch.nn.Linear:
    """A line fitted to numbers: the loop without a reader."""
    torch.manual_seed(0)
    model = more.pop("model", None) or torch.nn.Linear(1, 1)

    def loss_fn(_: Stream[list[int]], rows: Sequence[list[int]]) -> torch.Tensor:
        places = torch.tensor(rows, dtype=torch.float32)
        return torch.nn.functional.mse_loss(model(places), 3 * places)

    given = {"loss_fn": loss_fn, "device": CPU, "events": Events("t", io.StringIO())}
    train(model, [Stream("line", line(), 1.0)], settings, eval_fn=eval_fn, **{**given, **more})
    return model


def test_it_stops_when_judgements_get_no_better_and_keeps_the_best(tmp_path: Path) -> None:
    scores = iter([-3.0, -2.0, -2.5, -2.6, -1.0])
    weights: list[float] = []
    model = torch.nn.Linear(1, 1)

    def judge() -> float:
        weights.append(model.weight.item())
        return next(scores)

    settings = TrainingSettings(steps=50, batch_size=4, learning_rate=0.1, eval_every=5, patience=2)
    fit_line(settings, model=model, eval_fn=judge)
    assert len(weights) == 4
    assert model.weight.item() == weights[1]


def test_a_batch_in_pieces_gives_the_gradient_of_the_whole() -> None:
    whole = fit_line(TrainingSettings(steps=3, batch_size=8, learning_rate=0.1))
    pieces = fit_line(TrainingSettings(steps=3, batch_size=8, learning_rate=0.1, accumulation_steps=4))
    assert whole.weight.item() == pytest.approx(pieces.weight.item(), abs=1e-6)


def test_where_memory_runs_out_batches_are_halved_and_nothing_is_left_out() -> None:
    model, said, sizes = torch.nn.Linear(1, 1), io.StringIO(), []

    def loss_fn(_: Stream[list[int]], rows: Sequence[list[int]]) -> torch.Tensor:
        if len(rows) > 2:
            raise RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried")
        sizes.append(len(rows))
        places = torch.tensor(rows, dtype=torch.float32)
        return torch.nn.functional.mse_loss(model(places), 3 * places)

    settings = TrainingSettings(steps=2, batch_size=8, learning_rate=0.1)
    halved = fit_line(settings, model=model, loss_fn=loss_fn, events=Events("t", said))
    torch.manual_seed(0)
    assert sizes == [2] * 8
    told = [json.loads(row) for row in said.getvalue().splitlines()]
    assert [row["message"] for row in told if row["event"] == "warning"][-1].endswith("into 4 parts.")
    assert halved is model


def test_another_runtime_error_is_not_taken_for_a_full_memory() -> None:
    def loss_fn(*_: object) -> torch.Tensor:
        raise RuntimeError("shapes do not match")

    with pytest.raises(RuntimeError, match="shapes"):
        fit_line(TrainingSettings(steps=2), loss_fn=loss_fn)


def test_one_row_that_does_not_fit_is_one_clear_line() -> None:
    def loss_fn(*_: object) -> torch.Tensor:
        raise torch.OutOfMemoryError("CUDA out of memory.")

    with pytest.raises(TrainingError, match="does not fit into memory"):
        fit_line(TrainingSettings(steps=2), loss_fn=loss_fn)


def test_a_pause_keeps_a_checkpoint_and_the_rest_gives_the_same_weights(tmp_path: Path) -> None:
    settings = TrainingSettings(steps=9, batch_size=4, learning_rate=0.1, eval_every=2)
    whole = fit_line(settings, eval_fn=lambda: 0.0)
    steps = iter([None, None, None, Status.PAUSED])
    events = Events("t", io.StringIO(), stop_requested=lambda: next(steps))
    path = tmp_path / "run.pt"
    with pytest.raises(StoppedError, match="--resume t"):
        fit_line(settings, eval_fn=lambda: 0.0, events=events, checkpoint=path)
    again = fit_line(settings, eval_fn=lambda: 0.0, checkpoint=path)
    assert torch.equal(whole.weight, again.weight)


def test_a_cancelled_run_writes_nothing_more(tmp_path: Path) -> None:
    events = Events("t", io.StringIO(), stop_requested=lambda: Status.CANCELLED)
    with pytest.raises(StoppedError, match="cancelled"):
        fit_line(TrainingSettings(steps=9), events=events, checkpoint=tmp_path / "run.pt")
    assert not list(tmp_path.iterdir())


def test_a_full_disk_leaves_the_last_checkpoint_and_training_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, said, real, count = tmp_path / "run.pt", io.StringIO(), torch.save, 0

    def full(*arguments: Any) -> None:
        nonlocal count
        count += 1
        if count > 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(*arguments)

    monkeypatch.setattr(torch, "save", full)
    settings = TrainingSettings(steps=6, batch_size=4, learning_rate=0.1, checkpoint_every_s=0.0)
    fit_line(settings, checkpoint=path, events=Events("t", said))
    assert torch.load(path, weights_only=True)["done"] == 2
    assert [file.name for file in tmp_path.iterdir()] == ["run.pt"]
    warnings = [row for row in map(json.loads, said.getvalue().splitlines()) if row["event"] == "warning"]
    assert "No space left" in warnings[0]["message"]


def test_a_damaged_checkpoint_is_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "run.pt"
    path.write_bytes(b"no checkpoint")
    with pytest.raises(TrainingError, match="damaged or of another model"):
        fit_line(TrainingSettings(steps=2), checkpoint=path)


def test_a_trial_takes_a_few_steps_and_tells_what_the_whole_would_take() -> None:
    dry_run = DryRun()
    fit_line(TrainingSettings(steps=1000, batch_size=4), events=Events("t", io.StringIO(), dry_run=dry_run))
    assert dry_run.seconds > 0
    assert dry_run.checkpoint_bytes == 4 * 8


def test_nothing_to_learn_from_is_one_clear_line() -> None:
    model = torch.nn.Linear(1, 1)
    empty: list[list[int]] = []
    with pytest.raises(TrainingError, match="no training rows"):
        train(
            model,
            [Stream("none", empty, 1.0)],
            TrainingSettings(steps=1),
            loss_fn=lambda *_: torch.zeros(()),
            device=CPU,
            events=Events("t", io.StringIO()),
        )


def test_a_loss_that_is_no_number_stops_with_a_reason(tiny_base: Path) -> None:
    with pytest.raises(TrainingError, match="not a number at step 0"):
        trained(tiny_base, TrainingSettings(steps=1), factor=float("nan"))


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
    steps = plan_batches([stream(tokenizer)], steps=6, batch_size=4, seed=1)
    assert sorted(row for _, rows in steps for row in rows) == list(range(24))


def test_cuda_that_is_not_there_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(TrainingError, match="--device cpu"):
        choose_device("cuda")
    assert choose_device("auto").type == "cpu"


def test_rmsprop_is_another_optimiser_and_a_stopped_run_of_it_goes_on(
    tiny_base: Path, tmp_path: Path
) -> None:
    settings = TrainingSettings(steps=6, batch_size=4, seed=5, checkpoint_every_s=0.0, optimiser="rmsprop")
    whole = trained(tiny_base, settings)
    assert not same(whole, trained(tiny_base, TrainingSettings(steps=6, batch_size=4, seed=5)))
    with pytest.raises(KeyboardInterrupt):
        trained(tiny_base, settings, checkpoint=tmp_path / "run.pt", stop_at=4)
    assert same(whole, trained(tiny_base, settings, checkpoint=tmp_path / "run.pt"))
