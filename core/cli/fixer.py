"""``evenhand check --fix``: wordings that are sure enough, written into the files or shown as a diff."""

from __future__ import annotations

import difflib
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.documents import Document, Sentence
from core.formats.loader import read_opened
from core.reports.types import CheckedFile
from core.rewriting.rewriter import SentenceTooLong
from core.rewriting.suggester import Suggester
from core.storage.files import FileError, encode_text, read_bytes, write_bytes
from core.text.diff import TextEdit, apply_edits
from core.types import STANDARD_INPUT, Finding, Kind

NO_INPUT = "Standard input cannot be fixed. Name a file, or use evenhand rewrite."
NOT_EDITABLE = "It was not changed: part of it cannot be written back as it is. Convert it to UTF-8 first."
CHANGED = "It was not changed: another program has changed it meanwhile. Run the command again."


@dataclass(frozen=True, slots=True)
class Fix:
    """The text of a file before and after, and how many wordings were changed."""

    before: str
    after: str
    count: int


def find_fix(suggester: Suggester, checked: CheckedFile) -> Fix:
    """The wordings of a checked file that reach the score threshold of the rewriter, outside quotations.

    Raises ReaderError and RewriterError.
    """
    text = checked.opened.text
    edits = sorted(_edits(suggester, checked), key=lambda edit: edit.start)
    return Fix(text, apply_edits(text, edits), len(edits))


def write_fix(path: str, checked: CheckedFile, fix: Fix, *, data: bytes) -> None:
    """Write the fixed text in the format of the file, whose bytes were ``data``. Raises FileError."""
    if path == STANDARD_INPUT:
        raise FileError(NO_INPUT)
    opened, place = checked.opened, Path(path)
    if not opened.editable:
        raise FileError(NOT_EDITABLE)
    if opened.container is not None:
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


def _edits(suggester: Suggester, checked: CheckedFile) -> Iterator[TextEdit]:
    document = read_opened(checked.opened)
    ruled = [edit for finding in checked.report.findings for edit in _ruled(suggester, document, finding)]
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
            if not any(_meets(edit, other) for edit in suggestion.edits for other in ruled):
                yield from suggestion.edits


def _ruled(suggester: Suggester, document: Document, finding: Finding) -> Sequence[TextEdit]:
    """The change of a rule that names one wording; none where it names several, as a person has to choose then."""
    if finding.quoted or finding.style is None or len(finding.style.replacements) != 1:
        return ()
    alone = replace(finding, kind=Kind.STYLE)
    return next((one.edits for one in suggester.suggest(document, alone, n=1).items), ())


def _meets(one: TextEdit, other: TextEdit) -> bool:
    """Whether two edits overlap or touch."""
    return one.start <= other.end and other.start <= one.end
