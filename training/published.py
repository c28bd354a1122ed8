"""Figures of the papers, each once, with its table."""

from __future__ import annotations

BABE_TABLE_5: dict[str, float] = {
    "features": 0.569,
    "BERT": 0.789,
    "DistilBERT": 0.777,
    "RoBERTa": 0.799,
    "ELECTRA": 0.760,
    "XLNet": 0.797,
    "BERT + distant": 0.804,
    "RoBERTa + distant": 0.799,
}
"""Spinde et al. 2021, Table 5: macro-F1 on SG2, five folds, early stopping on the scored fold."""

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
