"""A rewriter for tests of the window: it offers given words and knows no model, but its offsets are sound."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from threading import Event

from core.documents.types import Document
from core.engine.reader import Cancelled
from core.text.diff import TextEdit
from core.types import Finding, Suggestion, Suggestions

WORDS: dict[str, tuple[str, ...]] = {
    "shameful": ("", "criticised"),
    "disgraceful": ("",),
    "legendary": ("", "well-known", "long-serving"),
    "reveals": ("says", "states", "reports"),
    "claims": ("says",),
    "chairman": ("chair",),
    "plot": (),
}


def words_out(source: str, finding: Finding) -> TextEdit:
    """The edit that takes the words of a finding out, with the space after them."""
    space = source[finding.end : finding.end + 1] == " "
    return TextEdit(finding.start, finding.end + space, "")


@dataclass
class FakeRewriter:
    """Offers ``words``. ``gate``, where given, is waited for each time; ``seen`` collects what was asked for.

    ``also``: further edits that go with every suggestion, as (old words, new words) of the same sentence.
    """

    words: dict[str, tuple[str, ...]] = field(default_factory=lambda: dict(WORDS))
    also: Sequence[tuple[str, str]] = ()
    gate: Event | None = None
    seen: list[str] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)

    def suggest(
        self, document: Document, finding: Finding, *, n: int = 3, cancelled: Callable[[], bool] | None = None
    ) -> Suggestions:
        """One suggestion for each of the words, each less biased than the one after it."""
        self.seen.append(finding.text)
        while self.gate is not None and not self.gate.is_set():
            if cancelled is not None and cancelled():
                self.cancelled.append(finding.text)
                raise Cancelled
            time.sleep(0.002)
        sentence = next(s for s in document.sentences if s.start <= finding.start < s.end)
        items = []
        for number, words in enumerate(self.words.get(finding.text.casefold(), ())[:n]):
            own = (
                TextEdit(finding.start, finding.end, words) if words else words_out(document.source, finding)
            )
            edits = [own]
            for old, new in self.also:
                at = document.source.find(old, sentence.start, sentence.end)
                if at >= 0:
                    edits.append(TextEdit(at, at + len(old), new))
            edits.sort(key=lambda edit: edit.start)
            text, at = "", sentence.start
            for edit in edits:
                text += document.source[at : edit.start] + edit.text
                at = edit.end
            text += document.source[at : sentence.end]
            items.append(Suggestion(tuple(edits), text, 0.9 - number / 10, 0.81, 0.22 + number / 10))
        return Suggestions(tuple(items), "" if items else "No suitable suggestion found.")

    def reword(
        self,
        document: Document,
        finding: Finding,
        *,
        findings: Collection[Finding] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Suggestions:
        """The sentence with the first of the words for each of ``findings`` whose word is known."""
        self.seen.append(f"sentence of {finding.text}")
        sentence = next(s for s in document.sentences if s.start <= finding.start < s.end)
        source = document.source[sentence.start : sentence.end]
        edits = []
        for one in sorted(findings or (), key=lambda one: one.start):
            suggestions = self.words.get(one.text.casefold(), ())
            if suggestions:
                edits.append(TextEdit(one.start, one.end + (not suggestions[0]), suggestions[0]))
        if not edits:
            return Suggestions(note="No suitable suggestion found.")
        return Suggestions((Suggestion(tuple(edits), source, 0.9, 0.8, 0.2),))
