"""Bias injection: distant (biased, neutral) pairs from neutral sentences, with the kind of every injected word."""

from training.injection.choose import inject
from training.injection.compose import restore
from training.injection.files import read, write
from training.injection.model import Injected, InjectedEdit, Sentence, Slot, Statement, Token
from training.injection.prepare import prepare
from training.injection.sources import held_out_featured

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
