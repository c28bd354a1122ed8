"""Figures of the papers, each once, with its table."""

from __future__ import annotations

BABE_TABLE_1: dict[str, dict[str, float]] = {
    "bias agreement": {"SG1": 0.39, "MBIC": 0.21},
    "opinion agreement": {"SG1": 0.46, "MBIC": 0.26},
    "biased words": {"SG1": 1530, "MBIC": 3283},
    "biased words a sentence": {"SG1": 1.95, "MBIC": 2.40},
}
"""Spinde et al. 2021, Table 1: Krippendorff's alpha of bias and opinion labels; words marked as biased, and how many a
biased sentence."""

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

BABE_TABLE_5: dict[str, dict[str, tuple[float, float]]] = {
    "features": {"SG1": (0.511, 0.008), "SG2": (0.569, 0.008)},
    "BERT": {"SG1": (0.762, 0.019), "SG2": (0.789, 0.011)},
    "DistilBERT": {"SG1": (0.758, 0.029), "SG2": (0.777, 0.009)},
    "RoBERTa": {"SG1": (0.775, 0.023), "SG2": (0.799, 0.011)},
    "ELECTRA": {"SG1": (0.742, 0.020), "SG2": (0.760, 0.013)},
    "XLNet": {"SG1": (0.760, 0.042), "SG2": (0.797, 0.015)},
    "BERT + distant": {"SG1": (0.778, 0.017), "SG2": (0.804, 0.014)},
    "RoBERTa + distant": {"SG1": (0.798, 0.022), "SG2": (0.799, 0.017)},
}
"""Spinde et al. 2021, Table 5: F1 and its standard error over five stratified folds, early stopping on the scored fold.

The table says macro F1; the text of section 5 and the released code say weighted.
"""

WIKIBIAS_TABLE_8: dict[str, tuple[float, float, float | None]] = {
    "copy": (80.10, 0.00, None),
    "LSTM": (82.12, 15.26, 68.20),
    "Transformer": (81.34, 15.49, 65.96),
    "CopyNet": (82.95, 16.31, 65.96),
    "BART": (82.22, 17.84, 75.35),
    "MODULAR": (80.36, 13.76, 51.04),
    "references": (100.0, 100.0, 80.63),
}
"""Zhong et al. 2021, Table 8: BLEU, Sent Acc and Acc in percent on WIKIBIAS's test pairs, trained on its AUTO pairs
(MODULAR off the shelf, trained on WNC); Acc is read by their own best classifier.
"""
