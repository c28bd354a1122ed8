"""Bias injection: distant (biased, neutral) pairs from neutral sentences, with the kind of every injected word."""

from training.corpora.injected_pairs import read, write
from training.injection.composition import restore
from training.injection.dataset import held_out_featured, prepare
from training.injection.selection import inject
from training.types import Injected, InjectedEdit, Sentence, Slot, Statement, Token

__all__ = [
    "Injected",
    "InjectedEdit",
    "Sentence",
    "Slot",
    "Statement",
    "Token",
    "held_out_featured",
    "inject",
    "prepare",
    "read",
    "restore",
    "write",
]
