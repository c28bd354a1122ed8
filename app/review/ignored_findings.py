"""The findings that are ignored: they do not appear in the text, the panels or the counts.

There are three scopes. *once*: one finding, identified by its position, which moves with the text. Where that is not
known, since its words were deleted or the draft was opened again, it is identified by its fingerprint, which has its
number among equal findings of the text; one that was in the text before is never taken for it. *words*: all findings of
one draft with these words, of any kind: the same words can be of two kinds in two sentences. *always*: the person's
list of allowed words, for every draft.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from app.analysis.analysis_worker import AnalysisResult
from app.analysis.finding_counts import overlapping
from app.editor.biased_sentences import BiasedSentence
from app.editor.editor import TextEditor
from app.editor.marks import Mark, Marks
from app.editor.positions import OffsetMap
from core.documents.suppression import AllowedPhrases, normalize_phrase
from core.storage.types import Ignore
from core.types import (
    Finding,
    base_fingerprint,
    free_fingerprint,
    number_fingerprints,
    numbered_fingerprint,
    with_findings,
)


class IgnoredFindings:
    """What is ignored in the open draft. It does not access the store."""

    def __init__(self, editor: TextEditor) -> None:
        self._editor = editor
        self._once: dict[int, Ignore] = {}
        self._words: dict[str, Ignore] = {}
        self._entry_number = 0
        self._stored: set[int] = set()
        self._allowed = AllowedPhrases()

    def __len__(self) -> int:
        return len(self._once) + len(self._words)

    @property
    def entries(self) -> list[Ignore]:
        """What is ignored in this draft, in the order in which it was ignored."""
        return [*self._once.values(), *self._words.values()]

    def add(self, mark: Mark) -> int:
        """Ignore the finding of ``mark``, a mark of the present text; returns the number of its entry."""
        equal = (other for other in self._editor.all_marks if other.start < mark.start)
        skipped = sum(other.finding.fingerprint == mark.finding.fingerprint for other in equal)
        taken = (entry.fingerprint for entry in self._once.values())
        known_as = free_fingerprint(mark.finding.fingerprint, taken, skipped=skipped)
        self._entry_number += 1
        self._once[self._entry_number] = Ignore("once", mark.finding.kind, mark.finding.shown, known_as)
        others = [
            other
            for other in self._editor.tracked_marks
            if _entry_number(other) or other.end <= mark.start or other.start >= mark.end
        ]
        self._track([*others, _tracked_mark(mark, self._entry_number)])
        return self._entry_number

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
                self._stored.add(self._entry_number)

    def remove(self, entry: Ignore) -> None:
        """Stop ignoring this."""
        if entry.scope == "words":
            self._words.pop(normalize_phrase(entry.words), None)
        for number, known in list(self._once.items()):
            if known == entry:
                del self._once[number]
                self._track(
                    _tracked_mark(mark, 0) if _entry_number(mark) == number else mark
                    for mark in self._editor.tracked_marks
                )

    def clear(self) -> None:
        """Ignore nothing in this draft; the allowed words stay."""
        self._once, self._words, self._stored = {}, {}, set()
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

        And the entries whose fingerprint has changed with the words around them or with equal findings before them:
        (before, after).
        """
        if result.report is None or result.marks is None or not (self or self._allowed):
            return result, []
        placed = {(mark.start, mark.end): mark for mark in self._editor.tracked_marks}
        shown = {(mark.start, mark.end) for mark in self._editor.all_marks}
        stored, lost = self._lost_entries()
        removed: set[Finding] = set()
        once: dict[int, Finding] = {}
        found = [(mark, placed.get((mark.start, mark.end))) for mark in result.marks]
        for (mark, known), known_as in zip(found, number_fingerprints(result.marks.findings), strict=True):
            waiting = lost.get(mark.finding.fingerprint)
            was = _entry_number(known) if known is not None else 0
            number = 0
            if known is not None and was and known.finding.kind == mark.finding.kind:
                number = was
            elif known_as in stored:
                number = stored.pop(known_as)
            elif self.is_ignored(mark.finding, result.snapshot.text):
                removed.add(mark.finding)
            elif waiting and known is None and (mark.start, mark.end) not in shown:
                number = waiting.pop(0)
            if number:
                placed[mark.start, mark.end] = _tracked_mark(mark, number)
                once[number] = mark.finding
                removed.add(mark.finding)
        self._stored.clear()
        ignored = Marks(mark for mark in placed.values() if _entry_number(mark))
        others = (mark for mark in result.marks if not ignored.between(mark.start, mark.end))
        self._track([*ignored, *(_tracked_mark(mark, 0) for mark in others)])
        updated = self._update_fingerprints(result.marks, once)
        removed |= self._ignored_of_default(result, ignored)
        return (without_findings(result, removed) if removed else result), updated

    def _ignored_of_default(self, result: AnalysisResult, ignored: Marks) -> set[Finding]:
        """What is ignored at the default sensitivity; the slider may hide it."""
        if result.default_report is None or result.default_report is result.report:
            return set()
        positions = result.positions or OffsetMap(result.snapshot.text)
        of_default = sorted(
            [*result.default_report.findings, *result.default_sentences], key=lambda one: one.start
        )
        known = {entry.fingerprint for entry in self._once.values()}
        return {
            finding
            for finding, known_as in zip(of_default, number_fingerprints(of_default), strict=True)
            if self.is_ignored(finding, result.snapshot.text)
            or (
                known_as in known
                if isinstance(finding, BiasedSentence)
                else ignored.between(positions.to_utf16(finding.start), positions.to_utf16(finding.end))
            )
        }

    def _lost_entries(self) -> tuple[dict[str, int], dict[str, list[int]]]:
        """The numbers of the entries whose position is unknown: those that the store has and no text was searched for
        yet, by their numbered fingerprints; and the others by their fingerprints without number.
        """
        there = {_entry_number(mark) for mark in self._editor.tracked_marks}
        stored: dict[str, int] = {}
        lost: dict[str, list[int]] = {}
        for number, entry in self._once.items():
            if number in there:
                continue
            if number in self._stored:
                stored[entry.fingerprint] = number
            else:
                lost.setdefault(base_fingerprint(entry.fingerprint), []).append(number)
        return stored, lost

    def _update_fingerprints(self, marks: Marks, once: dict[int, Finding]) -> list[tuple[Ignore, Ignore]]:
        """Store the present fingerprints of the entries whose findings are found, ``once``, and number those that are
        not after all equal findings of the text; returns (before, after) for each that has changed.
        """
        numbers = {finding: number for number, finding in once.items()}
        now: dict[int, Ignore] = {}
        for finding, known_as in zip(marks.findings, number_fingerprints(marks.findings), strict=True):
            if (number := numbers.get(finding)) is not None:
                now[number] = replace(self._once[number], words=finding.shown, fingerprint=known_as)
        equal = Counter(finding.fingerprint for finding in marks.findings)
        for number, entry in self._once.items():
            if number not in once:
                base = base_fingerprint(entry.fingerprint)
                equal[base] += 1
                now[number] = replace(entry, fingerprint=numbered_fingerprint(base, equal[base]))
        changed = [
            number for number, entry in self._once.items() if entry.fingerprint != now[number].fingerprint
        ]
        updated = [(self._once[number], replace(now[number], id=0)) for number in changed]
        self._once.update((number, after) for number, (_, after) in zip(changed, updated, strict=True))
        return updated

    def _track(self, marks: Iterable[Mark]) -> None:
        self._editor.track_marks(Marks(marks))


def without_findings(result: AnalysisResult, removed: set[Finding]) -> AnalysisResult:
    """``result`` without these findings; the bias of the sentences stays the same."""
    if result.report is None or result.marks is None:
        return result
    report = with_findings(result.report, [one for one in result.report.findings if one not in removed])
    default = result.default_report
    if default is not None and default is not result.report:
        words = sorted(
            (one for one in removed if not isinstance(one, BiasedSentence)), key=lambda one: one.start
        )
        gone = removed.union(overlapping(default.findings, words))
        default = with_findings(default, [one for one in default.findings if one not in gone])
    return replace(
        result,
        report=report,
        marks=result.marks.keep(lambda finding: finding not in removed),
        default_report=report if default is result.report else default,
        default_sentences=tuple(one for one in result.default_sentences if one not in removed),
    )


def _tracked_mark(mark: Mark, number: int) -> Mark:
    """A tracked mark that carries the number of its entry in place of the fingerprint; 0 if it is not ignored once."""
    return replace(mark, finding=replace(mark.finding, fingerprint=str(number)))


def _entry_number(mark: Mark) -> int:
    return int(mark.finding.fingerprint)
