"""Protects web pages: what a browser shows is read, an edit changes its words in the source, and no tag is touched."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats.html import HtmlContainer, open_html
from core.formats.types import Container, ContainerError
from core.storage.files import FileError
from core.types import ALL_KINDS, Kind

PAGE = """<!DOCTYPE html>
<html lang=en><head><meta charset="utf-8"><title>Not shown</title>
<style>p { color: red }</style><script>if (a < b) document.write("<p>no</p>");</script></head>
<body class='x>y'>
  <h1 id=top>The  <em>Law</em> &amp; the&nbsp;people</h1>
  <p id="one">The senator <a href="/a?b=1&c=2">has a
     shameful</a> record &#8212; he said.<br>A second   line</p>
  <ul><li>First<li>Second <b>item</b></ul>
  <p hidden>Hidden</p><p style="display: none">Hidden, too</p><template><p>none</p></template>
  <pre>
as   it
 stands</pre>
  <table><tr><td>one<td>two</table>
</body></html>
"""
TEXT = (
    "The Law & the\xa0people\nThe senator has a shameful record — he said.\nA second line\nFirst\nSecond item\n"
    "as   it\n stands\none\ntwo"
)


def opened(source: str | bytes) -> HtmlContainer:
    """Open a page."""
    return open_html(source if isinstance(source, bytes) else source.encode(), name="page.html")


def text_of(source: str | bytes) -> str:
    """The text of a page."""
    return opened(source).text


def tags(source: str) -> list[str]:
    """Everything of a page that is mark-up, in order."""
    return re.findall(r"<(?:!--.*?--|[a-zA-Z/!?][^>]*)>", source, re.DOTALL)


def test_a_page_is_read_as_it_shows() -> None:
    page: Container = opened(PAGE)
    assert page.text == TEXT
    assert page.notes == ()


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("", ""),
        ("plain words", "plain words"),
        ("<p>a</p>\n\n<p>b</p>", "a\nb"),
        ("<p> a <b> b </b> c </p>", "a b c"),
        ("a<br><br>b<br>", "a\n\nb"),
        ("<p>a<br></p><p><br></p>b", "a\n\nb"),
        ("x<!-- y -->z<!--> w <!--->v<!-- open", "xz w v"),
        ("x<!-- y --!>z", "xz"),
        ("<a title='a>b' alt=\"c>d\">e</a>", "e"),
        ('<a title=x">y</a>', "y"),
        ("a < b > c <3 & d", "a < b > c <3 & d"),
        (
            "&lt;p&gt; &copy &copyright &notit; &unknown; &#x41;&#66 &#0;",
            "<p> © ©right ¬it; &unknown; AB \ufffd",
        ),
        ("a&#32;&#10; b&nbsp;&nbsp;c", "a b\xa0\xa0c"),
        ("<p>one<div>two</p>three", "one\ntwo\nthree"),
        ("<noscript>x</noscript><svg><text>y</text></svg><textarea><p>z</textarea>w", "w"),
        ("<SCRIPT>a</SCRIPT ><STYLE>b</style>c", "c"),
        ("<script>never closed", ""),
        ("text <div class=", "text"),
        ("<![CDATA[x]]>y<?php z ?>w</>v", "ywv"),
        ('<?xml version="1.0"?><html><script src="x"/><p/><p>y<br/>z</p></html>', "y\nz"),
        ("<pre>\n\na\r\n b\n</pre>c", "\na\n b\nc"),
        ("<img alt='x'>a<hr>b", "a\nb"),
        ("<dl><dt>t<dd>d</dl><ruby>k<rp>(</rp><rt>r</rt></ruby>", "t\nd\nkr"),
    ],
)
def test_each_kind_of_mark_up(source: str, text: str) -> None:
    assert text_of(source) == text


def test_unchanged_is_the_same_bytes() -> None:
    for source in (PAGE, PAGE.replace("\n", "\r\n"), "\ufeff" + PAGE, "", "x"):
        data = source.encode()
        page = opened(data)
        assert page.save(page.text) is data
        assert page.save(page.text + "  ") is data


def test_an_edit_changes_its_words_and_nothing_else() -> None:
    page = opened(PAGE)
    data = page.save(TEXT.replace("shameful", "weak")).decode()
    assert data == PAGE.replace("shameful", "weak")
    data = page.save(TEXT.replace("— he", "and he").replace("Second item", "Third < item & more")).decode()
    assert data == PAGE.replace("&#8212; he", "and he").replace(
        "Second <b>item", "Third &lt; <b>item &amp; more"
    )
    assert tags(data) == tags(PAGE)


def test_line_ends_and_encoding_are_kept() -> None:
    source = PAGE.replace("\n", "\r\n").replace('"utf-8"', '"iso-8859-1"').replace("Second", "Zweite Übung")
    page = opened(source.encode("cp1252"))
    assert page.encoding == "cp1252"
    assert "Zweite Übung item" in page.text
    saved = page.save(page.text.replace("shameful", "“weak” 漢"))
    assert saved == source.replace("shameful", "“weak” &#28450;").encode("cp1252")


@pytest.mark.parametrize(
    ("head", "codec"),
    [
        ('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">', "cp1251"),
        ("<META CHARSET=koi8-r>", "koi8-r"),
        ('<?xml version="1.0" encoding="iso-8859-5"?>', "iso8859-5"),
    ],
)
def test_a_page_may_say_its_encoding(head: str, codec: str) -> None:
    data = f"{head}<p>Закон</p>".encode(codec)
    page = opened(data)
    assert page.text == "Закон"
    assert page.save("Новый закон") == f"{head}<p>Новый закон</p>".encode(codec)


def test_bytes_that_no_encoding_explains_are_for_reading_only() -> None:
    page = opened(b"<p>word \xff\xfe\x81\x8d</p>" + "漢字".encode() * 9)
    assert page.notes
    assert (page.locked[0].start, page.locked[0].end) == (0, len(page.text))
    with pytest.raises(ContainerError):
        page.save("other")


def test_a_binary_file_is_refused() -> None:
    with pytest.raises(FileError, match="binary"):
        opened(b"\x00\x01\x02" * 50)


@pytest.mark.parametrize(
    ("source", "text", "saved"),
    [
        ("<p>AT&T</p>", "AT&amp;T", "<p>AT&amp;amp;T</p>"),
        ("<p>a < b</p>", "a <b", "<p>a &lt;b</p>"),
        ("<p>&copy x</p>", "©x", "<p>&copy;x</p>"),
        ("<p>&not x</p>", "¬in; x", "<p>&not;in; x</p>"),
        ("<p>a&b c</p>", "a&bx; c", "<p>a&amp;bx; c</p>"),
        ("<p>&fjlig;x</p>", "fx", "<p>fx</p>"),
        ("<p>a <b> b</b></p>", "ab", "<p>a<b>b</b></p>"),
        ("<p>a\n   b</p>", "a\tb  c ", "<p>a\n   b c</p>"),
        ("<p>x</p><p>y</p>", "\ny", "<p><br></p><p>y</p>"),
        ("a<br>b", "\nb", "<br>b"),
        ("a<br>b", "a\n", "a<br><br>"),
        ("<br>b", "new\nb", "new<br>b"),
        ("<html><body></body></html>", "x < y", "<html><body>x &lt; y</body></html>"),
        ("", "x", "x"),
    ],
)
def test_what_is_typed_is_what_shows(source: str, text: str, saved: str) -> None:
    assert opened(source).save(text).decode() == saved
    assert text_of(saved) == shown(text)


def test_lines_cannot_be_joined_nor_split_where_tags_would_have_to_go() -> None:
    page = opened(PAGE)
    for text in (
        TEXT.replace("First\n", "First "),
        TEXT.replace("The Law", "The\nLaw"),
        TEXT.replace("as ", "so "),
    ):
        with pytest.raises(ContainerError, match=r"\.$"):
            page.save(text)


def test_a_plain_paragraph_can_be_split() -> None:
    page = opened('<h1>Title</h1>\n<p class="lead" id="x">One. Two <b>bold</b> end.\n<p>Last.</p>')
    assert page.text == "Title\nOne. Two bold end.\nLast."
    saved = page.save("Title\nOne.\nTwo bold end.\n\nLast.\nMore & more.").decode()
    assert saved == (
        '<h1>Title</h1>\n<p class="lead" id="x">One.</p>\n<p class="lead">Two <b>bold</b> end.</p>\n'
        '<p class="lead"><br>\n<p>Last.</p>\n<p>More &amp; more.</p>'
    )
    assert text_of(saved) == "Title\nOne.\nTwo bold end.\n\nLast.\nMore & more."
    with pytest.raises(ContainerError, match="split"):
        opened("<h1>Title</h1><p><b>bold</b></p>").save("Title\nbo\nld")


def test_markers_and_code_are_not_checked() -> None:
    page = opened(
        "<p>a <code>b c</code> x</p><!-- Evenhand OFF --><p>d</p><!--evenhand on--><p>e</p>"
        "<!-- evenhand off framing --><p>f</p><!-- evenhand on -->Green. <!-- evenhand ignore-next -->Home. In."
        "<!-- evenhand what -->"
    )
    suppressed = [(page.text[one.start : one.end], len(one.kinds)) for one in page.suppressed]
    assert [(text.strip(), kinds) for text, kinds in suppressed] == [
        ("b c", len(ALL_KINDS)),
        ("d", len(ALL_KINDS)),
        ("f", 1),
        ("Home.", len(ALL_KINDS)),
    ]
    assert page.suppressed[2].kinds == (Kind.FRAMING,)
    assert len(page.notes) == 1
    assert page.notes[0].startswith("line 1: ")


def test_quotations_of_the_mark_up() -> None:
    page = opened("<p>He said <q>no way</q>.</p><blockquote><p>One.<p>Two.</blockquote>End.")
    assert [page.text[start:end] for start, end in page.quotes] == ["no way", "One.\nTwo."]


def test_where_words_stand_in_the_source() -> None:
    page = opened(PAGE)
    for word in ("shameful", "the\xa0people", "— he", "Second"):
        at = page.text.index(word)
        start, end = page.source_span(at, at + len(word))
        assert PAGE[start:end] == word.replace("\xa0", "&nbsp;").replace("—", "&#8212;")


FRAGMENTS = (
    *(
        "<p>",
        "</p>",
        "<p class=a id=b>",
        "<div>",
        "</div>",
        "<b>",
        "</b>",
        "<a href='x>y'>",
        "</a>",
        "<br>",
        "<br/>",
    ),
    *(
        "<li>",
        "<ul>",
        "</ul>",
        "<td>",
        "<table>",
        "</table>",
        "<pre>",
        "</pre>",
        "<code>",
        "</code>",
        "<q>",
        "</q>",
    ),
    *(
        "<script>",
        "</script>",
        "<p hidden>",
        "<span hidden>",
        "</span>",
        "<!-- x -->",
        "<!--",
        "-->",
        "<svg>",
        "</svg>",
    ),
    *(
        "<blockquote>",
        "</blockquote>",
        "<textarea>",
        "</textarea>",
        "<body>",
        "</body>",
        "<h1>",
        "</h1>",
        "<img alt=x>",
    ),
    *(
        "<",
        ">",
        "&",
        "&amp;",
        "&amp",
        "&copy",
        "&nbsp;",
        "&#",
        "&#65",
        "&#65;",
        "&#32;",
        "&#10;",
        "&fjlig;",
        "&notin",
    ),
    *("=", '"', "'", "/", '<a b="', "<?xml ?>", "<!doctype html>", "<![CDATA[", "]]>"),
    *(
        " ",
        "  ",
        "\n",
        "\r\n",
        "\r",
        "\t",
        "\f",
        "\xa0",
        "word",
        "The law. ",
        "x",
        "lt;",
        ";",
        "3",
        "🙂",
        "é",
        "\u200f",
    ),
    *("<!-- evenhand off -->", "<!-- evenhand on -->", "<!-- evenhand ignore-next -->"),
)
PAGES = st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join)
TYPED = st.lists(
    st.sampled_from((*"ab; &<>", "word ", "lt;", "#65;", "&amp;", "<b>", " ", "é", "🙂", "-->", "\xa0", "x")),
    max_size=4,
).map("".join)


@dataclass
class Change:
    """``text[start:end]`` becomes ``typed``."""

    start: int
    end: int
    typed: str


@st.composite
def edits(draw: st.DrawFn, page: HtmlContainer) -> str:
    """The text of a page with some edits in it that overlap nothing locked."""
    text = page.text
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(page.text)))
        end = draw(st.integers(start, min(len(page.text), start + 12)))
        typed = draw(TYPED)
        # The later part of the text is changed first, so that offsets hold; overlapping draws are left out.
        if any(_overlaps(start, end, lock.start, lock.end) for lock in page.locked):
            continue
        if text[start:] != page.text[start:]:
            continue
        text = text[:start] + typed + text[end:]
    return text


def _overlaps(start: int, end: int, low: int, high: int) -> bool:
    if start == end or low == high:
        return low < start < high or start < low < end or (start == end == low == high)
    return start < high and low < end


def shown(text: str) -> str:
    """A text as a browser shows its spaces."""
    return "\n".join(re.sub(r"[ \t\f]+", " ", line).strip(" ") for line in text.split("\n"))


def unlocked_shown(page: HtmlContainer, text: str) -> str:
    """``shown``, but for lines that were not edited."""
    return "\n".join(
        new if new == old else shown(new)
        for old, new in zip(page.text.split("\n"), text.split("\n"), strict=True)
    )


def test_a_letter_after_a_reference_without_semicolon_can_be_deleted() -> None:
    assert opened("&#65word &#x41word").save("Awrd Awrd") == b"&#65wrd &#x41wrd"


@given(st.data())
@settings(max_examples=400)
def test_every_edit_in_editable_places_is_saved_and_reads_back(data: st.DataObject) -> None:
    source = data.draw(PAGES)
    page = opened(source)
    assert "\r" not in page.text
    text = data.draw(edits(page))
    saved = page.save(text).decode()
    assert text_of(saved) == unlocked_shown(page, text)
    if text == page.text:
        assert saved == source
    added = [tag for tag in tags(saved) if tag == "<br>"]
    assert [tag for tag in tags(saved) if tag != "<br>"] == [tag for tag in tags(source) if tag != "<br>"]
    assert len(added) >= tags(source).count("<br>")


@given(st.data())
@settings(max_examples=200)
def test_every_break_that_is_offered_can_be_typed(data: st.DataObject) -> None:
    source = data.draw(PAGES) + "<p>One <i>two</i> three &amp; four.</p>"
    page = opened(source)
    if not page.breaks:
        return
    start, end = data.draw(st.sampled_from(page.breaks))
    at = data.draw(st.integers(start, end))
    typed = data.draw(TYPED) + "\n" + data.draw(TYPED)
    text = page.text[:at] + typed + page.text[at:]
    line = page.text.count("\n", 0, at)
    expected = page.text.split("\n")
    expected[line : line + 1] = [shown(one) for one in text.split("\n")[line : line + 2]]
    assert text_of(page.save(text)) == "\n".join(expected)


@given(
    st.one_of(
        st.binary(max_size=200),
        st.lists(st.sampled_from(FRAGMENTS), max_size=40).map(lambda f: "".join(f).encode()),
    )
)
@settings(max_examples=200)
def test_any_bytes_are_a_page_or_refused_in_a_sentence(data: bytes) -> None:
    try:
        page = opened(data)
    except FileError as error:
        refusal = str(error)
        assert refusal.endswith(".")
        return
    assert page.save(page.text) == data
    last = -1
    for lock in page.locked:
        assert last <= lock.start <= lock.end <= len(page.text)
        last = lock.end
    for start, end in page.breaks:
        assert 0 <= start <= end <= len(page.text)


@pytest.mark.parametrize(
    "fragment",
    [
        "<div ",
        "<div>",
        "<b>",
        "</b>",
        "<!--",
        "<p>x",
        "&amp",
        "&",
        "<",
        '<a b="',
        "<a b='",
        "<script>",
        "<i><b></i>",
        "<![CDATA[",
    ],
)
def test_broken_mark_up_is_read_in_a_moment(fragment: str) -> None:
    page = opened(fragment * 30_000 + "<p>end")
    assert page.save(page.text)


def test_a_page_of_too_many_parts_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.formats.html_layout.MAX_PARTS", 1000)
    with pytest.raises(ContainerError, match="Split it"):
        opened("<b>" * 1001)
    with pytest.raises(ContainerError, match="Split it"):
        opened("a&amp;" * 1001)
    with pytest.raises(ContainerError, match="20 MB"):
        opened(b"x" * 20_000_001)
