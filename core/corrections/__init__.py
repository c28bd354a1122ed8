"""Corrections: what a person did with findings, stored if they agreed, and used for retraining if they choose so."""

from __future__ import annotations

from core.corrections.corpus import chosen_corpus
from core.corrections.types import Correction, StoredCorrection, Verdict

__all__ = ["Correction", "StoredCorrection", "Verdict", "chosen_corpus"]
