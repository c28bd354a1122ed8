"""Findings of the reader in sentences of public corpora, with references written for them and judged suggestions.

``judged_suggestions.jsonl.xz`` lies beside this module, a JSON object a line. It holds no text of a corpus: ``text``
is the start of the SHA-256 of the sentence, which is looked up in the corpus of that name under the data folder.
``start`` and ``end`` are the finding, ``wordings`` (a former word) the references for it, best first (``""`` takes it
out); ``kept`` is true where the words are well as they are. ``suggestions`` are others as edits, with an independent
verdict of each annotator: ``g`` good, ``a`` acceptable, ``u`` ungrammatical or senseless, ``m`` another meaning, ``n``
no help. Two annotators judged the items that are left for the ranking, and many others; the rest has the verdict of
one. References and verdicts are a large language model's; cards say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.text.diff import TextEdit, apply_edits
from training.corpora.annotated_sentences import check_corpus, find_texts, text_key
from training.corpora.files import read_json_rows
from training.types import OnMessage, print_to_stderr

FILE = Path(__file__).with_name("judged_suggestions.jsonl.xz")
VERDICTS, GOOD, BROKEN = frozenset("gaumn"), frozenset("ga"), "u"
_FOR_RANKING = 6
_PAIRED = frozenset(("wnc", "wikibias"))


@dataclass(frozen=True, slots=True)
class JudgedSuggestion:
    """``text`` is the sentence with the suggestion, whose words are ``text[start:end]``; a verdict per annotator."""

    edits: tuple[TextEdit, ...]
    text: str
    start: int
    end: int
    verdicts: tuple[str, ...]

    @property
    def is_sound(self) -> bool | None:
        """Whether it is sound English; None where the annotators disagree."""
        return _agreed([verdict != BROKEN for verdict in self.verdicts])

    @property
    def is_good(self) -> bool | None:
        """Whether it is good or acceptable; None where the annotators disagree."""
        return _agreed([verdict in GOOD for verdict in self.verdicts])


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """A finding ``text[start:end]``, ``references`` for it (none where it is to be kept or none fits), suggestions."""

    corpus: str
    text: str
    start: int
    end: int
    references: tuple[str, ...]
    kept: bool
    suggestions: tuple[JudgedSuggestion, ...]

    def place_of(self, suggestion: JudgedSuggestion) -> tuple[int, int, str]:
        """(start, end, words): the range of the finding and the suggestion's edits, and its words after the edits."""
        first, last = suggestion.edits[0], suggestion.edits[-1]
        start, end = min(self.start, first.start), max(self.end, last.end)
        return start, end, suggestion.text[start : len(suggestion.text) - (len(self.text) - end)]

    @property
    def is_for_ranking(self) -> bool:
        """Whether the item is left for the ranking: one in six by its sentence alone, and no side of a sentence pair,
        of which the rewriter learns the edit.
        """
        return self.corpus not in _PAIRED and int(text_key(self.text), 16) % _FOR_RANKING == 0


def load(data: Path, on_message: OnMessage = print_to_stderr) -> list[JudgedItem]:
    """The items whose sentences are in the corpora under ``data``; a message says which corpora are missing."""
    rows = read_json_rows(FILE, _checked, expected="corpus, text, start, end", on_message=on_message)
    texts = find_texts(data, ((row["corpus"], row["text"]) for row in rows), on_message)
    return [_item(row, texts[row["text"]]) for row in rows if row["text"] in texts]


def _checked(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "corpus": check_corpus(row["corpus"]), "start": int(row["start"]), "end": int(row["end"])}


def _item(row: dict[str, Any], text: str) -> JudgedItem:
    return JudgedItem(
        row["corpus"],
        text,
        row["start"],
        row["end"],
        tuple(row.get("wordings", ())),
        bool(row.get("kept", False)),
        tuple(_suggestion(text, one) for one in row.get("suggestions", ())),
    )


def _suggestion(text: str, row: dict[str, Any]) -> JudgedSuggestion:
    edits = tuple(TextEdit(int(start), int(end), str(put)) for start, end, put in row["edits"])
    start = edits[0].start
    grown = sum(len(edit.text) - (edit.end - edit.start) for edit in edits)
    return JudgedSuggestion(
        edits, apply_edits(text, edits), start, edits[-1].end + grown, tuple(map(str, row["verdicts"]))
    )


def _agreed(values: Sequence[bool]) -> bool | None:
    return values[0] if len(set(values)) == 1 else None
