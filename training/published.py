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
