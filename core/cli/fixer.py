"""``evenhand check --fix``: suggestions that are sure enough, written into the files or shown as a diff."""

from __future__ import annotations

import difflib
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from core.documents import Document, Sentence
from core.engine.cues import Lexicon
from core.formats.loader import read_opened
from core.reports.finding_comments import comment_on
from core.reports.types import CheckedFile
from core.revisions.author import stamp_now
from core.revisions.tracking import can_track, is_tracking, save_tracked
from core.revisions.types import Note
from core.rewriting.rewriter import SentenceTooLong
from core.rewriting.suggester import Suggester
from core.storage.files import FileError, encode_text, read_bytes, write_bytes
from core.text.diff import TextEdit, apply_edits
from core.types import STANDARD_INPUT, Finding, Kind, Suggestion

NO_INPUT = "Standard input cannot be fixed. Name a file, or use evenhand rewrite."
NOT_EDITABLE = "It was not changed: part of it cannot be written back as it is. Convert it to UTF-8 first."
NOT_TRACKED = (
    "It was not changed: changes can be tracked in .docx and .odt files only. Leave out --track-changes."
)
CHANGED = "It was not changed: another program has changed it in the meantime. Run the command again."


@dataclass(frozen=True, slots=True)
class Fix:
    """The text of a file before and after, and how many suggestions were applied.

    ``notes`` say why: one for each changed sentence. ``tracked``: written as tracked changes.
    """

    before: str
    after: str
    count: int
    notes: tuple[Note, ...] = ()
    tracked: bool = False


def find_fix(suggester: Suggester, checked: CheckedFile, lexicon: Lexicon) -> Fix:
    """The suggestions for a checked file that reach the score threshold of the rewriter, outside quotations.

    Raises ReaderError and RewriterError.
    """
    text = checked.opened.text
    edits: list[TextEdit] = []
    notes: list[Note] = []
    for suggestion, findings in _suggestions(suggester, checked):
        edits += suggestion.edits
        why = "\n".join(comment_on(finding, lexicon) for finding in findings)
        notes.append(Note(suggestion.edits[0].start, suggestion.edits[-1].end, why))
    edits.sort(key=lambda edit: edit.start)
    notes.sort(key=lambda note: note.start)
    return Fix(text, apply_edits(text, edits), len(edits), tuple(notes))


def is_tracked(checked: CheckedFile, wanted: bool | None) -> bool:
    """Whether a file is to be written with tracked changes; without a wish, as its own setting says.

    Raises FileError where that is wanted and cannot be.
    """
    container = checked.opened.container
    if wanted and not can_track(container):
        raise FileError(NOT_TRACKED)
    return is_tracking(container) if wanted is None else wanted


def write_fix(path: str, checked: CheckedFile, fix: Fix, *, data: bytes, author: str = "") -> None:
    """Write the fixed text in the format of the file, whose bytes were ``data``. Raises FileError."""
    if path == STANDARD_INPUT:
        raise FileError(NO_INPUT)
    opened, place = checked.opened, Path(path)
    if not opened.editable:
        raise FileError(NOT_EDITABLE)
    if opened.container is not None and fix.tracked:
        new = save_tracked(opened.container, fix.after, stamp_now(author), fix.notes)
    elif opened.container is not None:
        new = opened.container.save(fix.after)
    else:
        new = encode_text(place, fix.after, encoding=opened.encoding)
    if read_bytes(place) != data:
        raise FileError(CHANGED)
    write_bytes(place, new)


def render_diff(path: str, fix: Fix) -> str:
    """A unified diff of the text, which patch can apply to a text file; empty where nothing changes."""
    before, after = (text.splitlines(keepends=True) for text in (fix.before, fix.after))
    lines = difflib.unified_diff(before, after, path, path)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _suggestions(suggester: Suggester, checked: CheckedFile) -> Iterator[tuple[Suggestion, list[Finding]]]:
    """The best suggestion for each sentence that has one, with the findings it is for."""
    document = read_opened(checked.opened)
    ruled = [
        (suggestion, [finding])
        for finding in checked.report.findings
        if (suggestion := _ruled(suggester, document, finding)) is not None
    ]
    yield from ruled
    starts = [sentence.start for sentence in document.sentences]
    wanted: dict[Sentence, list[Finding]] = defaultdict(list)
    for finding in checked.report.findings:
        at = bisect_right(starts, finding.start) - 1
        if at >= 0 and not finding.quoted and finding.kind is not Kind.STYLE:
            wanted[document.sentences[at]].append(finding)
    for sentence, findings in wanted.items():
        try:
            best = suggester.rewrite(document, sentence, findings=findings)
        except SentenceTooLong:
            continue
        for suggestion in best:
            if suggestion.edits and not any(
                _meets(edit, other) for edit in suggestion.edits for one, _ in ruled for other in one.edits
            ):
                yield suggestion, findings


def _ruled(suggester: Suggester, document: Document, finding: Finding) -> Suggestion | None:
    """The change of a rule that names one replacement; none where it names several, as a person has to choose then."""
    if finding.quoted or finding.style is None or len(finding.style.replacements) != 1:
        return None
    alone = replace(finding, kind=Kind.STYLE)
    return next(iter(suggester.suggest(document, alone, n=1).items), None)


def _meets(one: TextEdit, other: TextEdit) -> bool:
    """Whether two edits overlap or touch."""
    return one.start <= other.end and other.start <= one.end
