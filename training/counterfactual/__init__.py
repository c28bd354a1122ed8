"""Sentences that differ only in whom they are about, and how differently a reader reads them."""

from training.counterfactual.table import run

__all__ = ["run"]
