"""News sentences of 2023 with the outlet, its five-way leaning and the article: text that a teacher labels.

They have no labels of bias. A split has to keep an outlet's sentences together.
"""

from __future__ import annotations

from pathlib import Path

from training.corpora.files import UnreadableRows, check_columns, read_lines
from training.types import CENTER, LEFT, RIGHT, CorpusFacts, Example, OnMessage, open_file, print_to_stderr

FACTS = CorpusFacts(
    key="news-pool",
    name="News sentences by outlet",
    homepage="https://huggingface.co/datasets/mediabiasgroup/anno-lexical",
    licence="MIT (wrapper); the articles are their publishers'",
    files=("news_pool/sentences.tsv.xz",),
    manual_steps="news_pool/sentences.tsv.xz is a table with the columns text, party, source and article.",
)
_SIDES = {"Left": LEFT, "Lean Left": LEFT, "Center": CENTER, "Lean Right": RIGHT, "Right": RIGHT}
_COLUMNS = ("text", "party", "source", "article")
_LEAST_WORDS, _MOST_WORDS = 6, 60


def load(data: Path, on_message: OnMessage = print_to_stderr) -> list[Example]:
    """The sentences of 6 to 60 words with the leaning of their outlet; ``group`` is the outlet, ``topic`` the article.

    Raises CorpusError for a missing or damaged file.
    """
    path = open_file(data, FACTS.files[0])
    lines = read_lines(path)
    check_columns(path, next(lines, "").rstrip("\n").split("\t")[:4], _COLUMNS)
    unread = UnreadableRows(path, on_message, expected=", ".join(_COLUMNS))
    found: list[Example] = []
    for line in unread.reading(enumerate(lines, start=2)):
        cells = line.rstrip("\n").split("\t")
        if len(cells) < len(_COLUMNS):
            unread.leave_out(f"{len(cells)} columns")
            continue
        text, party, source, article = cells[: len(_COLUMNS)]
        if _LEAST_WORDS <= len(text.split()) <= _MOST_WORDS:
            leaning = _SIDES.get(party)
            found.append(Example(text, "news_pool", leaning=leaning, group=source, topic=article))
    return found
