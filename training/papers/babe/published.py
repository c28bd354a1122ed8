"""Published results of BABE (Spinde et al. 2021), each once, with its table."""

from __future__ import annotations

from training.reader.charts import BABE_TABLE_5

__all__ = ["BABE_TABLE_1", "BABE_TABLE_2", "BABE_TABLE_3", "BABE_TABLE_4", "BABE_TABLE_5"]


BABE_TABLE_1: dict[str, dict[str, float]] = {
    "bias agreement": {"SG1": 0.39, "MBIC": 0.21},
    "opinion agreement": {"SG1": 0.46, "MBIC": 0.26},
    "biased words": {"SG1": 1530, "MBIC": 3283},
    "biased words a sentence": {"SG1": 1.95, "MBIC": 2.40},
}
"""Spinde et al. 2021, Table 1: Krippendorff's alpha of bias and opinion labels; words marked as biased, and how many
per biased sentence."""

BABE_TABLE_2: dict[str, dict[str, float]] = {
    "biased": {"SG1": 43.88, "MBIC": 59.88},
    "non-biased": {"SG1": 47.05, "MBIC": 31.35},
    "no agreement on bias": {"SG1": 9.05, "MBIC": 8.76},
    "opinionated": {"SG1": 25.00, "MBIC": 30.65},
    "factual": {"SG1": 37.59, "MBIC": 33.65},
    "mixed": {"SG1": 26.64, "MBIC": 25.47},
    "no agreement on opinion": {"SG1": 10.76, "MBIC": 10.24},
}
"""Spinde et al. 2021, Table 2: classes in percent of the 1,700 sentences."""

BABE_TABLE_3: dict[str, dict[str, float]] = {
    "bias agreement": {"SG1": 0.39, "SG2": 0.40},
    "opinion agreement": {"SG1": 0.46, "SG2": 0.60},
}
"""Spinde et al. 2021, Table 3: Krippendorff's alpha of eight annotators (SG1) and of five (SG2)."""

BABE_TABLE_4: dict[str, dict[str, float]] = {
    "biased": {"SG1": 43.88, "SG2": 49.26},
    "non-biased": {"SG1": 47.05, "SG2": 50.70},
    "no agreement on bias": {"SG1": 9.05, "SG2": 0.00},
    "opinionated": {"SG1": 25.00, "SG2": 23.35},
    "factual": {"SG1": 37.59, "SG2": 43.54},
    "mixed": {"SG1": 26.64, "SG2": 27.21},
    "no agreement on opinion": {"SG1": 10.76, "SG2": 5.88},
}
"""Spinde et al. 2021, Table 4: classes in percent of SG1 and SG2."""
