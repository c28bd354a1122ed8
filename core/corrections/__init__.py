"""What a person made of findings, kept where they asked for it: a corpus of their own, if they choose it as one.

The data is in ``core.corrections.types``, the file that a retraining reads in ``core.corrections.corpus``;
``core.corrections.correction_store.CorrectionStore`` keeps them in the store.
"""

from __future__ import annotations

from core.corrections.corpus import chosen_corpus
from core.corrections.types import Correction, StoredCorrection, Verdict

__all__ = ["Correction", "StoredCorrection", "Verdict", "chosen_corpus"]
