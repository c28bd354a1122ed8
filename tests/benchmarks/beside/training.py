"""Training: the loop beside a plain Hugging Face ``Trainer``; same model, sentences, batch and precision."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from tests.benchmarks.beside.child import NotHere, Ready, Work
from tests.benchmarks.beside.contenders import Contender, Measured, compare, python

OURS, SAME = "training loop", "Trainer"


def measure(*, steps: int, runs: int, told: Callable[[str], None]) -> list[Measured]:
    """Train for ``steps`` steps in each run. A run tells its tokens a second, padding left out, as ``rate``."""
    return compare(
        [
            Contender(
                OURS, "an encoder of 6 layers of 384 with a sentence head", python("training:ours", steps)
            ),
            Contender(SAME, "the same", python("training:same", steps)),
        ],
        runs,
        told=told,
    )


def ours(steps: str) -> Ready:
    """``training.loop.training_loop``."""
    from tests.benchmarks import training_speed

    return _ready(training_speed._ours, int(steps), f"torch {version('torch')}")


def same(steps: str) -> Ready:
    """Hugging Face Trainer, which asks for accelerate."""
    from tests.benchmarks import training_speed

    try:
        also = version("accelerate")
    except PackageNotFoundError as error:
        raise NotHere("Trainer asks for accelerate; make bench-peers") from error
    return _ready(
        training_speed._theirs, int(steps), f"transformers {version('transformers')}, accelerate {also}"
    )


def _ready(measure: Callable[..., float], steps: int, versions: str) -> Ready:
    from tests.benchmarks import training_speed
    from training.loop.batches import encode
    from training.loop.training_loop import choose_device

    device = choose_device("auto")
    model, tokenizer = training_speed._model("")
    rows = encode(training_speed._examples(None), tokenizer, max_tokens=128)
    start: dict[str, Any] = {name: value.clone() for name, value in model.state_dict().items()}

    def prepare(number: int) -> Work:
        model.load_state_dict(start)
        return lambda: {"rate": measure(model, rows, steps if number else 1, device, seed=number)}

    return Ready(f"{versions}, {device}", prepare)
