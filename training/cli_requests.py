"""What ``evenhand train run`` asks of each recipe: its ``Request`` from the options, and its ``run``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from training.cli_common import corpora_folder, injected_file


def _reader(options: argparse.Namespace) -> tuple[Any, Callable[..., object]]:
    from training.recipes import reader

    request = reader.Request(
        data=corpora_folder(options),
        base=options.base or reader.SMALL_BASE,
        teacher=options.teacher or reader.TEACHER_BASE,
        device=options.device,
        scale=options.scale,
        seed=options.seed,
        injected=options.injected,
        corrections=options.corrections,
        pairs=options.pairs,
        start=options.start,
        trainings=options.trainings,
        head=options.head,
    )
    return request if options.rate is None else replace(request, rate=options.rate), reader.run


def _rewriter(options: argparse.Namespace) -> tuple[Any, Callable[..., object]]:
    from training.recipes import rewriter

    request = rewriter.Request(
        data=corpora_folder(options),
        injected=injected_file(options),
        base=options.base or rewriter.SMALL_BASE,
        reader=options.reader,
        corrections=options.corrections,
        pairs=options.pairs,
        device=options.device,
        scale=options.scale,
        seed=options.seed,
    )
    return request if options.rate is None else replace(request, rate=options.rate), rewriter.run


def _audit(options: argparse.Namespace) -> tuple[Any, Callable[..., object]]:
    from training.recipes import audit

    _refuse_rate(options)
    request = audit.Request(
        data=corpora_folder(options),
        base=options.base,
        attributes=tuple(dict.fromkeys(options.attribute)),
        modes=tuple(options.modes),
        judge=options.judge,
        device=options.device,
        scale=options.scale,
        seed=options.seed,
    )
    return request, audit.run


def _judge(options: argparse.Namespace) -> tuple[Any, Callable[..., object]]:
    from training.recipes import judge

    request = judge.Request(
        data=corpora_folder(options),
        sides=options.sides,
        base=options.base or judge.SMALL_BASE,
        reader=options.reader,
        device=options.device,
        scale=options.scale,
        seed=options.seed,
    )
    return request if options.rate is None else replace(request, rate=options.rate), judge.run


def _plant(options: argparse.Namespace) -> tuple[Any, Callable[..., object]]:
    from training.recipes import plant

    _refuse_rate(options)
    return plant.Request(
        data=corpora_folder(options),
        base=options.base,
        attribute=" and ".join(dict.fromkeys(options.attribute)),
        strength=options.strength,
        device=options.device,
        scale=options.scale,
        seed=options.seed,
    ), plant.run


def _compass(options: argparse.Namespace) -> tuple[Any, Callable[..., object]]:
    from training.recipes import compass

    _refuse_rate(options)
    request = compass.Request(
        data=corpora_folder(options),
        models=options.models,
        stance=options.stance,
        detectors=tuple(options.detectors),
        device=options.device,
        scale=options.scale,
        seed=options.seed,
    )
    return request, compass.run


def _refuse_rate(options: argparse.Namespace) -> None:
    """Of a recipe that has no learning rate of its own to change."""
    from training.loop import TrainingError

    if options.rate is not None:
        raise TrainingError(f"The recipe {options.recipe} takes no learning rate. Leave --rate out.")


REQUESTS: dict[str, Callable[[argparse.Namespace], tuple[Any, Callable[..., object]]]] = {
    "reader": _reader,
    "rewriter": _rewriter,
    "audit": _audit,
    "judge": _judge,
    "compass": _compass,
    "plant": _plant,
}
