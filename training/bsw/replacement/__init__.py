"""Stage 2 of the paper (section 4.3): what stands for a bias sensitive word, one module for each strategy."""

from __future__ import annotations

from training.bsw.replacement.by_centroid import ByCentroid
from training.bsw.replacement.by_neighbours import ByNeighbours
from training.bsw.replacement.by_ner import ByNer
from training.bsw.replacement.by_pos import ByPos
from training.bsw.replacement.by_wordnet import ByWordNet

__all__ = ["ByCentroid", "ByNeighbours", "ByNer", "ByPos", "ByWordNet"]
