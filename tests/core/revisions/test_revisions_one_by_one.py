"""Protects accepting and rejecting one revision after another: in any order the file is as after all at once."""

from __future__ import annotations

from datetime import datetime
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats.docx import open_docx
from core.formats.odt import open_odt
from core.formats.office_document import OfficeDocument
from core.revisions.resolve import accept, accept_all, has_revisions, read_revisions, reject, reject_all
from core.revisions.tracking import save_tracked
from core.revisions.types import Stamp
from tests.core.formats.builders import ODT_RICH, W, docx, odt, paragraph, relations, run
from tests.core.formats.checks import edited, members, part


class _RandomBody:
    """Random paragraphs of a docx with revisions of two authors, nested and side by side."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._moves = 0
        self._words = 0

    def body(self) -> str:
        pieces = [self._paragraph() for _ in range(self._random.randint(1, 5))]
        if self._random.random() < 0.3:
            pieces.insert(self._random.randrange(len(pieces)), self._table())
        if self._random.random() < 0.4:
            # What moves within the text has the same name at both places.
            self._moves += 1
            at, to = (self._random.randrange(len(pieces) + 1) for _ in range(2))
            pieces.insert(at, self._moved("From"))
            pieces.insert(to, self._moved("To"))
        return "".join([*pieces, paragraph(run("The end."))])

    def _who(self) -> str:
        author, hour = self._random.choice("AB"), self._random.choice("12")
        return f'w:id="{self._random.randint(1, 999)}" w:author="{author}" w:date="2024-05-06T0{hour}:00:00Z"'

    def _word(self) -> str:
        self._words += 1
        return f"{self._random.choice(('a', 'b ', ' c', 'd e '))}{self._words}"

    def _run(self) -> str:
        look = self._random.random()
        change = f"<w:b/><w:rPrChange {self._who()}><w:rPr><w:i/></w:rPr></w:rPrChange>"
        return run(self._word(), change if look < 0.15 else "<w:u/>" if look < 0.3 else "")

    def _deleted(self) -> str:
        text = f'<w:r><w:delText xml:space="preserve">{self._word()}</w:delText></w:r>'
        if self._random.random() < 0.1:
            text += self._inserted()
        return f"<w:del {self._who()}>{text}</w:del>"

    def _inserted(self) -> str:
        makers = (self._run, self._run, self._deleted)
        inner = [self._random.choice(makers)() for _ in range(self._random.randint(1, 2))]
        return f"<w:ins {self._who()}>{''.join(inner)}</w:ins>"

    def _content(self) -> str:
        makers = (self._run, self._deleted, self._inserted)
        return "".join(self._random.choice(makers)() for _ in range(self._random.randint(0, 4)))

    def _properties(self, marks: str = "") -> str:
        if not marks and self._random.random() < 0.5:
            tags = self._random.choice((("ins",), ("del",), ("ins", "del")))
            marks = "".join(f"<w:{tag} {self._who()}/>" for tag in tags)
        if self._random.random() < 0.2:
            marks += f"<w:b/><w:rPrChange {self._who()}><w:rPr><w:i/></w:rPr></w:rPrChange>"
        style = f'<w:pStyle w:val="S{self._random.randint(1, 9)}"/>' if self._random.random() < 0.6 else ""
        change = ""
        if self._random.random() < 0.2:
            change = f'<w:pPrChange {self._who()}><w:pPr><w:pStyle w:val="Old"/></w:pPr></w:pPrChange>'
        inside = style + (f"<w:rPr>{marks}</w:rPr>" if marks else "") + change
        return f"<w:pPr>{inside}</w:pPr>" if inside else ""

    def _paragraph(self) -> str:
        return (
            f"<w:p>{self._properties()}{self._content()}</w:p>" if self._random.random() < 0.9 else "<w:p/>"
        )

    def _moved(self, way: str) -> str:
        number = f"{100 + self._moves}{way == 'To':d}"
        who = self._who().partition(" ")[2]
        start = f'<w:move{way}RangeStart w:id="{number}" {who} w:name="m{self._moves}"/>'
        end = f'<w:move{way}RangeEnd w:id="{number}"/>'
        text = f"<w:move{way} {self._who()}>{run(f'moved {self._moves} ')}</w:move{way}>"
        if self._random.random() < 0.5:
            return f"<w:p>{start}{self._content()}{text}{end}{self._content()}</w:p>"
        mark = f"<w:move{way} {self._who()}/>"
        return f"{start}<w:p>{self._properties(mark)}{text}</w:p>{end}"

    def _table(self) -> str:
        rows = ""
        for _ in range(self._random.randint(1, 3)):
            mark = self._random.choice(("", f"<w:ins {self._who()}/>", f"<w:del {self._who()}/>"))
            look = (
                f"<w:trPrChange {self._who()}><w:trPr/></w:trPrChange>" if self._random.random() < 0.2 else ""
            )
            cell = f"{self._paragraph()}{paragraph(self._content())}"
            rows += f"<w:tr><w:trPr>{mark}{look}</w:trPr><w:tc>{cell}</w:tc></w:tr>"
        return f"<w:tbl><w:tblPr/>{rows}</w:tbl>"


def one_by_one(document: OfficeDocument, random: Random, *, accepted: bool) -> bytes:
    """The file after its revisions are accepted or rejected in a random order, each read anew."""
    for _ in range(len(read_revisions(document)) + 1):
        revisions = read_revisions(document)
        assert has_revisions(document) == bool(revisions)
        if not revisions:
            return document.package.data
        resolved = (accept if accepted else reject)(document, [random.choice(revisions)])
        assert resolved != document.package.data
        document = document.opener(resolved, name="draft")
    raise AssertionError("a revision stays")


def check_docx(seed: int) -> None:
    random = Random(seed)
    note = f'<w:footnotes xmlns:w="{W}"><w:footnote w:id="1">{_RandomBody(random).body()}</w:footnote></w:footnotes>'
    extra = {
        "word/footnotes.xml": note,
        "word/_rels/document.xml.rels": relations(("footnotes", "footnotes.xml")),
    }
    data = docx(_RandomBody(random).body(), extra=extra)
    document = open_docx(data, name="draft.docx")
    changeable = {"word/document.xml", "word/footnotes.xml"}
    for accepted, all_at_once in ((True, accept_all(document)), (False, reject_all(document))):
        after = one_by_one(document, random, accepted=accepted)
        assert {name: part(after, name) for name in changeable} == {
            name: part(all_at_once, name) for name in changeable
        }
        before, others = members(data), members(after)
        assert all(others[name] == before[name] for name in before if name not in changeable)


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32))
def test_one_by_one_is_all_at_once_in_a_docx(seed: int) -> None:
    check_docx(seed)


@pytest.mark.slow
@settings(max_examples=1_000)
@given(seed=st.integers(0, 2**32))
def test_one_by_one_is_all_at_once_in_a_docx_many_times(seed: int) -> None:
    check_docx(seed)


def tracked_odt(random: Random) -> bytes:
    """An odt that two people edited with tracked changes, one after the other."""
    data = odt(random.choice((ODT_RICH, "<text:p>One two three.</text:p><text:p>Four five six.</text:p>")))
    for number in range(random.randint(1, 3)):
        document = open_odt(data, name="draft.odt")
        stamp = Stamp("AB"[number % 2], datetime(2024, 5, 6, number))
        data = save_tracked(document, edited(document, random), stamp)
    return data


def check_odt(seed: int) -> None:
    random = Random(seed)
    data = tracked_odt(random)
    document = open_odt(data, name="draft.odt")
    for accepted, all_at_once in ((True, accept_all(document)), (False, reject_all(document))):
        after = one_by_one(document, random, accepted=accepted)
        assert open_odt(after, name="x").text == open_odt(all_at_once, name="x").text
        before, others = members(data), members(after)
        assert all(others[name] == before[name] for name in before if name != "content.xml")


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32))
def test_one_by_one_is_all_at_once_in_an_odt(seed: int) -> None:
    check_odt(seed)


@pytest.mark.slow
@settings(max_examples=1_000)
@given(seed=st.integers(0, 2**32))
def test_one_by_one_is_all_at_once_in_an_odt_many_times(seed: int) -> None:
    check_odt(seed)
