"""Protects wikitext: what a page shows as prose is read, nothing else is, and open mark-up hides nothing more."""

from __future__ import annotations

import re

import mwparserfromhell
import pytest

from core.documents import Format, parse, prose

PAGE = """{{Short description|A {{nested|one. Two}} thing}}
{{Infobox person
| name = [[Ann Lee]]
| born = {{birth date|1900|1|2}} [[Paris]]<ref name="a">{{cite web|url=http://a.b|title=T. U}}</ref>
}}
[[File:Ann Lee.jpg|thumb|alt=Her|A caption with a [[link|label]] and {{tl|x}}.]]
'''Ann ''Mary'' Lee''' (born 1900) was a [[Painting|painter]] and [[sculptor]].<ref name="a" /> She lived at
[[Paris#Left Bank|the Left Bank]]s<!-- hidden. Text --> for years.<ref>Smith, J. (1999). ''Book''. p. 5.</ref>

== Life ==
She met [http://x.org/y the mayor] and [[:Category:Mayors|others]].{{citation needed|date=May 2010}} Then she left.

* First [[item]]
* Second item
# Third item

{| class="wikitable"
! Head. One
|-
| cell || [[cell two|two]] {{x}}
|}
<gallery>
File:A.jpg|A caption. Two
</gallery>
Water is H<sub>2</sub>O, <math>a. B</math> and <nowiki>[[not]] a link</nowiki>.

[[Category:Painters]]
"""


def sentences(source: str) -> list[str]:
    document = parse(source, Format.WIKITEXT)
    return [prose(document, sentence).text for sentence in document.sentences]


def test_a_page_is_read_as_it_shows() -> None:
    assert sentences(PAGE) == [
        "Ann Mary Lee (born 1900) was a painter and sculptor.",
        "She lived at\nthe Left Banks for years.",
        "Life",
        "She met the mayor and others.",
        "Then she left.",
        "First item",
        "Second item",
        "Third item",
        "Water is H2O,   and  .",
    ]


def test_the_words_are_those_that_mwparserfromhell_shows() -> None:
    """The scan is ours; the library that knows the grammar is the judge."""
    code = mwparserfromhell.parse(PAGE)
    for link in code.filter_wikilinks():
        if re.match("File:|Category:", str(link.title)):
            code.remove(link)
    for tag in code.filter_tags():
        if str(tag.tag) in ("table", "ref", "gallery", "math", "nowiki"):
            code.remove(tag)
    assert re.findall(r"\w+", " ".join(sentences(PAGE))) == re.findall(r"\w+", code.strip_code())


@pytest.mark.parametrize(
    ("source", "read"),
    [
        ("[[a|b]] [[c]] [[a|]] [[a|b|c]].", ["b c  b|c."]),
        ("[[Datei:x.png|mini|Wort.]] Text. [[Kategorie:Y]]", ["Text."]),
        ("Text.\n[[de:Seite]]\n[[zh-min-nan:X]]", ["Text."]),
        ("A [http://x.y] and http://x.y/z, [//x.y label].", ["A   and  , label."]),
        ("'''''Both''''' L'''amour''' ''''quoted''''.", ["Both Lamour 'quoted'."]),
        ("x<br />y <small>z</small> <ref name=q/>.", ["x y z  ."]),
        ("A&nbsp;b &lt; c & d &eacute;t&#233; x&shy;y.", ["A b < c & d été xy."]),
        ("=Top=\n==Sub==\nText = more.", ["Top", "Sub", "Text = more."]),
        ("; term\n: said.\n:: Again.\n----\nEnd", ["term", "said.", "Again.", "End"]),
        ("<div>One</div><p>two</p> three", ["One", "two", "three"]),
        ("__NOTOC__ Text ~~~~", ["Text"]),
        ("#REDIRECT [[Other page]]\n", []),
        ("{{a|{{{b|{{c}}}}}}}x {{{{{d}}}}} y", ["x   y"]),
        ("One {{t}}\n\n{{u|\n\n}}\nTwo", ["One", "Two"]),
        ("One\n{{t}}\nTwo\n<!-- c -->\nthree", ["One", "Two\n\nthree"]),
        ("<ref>a</ref><ref>b</ref>One.<ref>c {{d|e}} <!-- f --></ref>Two.", ["One.", "Two."]),
        (
            "<pre>x. Y</pre> <code>a. B</code> <syntaxhighlight lang='py'>c. D</syntaxhighlight> End.",
            ["End."],
        ),
        ("a < b and <unknown> tags > stay.", ["a < b and <unknown> tags > stay."]),
    ],
)
def test_each_kind_of_mark_up(source: str, read: list[str]) -> None:
    assert sentences(source) == read
    assert sentences(source.replace("\n", "\r\n")) == [text.replace("\n", "\r\n") for text in read]


@pytest.mark.parametrize(
    "opening",
    [
        *("[[", "[[a|", "{{", "{{cite|", "{{{", "{|", "''", "==", "[http://a.b label", "<!--"),
        *("<ref>", "<ref name=a>", "<nowiki>", "<math>", "<b>", "<table>", "<blockquote>", "<div "),
    ],
)
def test_open_mark_up_hides_nothing_that_follows(opening: str) -> None:
    source = f"{opening}\nText after it. {{{{t}}}} More.<ref>x</ref>\n\nThe [[next|last]] paragraph."
    read = " ".join(sentences(source))
    assert "Text after it." in read
    assert "More." in read
    assert "The last paragraph." in read


def test_an_open_reference_ends_at_the_next_one() -> None:
    assert sentences("One.<ref>open Two. <ref>closed</ref> Three.") == ["One. open Two.", "Three."]


def test_an_open_table_or_template_masks_its_rows_only() -> None:
    assert sentences(
        "{{Infobox\n| name = A. B\n| born = C\n\nProse here.\n\n{| class=x\n|-\n| cell\n\nMore prose."
    ) == [
        "Infobox",
        "Prose here.",
        "More prose.",
    ]


def test_closing_marks_without_an_opening_are_not_read() -> None:
    assert sentences("One }} two ]] three</ref> four") == ["One  two ]] three  four"]
