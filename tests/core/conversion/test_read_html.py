"""Protects pasting with formatting: what programs put on the clipboard becomes blocks, and no page does harm."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.conversion.read_html import MAX_SIZE, TooComplexError, read_html
from core.conversion.read_markdown import read_markdown
from core.conversion.read_wikitext import read_wikitext
from core.conversion.types import (
    CodeBlock,
    Content,
    Heading,
    ItemList,
    Paragraph,
    Quote,
    Run,
    Table,
    ThematicBreak,
    own_runs,
)
from core.conversion.write_markdown import write_markdown
from core.conversion.write_wikitext import write_wikitext

TAGS = (
    *(
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<i>",
        "</i>",
        "<ul>",
        "</ul>",
        "<ol>",
        "<li>",
        "<table>",
        "<tr>",
        "<td>",
    ),
    *(
        "<td colspan=3 rowspan=2>",
        "</table>",
        "<h1>",
        "</h1>",
        "<h2>",
        "<br>",
        "<pre>",
        "</pre>",
        "<blockquote>",
    ),
    *(
        "<a href='https://x.org/[y]'>",
        "</a>",
        "<div hidden>",
        "</div>",
        "<code>",
        "</code>",
        "<q>",
        "</q>",
        "<hr>",
    ),
    *(
        "<p style='mso-list:l0 level2 lfo1'>",
        "''",
        "[[",
        "{{",
        "|",
        "* ",
        "<s>",
        "</s>",
        "&amp;",
        " ",
        "\n",
        "<",
    ),
)


def test_looks_and_links_become_runs() -> None:
    page = (
        "<p>A <b>bold <i>both</i></b> <a href='https://x.org/a'>link</a> <s>gone</s> <code>c</code>"
        "<br>line <q>said</q></p>"
    )
    assert read_html(page) == (
        Paragraph(
            (
                Run("A "),
                Run("bold ", bold=True),
                Run("both", bold=True, italic=True),
                Run(" "),
                Run("link", link="https://x.org/a"),
                Run(" "),
                Run("gone", struck=True),
                Run(" "),
                Run("c", code=True),
                Run("\nline “said”"),
            )
        ),
    )


def test_a_page_of_google_docs_is_not_bold_as_a_whole() -> None:
    page = (
        '<b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:700">One'
        '</span><span style="font-style:italic"> two</span></p></b>'
    )
    assert read_html(page) == (Paragraph((Run("One", bold=True), Run(" two", italic=True))),)


def test_a_list_of_word_becomes_a_list() -> None:
    """Word writes items as paragraphs with their number or their bullet."""
    sign = "<![if !supportLists]><span style='mso-list:Ignore'>{}<span>&nbsp; </span></span><![endif]>"
    page = "".join(
        f"<p class=MsoListParagraph style='text-indent:-.25in;mso-list:l0 level{level} lfo1'>{sign.format(mark)}{text}"
        "<o:p></o:p></p>"
        for level, mark, text in ((1, "1.", "One"), (2, "o", "Inner"), (1, "2.", "Two"))
    )
    inner = ItemList(((Paragraph((Run("Inner"),)),),))
    assert read_html(page + "<p class=MsoNormal><o:p>&nbsp;</o:p></p>") == (
        ItemList(((Paragraph((Run("One"),)), inner), (Paragraph((Run("Two"),)),)), numbered=True),
    )


def test_blocks_become_blocks() -> None:
    page = (
        "<h2><b>Head</b></h2><ul><li>a<ol start=3><li>b</ol><li>c</ul><ul><li>d</li><ul><li>e</li></ul></ul>"
        "<blockquote><p>q</p></blockquote><pre>x\n  y</pre><hr>"
    )

    def item(text: str) -> Paragraph:
        return Paragraph((Run(text),))

    assert read_html(page) == (
        Heading(2, (Run("Head"),)),
        ItemList(((item("a"), ItemList(((item("b"),),), numbered=True, start=3)), (item("c"),))),
        ItemList(((item("d"), ItemList(((item("e"),),))),)),
        Quote((item("q"),)),
        CodeBlock("x\n  y"),
        ThematicBreak(),
    )


def test_cells_stay_in_their_columns() -> None:
    page = "<table><caption>Years</caption><tr><th>A<th>B<th>C<tr><td rowspan=2>1<td colspan=2>2<tr><td>3<td>4</table>"
    one, two, three, four = ((Run(text),) for text in "1234")
    assert read_html(page) == (
        Paragraph((Run("Years"),)),
        Table((((Run("A"),), (Run("B"),), (Run("C"),)), (one, two, ()), ((), three, four))),
    )


def test_a_table_that_lays_out_a_page_is_its_content() -> None:
    assert read_html("<table><tr><td><p>One</p><p>Two</p></td></tr></table>") == (
        Paragraph((Run("One"),)),
        Paragraph((Run("Two"),)),
    )


@pytest.mark.parametrize(
    "page",
    [
        "<script>bad()</script>",
        "<style>p {}</style>",
        "<img src='https://x.org/pixel.png' alt='A pixel'>",
        "<p style='display:none'>hidden</p>",
        "<iframe src='https://x.org'>frame</iframe>",
        "<!-- a comment -->",
        "<title>Page</title>",
    ],
)
def test_what_is_not_shown_is_left_out(page: str) -> None:
    assert read_html(f"<p>One</p>{page}<p>Two</p>") == (Paragraph((Run("One"),)), Paragraph((Run("Two"),)))


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "#note", "", "/wiki/A"]
)
def test_only_addresses_of_pages_and_mail_are_kept(address: str) -> None:
    assert read_html(f"<a href='{address}'>words</a>") == (Paragraph((Run("words"),)),)


@pytest.mark.parametrize(
    "page",
    [
        "x" * (MAX_SIZE + 1),
        "<div>" * 500,
        "<ul><li>" * 300,
        "<table>" + "<tr><td>a<td>b" * 40_000,
        "<table>" + "<tr>" + "<td colspan=50>a" * 2_000,
    ],
)
def test_what_is_too_large_or_too_deep_is_refused(page: str) -> None:
    with pytest.raises(TooComplexError):
        read_html(page)


def test_wikitext_has_its_own_marks() -> None:
    page = (
        "<h1>Title</h1><h2>Part</h2><p><b>Bold <i>both</i></b> l'<i>a</i> <a href='https://x.org/a b'>words</a></p>"
        "<ul><li>a<ol><li>b</ol></ul><table><tr><th>A|1<th>B<tr><td>1<td>2</table><p>* [[no]] {{list}} &lt;b> ~~~~</p>"
    )
    assert write_wikitext(read_html(page)) == (
        "== Title ==\n\n=== Part ===\n\n'''Bold ''both''''' l'<nowiki/>''a'' [https://x.org/a%20b words]"
        "\n\n* a\n*# b\n\n"
        '{| class="wikitext"\n! A&#124;1 !! B\n|-\n| 1 || 2\n|}\n\n'
        "<nowiki/>* <nowiki>[[</nowiki>no<nowiki>]]</nowiki> <nowiki>{{</nowiki>list<nowiki>}}</nowiki> &lt;b> "
        "<nowiki>~~~~</nowiki>"
    )


def test_what_is_written_is_read_as_what_it_was() -> None:
    page = (
        "<h2>Head</h2><p>One <b>two <i>three</i></b> <i>four</i> <a href='https://x.org'>five</a></p>"
        "<ul><li>a<ul><li>b</ul><li>c</ul><table><tr><th>A<th>B<tr><td>1<td>2</table>"
    )
    blocks = read_html(page)
    assert read_markdown(write_markdown(Content(blocks))).blocks == blocks
    assert read_wikitext(write_wikitext(blocks)).blocks[:2] == blocks[:2]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(TAGS) | st.text("ab'*|=[", max_size=4), max_size=40).map("".join))
def test_any_page_is_read_and_written(page: str) -> None:
    """Whatever is broken in it, no word is lost on the way from the blocks to the mark-up."""
    blocks = read_html(page)
    letters = sum(run.text.count("a") for run in own_runs(blocks))
    for text in (write_markdown(Content(blocks)), write_wikitext(blocks)):
        assert text.count("a") >= letters
