"""Protects answers to a reviewed copy: replies, comments and changes of a colleague come back to their findings."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zipfile
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answers.answers import describe_answers, match_answers, read_answers, sign
from core.answers.comments import read_comments
from core.documents.types import Format
from core.formats.loader import open_document
from core.formats.office_document import OfficeDocument
from core.revisions.annotate import annotate
from core.revisions.tracking import save_tracked
from core.revisions.types import Answer, AnsweredComment, Note, RevisionKind, Stamp
from core.types import Finding, Kind, fingerprint
from tests.core.formats.builders import docx, odt, paragraph, run, zipped

STAMP = Stamp("Ann Example", datetime(2024, 5, 6, 7, 8, 9))
LATER = Stamp("Ben", datetime(2024, 5, 7, 7, 8, 9))
TEXT = "The shameful record of the chairman."
PLAIN = {
    Format.DOCX: docx(paragraph(run(TEXT))),
    Format.ODT: odt(f"<text:p>{TEXT}</text:p>"),
}
LOEXT = "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"
W14 = "http://schemas.microsoft.com/office/word/2010/wordml"
W15 = "http://schemas.microsoft.com/office/word/2012/wordml"


def finding(words: str, text: str = TEXT) -> Finding:
    start = text.index(words)
    name = fingerprint(Kind.FRAMING, words, "", "")
    return Finding(start, start + len(words), words, Kind.FRAMING, 0.9, False, fingerprint=name)


FINDINGS = [finding("shameful"), finding("chairman")]


def opened(data: bytes, form: Format) -> OfficeDocument:
    document = open_document(data, name=f"copy.{form.value}", format=form).container
    assert isinstance(document, OfficeDocument)
    return document


def note(one: Finding) -> Note:
    return Note(one.start, one.end, sign(f"“{one.text}” reads as framing. Because.\n– other", one))


def reviewed(form: Format) -> OfficeDocument:
    """A copy with a comment on each finding."""
    return opened(annotate(opened(PLAIN[form], form), [note(one) for one in FINDINGS], STAMP), form)


def contents(copy: OfficeDocument) -> dict[str, bytes | str]:
    """The members of the zip of a copy."""
    with zipfile.ZipFile(io.BytesIO(copy.package.data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def text_of(content: bytes | str) -> str:
    return content if isinstance(content, str) else content.decode()


def answered_in_word(*, done: bool = False, reply: str = "Keep it, it is a quote.") -> OfficeDocument:
    """The copy as Word saves it with a reply to the first comment: numbered anew, with ids of paragraphs."""
    copy = contents(reviewed(Format.DOCX))
    names = iter(("0000000A", "0000000B", "0000000C", "0000000D", "0000000E", "0000000F"))
    comments = text_of(copy["word/comments.xml"])
    comments = re.sub("<w:p>", lambda _: f'<w:p w14:paraId="{next(names)}">', comments)
    comments = comments.replace("<w:comments ", f'<w:comments xmlns:w14="{W14}" ')
    theirs = (
        f'<w:comment w:id="77" w:author="Ben" w:date="2024-05-07T07:08:09Z"><w:p w14:paraId="000000FF">'
        f"{run(reply)}</w:p></w:comment></w:comments>"
    )
    last = re.findall('w14:paraId="([^"]+)"', comments.partition("</w:comment>")[0])[-1]
    copy["word/comments.xml"] = comments.replace("</w:comments>", theirs).encode()
    copy["word/commentsExtended.xml"] = (
        f'<w15:commentsEx xmlns:w15="{W15}"><w15:commentEx w15:paraId="{last}" w15:done="{int(done)}"/>'
        f'<w15:commentEx w15:paraId="000000ff" w15:paraIdParent="{last.lower()}" w15:done="0"/></w15:commentsEx>'
    ).encode()
    rels = text_of(copy["word/_rels/document.xml.rels"])
    entry = (
        '<Relationship Id="rId900" Type="http://schemas.microsoft.com/office/2011/relationships/commentsExtended" '
        'Target="commentsExtended.xml"/></Relationships>'
    )
    copy["word/_rels/document.xml.rels"] = rels.replace("</Relationships>", entry).encode()
    return opened(zipped(copy), Format.DOCX)


def answered_in_libreoffice(attribute: str, *, resolved: bool = False) -> OfficeDocument:
    """The copy as an odt with a reply to the first comment, behind it; ``attribute`` names the parent."""
    copy = contents(reviewed(Format.ODT))
    content = text_of(copy["content.xml"])
    name = re.findall(r'<office:annotation office:name="([^"]+)"', content)[0]
    reply = (
        f'<office:annotation {attribute.format(name)} xmlns:loext="{LOEXT}" loext:resolved="false">'
        "<dc:creator>Ben</dc:creator><dc:date>2024-05-07T07:08:09.123</dc:date>"
        '<text:p>Keep it,<text:s/>it is<text:span text:style-name="T1"> a quote.</text:span></text:p>'
        "</office:annotation>"
    )
    content = content.replace("</office:annotation>", f"</office:annotation>{reply}", 1)
    if resolved:
        tag = f'<office:annotation xmlns:loext="{LOEXT}" loext:resolved="true" '
        content = content.replace("<office:annotation ", tag, 1)
    copy["content.xml"] = content.encode()
    return opened(zipped(copy), Format.ODT)


REPLY = Answer("Ben", datetime(2024, 5, 7, 7, 8, 9), "Keep it, it is a quote.")


@pytest.mark.parametrize("form", PLAIN)
def test_a_copy_without_answers_has_none(form: Format) -> None:
    copy = reviewed(form)
    assert len(read_comments(copy)) == 2
    assert [copy.text[slice(*one.place or (0, 0))] for one in read_comments(copy)] == ["shameful", "chairman"]
    assert read_answers(copy) == []


def test_a_reply_in_word_is_an_answer_to_its_finding() -> None:
    (answered,) = read_answers(answered_in_word())
    assert answered == AnsweredComment(FINDINGS[0].fingerprint, "shameful", (4, 12), (REPLY,), False)
    assert match_answers([answered], FINDINGS, is_as_in_file=True) == ({answered: FINDINGS[0]}, [])


def test_a_comment_that_was_marked_as_resolved_says_so() -> None:
    (answered,) = read_answers(answered_in_word(done=True))
    assert describe_answers(answered) == [
        "Answer by Ben: Keep it, it is a quote.",
        "The comment was marked as resolved.",
    ]
    assert [one.is_resolved for one in read_answers(answered_in_libreoffice("", resolved=True))] == [True]


@pytest.mark.parametrize("attribute", ["", 'loext:parent-name="{}"'])
def test_a_reply_in_libreoffice_is_an_answer_with_and_without_the_name_of_its_parent(attribute: str) -> None:
    (answered,) = read_answers(answered_in_libreoffice(attribute))
    assert answered.fingerprint == FINDINGS[0].fingerprint
    assert answered.answers == (REPLY,)


@pytest.mark.parametrize("form", PLAIN)
def test_a_later_comment_on_the_words_is_an_answer_and_others_are_none(form: Format) -> None:
    copy = reviewed(form)
    own = Note(4, 12, "I would say “poor”.")
    (answered,) = read_answers(opened(annotate(copy, [own], LATER), form))
    assert answered.answers == (Answer("Ben", LATER.time, "I would say “poor”."),)
    for elsewhere in (Note(0, 3, "Here"), Note(0, len(TEXT), "All of it")):
        assert read_answers(opened(annotate(copy, [elsewhere], LATER), form)) == []
    earlier = replace(LATER, time=datetime(2024, 1, 1))
    assert read_answers(opened(annotate(copy, [own], earlier), form)) == []


@pytest.mark.parametrize("form", PLAIN)
def test_changed_words_are_an_answer_tracked_or_not(form: Format) -> None:
    copy = reviewed(form)
    text = TEXT.replace("shameful", "poor")
    (tracked,) = read_answers(opened(save_tracked(copy, text, LATER), form))
    assert {(one.revision, one.text, one.author) for one in tracked.answers} == {
        (RevisionKind.DELETED, "shameful", "Ben"),
        (RevisionKind.INSERTED, "poor", "Ben"),
    }
    assert match_answers([tracked], FINDINGS[1:], is_as_in_file=True) == ({}, [tracked])
    (untracked,) = read_answers(opened(copy.save(text), form))
    assert untracked.answers == (Answer("", None, "poor"),)


def test_a_finding_with_other_neighbours_is_found_by_its_place_and_then_by_its_words() -> None:
    (answered,) = read_answers(answered_in_word())
    changed = [replace(one, fingerprint=f"{number}") for number, one in enumerate(FINDINGS)]
    assert match_answers([answered], changed, is_as_in_file=True) == ({answered: changed[0]}, [])
    moved = [replace(one, start=one.start + 90, end=one.end + 90) for one in changed]
    assert match_answers([answered], moved, is_as_in_file=False) == ({answered: moved[0]}, [])
    assert match_answers([answered], moved[1:], is_as_in_file=False) == ({}, [answered])


WORDS = st.text(st.sampled_from("ab é🙂‏"), min_size=1, max_size=12)


@given(before=WORDS, words=WORDS, after=WORDS, form=st.sampled_from(sorted(PLAIN)))
def test_the_place_of_a_comment_is_that_of_its_words(
    before: str, words: str, after: str, form: Format
) -> None:
    text = f"x{before}|{words}|{after}x".replace("  ", " ")
    low, high = text.index("|"), text.rindex("|") + 1
    data = docx(paragraph(run(text))) if form is Format.DOCX else odt(f"<text:p>{text}</text:p>")
    document = opened(data, form)
    copy = opened(annotate(document, [Note(low, high, "Why")], STAMP), form)
    (comment,) = read_comments(copy)
    assert comment.place == (low, high)
    assert copy.text == document.text


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
@pytest.mark.parametrize("saved_as", PLAIN)
@pytest.mark.parametrize("form", PLAIN)
def test_answers_are_found_after_libreoffice_saved_the_copy(
    form: Format, saved_as: Format, tmp_path: Path
) -> None:
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"

    def converted(path: Path, to: Format) -> OfficeDocument:
        out = tmp_path / f"as {to.value}"
        call = ["soffice", profile, "--headless", "--convert-to", to.value, "--outdir", str(out), str(path)]
        subprocess.run(call, check=True, capture_output=True)
        return opened((out / path.with_suffix(f".{to.value}").name).read_bytes(), to)

    (tmp_path / "draft.txt").write_text(TEXT, encoding="utf-8")
    draft = converted(tmp_path / "draft.txt", form)
    copy = opened(annotate(draft, [note(one) for one in FINDINGS], STAMP), form)
    copy = opened(save_tracked(copy, TEXT.replace("chairman", "head"), LATER), form)
    path = tmp_path / f"copy.{form.value}"
    path.write_bytes(annotate(copy, [Note(4, 12, "I would say “poor”.")], LATER))
    back = converted(path, saved_as)
    first, second = read_answers(back)
    assert first.answers == (Answer("Ben", LATER.time, "I would say “poor”."),)
    assert {(one.revision, one.text, one.author) for one in second.answers} == {
        (RevisionKind.DELETED, "chairman", "Ben"),
        (RevisionKind.INSERTED, "head", "Ben"),
    }
    assert match_answers([first, second], FINDINGS, is_as_in_file=True) == (
        {first: FINDINGS[0], second: FINDINGS[1]},
        [],
    )
