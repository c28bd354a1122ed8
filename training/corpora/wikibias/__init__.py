"""WIKIBIAS (Zhong, Yang, Xu, Yang 2021) for those who have it, in the layouts of its release.

All lies under ``wikibias/``: the folders ``class_binary``, ``class_finegrained``, ``tag_binary`` and
``tag_finegrained`` with a train, dev and test file each; AUTO as ``noisy_train*.tsv`` and ``noisy_train_neg.tsv``,
beside them or in ``tag_binary``; and sentence pairs for generation. Whatever in a file is not as it should be is left
out and told once, with its line and what was expected there.
"""

from __future__ import annotations

from training.corpora.wikibias.examining import examine
from training.corpora.wikibias.labels import load_labels
from training.corpora.wikibias.pairs import load, load_auto
from training.corpora.wikibias.places import FACTS, PARTS, auto_is_here, files_here, is_here
from training.corpora.wikibias.tagged import load_auto_tagged, load_tagged

__all__ = (
    "FACTS",
    "PARTS",
    "auto_is_here",
    "examine",
    "files_here",
    "is_here",
    "load",
    "load_auto",
    "load_auto_tagged",
    "load_labels",
    "load_tagged",
)
