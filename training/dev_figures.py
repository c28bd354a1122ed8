"""The figures that a reader's run shows beside its metrics: of its dev parts, with BABE's published ones."""

from __future__ import annotations

import numpy as np

from core.runs.figures import Figures, Published
from training.export import Tuned
from training.figures import confusion_of, reliability_of, top_label_reliability
from training.metrics import macro_f1
from training.published import BABE_TABLE_5
from training.reading import softmax
from training.tuning import DevLogits, DevRows, scaled


def dev_figures(logits: DevLogits, rows: DevRows, tuned: Tuned) -> Figures:
    """What the run's page shows of the dev parts: confusion and reliability of bias and leaning, BABE's own figures.

    BABE's figures are those of its folds and this one is of a dev part: they are beside each other to be seen, not to
    be ranked; `evenhand train table babe-5` ranks.
    """
    gold = np.array([float(row.example.bias or 0) for row in rows.babe])
    chances = scaled(logits.babe.bias, tuned.calibration.bias)
    found = (chances >= tuned.thresholds.bias).astype(float)
    leaning_gold = np.array([int(row.example.leaning or 0) for row in rows.articles])
    leaning_chances = softmax(logits.articles.leaning[:, :3], tuned.calibration.leaning.temperature)
    ours = macro_f1(gold.astype(int).tolist(), found.astype(int).tolist())
    return Figures(
        confusion=(
            confusion_of(
                "BABE dev, sentences", gold.tolist(), found.tolist(), {0.0: "not biased", 1.0: "biased"}
            ),
            confusion_of(
                "Articles of dev houses, windows",
                leaning_gold.tolist(),
                leaning_chances.argmax(axis=1).tolist(),
                dict(enumerate(("left", "center", "right"))),
            ),
        ),
        reliability=(
            reliability_of("BABE dev, biased", chances, gold),
            top_label_reliability("Articles of dev houses, leaning", leaning_chances, leaning_gold),
        ),
        published=tuple(
            Published(f"BABE SG2, {system}", "F1", ours, figures["SG2"][0], "Spinde et al. 2021, Table 5")
            for system, figures in BABE_TABLE_5.items()
        ),
    )
