"""Bias injection: distant (biased, neutral) pairs from neutral sentences, with the kind of every injected word."""

from training.corpora.injected_pairs import read_injected, write_injected
from training.injection.composition import restore
from training.injection.dataset import load_held_out_statements, prepare
from training.injection.selection import inject
from training.types import InjectedEdit, InjectedPair, InjectionSite, Sentence, Statement, Token

__all__ = [
    "InjectedEdit",
    "InjectedPair",
    "InjectionSite",
    "Sentence",
    "Statement",
    "Token",
    "inject",
    "load_held_out_statements",
    "prepare",
    "read_injected",
    "restore",
    "write_injected",
]
