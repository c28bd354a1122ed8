"""What a person has passed over: these findings stay away from text, panels and counts.

Three scopes. *Once*: one finding, known by its place, which moves with the text, and by its fingerprint where its words
were lost and came back or the draft was opened again; of equal fingerprints as many as were passed over. *Words*: every
finding of one draft that has these words, of whatever kind, since the same words can be marked as two kinds in two
sentences and the person judged the words. *Allowed*: the person's dictionary, for every draft.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from app.analysis.analysis_worker import Reading
from app.editor.editor import TextPane
from app.editor.marks import Mark, Marks
from core.documents.suppression import Allowed, evened
from core.storage.types import Ignore
from core.types import Finding, count_kinds

_COPY = "#"


def first_print(fingerprint: str) -> str:
    """The fingerprint of a finding, of the one under which it is kept: ``f`` of ``f#2``, the second of equals."""
    return fingerprint.partition(_COPY)[0]


def free_print(fingerprint: str, taken: Iterable[str]) -> str:
    """A fingerprint under which another finding with ``fingerprint`` can be kept."""
    used = set(taken)
    name, number = fingerprint, 1
    while name in used:
        number += 1
        name = f"{fingerprint}{_COPY}{number}"
    return name


class Ignored:
    """What is passed over in the open draft. Knows nothing of the store."""

    def __init__(self, pane: TextPane) -> None:
        self._pane = pane
        self._once: dict[int, Ignore] = {}
        self._words: dict[str, Ignore] = {}
        self._number = 0
        self._allowed = Allowed()

    def __len__(self) -> int:
        return len(self._once) + len(self._words)

    @property
    def entries(self) -> list[Ignore]:
        """What is passed over in this draft, in the order in which it was said."""
        return [*self._once.values(), *self._words.values()]

    def add(self, mark: Mark) -> Ignore:
        """Pass over the finding of ``mark``, a mark of the present text; returns how it is kept."""
        number = self._new_once(mark.finding)
        self._pane.keep_in_place(Marks([*self._pane.kept, _placed(mark, number)]))
        return self._once[number]

    def add_words(self, finding: Finding) -> Ignore:
        """Pass over the words of a finding wherever they stand in this draft; returns how that is kept."""
        key = evened(finding.text)
        return self._words.setdefault(key, Ignore("words", finding.kind, " ".join(finding.text.split()), ""))

    def add_kept(self, entries: Iterable[Ignore]) -> None:
        """Pass over what was passed over when the draft was open before."""
        for entry in entries:
            if entry.scope == "words":
                self._words.setdefault(evened(entry.words), entry)
            elif entry not in self._once.values():
                self._number += 1
                self._once[self._number] = entry

    def remove(self, entry: Ignore) -> None:
        """Pass over this no more."""
        if entry.scope == "words":
            self._words.pop(evened(entry.words), None)
        for number, known in list(self._once.items()):
            if known == entry:
                del self._once[number]
                self._keep(mark for mark in self._pane.kept if _number(mark) != number)

    def clear(self) -> None:
        """Pass over nothing in this draft; what is always allowed stays so."""
        self._once, self._words = {}, {}
        self._pane.keep_in_place(Marks())

    def allow(self, phrases: Iterable[str]) -> None:
        """From now on these phrases are allowed everywhere, and no others."""
        self._allowed = Allowed(phrases)

    def place_of(self, entry: Ignore) -> int | None:
        """Where the words of an entry stand now, in UTF-16 units; None where that is not known or nowhere."""
        known = (mark.start for mark in self._pane.kept if self._once.get(_number(mark)) == entry)
        return next(known, None)

    def lets_pass(self, finding: Finding, source: str) -> bool:
        """Whether the words of a finding of ``source`` are ignored in this draft or always allowed."""
        return evened(finding.text) in self._words or self._allowed.covers(source, finding.start, finding.end)

    def without(self, reading: Reading) -> tuple[Reading, list[tuple[Ignore, Ignore]]]:
        """``reading``, of the present text, without what is passed over.

        And the entries whose neighbours an edit has changed: as they were kept, and as they are to be kept now.
        """
        if reading.report is None or reading.marks is None or not (self or self._allowed):
            return reading, []
        placed = {(mark.start, mark.end): mark for mark in self._pane.kept}
        lost = self._lost()
        gone: set[Finding] = set()
        renamed: list[tuple[Ignore, Ignore]] = []
        for mark in reading.marks:
            known = placed.get((mark.start, mark.end))
            waiting = lost.get(mark.finding.fingerprint)
            if known is not None and known.finding.kind == mark.finding.kind:
                renamed += self._follow(_number(known), mark.finding)
                gone.add(mark.finding)
            elif waiting:
                placed[mark.start, mark.end] = _placed(mark, waiting.pop(0))
                gone.add(mark.finding)
            elif self.lets_pass(mark.finding, reading.snapshot.text):
                gone.add(mark.finding)
        if not gone:
            return reading, renamed
        self._keep(placed.values())
        return left_out(reading, gone), renamed

    def _lost(self) -> dict[str, list[int]]:
        """The numbers of the findings that stand nowhere now, by fingerprint."""
        there = {_number(mark) for mark in self._pane.kept}
        lost: dict[str, list[int]] = {}
        for number, entry in self._once.items():
            if number not in there:
                lost.setdefault(first_print(entry.fingerprint), []).append(number)
        return lost

    def _follow(self, number: int, finding: Finding) -> Sequence[tuple[Ignore, Ignore]]:
        """Know a finding by the fingerprint that it has now."""
        was = self._once[number]
        if first_print(was.fingerprint) == finding.fingerprint:
            return ()
        self._once[number] = replace(
            was, words=finding.text, fingerprint=self._free(finding.fingerprint), id=0
        )
        return ((was, self._once[number]),)

    def _new_once(self, finding: Finding) -> int:
        self._number += 1
        kept_as = self._free(finding.fingerprint)
        self._once[self._number] = Ignore("once", finding.kind, finding.text, kept_as)
        return self._number

    def _free(self, fingerprint: str) -> str:
        return free_print(fingerprint, (entry.fingerprint for entry in self._once.values()))

    def _keep(self, marks: Iterable[Mark]) -> None:
        self._pane.keep_in_place(Marks(marks))


def left_out(reading: Reading, gone: set[Finding]) -> Reading:
    """``reading`` without these findings; the sentences keep their bias, which is of the words and not of the marks."""
    if reading.report is None or reading.marks is None:
        return reading
    findings = tuple(finding for finding in reading.report.findings if finding not in gone)
    summary = replace(reading.report.summary, kinds=count_kinds(findings))
    report = replace(reading.report, findings=findings, summary=summary)
    return replace(reading, report=report, marks=reading.marks.keep(lambda finding: finding not in gone))


def _placed(mark: Mark, number: int) -> Mark:
    """A mark to keep in place, which says of which entry it is: by the number in the place of its fingerprint."""
    return replace(mark, finding=replace(mark.finding, fingerprint=str(number)))


def _number(mark: Mark) -> int:
    return int(mark.finding.fingerprint)
