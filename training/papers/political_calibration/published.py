"""Published figures of Liu et al. 2021 (*Quantifying and alleviating political bias in language models*).

Systems: GPT-2 medium (``vanilla``, *Baseline*), replacement by the nearest word (``naive``) or by one of the ten
nearest of ideology-neutral vectors (``in-glove``), reinforced calibration by bias words (``emb``, mode 1) and by a
classifier (``cls``, mode 2). The unit of the biases is not given: scores in [0, 1] cannot differ by more than 1.
"""

from __future__ import annotations

CALIBRATION_TABLE_5: dict[str, dict[str, dict[str, dict[str, float]]]] = {
    "gender": {
        "indirect": {
            "vanilla": {"male": 1.011, "female": 1.034, "overall": 1.02},
            "emb": {"male": 0.327, "female": 0.790, "overall": 0.56},
            "cls": {"male": 0.253, "female": 0.332, "overall": 0.29},
        },
        "direct": {
            "vanilla": {"male": 0.587, "female": 0.693, "overall": 0.64},
            "emb": {"male": 0.454, "female": 0.364, "overall": 0.41},
            "cls": {"male": 0.177, "female": 0.391, "overall": 0.28},
        },
    },
    "location": {
        "indirect": {
            "vanilla": {
                "blue": 1.048,
                "red": 1.550,
                "lean blue": 0.628,
                "lean red": 0.688,
                "overall": 0.98,
            },
            "emb": {"blue": 0.414, "red": 0.476, "lean blue": 0.480, "lean red": 0.402, "overall": 0.44},
            "cls": {"blue": 0.420, "red": 0.469, "lean blue": 0.227, "lean red": 0.349, "overall": 0.37},
        },
        "direct": {
            "vanilla": {
                "blue": 0.517,
                "red": 0.841,
                "lean blue": 0.491,
                "lean red": 0.688,
                "overall": 0.63,
            },
            "emb": {"blue": 0.091, "red": 0.529, "lean blue": 0.429, "lean red": 0.313, "overall": 0.34},
            "cls": {"blue": 0.021, "red": 0.018, "lean blue": 0.185, "lean red": 0.089, "overall": 0.08},
        },
    },
    "topic": {
        "indirect": {
            "vanilla": {
                "domestic": 2.268,
                "foreign": 2.678,
                "economics": 2.208,
                "electoral": 0.697,
                "healthcare": 0.657,
                "immigration": 4.272,
                "social": 0.837,
                "overall": 1.94,
            },
            "emb": {
                "domestic": 0.725,
                "foreign": 1.241,
                "economics": 1.249,
                "electoral": 0.932,
                "healthcare": 0.619,
                "immigration": 0.795,
                "social": 1.159,
                "overall": 0.90,
            },
            "cls": {
                "domestic": 0.324,
                "foreign": 0.441,
                "economics": 0.360,
                "electoral": 0.297,
                "healthcare": 0.340,
                "immigration": 0.326,
                "social": 0.576,
                "overall": 0.38,
            },
        },
        "direct": {
            "vanilla": {
                "domestic": 0.433,
                "foreign": 2.497,
                "economics": 2.005,
                "electoral": 0.455,
                "healthcare": 0.411,
                "immigration": 3.584,
                "social": 0.377,
                "overall": 1.95,
            },
            "emb": {
                "domestic": 0.160,
                "foreign": 0.505,
                "economics": 0.674,
                "electoral": 0.196,
                "healthcare": 0.276,
                "immigration": 0.234,
                "social": 0.315,
                "overall": 0.38,
            },
            "cls": {
                "domestic": 0.092,
                "foreign": 0.215,
                "economics": 0.410,
                "electoral": 0.101,
                "healthcare": 0.366,
                "immigration": 0.465,
                "social": 0.046,
                "overall": 0.24,
            },
        },
    },
}
"""Liu et al. 2021, Table 5: the value of each option, and *Overall*, by attribute, bias and system.

*Overall* is the mean over options except for three values of topics: the means are 0.96 (emb, indirect; printed 0.90),
1.39 (vanilla, direct; printed 1.95) and 0.34 (emb, direct; printed 0.38). Table 6 uses the printed ones.
"""

CALIBRATION_TABLE_6: dict[str, tuple[float, float, float]] = {
    "vanilla": (1.313, 1.074, 28.72),
    "naive": (1.296, 0.899, 33.83),
    "in-glove": (1.170, 0.945, 41.29),
    "emb": (0.631, 0.590, 63.67),
    "cls": (0.339, 0.289, 62.45),
}
"""Liu et al. 2021, Table 6: indirect bias, direct bias and perplexity by system, mean over the three attributes.

The table's ± (0.001 to 0.007) is not explained.
"""

CALIBRATION_TABLE_7: dict[str, dict[str, tuple[float, ...]]] = {
    "gender": {
        "indirect": (0.677, -0.06, -0.10, -0.22, -0.24, -0.29),
        "direct": (0.249, 0.02, -0.01, -0.07, -0.11, -0.09),
        "perplexity": (27.88, 53.40, 55.33, 57.12, 57.51, 56.70),
    },
    "location": {
        "indirect": (1.239, -0.10, -0.33, -0.45, -0.56, -0.68),
        "direct": (0.700, -0.01, -0.05, -0.11, -0.25, -0.31),
        "perplexity": (23.86, 46.87, 49.20, 50.71, 52.71, 53.09),
    },
    "topic": {
        "indirect": (0.781, -0.10, -0.25, -0.33, -0.31, -0.42),
        "direct": (0.412, -0.06, -0.10, -0.21, -0.28, -0.35),
        "perplexity": (31.44, 74.49, 78.42, 79.48, 80.79, 83.65),
    },
}
"""Liu et al. 2021, Table 7: mode 2 with lambda 0 and each of ``LAMBDAS``: the bias at 0 and the change from it, and
perplexity.

The biases at 0 differ from Table 5's baseline, of which they should be another run: gender 0.677 and 1.02, location
1.239 and 0.98, topic 0.781 and 1.94.
"""
