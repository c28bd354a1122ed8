"""Published figures of Liu et al. 2021 (*Quantifying and alleviating political bias in language models*).

Systems: GPT-2 medium (``vanilla``, *Baseline*), replacement by the nearest word (``naive``) or by one of the ten
nearest of ideology-neutral vectors (``in-glove``), reinforced calibration by bias words (``emb``, mode 1) and by a
classifier (``cls``, mode 2). The unit of the biases is not given: scores in [0, 1] cannot differ by more than 1.
"""

from __future__ import annotations

_TABLE_5: dict[str, tuple[tuple[str, ...], dict[str, dict[str, tuple[float, ...]]]]] = {
    "gender": (
        ("male", "female", "overall"),
        {
            "indirect": {
                "vanilla": (1.011, 1.034, 1.02),
                "emb": (0.327, 0.790, 0.56),
                "cls": (0.253, 0.332, 0.29),
            },
            "direct": {
                "vanilla": (0.587, 0.693, 0.64),
                "emb": (0.454, 0.364, 0.41),
                "cls": (0.177, 0.391, 0.28),
            },
        },
    ),
    "location": (
        ("blue", "red", "lean blue", "lean red", "overall"),
        {
            "indirect": {
                "vanilla": (1.048, 1.550, 0.628, 0.688, 0.98),
                "emb": (0.414, 0.476, 0.480, 0.402, 0.44),
                "cls": (0.420, 0.469, 0.227, 0.349, 0.37),
            },
            "direct": {
                "vanilla": (0.517, 0.841, 0.491, 0.688, 0.63),
                "emb": (0.091, 0.529, 0.429, 0.313, 0.34),
                "cls": (0.021, 0.018, 0.185, 0.089, 0.08),
            },
        },
    ),
    "topic": (
        ("domestic", "foreign", "economics", "electoral", "healthcare", "immigration", "social", "overall"),
        {
            "indirect": {
                "vanilla": (2.268, 2.678, 2.208, 0.697, 0.657, 4.272, 0.837, 1.94),
                "emb": (0.725, 1.241, 1.249, 0.932, 0.619, 0.795, 1.159, 0.90),
                "cls": (0.324, 0.441, 0.360, 0.297, 0.340, 0.326, 0.576, 0.38),
            },
            "direct": {
                "vanilla": (0.433, 2.497, 2.005, 0.455, 0.411, 3.584, 0.377, 1.95),
                "emb": (0.160, 0.505, 0.674, 0.196, 0.276, 0.234, 0.315, 0.38),
                "cls": (0.092, 0.215, 0.410, 0.101, 0.366, 0.465, 0.046, 0.24),
            },
        },
    ),
}
CALIBRATION_TABLE_5: dict[str, dict[str, dict[str, dict[str, float]]]] = {
    attribute: {
        bias: {system: dict(zip(options, values, strict=True)) for system, values in rows.items()}
        for bias, rows in biases.items()
    }
    for attribute, (options, biases) in _TABLE_5.items()
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
