"""The whole Wiki Neutrality Corpus (Pryzant et al. 2020) in its official layout, for those who have it.

Files ``wnc/biased.word.{train,dev,test}`` (edits of one word) and ``wnc/biased.full.{train,dev,test}`` (all edits): no
header, a tab between the columns id, src_tok, tgt_tok, src_raw, tgt_raw, src_POS_tags, tgt_parse_tags. The last two
are not read and may be missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from training.corpora.base import CorpusError, CorpusFacts, open_file
from training.corpora.pairs import Pair

EDITS = ("word", "full")
PARTS = ("train", "dev", "test")
_COLUMNS = 5
_MOST = 7

FACTS = CorpusFacts(
    name="WNC (whole)",
    home="https://github.com/rpryzant/neutralizing-bias",
    licence="MIT (repository); text CC BY-SA (Wikipedia)",
    files=tuple(f"wnc/biased.{edits}.{part}" for edits in EDITS for part in PARTS),
)


def load(data: Path, edits: str, part: str) -> Iterator[Pair]:
    """Raw sides of the pairs of ``edits`` (word or full) and ``part``; sentences of one revision share their group.

    Raises CorpusError for a missing file, and with the line's number for a row that is not of this layout.
    """
    if edits not in EDITS or part not in PARTS:
        raise CorpusError(f"WNC has no biased.{edits}.{part}. Take word or full, and train, dev or test.")
    return _rows(open_file(data, f"wnc/biased.{edits}.{part}"))


def _rows(path: Path) -> Iterator[Pair]:
    with path.open(encoding="utf-8", errors="replace", newline="\n") as stream:
        for number, line in enumerate(stream, start=1):
            columns = line.rstrip("\r\n").split("\t")
            source, target = (columns[at].strip() if len(columns) > at else "" for at in (3, 4))
            if not _COLUMNS <= len(columns) <= _MOST or not source or not target:
                raise CorpusError(
                    f"{path}, line {number}: not a row of WNC (id, src_tok, tgt_tok, src_raw, tgt_raw, and at most "
                    "two more columns); copy the file again from its home."
                )
            yield Pair(source, target, f"wnc-{columns[0].strip()}")
