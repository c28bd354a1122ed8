"""The whole Wiki Neutrality Corpus (Pryzant et al. 2020) in its official layout, for those who have it.

Files ``wnc/biased.word.{train,dev,test}`` (edits of one word) and ``wnc/biased.full`` (all edits, released as one file;
parts of it that somebody made are ``wnc/biased.full.{train,dev,test}``): no header, a tab between the columns id,
src_tok, tgt_tok, src_raw, tgt_raw, src_POS_tags, tgt_parse_tags. The last two are not read and may be missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from training.corpora.base import CorpusError, CorpusFacts, Download, open_file
from training.corpora.pairs import Pair
from training.corpora.reading import lines

EDITS = ("word", "full")
PARTS = ("train", "dev", "test")
WHOLE = "all"
_RELEASED = ("biased.full", *(f"biased.word.{part}" for part in PARTS))
_COLUMNS = 5
_MOST = 7

FACTS = CorpusFacts(
    key="wnc-full",
    name="WNC (whole)",
    home="https://github.com/rpryzant/neutralizing-bias",
    licence="MIT (repository); text CC BY-SA (Wikipedia)",
    files=("wnc/biased.full", *(f"wnc/biased.{edits}.{part}" for edits in EDITS for part in PARTS)),
    downloads=(
        Download(
            "https://nlp.stanford.edu/projects/bias/bias_data.zip",
            "wnc/bias_data.zip",
            members=tuple((f"bias_data/WNC/{name}", f"wnc/{name}") for name in _RELEASED),
            most=512 * 2**20,
        ),
    ),
)


def load(data: Path, edits: str, part: str) -> Iterator[Pair]:
    """Raw sides of the pairs of ``edits`` (word or full) and ``part`` (full also has all); a revision is a group.

    Raises CorpusError for a missing file, and with the line's number for a row that is not of this layout.
    """
    whole = edits == "full" and part == WHOLE
    if edits not in EDITS or (part not in PARTS and not whole):
        raise CorpusError(f"WNC has no biased.{edits}.{part}. Take word or full, and train, dev or test.")
    return _rows(open_file(data, "wnc/biased.full" if whole else f"wnc/biased.{edits}.{part}"))


def _rows(path: Path) -> Iterator[Pair]:
    for number, line in enumerate(lines(path), start=1):
        columns = line.rstrip("\r\n").split("\t")
        source, target = (columns[at].strip() if len(columns) > at else "" for at in (3, 4))
        if not _COLUMNS <= len(columns) <= _MOST or not source or not target:
            raise CorpusError(
                f"{path}, line {number}: not a row of WNC (id, src_tok, tgt_tok, src_raw, tgt_raw, and at most "
                "two more columns); copy the file again from its home."
            )
        yield Pair(source, target, f"wnc-{columns[0].strip()}")
