"""The findings that are ignored: they do not appear in the text, the panels or the counts.

There are three scopes. *once*: one finding, identified by its position, which moves with the text, or by its
fingerprint if its words were deleted and restored or the draft was opened again; of equal fingerprints as many as were
ignored. *words*: all findings of one draft with these words, of any kind: the same words can be of two kinds in two
sentences. *always*: the person's list of allowed words, for every draft.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from app.analysis.analysis_worker import AnalysisResult
from app.editor.editor import TextEditor
from app.editor.marks import Mark, Marks
from core.documents.suppression import AllowedPhrases, normalize_phrase
from core.storage.types import Ignore
from core.types import Finding, base_fingerprint, count_kinds, free_fingerprint


class IgnoredFindings:
    """What is ignored in the open draft. It does not access the store."""

    def __init__(self, editor: TextEditor) -> None:
        self._editor = editor
        self._once: dict[int, Ignore] = {}
        self._words: dict[str, Ignore] = {}
        self._entry_number = 0
        self._allowed = AllowedPhrases()

    def __len__(self) -> int:
        return len(self._once) + len(self._words)

    @property
    def entries(self) -> list[Ignore]:
        """What is ignored in this draft, in the order in which it was ignored."""
        return [*self._once.values(), *self._words.values()]

    def add(self, mark: Mark) -> int:
        """Ignore the finding of ``mark``, a mark of the present text; returns the number of its entry."""
        number = self._new_once(mark.finding)
        self._editor.track_marks(Marks([*self._editor.tracked_marks, _tracked_mark(mark, number)]))
        return number

    def entry(self, number: int) -> Ignore | None:
        """The entry of that number as it is now; None if it is not ignored any more."""
        return self._once.get(number)

    def add_words(self, finding: Finding) -> Ignore:
        """Ignore the words of a finding everywhere in this draft; returns the entry."""
        key = normalize_phrase(finding.shown)
        return self._words.setdefault(key, Ignore("words", finding.kind, " ".join(finding.shown.split()), ""))

    def add_stored(self, entries: Iterable[Ignore]) -> None:
        """Ignore what the store has for this draft, and what was written there while it was read only once."""
        for entry in entries:
            if entry.scope == "words":
                self._words.setdefault(normalize_phrase(entry.words), entry)
            elif entry.fingerprint not in {known.fingerprint for known in self._once.values()}:
                self._entry_number += 1
                self._once[self._entry_number] = entry

    def remove(self, entry: Ignore) -> None:
        """Stop ignoring this."""
        if entry.scope == "words":
            self._words.pop(normalize_phrase(entry.words), None)
        for number, known in list(self._once.items()):
            if known == entry:
                del self._once[number]
                self._track(mark for mark in self._editor.tracked_marks if _entry_number(mark) != number)

    def clear(self) -> None:
        """Ignore nothing in this draft; the allowed words stay."""
        self._once, self._words = {}, {}
        self._editor.track_marks(Marks())

    def allow(self, phrases: Iterable[str]) -> None:
        """Replace the phrases that are allowed everywhere."""
        self._allowed = AllowedPhrases(phrases)

    def position_of(self, entry: Ignore) -> int | None:
        """The present position of an entry in UTF-16 units; None if it is unknown."""
        known = (
            mark.start for mark in self._editor.tracked_marks if self._once.get(_entry_number(mark)) == entry
        )
        return next(known, None)

    def is_ignored(self, finding: Finding, source: str) -> bool:
        """Whether the words of a finding of ``source`` are ignored in this draft or always allowed."""
        return (
            normalize_phrase(finding.shown) in self._words
            or self._allowed.covers(source, finding.start, finding.end)
            or self._allowed.covers(finding.words, 0, len(finding.words))
        )

    def filter(self, result: AnalysisResult) -> tuple[AnalysisResult, list[tuple[Ignore, Ignore]]]:
        """``result``, of the present text, without the ignored findings.

        And the entries whose fingerprint has changed with the words around them: (before, after).
        """
        if result.report is None or result.marks is None or not (self or self._allowed):
            return result, []
        placed = {(mark.start, mark.end): mark for mark in self._editor.tracked_marks}
        lost = self._lost_entries()
        removed: set[Finding] = set()
        updated: list[tuple[Ignore, Ignore]] = []
        for mark in result.marks:
            known = placed.get((mark.start, mark.end))
            waiting = lost.get(mark.finding.fingerprint)
            if known is not None and known.finding.kind == mark.finding.kind:
                updated += self._update_fingerprint(_entry_number(known), mark.finding)
                removed.add(mark.finding)
            elif waiting:
                placed[mark.start, mark.end] = _tracked_mark(mark, waiting.pop(0))
                removed.add(mark.finding)
            elif self.is_ignored(mark.finding, result.snapshot.text):
                removed.add(mark.finding)
        if not removed:
            return result, updated
        self._track(placed.values())
        return without_findings(result, removed), updated

    def _lost_entries(self) -> dict[str, list[int]]:
        """The numbers of the entries whose position is unknown, by fingerprint."""
        there = {_entry_number(mark) for mark in self._editor.tracked_marks}
        lost: dict[str, list[int]] = {}
        for number, entry in self._once.items():
            if number not in there:
                lost.setdefault(base_fingerprint(entry.fingerprint), []).append(number)
        return lost

    def _update_fingerprint(self, number: int, finding: Finding) -> Sequence[tuple[Ignore, Ignore]]:
        """Store the present fingerprint of a finding; returns (before, after) if it has changed."""
        was = self._once[number]
        if base_fingerprint(was.fingerprint) == finding.fingerprint:
            return ()
        self._once[number] = replace(
            was, words=finding.shown, fingerprint=self._free(finding.fingerprint), id=0
        )
        return ((was, self._once[number]),)

    def _new_once(self, finding: Finding) -> int:
        self._entry_number += 1
        kept_as = self._free(finding.fingerprint)
        self._once[self._entry_number] = Ignore("once", finding.kind, finding.shown, kept_as)
        return self._entry_number

    def _free(self, fingerprint: str) -> str:
        return free_fingerprint(fingerprint, (entry.fingerprint for entry in self._once.values()))

    def _track(self, marks: Iterable[Mark]) -> None:
        self._editor.track_marks(Marks(marks))


def without_findings(result: AnalysisResult, removed: set[Finding]) -> AnalysisResult:
    """``result`` without these findings; the bias of the sentences stays the same."""
    if result.report is None or result.marks is None:
        return result
    findings = tuple(finding for finding in result.report.findings if finding not in removed)
    summary = replace(result.report.summary, kinds=count_kinds(findings))
    report = replace(result.report, findings=findings, summary=summary)
    return replace(result, report=report, marks=result.marks.keep(lambda finding: finding not in removed))


def _tracked_mark(mark: Mark, number: int) -> Mark:
    """A tracked mark that carries the number of its entry in place of the fingerprint."""
    return replace(mark, finding=replace(mark.finding, fingerprint=str(number)))


def _entry_number(mark: Mark) -> int:
    return int(mark.finding.fingerprint)
