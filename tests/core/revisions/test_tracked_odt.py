"""Protects tracked changes in OpenDocument texts: accepted they give the edited text, rejected the text before it."""

from __future__ import annotations

import re
import shutil
import subprocess
from datetime import datetime
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats.odt import open_odt
from core.formats.office_document import OfficeDocument
from core.formats.types import ContainerError
from core.revisions.resolve import accept_all, reject_all
from core.revisions.tracking import save_tracked
from core.revisions.types import Note, Stamp
from tests.core.formats.builders import ODT_RICH, odt
from tests.core.formats.checks import edited, members, part

CONTENT = "content.xml"
STAMP = Stamp("Ann Example", datetime(2024, 5, 6, 7, 8, 9))
_INFO = "<office:change-info><dc:creator>B</dc:creator><dc:date>2023-01-02T03:04:05</dc:date></office:change-info>"


def region(number: str, kind: str, content: str = "") -> str:
    inside = f"<text:{kind}>{_INFO}{content}</text:{kind}>"
    return f'<text:changed-region xml:id="{number}" text:id="{number}">{inside}</text:changed-region>'


def inserted(number: str, text: str) -> str:
    ends = [f'<text:change-{way} text:change-id="{number}"/>' for way in ("start", "end")]
    return ends[0] + text + ends[1]


def mark(number: str) -> str:
    return f'<text:change text:change-id="{number}"/>'


def tracked(body: str, *regions: str) -> bytes:
    return odt(f"<text:tracked-changes>{''.join(regions)}</text:tracked-changes>{body}")


THEIRS = tracked(
    f"{ODT_RICH}<text:p>Kept {inserted('ct1', 'put in ')}and {mark('ct2')}on. "
    f"{mark('ct3')}{inserted('ct4', 'Two')}</text:p>"
    "<text:list><text:list-item><text:p>Old item</text:p></text:list-item><text:list-item><text:p>Next "
    '<text:span text:style-name="T1">one</text:span></text:p></text:list-item></text:list>',
    region("ct1", "insertion"),
    region("ct2", "deletion", "<text:p>put out </text:p>"),
    region("ct3", "deletion", '<text:p>First</text:p><text:h text:style-name="H">second</text:h>'),
    region("ct4", "insertion"),
)


def opened(data: bytes) -> OfficeDocument:
    return open_odt(data, name="draft.odt")


def body(data: bytes) -> str:
    return part(data, CONTENT).partition("</text:tracked-changes>")[2].partition("</office:text>")[0]


def saved(document: OfficeDocument, text: str, *notes: Note) -> bytes:
    return save_tracked(document, text, STAMP, notes)


def check_random_edits(seed: int) -> None:
    random = Random(seed)
    document = opened(random.choice((THEIRS, odt(ODT_RICH))))
    before = opened(reject_all(document)).text
    for _ in range(2):
        text = edited(document, random)
        at = random.randint(0, len(document.text))
        notes = [Note(at, random.randint(at, len(document.text)), random.choice(("", "Why")))]
        document = opened(save_tracked(document, text, STAMP, random.choice(([], notes))))
        assert document.text == text
        assert opened(accept_all(document)).text == text
        assert opened(reject_all(document)).text == before
        for data in (accept_all(document), reject_all(document)):
            assert "text:change" not in part(data, CONTENT)


@settings(max_examples=200)
@given(seed=st.integers(0, 2**32))
def test_accepting_gives_the_edited_text_and_rejecting_the_original(seed: int) -> None:
    check_random_edits(seed)


@pytest.mark.slow
@settings(max_examples=2_000)
@given(seed=st.integers(0, 2**32))
def test_accepting_gives_the_edited_text_and_rejecting_the_original_many_times(seed: int) -> None:
    check_random_edits(seed)


def test_a_replaced_word_is_a_deletion_and_an_insertion_with_its_look() -> None:
    span = '<text:span text:style-name="T1">'
    document = opened(odt(f"<text:p>The {span}shameful</text:span> record</text:p>"))
    data = saved(document, "The poor record")
    assert body(data) == (
        f"<text:p>The {span}{mark('ct1')}{inserted('ct2', 'poor')}</text:span><text:s/>record</text:p>"
    )
    xml = part(data, CONTENT)
    assert f"</office:change-info><text:p>{span}shameful</text:span></text:p></text:deletion>" in xml
    assert xml.count("<dc:creator>Ann Example</dc:creator><dc:date>2024-05-06T07:08:09</dc:date>") == 2
    before, after = members(document.package.data), members(data)
    assert {name for name in before if before[name] != after[name]} == {CONTENT}


def test_tracking_stays_off_where_it_was_off_and_the_rejected_file_is_as_it_was() -> None:
    document = opened(odt("<text:p>One two</text:p>"))
    data = saved(document, "One three")
    assert not opened(data).tracking
    assert "two" not in opened(data).text
    assert part(reject_all(opened(data)), CONTENT) == part(document.package.data, CONTENT).replace(
        "One two", "One<text:s/>two"
    )


def test_a_deleted_paragraph_comes_back_with_its_style() -> None:
    document = opened(
        odt('<text:h text:style-name="H">Head</text:h><text:p text:style-name="P">Text</text:p>')
    )
    rejected = part(reject_all(opened(saved(document, "Text"))), CONTENT)
    assert '<text:h text:style-name="H">Head</text:h><text:p text:style-name="P">Text</text:p>' in rejected


def test_items_of_a_list_are_items_again() -> None:
    items = "".join(f"<text:list-item><text:p>{word}</text:p></text:list-item>" for word in ("one", "two"))
    document = opened(odt(f"<text:list>{items}</text:list>"))
    for text in ("onetwo", "one\nand\ntwo", "two"):
        assert f"<text:list>{items}</text:list>" in part(reject_all(opened(saved(document, text))), CONTENT)


def test_a_footnote_in_deleted_words_stays_and_is_in_its_place_after_rejecting() -> None:
    note = "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>n</text:p></text:note-body>"
    text = f"<text:p>They claim{note}</text:note> much.</text:p>"
    data = saved(opened(odt(text)), "They say.\nn", Note(0, 16, "Why"))
    assert note in body(data)
    assert re.search(f"claim{re.escape(note)}", part(reject_all(opened(data)), CONTENT))


def test_a_whole_reword_is_one_deletion_and_one_insertion_under_its_comment() -> None:
    document = opened(
        odt('<text:p>She <text:span text:style-name="T1">boldly</text:span> claims it is bad</text:p>')
    )
    text = "She firmly says it was worse"
    xml = part(saved(document, text, Note(4, len(document.text), "Loaded\nMOS:SAID")), CONTENT)
    assert (xml.count("<text:deletion>"), xml.count("<text:insertion>")) == (1, 1)
    comment = xml.partition("<office:annotation ")[2].partition("</office:annotation>")[0]
    assert "<text:p>Loaded</text:p><text:p>MOS:SAID</text:p>" in comment
    start, end = xml.index("<office:annotation "), xml.index("<office:annotation-end")
    assert start < xml.index("<text:change ") < xml.index("<text:change-end ") < end


def test_words_inside_an_insertion_of_another_author_are_changes_of_their_own() -> None:
    document = opened(
        tracked(f"<text:p>Old {inserted('ct1', 'their new words')}</text:p>", region("ct1", "insertion"))
    )
    data = saved(document, "Old their own new words")
    assert part(data, CONTENT).count("<dc:creator>B</dc:creator>") == 2
    assert re.search(
        r'<text:change-end text:change-id="ct1"/><text:change-start text:change-id="ct2"/>', body(data)
    )
    assert opened(reject_all(opened(data))).text == "Old "


def test_deleted_text_is_not_read() -> None:
    document = opened(THEIRS)
    assert "put out" not in document.text
    assert "First" not in document.text.splitlines()[-3]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_libreoffice_lists_exactly_those_revisions_and_the_comment_and_they_can_be_rejected(
    tmp_path: Path,
) -> None:
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"

    def converted(path: Path, folder: Path) -> bytes:
        call = ["soffice", profile, "--headless", "--convert-to", "odt", "--outdir", str(folder), str(path)]
        subprocess.run(call, check=True, capture_output=True)
        return (folder / path.with_suffix(".odt").name).read_bytes()

    before, after = "The shameful record\nNext\nLast\nEnd", "The poor record\nNextLast\nEnd"
    (tmp_path / "draft.txt").write_text(before, encoding="utf-8")
    document = opened(converted(tmp_path / "draft.txt", tmp_path))
    (tmp_path / "draft.odt").write_bytes(saved(document, after, Note(4, 12, "Loaded")))
    rewritten = converted(tmp_path / "draft.odt", tmp_path / "out")
    xml = part(rewritten, CONTENT)
    assert (xml.count("<text:deletion>"), xml.count("<text:insertion>")) == (2, 1)
    assert xml.count("<office:annotation ") == 1
    assert xml.count("<dc:creator>Ann Example</dc:creator><dc:date>2024-05-06T07:08:09</dc:date>") == 4
    assert opened(accept_all(opened(rewritten))).text == after
    assert opened(reject_all(opened(rewritten))).text == before


def test_a_protected_file_is_refused_with_the_reason() -> None:
    signed = {"META-INF/documentsignatures.xml": "<a/>"}
    document = opened(odt("<text:p>One</text:p>", extra=signed))
    with pytest.raises(ContainerError, match="signed"):
        accept_all(document)
