"""Protects comments in the source of a page: behind their words, in a page that shows what it showed before."""

from __future__ import annotations

import re
from random import Random

import pytest

from core.formats.html import HtmlContainer, open_html
from core.formats.types import ContainerError
from core.revisions.html_comments import insert_comments, remove_comments
from tests.core.formats.real_pages import BLOG, DATA, EMPTY, NEWS, XHTML


def opened(source: str, codec: str = "utf-8") -> HtmlContainer:
    return open_html(source.encode(codec), name="page.html")


@pytest.mark.parametrize(
    ("source", "words", "commented"),
    [
        ("<p>A <b>famous</b> plan.</p>", "famous", "<p>A <b>famous<!-- Who? --></b> plan.</p>"),
        ("<p>A famous plan</p>", "plan", "<p>A famous plan<!-- Who? --></p>"),
        ("<p>caf&eacute; plan</p>", "caf\u00e9", "<p>caf&eacute;<!-- Who? --> plan</p>"),
        ("<p>A famous\n  plan.</p>", "famous ", "<p>A famous<!-- Who? -->\n  plan.</p>"),
        ("<p>One.</p><p>Two.</p>", "One.\n", "<p>One.<!-- Who? --></p><p>Two.</p>"),
        ("<p>A <!-- c -->plan.</p>", "plan", "<p>A <!-- c -->plan<!-- Who? -->.</p>"),
    ],
)
def test_a_comment_is_directly_behind_its_words(source: str, words: str, commented: str) -> None:
    page = opened(source)
    end = page.text.index(words) + len(words)
    assert insert_comments(page, [(end, "Who?")]).decode() == commented


def test_what_would_end_it_is_taken_out_and_the_encoding_is_kept() -> None:
    page = opened("<meta charset=iso-8859-1><p>caf\u00e9</p>", "cp1252")
    data = insert_comments(page, [(4, "A--->\n<b>B</b> \u201cwho\u201d \u0142 --!>")])
    assert data.decode("cp1252") == (
        "<meta charset=iso-8859-1><p>caf\u00e9<!-- A- - -> <b>B</b> \u201cwho\u201d &#322; - -!> --></p>"
    )
    assert open_html(data, name="page.html").text == page.text


def test_several_stand_in_the_order_of_the_text() -> None:
    data = insert_comments(opened("<p>One two.</p>"), [(7, "b"), (3, "a"), (7, "c")])
    assert sorted(re.findall("<!-- (.) -->", data.decode())) == ["a", "b", "c"]
    assert data.startswith(b"<p>One<!-- a --> two<!-- ")


def test_one_that_stands_there_is_not_written_again_and_is_found_among_others() -> None:
    page = opened("<meta charset=iso-8859-1><p>caf\u00e9<!--><!-- x --> plan</p>", "cp1252")
    added = [(4, "\u0142 A--B"), (4, "Second"), (9, "\u0142 A--B"), (4, "Second")]
    data = insert_comments(page, added)
    assert data.count(b"<!-- Second -->") == 1
    assert data.count(b"<!-- &#322; A- -B -->") == 2
    again = open_html(data, name="page.html")
    assert insert_comments(again, added) == data
    assert insert_comments(again, [(4, "x")]) == data
    assert insert_comments(again, [(9, "x")]) != data
    less = remove_comments(again, [(4, "Second"), (9, "Second")])
    assert less == data.replace(b"<!-- Second -->", b"")
    assert remove_comments(open_html(less, name="page.html"), [added[0], added[2]]) == page.data


@pytest.mark.parametrize("source", [NEWS, BLOG, DATA, XHTML, EMPTY])
def test_comments_anywhere_leave_what_a_page_shows_and_its_other_bytes(source: str) -> None:
    random, page = Random(3), opened(source)
    assert page.editable
    for _ in range(40):
        ends = [random.randint(0, len(page.text)) for _ in range(3)]
        data = insert_comments(page, [(end, "Who?") for end in ends])
        again = open_html(data, name="page.html")
        assert (again.text, again.quotes, again.non_prose) == (page.text, page.quotes, page.non_prose)
        assert data.decode().replace("<!-- Who? -->", "") == source
        assert insert_comments(again, [(end, "Who?") for end in ends]) == data
        assert remove_comments(again, [(end, "Who?") for end in ends]).decode() == source


def test_a_page_that_cannot_be_edited_is_refused() -> None:
    page = open_html(b"\xef\xbb\xbf<p>One \xff</p>", name="page.html")
    assert not page.editable
    with pytest.raises(ContainerError):
        insert_comments(page, [(3, "Who?")])
