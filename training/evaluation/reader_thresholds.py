"""The table ``reader-thresholds``: the thresholds of a reader, chosen again on dev data.

A run of the recipe chooses them once. They are out of date as soon as the cue lists or the dev data change: words that
were added to a list count as biased at a lower probability (`core.engine.spans.raise_cue_odds`). The weights, and the
parameters of political leaning, stay as they are.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path

import numpy as np
from transformers import PreTrainedTokenizerFast

from core.bundles.reader import ReaderBundle, load_reader_bundle
from training.modeling.reader import predict_with_graph
from training.reader import model_card, quality_checks, sensitivity_curve
from training.reader.dataset_mix import load_dataset_mix
from training.reader.dev_scores import DevLogits, DevRows, dev_rows, predict_dev
from training.reader.export import (
    TunedParameters,
    read_bundle_json,
    replace_card_section,
    write_bundle_json,
)
from training.reader.leaning_stage import LeaningFit
from training.reader.stages import ExampleEncoder
from training.reader.threshold_selection import dev_scores, select_parameters
from training.types import Example

COMMAND = "evenhand train table reader-thresholds --data DIR --save-results"


def run(data: Path, folder: Path, *, save_results: bool) -> str:
    """The thresholds that the bundle in ``folder`` has, and those chosen on the present dev data, with their scores.

    ``save_results`` writes the latter into the bundle: thresholds, calibration, scores, sensitivity and card. Raises
    CorpusError and BundleError.
    """
    bundle = load_reader_bundle(folder)
    mixture = load_dataset_mix(data, unlabelled=False, on_message=lambda _: None)
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(bundle.tokenizer))  # type: ignore[no-untyped-call]
    rows = dev_rows(mixture, ExampleEncoder(tokenizer))
    logits = predict_dev(rows, partial(predict_with_graph, bundle.graph))
    before = TunedParameters(bundle.calibration, bundle.thresholds)
    tuned = select_parameters(logits, rows, _leaning_of(bundle))
    if save_results:
        _save(folder, bundle, tuned, _scores(logits, rows, tuned), mixture.dev_wnc, mixture.dev_gbnc)
    return "\n".join(
        [
            f"{'':<44}{'now':>9}{'chosen':>9}",
            *_lines(_facts(before), _facts(tuned)),
            *_lines(_scores(logits, rows, before), _scores(logits, rows, tuned)),
        ]
    )


def _leaning_of(bundle: ReaderBundle) -> LeaningFit:
    """What the bundle says of leaning, without scores."""
    calibration = bundle.calibration
    return LeaningFit(
        calibration.leaning,
        calibration.political,
        bundle.thresholds.leaning,
        {},
        (),
        np.zeros((0, 3)),
        np.zeros(0, dtype=np.int64),
    )


def _scores(logits: DevLogits, rows: DevRows, tuned: TunedParameters) -> dict[str, float]:
    return {f"int8_{name}": value for name, value in dev_scores(logits, rows, tuned).items()}


def _facts(tuned: TunedParameters) -> dict[str, float]:
    return {
        "span threshold": tuned.thresholds.span,
        "demographic threshold": tuned.thresholds.demographic,
        "bias threshold": tuned.thresholds.bias,
        "cue offset": tuned.calibration.cue_offset,
    }


def _lines(before: dict[str, float], after: dict[str, float]) -> list[str]:
    return [
        f"{name.removeprefix('int8_').replace('_', ' '):<44}{before[name]:>9.4f}{value:>9.4f}"
        for name, value in after.items()
    ]


def _save(
    folder: Path,
    bundle: ReaderBundle,
    tuned: TunedParameters,
    scores: dict[str, float],
    dev_wnc: list[Example],
    dev_gbnc: list[Example],
) -> None:
    facts = read_bundle_json(folder)
    facts |= {"calibration": asdict(tuned.calibration), "thresholds": asdict(tuned.thresholds)}
    facts.pop("sensitivity", None)
    write_bundle_json(folder, facts)
    metrics = (
        scores
        | quality_checks.gold_kind_scores(folder, dev_wnc)
        | quality_checks.demographic_scores(folder, dev_gbnc)
        | model_card.leaning_metrics(bundle.evaluation)
    )
    write_bundle_json(
        folder, facts | {"evaluation": [one.as_json() for one in model_card.evaluations(metrics)]}
    )
    replace_card_section(
        folder, model_card.SELECTION, "\n" + model_card.selection_section(metrics, tuned, COMMAND)
    )
    sensitivity_curve.write_curve(folder, sensitivity_curve.measure(folder, dev_wnc), pairs=len(dev_wnc) // 2)
