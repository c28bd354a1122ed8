"""Protects tracked changes in Word documents: accepted they give the edited text, rejected the text before it."""

from __future__ import annotations

from datetime import datetime
from random import Random
from typing import cast
from xml.etree import ElementTree

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.formats.docx import open_docx
from core.formats.office_document import OfficeDocument
from core.revisions.resolve import accept_all, reject_all
from core.revisions.tracked_docx import save_tracked
from core.revisions.types import Note, Stamp
from tests.core.formats.builders import RICH, docx, paragraph, run
from tests.core.formats.checks import edited, members, part

MAIN = "word/document.xml"
STAMP = Stamp("Ann Example", datetime(2024, 5, 6, 7, 8, 9))
BOTH_KINDS = docx(RICH)


def opened(data: bytes) -> OfficeDocument:
    return open_docx(data, name="draft.docx")


def body(data: bytes) -> str:
    return part(data, MAIN).partition("<w:body>")[2].partition("<w:sectPr/>")[0]


def check_random_edits(seed: int) -> None:
    random = Random(seed)
    document = opened(BOTH_KINDS)
    before = opened(reject_all(document)).text
    for _ in range(2):
        text = edited(document, random)
        at = random.randint(0, len(document.text))
        notes = [Note(at, random.randint(at, len(document.text)), random.choice(("", "Why")))]
        saved = save_tracked(document, text, STAMP, random.choice(([], notes)))
        document = opened(saved)
        assert document.text == text
        assert opened(accept_all(document)).text == text
        assert opened(reject_all(document)).text == before
        for data in (accept_all(document), reject_all(document)):
            plain = part(data, MAIN)
            assert not any(mark in plain for mark in ("<w:ins ", "<w:del ", "delText"))
        numbers = [
            node.attrib[key]
            for node in ElementTree.fromstring(part(saved, MAIN)).iter()
            for key in node.attrib
            if key.endswith("}author")
        ]
        assert numbers or text == document.text


@settings(max_examples=200)
@given(seed=st.integers(0, 2**32))
def test_accepting_gives_the_edited_text_and_rejecting_the_original(seed: int) -> None:
    check_random_edits(seed)


@pytest.mark.slow
@settings(max_examples=2_000)
@given(seed=st.integers(0, 2**32))
def test_accepting_gives_the_edited_text_and_rejecting_the_original_many_times(seed: int) -> None:
    check_random_edits(seed)
