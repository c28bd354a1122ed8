"""Protects what the author of a page switched off while its text is edited: it goes where its words go."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.documents import Format, parse
from core.formats.html import open_html
from core.formats.markup_ranges import markup_ranges

PAGE = (
    "<p>The first line.</p><p>The <code>second line</code> is this.</p><!-- evenhand off -->"
    "<p>The third line.</p><!-- evenhand on --><blockquote>The fourth line.</blockquote><p>The fifth line.</p>"
)
TEXT = "The first line.\nThe second line is this.\nThe third line.\nThe fourth line.\nThe fifth line."


def words(text: str) -> tuple[list[str], list[str]]:
    """What is off and what is quoted in an edited text of the page."""
    suppressed, quotes, *_ = markup_ranges(open_html(PAGE.encode(), name="page.html"), text)
    return [text[one.start : one.end].strip() for one in suppressed], [
        text[start:end] for start, end in quotes
    ]


def test_unchanged() -> None:
    page = open_html(PAGE.encode(), name="page.html")
    assert page.text == TEXT
    assert markup_ranges(page, TEXT)[:2] == (page.suppressed, page.quotes)
    assert words(TEXT) == (["second line", "The third line."], ["The fourth line."])


def test_stretches_move_with_their_words() -> None:
    text = TEXT.replace("first", "very first").replace("is this", "was that")
    assert words(text) == (["second line", "The third line."], ["The fourth line."])
    assert words("New.\n" + TEXT) == (["second line", "The third line."], ["The fourth line."])


def test_what_is_typed_inside_belongs_to_it() -> None:
    text = TEXT.replace("third", "long third").replace("fourth", "4th")
    assert words(text) == (["second line", "The long third line."], ["The 4th line."])


def test_what_is_gone_is_off_no_more() -> None:
    assert words("Other words.")[0] in ([], ["Other words."])
    assert words("") == ([], [])


EDITS = st.lists(
    st.tuples(st.integers(0, len(TEXT)), st.integers(0, 20), st.text("ab \n", max_size=4)), max_size=4
)


@given(EDITS)
def test_stretches_stay_inside_and_in_order(edits: list[tuple[int, int, str]]) -> None:
    text = TEXT
    for start, length, typed in edits:
        text = text[:start] + typed + text[start + length :]
    suppressed, quotes, *_ = markup_ranges(open_html(PAGE.encode(), name="page.html"), text)
    last = 0
    for one in suppressed:
        assert last <= one.start < one.end <= len(text)
        last = one.end
    assert all(0 <= start < end <= len(text) for start, end in quotes)
    parse(text, Format.HTML, suppressed=suppressed, quotes=quotes)


def test_what_is_struck_out_set_apart_or_foreign_moves_too() -> None:
    page = open_html(
        b"<p>One <del>old</del> line.</p><p lang='fr'>Une ligne.</p><p>It is <i>The New Line</i> here.</p>",
        name="page.html",
    )
    text = "New.\n" + page.text.replace("One", "One more").replace("It is", "It was")
    moved = markup_ranges(page, text)
    assert [text[span.start : span.end] for span in moved.non_prose] == ["old"]
    assert [text[start:end] for start, end in moved.set_apart] == ["The New Line"]
    assert [text[one.start : one.end] for one in moved.unread] == ["old", "Une ligne."]
    document = moved.parse(text, Format.HTML)
    assert [text[one.start : one.end] for one in document.suppressed] == ["Une ligne.", "The New Line"]
