"""``evenhand check --fix``: wordings that are sure enough, written into the files or shown as a diff."""

from __future__ import annotations

import difflib
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.documents import Sentence
from core.formats.loader import read_opened
from core.reports.types import CheckedFile
from core.rewriting.rewriter import SentenceTooLong
from core.rewriting.suggester import Suggester
from core.storage.files import FileError, encode_text, read_bytes, write_bytes
from core.text.diff import TextEdit, apply_edits
from core.types import STANDARD_INPUT, Finding

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
    edits = list(_edits(suggester, checked))
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
    starts = [sentence.start for sentence in document.sentences]
    wanted: dict[Sentence, list[Finding]] = defaultdict(list)
    for finding in checked.report.findings:
        at = bisect_right(starts, finding.start) - 1
        if at >= 0 and not finding.quoted:
            wanted[document.sentences[at]].append(finding)
    for sentence, findings in wanted.items():
        try:
            best = suggester.rewrite(document, sentence, findings=findings)
        except SentenceTooLong:
            continue
        for suggestion in best:
            yield from suggestion.edits
