"""Protects who opens a paragraph of thousands of runs, as some exporters write: work grows no faster than the runs.

Work is counted in steps of Python's interpreter, so that no clock and no other process has a say in it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime
from types import FrameType
from typing import Any

import pytest

from core.formats.docx import open_docx
from core.formats.odt import open_odt
from core.formats.office_document import OfficeDocument
from core.revisions.annotate import annotate
from core.revisions.resolve import accept, accept_all, read_revisions, reject, reject_all
from core.revisions.tracking import save_tracked
from core.revisions.types import Note, Stamp
from tests.core.formats.builders import docx, odt, paragraph, run

STAMP = Stamp("Ann Example", datetime(2024, 5, 6, 7, 8, 9))
RUNS = 400
MOST = 2.3
"""For twice the runs: linear work doubles, quadratic work becomes four times as much."""


def docx_of_runs(runs: int) -> OfficeDocument:
    content = [run(f"word{number % 7} ") for number in range(runs)]
    return open_docx(docx(paragraph(*content)), name="draft.docx")


def docx_of_lines(runs: int) -> OfficeDocument:
    content = [f"<w:r><w:t>word{number % 7}</w:t><w:br/></w:r>" for number in range(runs)]
    return open_docx(docx(paragraph(*content)), name="draft.docx")


def odt_of_runs(runs: int) -> OfficeDocument:
    spans = [
        f'<text:span text:style-name="T{number % 2}">word{number % 7} </text:span>' for number in range(runs)
    ]
    return open_odt(odt(f"<text:p>{''.join(spans)}</text:p>"), name="draft.odt")


def moved(runs: int) -> OfficeDocument:
    """A docx in which every run is a move of its own."""
    who = 'w:author="B" w:date="2024-05-06T07:08:09Z"'
    content = [
        f'<w:moveToRangeStart w:id="{number}" w:name="move{number}" {who}/><w:moveTo w:id="{number}" {who}>'
        f'{run("word ")}</w:moveTo><w:moveToRangeEnd w:id="{number}"/>'
        for number in range(runs)
    ]
    return open_docx(docx(paragraph(*content)), name="draft.docx")


def one_edit(document: OfficeDocument) -> bytes:
    middle = document.text.index("word3", len(document.text) // 2)
    return save_tracked(document, f"{document.text[:middle]}new{document.text[middle + 5 :]}", STAMP)


def edits(document: OfficeDocument) -> bytes:
    return save_tracked(document, document.text.replace("word3", "new"), STAMP)


def edits_under_one_comment(document: OfficeDocument) -> bytes:
    note = Note(0, len(document.text), "Why")
    return save_tracked(document, document.text.replace("word3", "new"), STAMP, [note])


def all_deleted(document: OfficeDocument) -> bytes:
    return save_tracked(document, "", STAMP)


def untracked(document: OfficeDocument) -> bytes:
    return document.save(document.text.replace("word3", "new"))


def comments(document: OfficeDocument) -> bytes:
    places = range(0, len(document.text) - 10, 20)
    return annotate(document, [Note(place, place + 5, "Why") for place in places], STAMP)


def opened(document: OfficeDocument, data: bytes) -> OfficeDocument:
    return document.opener(data, name=document.package.name)


def every_second(document: OfficeDocument, resolve: Callable[..., bytes]) -> bytes:
    return resolve(document, read_revisions(document)[::2])


FILES = {"docx": docx_of_runs, "odt": odt_of_runs}
SAVING = (one_edit, edits, edits_under_one_comment, all_deleted, untracked, comments)
RESOLVING: dict[str, Callable[[OfficeDocument], object]] = {
    "read": read_revisions,
    "accept all": accept_all,
    "reject all": reject_all,
    "accept every second one": lambda document: every_second(document, accept),
    "reject every second one": lambda document: every_second(document, reject),
}


def steps(work: Callable[[OfficeDocument], object], document: OfficeDocument) -> int:
    """How many instructions of Python some work on a document takes."""
    count = 0

    def traced(frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        count += event == "opcode"
        return traced

    before = sys.gettrace()
    sys.settrace(traced)
    try:
        work(document)
    finally:
        sys.settrace(before)
    return count


def growth(work: Callable[[OfficeDocument], object], make: Callable[[int], OfficeDocument]) -> float:
    """How many times more work twice the runs make."""
    return steps(work, make(2 * RUNS)) / steps(work, make(RUNS))


@pytest.mark.parametrize("save", SAVING)
@pytest.mark.parametrize("make", FILES.values(), ids=FILES)
def test_saving_takes_work_in_proportion_to_the_runs(
    make: Callable[[int], OfficeDocument], save: Callable[[OfficeDocument], bytes]
) -> None:
    assert growth(save, make) < MOST


@pytest.mark.parametrize("resolve", RESOLVING.values(), ids=RESOLVING)
@pytest.mark.parametrize("make", FILES.values(), ids=FILES)
def test_revisions_are_resolved_with_work_in_proportion_to_the_runs(
    make: Callable[[int], OfficeDocument], resolve: Callable[[OfficeDocument], object]
) -> None:
    def edited(runs: int) -> OfficeDocument:
        document = make(runs)
        return opened(document, edits(document))

    assert growth(resolve, edited) < MOST


def test_line_breaks_are_deleted_with_work_in_proportion_to_the_runs() -> None:
    assert growth(all_deleted, docx_of_lines) < MOST


def test_moves_are_read_with_work_in_proportion_to_their_number() -> None:
    assert growth(read_revisions, moved) < MOST


def test_quadratic_work_is_noticed() -> None:
    def pairs(document: OfficeDocument) -> object:
        segments = document.layout.lines[0].segments
        return [one for one in segments for other in segments if one is other]

    assert growth(pairs, docx_of_runs) > 3
