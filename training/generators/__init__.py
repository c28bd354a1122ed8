"""The other generators of WIKIBIAS, Table 8, real and trainable, and the row that the paper lacks: delete the words."""

from __future__ import annotations

from training.generators.base import Generator

TRAINED: tuple[str, ...] = ("lstm", "copynet", "transformer", "modular")
"""Generators that learn from pairs, in the order of their cost."""


def make(name: str) -> Generator:
    """A fresh generator of ``TRAINED``. Raises KeyError for another name."""
    if name == "modular":
        from training.generators.modular import ModularGenerator

        return ModularGenerator()
    from training.generators.copynet import CopyNet
    from training.generators.lstm import LstmSeq2Seq
    from training.generators.neural import NeuralGenerator
    from training.generators.transformer import Transformer

    return NeuralGenerator(name, {"lstm": LstmSeq2Seq, "copynet": CopyNet, "transformer": Transformer}[name])
