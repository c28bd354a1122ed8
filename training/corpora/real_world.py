"""Texts from outside Wikipedia that come with WNC (Pryzant et al. 2020): books, headlines and speeches, by side.

Files ``wnc/real_world_samples/NAME.tsv`` in the layout of WNC: no header, a tab between the columns id, src_tok,
tgt_tok, src_raw, tgt_raw, src_POS_tags, tgt_parse_tags. Nobody has corrected these sentences, so both sides of a row
are the same; src_raw is read, the last two columns may be missing. All of it is in lower case, and the headlines have
lost their apostrophes and dashes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from training.corpora.articles import plain
from training.corpora.base import CorpusFacts, located, open_file, tell
from training.corpora.reading import Unread, lines

BOOKS, NEWS, SPEECHES = "books", "news", "speeches"
_RAW = 3
_COLUMNS = range(5, 8)
_STAGE = re.compile(r"\[[^\]\[]*\]")


class Side(StrEnum):
    """The side that a text is on, as its corpus says."""

    LEFT = "left"
    RIGHT = "right"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence or headline, the corpus it is from, and the side of its author."""

    text: str
    corpus: str
    side: Side


PLACES = {
    "ibc_left": (BOOKS, Side.LEFT),
    "ibc_right": (BOOKS, Side.RIGHT),
    "news_left": (NEWS, Side.LEFT),
    "news_right": (NEWS, Side.RIGHT),
    "news_sensationalist_dramatic": (NEWS, Side.NONE),
    "speeches": (SPEECHES, Side.RIGHT),
}
"""Corpus and side of each file. The speeches are those of Donald Trump's campaign of 2016."""

FACTS = CorpusFacts(
    key="real-world",
    name="Real-world samples (WNC)",
    home="https://github.com/rpryzant/neutralizing-bias",
    licence="MIT (repository); the sentences are their authors' and publishers'",
    files=tuple(f"wnc/real_world_samples/{name}.tsv" for name in PLACES),
    person="They come with WNC: its repository names the archive bias_data.zip. Unpack it and copy its folder "
    "real_world_samples to wnc/real_world_samples; each file's name must end in .tsv.",
)


def load(data: Path, *, say: Callable[[str], None] = tell) -> list[Passage]:
    """The sentences of every file that is there, each once in its file, in ordinary writing.

    What stands in square brackets (*applause*, *video*) is left out. Rows that cannot be read are told in a line for
    each file. Raises CorpusError where there is none of the files, and for one of which nothing can be read.
    """
    here = [name for name, place in zip(PLACES, FACTS.files, strict=True) if located(data, place).is_file()]
    found: list[Passage] = []
    for name in here or list(PLACES)[:1]:
        path = open_file(data, f"wnc/real_world_samples/{name}.tsv")
        corpus, side = PLACES[name]
        found += (Passage(text, corpus, side) for text in dict.fromkeys(_texts(path, say)))
    return found


def ordinary(text: str) -> str:
    """``text`` without Penn Treebank's tokens, what stands in square brackets, and needless white space."""
    return " ".join(plain(_STAGE.sub(" ", text)).split())


def _texts(path: Path, say: Callable[[str], None]) -> Iterator[str]:
    unread, read = Unread(path, say), 0
    for number, line in enumerate(lines(path), start=1):
        columns = line.rstrip("\r\n").split("\t")
        text = ordinary(columns[_RAW]) if len(columns) in _COLUMNS else ""
        if any(map(str.isalpha, text)):
            read += 1
            yield text
        elif len(columns) in _COLUMNS:
            unread.add(number, "no words in column 4 (src_raw)")
        else:
            wanted = f"{_COLUMNS[0]} to {_COLUMNS[-1]} expected, tabs between them"
            unread.add(number, f"{len(columns)} column{'s' * (len(columns) > 1)}, {wanted}")
    unread.done(read)
