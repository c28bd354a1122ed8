"""Gendered sentences and their gender-neutral rewriting: WinoBias+ (Vanmassenhove et al. 2021), subtitles, and posts.

Brackets around what changes, which the WinoBias sentences have, are taken off.
"""

from __future__ import annotations

from pathlib import Path

from training.corpora.files import read_table
from training.corpora.wikipedia import SentencePair
from training.types import CorpusFacts, open_file

FACTS = CorpusFacts(
    key="gender-rewriting",
    name="Gender-neutral rewriting",
    home="https://github.com/vnmssnhv/NeuTralRewriter",
    licence="CC BY-SA",
    files=tuple(f"gender_rewriting/{name}.tsv.xz" for name in ("winobias_plus", "reddit", "opensubtitles")),
    manual_steps="Take the pairs from its home; each file is a table with the columns gendered and neutral.",
)


def load(data: Path) -> list[SentencePair]:
    """The pairs of all three files. Raises CorpusError for a file that is missing or has another layout."""
    found: list[SentencePair] = []
    for name in FACTS.files:
        rows = read_table(open_file(data, name), columns=("gendered", "neutral"), delimiter="\t")
        for number, row in rows:
            source, target = (row[side].strip() for side in ("gendered", "neutral"))
            if source and target:
                source = source.replace("[", "").replace("]", "")
                found.append(SentencePair(source, target, f"{Path(name).name} {number}"))
    return found
