"""The generators of WIKIBIAS, Table 8."""

from __future__ import annotations

from training.papers.wikibias.generators.neural import NeuralGenerator

TRAINED: tuple[str, ...] = ("lstm", "copynet", "transformer", "modular")
"""Generators that are trained on pairs, in the order of their cost."""


def make_generator(name: str) -> NeuralGenerator:
    """A fresh generator of ``TRAINED``. Raises KeyError for another name."""
    if name == "modular":
        from training.papers.wikibias.generators.modular import ModularGenerator

        return ModularGenerator()
    from training.papers.wikibias.generators.recurrent import CopyNet, LstmSeq2Seq
    from training.papers.wikibias.generators.transformer import Transformer

    return NeuralGenerator(name, {"lstm": LstmSeq2Seq, "copynet": CopyNet, "transformer": Transformer}[name])
