"""Published figures of Feng et al. 2023 (*From Pretraining Data to Language Models to Downstream Tasks*), by table.

Positions of single models are only drawn (Figures 1, 3 and 4); the figures in the text about them are here. The models
of Tables 3 to 12 are RoBERTa unchanged (``base``) and after continued pre-training on partisan news and Reddit.
"""

from __future__ import annotations

COMPASS_MAGNITUDE: dict[str, tuple[float, float]] = {"economic": (0.87, 0.84), "social": (2.97, 1.29)}
"""Section 4.1: mean and standard deviation of the distance from the centre, over the 21 models of Figure 1."""

COMPASS_REDDIT_LEFT = (2.97, -3.03)
"""Section 4.1: RoBERTa's social position before and after pre-training on the left's Reddit."""

COMPASS_CHANGE: dict[str, dict[str, float]] = {
    "news": {"economic": 0.90, "social": 0.64},
    "reddit": {"economic": 0.61, "social": 1.60},
}
"""Section 4.1: mean distance that RoBERTa moved, by the kind of corpus."""

COMPASS_FIGURE_5: dict[str, tuple[float, float]] = {
    "RoBERTa": (0.452, 0.143),
    "DistilRoBERTa": (0.349, 0.094),
    "GPT-2": (0.047, 0.481),
    "GPT-3": (0.600, 0.102),
}
"""Figure 5, over wordings: Fleiss' kappa and *average std*."""

COMPASS_FIGURE_6: dict[str, tuple[float, float]] = {
    "RoBERTa": (0.068, 0.259),
    "DistilRoBERTa": (-0.130, 0.382),
    "GPT-2": (0.014, 0.461),
    "GPT-3": (0.406, 0.125),
}
"""Figure 6, over prompts: Fleiss' kappa and *average std*."""

COMPASS_TASKS = ("hate-identity", "hate-demographic", "misinformation")

COMPASS_TABLE_3: dict[str, tuple[tuple[float, float], ...]] = {
    "base": ((88.74, 81.15), (90.26, 83.79), (88.80, 88.37)),
    "news-left": ((88.75, 81.44), (90.19, 83.53), (88.61, 88.15)),
    "reddit-left": ((88.78, 81.77), (89.95, 83.82), (87.84, 87.25)),
    "news-right": ((88.45, 80.66), (89.30, 82.76), (86.51, 85.69)),
    "reddit-right": ((88.34, 80.19), (89.87, 83.28), (86.01, 85.05)),
}
"""Table 3: balanced accuracy and F1 in percent, by model and each of COMPASS_TASKS."""

COMPASS_TABLE_6: dict[str, tuple[tuple[float, float], ...]] = {
    "mean": ((88.58, 81.01), (89.83, 83.35), (87.24, 86.54)),
    "best": ((88.78, 81.77), (90.19, 83.82), (88.61, 88.15)),
    "ensemble": ((90.21, 83.57), (91.84, 86.16), (90.88, 90.50)),
}
"""Table 6: balanced accuracy and F1 in percent of the partisan models, mean and best, and of their majority vote."""

COMPASS_HATE_GROUPS = tuple("black muslim lgbtq+ jews asian latinx women christian men white".split())

COMPASS_TABLE_4_HATE: dict[str, tuple[float, ...]] = {
    "news-left": (89.93, 89.98, 90.19, 89.85, 91.55, 91.28, 86.81, 87.82, 85.63, 86.22),
    "reddit-left": (89.84, 89.90, 89.96, 89.50, 90.66, 91.15, 87.42, 87.65, 86.20, 85.13),
    "news-right": (88.81, 88.68, 88.91, 89.74, 90.62, 89.97, 86.44, 89.62, 86.93, 86.35),
    "reddit-right": (88.03, 89.26, 88.43, 89.00, 89.72, 89.31, 86.03, 87.65, 83.69, 86.86),
}
"""Table 4, first half: hate against each of COMPASS_HATE_GROUPS; the paper does not name the score."""

COMPASS_TABLE_12_HATE: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "news-left": (
        (82.44, 81.96, 83.30, 82.23, 84.53, 84.26, 79.63, 82.19, 78.85, 80.80),
        (84.67, 85.06, 82.77, 85.45, 88.07, 87.63, 74.51, 74.08, 70.92, 72.18),
    ),
    "reddit-left": (
        (80.82, 80.90, 81.14, 81.62, 82.91, 84.05, 78.97, 81.68, 78.61, 75.62),
        (87.00, 86.46, 85.18, 84.98, 86.95, 87.42, 78.42, 74.08, 73.91, 75.94),
    ),
    "news-right": (
        (79.24, 78.48, 79.78, 80.37, 82.81, 80.60, 76.80, 82.39, 78.99, 80.89),
        (85.26, 85.36, 82.77, 88.13, 86.95, 88.19, 77.66, 81.69, 76.63, 72.59),
    ),
    "reddit-right": (
        (76.37, 77.81, 77.36, 78.22, 80.30, 79.10, 74.69, 78.33, 73.26, 82.12),
        (87.39, 89.40, 84.98, 89.00, 87.32, 88.05, 79.91, 79.44, 71.47, 73.01),
    ),
}
"""Table 12, first half: precision and recall in percent for hate against each of COMPASS_HATE_GROUPS."""

COMPASS_SOURCES = ("HP", "NYT", "CNN", "NPR", "Guardian", "Fox", "WaEx", "BBart", "WaT", "NR")
"""Sources of misinformation: five of the left, five of the right."""

COMPASS_TABLE_4_MISINFORMATION: dict[str, tuple[float, ...]] = {
    "news-left": (89.44, 86.08, 87.57, 89.61, 82.22, 93.10, 92.86, 91.30, 82.35, 96.30),
    "reddit-left": (88.73, 83.54, 84.86, 92.21, 84.44, 89.66, 96.43, 80.43, 91.18, 96.30),
    "news-right": (89.44, 86.71, 89.19, 90.91, 86.67, 88.51, 85.71, 89.13, 82.35, 92.59),
    "reddit-right": (90.85, 86.71, 90.81, 84.42, 84.44, 91.95, 96.43, 84.78, 85.29, 96.30),
}
"""Table 4, second half: misinformation by each of COMPASS_SOURCES."""

COMPASS_TABLE_12_MISINFORMATION: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "news-left": (
        (88.89, 85.71, 90.67, 91.67, 90.91, 95.24, 93.75, 88.00, 84.21, 90.00),
        (87.50, 77.42, 80.95, 78.57, 76.92, 90.91, 93.75, 95.65, 84.21, 100.00),
    ),
    "reddit-left": (
        (88.71, 82.14, 87.84, 100.00, 91.30, 92.68, 100.00, 88.89, 90.00, 90.00),
        (85.94, 74.19, 77.38, 78.57, 80.77, 86.36, 93.75, 69.57, 94.74, 100.00),
    ),
    "news-right": (
        (91.53, 87.27, 91.03, 95.65, 88.46, 88.64, 92.86, 95.00, 84.21, 81.82),
        (84.38, 77.42, 84.52, 78.57, 88.46, 88.64, 81.25, 82.61, 84.21, 100.00),
    ),
    "reddit-right": (
        (93.22, 91.84, 95.89, 86.36, 95.24, 97.44, 94.12, 90.00, 85.00, 90.00),
        (85.94, 72.58, 83.33, 67.86, 76.92, 86.36, 100.00, 78.26, 89.47, 100.00),
    ),
}
"""Table 12, second half: precision and recall in percent for misinformation by each of COMPASS_SOURCES."""
