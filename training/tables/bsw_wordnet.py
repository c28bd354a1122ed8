"""Table 7 of Badjatiya et al. 2019: what WordNet puts in the place of a word, by the level where the search begins.

It needs WordNet and the words of the training part, and no training.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from training.bsw.detection import MANUAL
from training.bsw.material import SPLIT_SEED
from training.bsw.model import tokens
from training.bsw.replacement import ByWordNet
from training.bsw.replacement.by_wordnet import LEVELS
from training.bsw.wordnet import load_wordnet
from training.corpora import talk_pages
from training.corpora.base import tell
from training.published_bsw import BSW_TABLE_7
from training.tables.bsw_layout import TITLE
from training.tables.layout import Block, Table

_SEED = 1
_STAYS = "-"
"""As the paper prints it."""
_HEAD = ("word", *(f"level {level}" for level in LEVELS))


def run(data: Path, wordnet: Path | None, *, say: Callable[[str], None] = tell) -> Table:
    """The replacements of the manual list in the vocabulary of the talk pages' training part.

    ``wordnet`` is a folder of WordNet's files, None for nltk's own data. Raises CorpusError where either is missing.
    """
    reader = load_wordnet(wordnet)
    train = talk_pages.split(data, seed=SPLIT_SEED, say=say).train
    levels = [ByWordNet(reader, level=level, seed=_SEED).fit(train, MANUAL) for level in LEVELS]
    found = {word: [_shown(word, replacer(tokens(word))) for replacer in levels] for word in MANUAL}
    for word, line in found.items():
        if line[0] == _STAYS and reader.synsets("_".join(tokens(word))):
            line[0] = word  # It is a lemma of its own synset, as *homosexual* in the paper.
    printed = []
    for word, theirs in BSW_TABLE_7.items():
        printed += [(word, *found[word]), ("  the paper's", *theirs)]
    pairs = [
        (ours, theirs)
        for word, line in BSW_TABLE_7.items()
        for ours, theirs in zip(found[word], line, strict=True)
        if theirs
    ]
    same = sum(ours == theirs for ours, theirs in pairs)
    others = tuple((word, *line) for word, line in found.items() if word not in BSW_TABLE_7)
    return Table(
        TITLE.format(7, "replacements from WordNet by start level"),
        (
            Block("words of the paper's table", _HEAD, tuple(printed)),
            Block("the rest of the manual list", _HEAD, others),
        ),
        (
            f"{_STAYS}: the word stays, since nothing above it is a word of the training part, or WordNet lacks it.",
            f"{same} of the {len(pairs)} replacements that the paper prints are ours, too. Where it has a gap its "
            "cell is drawn across two levels. Of several lemmas one is drawn by chance, there and here.",
            "Vocabulary: the training part of our talk pages (61,505 comments where all are there), not WikiDetox's.",
        ),
    )


def _shown(word: str, replaced: Sequence[str]) -> str:
    return _STAYS if tuple(replaced) == tokens(word) else " ".join(replaced)
