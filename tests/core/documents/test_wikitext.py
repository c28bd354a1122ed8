"""Protects wikitext: what a page shows as prose is read, nothing else is, and open mark-up hides nothing more."""

from __future__ import annotations

import re
import sys
from types import FrameType
from typing import Any

import mwparserfromhell
import pytest

from core.documents import Format, parse, prose
from core.documents.unread import describe_unread
from core.documents.wikitext import lay_out

PAGE = """{{Short description|A {{nested|one. Two}} thing}}
{{Infobox person
| name = [[Ann Lee]]
| born = {{birth date|1900|1|2}} [[Paris]]<ref name="a">{{cite web|url=http://a.b|title=T. U}}</ref>
}}
[[File:Ann Lee.jpg|thumb|alt=Her|A caption with a [[link|label]] and {{tl|x}}.]]
'''Ann ''Mary'' Lee''' (born 1900) was a [[Painting|painter]] and [[sculptor]].<ref name="a" /> She lived at
[[Paris#Left Bank|the Left Bank]]s<!-- hidden. Text --> for years.<ref>Smith, J. (1999). ''Book''. p. 5.</ref>

== Life ==
She met [http://x.org/y she] her mayor and [[:Category:Mayors|others]].{{fact|date=May 2010}} Then she left.

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

== See also ==
* [[A shameful mayor]]

=== Notes ===
A shameful note of hers.<ref>A book.</ref>

== Legacy ==
She is read.

== ''External'' links ==
* [http://x.org The shameful site of the mayor]
[[Category:Painters]]
"""


def sentences(source: str) -> list[str]:
    document = parse(source, Format.WIKITEXT)
    return [prose(document, sentence).text for sentence in document.sentences]


def test_a_page_is_read_as_it_shows() -> None:
    assert sentences(PAGE) == [
        "A   thing",
        "Her",
        "A caption with a label and  .",
        "Ann Mary Lee (born 1900) was a painter and sculptor.",
        "She lived at\nthe Left Banks for years.",
        "Life",
        "She met   her mayor and others.",
        "Then she left.",
        "First item",
        "Second item",
        "Third item",
        "Head.",
        "One",
        "cell",
        "two",
        "A caption.",
        "Two",
        "Water is H2O,   and  .",
        "Legacy",
        "She is read.",
    ]


def test_the_words_are_those_that_mwparserfromhell_shows() -> None:
    """The scan is ours; the library that knows the grammar is the judge."""
    code = mwparserfromhell.parse(PAGE)
    for section in code.get_sections(matches="See also|links"):
        code.remove(section)
    for link in code.filter_external_links():
        code.remove(link)
    for link in code.filter_wikilinks():
        if re.match("File:|Category:", str(link.title)):
            code.remove(link)
    for tag in code.filter_tags():
        if str(tag.tag) in ("table", "ref", "gallery", "math", "nowiki"):
            code.remove(tag)
    for template in code.filter_templates(matches="Short description"):
        code.remove(template)
    assert re.findall(r"\w+", " ".join(sentences(str(code)))) == re.findall(r"\w+", code.strip_code())


@pytest.mark.parametrize(
    ("source", "read"),
    [
        ("[[a|b]] [[c]] [[a|]] [[a|b|c]].", ["b c  b|c."]),
        ("[[Datei:x.png|mini|Wort.]] Text. [[Kategorie:Y]]", ["Wort.", "Text."]),
        ("Text.\n[[de:Seite]]\n[[zh-min-nan:X]]", ["Text."]),
        ("A [http://x.y] and http://x.y/z, [//x.y label].", ["A   and  ,  ."]),
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


def said(source: str) -> str:
    return describe_unread(parse(source, Format.WIKITEXT).unread)


@pytest.mark.parametrize(
    ("source", "read"),
    [
        (
            "[[File:A.png|thumb|upright=1.2|200x300px|alt=Her|A ''fine'' [[town|place]].]] Text.",
            ["Her", "A fine place.", "Text."],
        ),
        ("One.\n[[Image:B.png|left|The caption]]\nTwo.", ["One.", "The caption", "Two."]),
        ("One. [[File:B.png|frame|First]] [[File:C.png|Second]] Two.", ["One.", "First", "Second", "Two."]),
        (
            "== Head ==\n[[File:B.png|thumb|First]]\n* item\n[[File:B.png|thumb|Second]]",
            ["Head", "First", "item", "Second"],
        ),
        ("A [[File:Flag.svg|20px|link=|border]] flag.", ["A   flag."]),
    ],
)
def test_captions_are_read(source: str, read: list[str]) -> None:
    assert sentences(source) == read
    assert said(source) == ""


@pytest.mark.parametrize(
    ("table", "read"),
    [
        (
            "{| class=a\n|+ The ''title''\n! One !! Two || Three\n|-\n| a || b\n|}",
            ["The title", "One", "Two", "Three", "a", "b"],
        ),
        (
            '{|\n|- style="color: of no use"\n! scope="col" | One\n| style="x" | two || y="z" | three\n|}',
            ["One", "two", "three"],
        ),
        ("{|\n|\n* An item\n* Another\n\nA paragraph.\n|b\n|}", ["An item", "Another", "A paragraph.", "b"]),
        (
            "{|\n| One. {{efn|A note.}} Two\n| [[File:x.png|thumb|Cap]] [[a|b]]\n|}",
            ["One.", "A note.", "Two", "Cap", "b"],
        ),
        (
            "{|\n| outer\n{|\n| inner\n|}\n| last [[open|link\n| next\n|}",
            ["outer", "inner", "last open|link", "next"],
        ),
        ("{|\n|a!!b\n! c | d | e\n|}After", ["a!!b", "d | e", "After"]),
        ("{|\n| {{!}} x {{nowrap|y | z}}\n|}", ["x y"]),
        (":{|\n|a\n|}", ["a"]),
        ("<table><tr><td>One<td>two</tr></table> three", ["One", "two", "three"]),
    ],
)
def test_cells_are_read(table: str, read: list[str]) -> None:
    assert sentences(table) == read


@pytest.mark.parametrize(
    ("source", "read"),
    [
        (
            "<gallery mode=x>\nFile:A.jpg|A [[a|caption]]\nB.jpg\n"
            "Image:C.jpg|alt=Words|link=x|{{small|Last}} one.\n</gallery>",
            ["A caption", "Words", "Last one."],
        ),
        ("Text.\n<gallery>A.jpg|b\nC.jpg|d</gallery>\nMore.", ["Text.", "d", "More."]),
        (
            "One. {{efn|name=x|1=A ''note''.}} Two.{{refn|group=n|Another.}}",
            ["One.", "A note.", "Two.", "Another."],
        ),
        (
            'One.<ref group="n">A note. More.</ref> Two.<ref>Lee, The long way</ref>',
            ["One.", "A note.", "More.", "Two."],
        ),
        (
            "A {{nowrap|plain {{small|word}}}} and {{color|red|b}} {{abbr|c|so many words}}.",
            ["A plain word and b c."],
        ),
        ("Before:{{quote|text=Her words.|author=the very man}}After.", ["Before:", "Her words.", "After."]),
        (
            "{{Infobox person\n| name = [[Ann Lee]]\n| caption = Ann\n| known_for = Her ''long'' fight.{{efn|So.}}\n"
            "| born = {{x|1}}\n}}Text.",
            ["Ann", "Her long fight.", "So.", "Text."],
        ),
        ("{{Multiple image|image1=a.jpg|caption1=One|alt2=Two|width=of no use}}", ["One", "Two"]),
        (
            "{{Short description|A town in the north}}\n{{unbulleted list|a|b}}",
            ["A town in the north", "a", "b"],
        ),
    ],
)
def test_galleries_notes_and_templates_are_read(source: str, read: list[str]) -> None:
    assert sentences(source) == read


@pytest.mark.parametrize(
    ("source", "read", "things"),
    [
        (
            "He ran,{{efn|a note of his}} and [[File:x.png|the long way]] fell.",
            ["He ran,  and   fell."],
            "1 caption, 1 note",
        ),
        ("He ran <ref group=n>a note of his</ref> home.", ["He ran   home."], "1 note"),
        ("He ran{{efn|Note}} home.", ["He ran  home."], ""),
        ("{{Unknown box|so many words|{{efn|with a note}}}} Text.", ["Text."], "1 template"),
        (
            "{{Unknown box|Ann Lee|2010|x.jpg}} {{main|the long way}} {{cite web|title=T}} Text.",
            ["Text."],
            "",
        ),
        ("* {{cite book|title=The very long way}}", [], "1 reference"),
        (
            "One.<ref>He was, at the time, alone.</ref> Two.<ref>''The long way'', {{x|so it goes}}, p. 5</ref>",
            ["One.", "Two."],
            "1 reference",
        ),
        (
            "{| class=x\n|-\n| so many words\n| and more words\n\nProse.",
            ["Prose."],
            "1 unclosed table or template",
        ),
        ("{{efn|An outer note.{{efn|with an inner one}} More.}}", ["An outer note.", "More."], "1 note"),
        ("{{Infobox x|a=of some use {{y|so many words}}}}", ["of some use"], "1 template"),
    ],
)
def test_what_is_not_read_is_said(source: str, read: list[str], things: str) -> None:
    assert sentences(source) == read
    assert said(source) == (f"Not read: {things}." if things else "")


def test_what_is_not_read_has_its_place() -> None:
    source = "One, {{efn|so many words}} two. {{Odd|and many more}}"
    parts = [source[one.start : one.end] for one in parse(source, Format.WIKITEXT).unread]
    assert parts == ["{{efn|so many words}}", "{{Odd|and many more}}"]


def test_quoting_templates_are_quotations() -> None:
    document = parse("He said so. {{cquote|These are her words.|the author}}", Format.WIKITEXT)
    assert [one.quoted for one in document.sentences] == [False, True]


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "{{efn|",
            "{{efn|a}}",
            "a {{efn|b c}} d ",
            "}}",
            "{{nowrap|",
            "{{infobox|a=b ",
            "|",
            "!!",
            "\n!",
            "\n|",
            "\n|-",
        ),
        *(
            "{|\n|",
            "\n|}\n",
            "[[File:a|b",
            "[[File:a|b]]",
            "]]",
            "<gallery>\na|b",
            "</gallery>",
            "<ref group=n>",
            "</ref>",
        ),
        *("\n[[File:a|b]] c", "{{quote|a}}", "{{x|a b c}}", "<ref group=n>b</ref>", "\n"),
    ],
)
@pytest.mark.parametrize(
    "frame",
    ["{}", "{{|\n{}\n|}}", "{{{{infobox|a=so many {}}}}}", "<gallery>\n{}</gallery>", "{{{{efn|{}}}}}"],
)
def test_the_work_grows_with_the_length(piece: str, frame: str) -> None:
    """Nothing that is nested or repeated is gone over again and again."""

    def steps(count: int) -> int:
        taken = 0

        def trace(_frame: FrameType, event: str, _arg: object) -> Any:
            nonlocal taken
            taken += event == "line"
            return trace

        source = frame.format(piece * count)
        was = sys.gettrace()
        sys.settrace(trace)
        try:
            lay_out(source)
        finally:
            sys.settrace(was)
        return taken

    steps(1)
    twice, fourfold = steps(100), steps(200)
    assert fourfold < 3 * twice + 2000


@pytest.mark.parametrize(
    ("source", "read", "unread"),
    [
        ("== References ==\n* A shameful book.\n\nMore.", [], "1 reference section"),
        ("Text.\n\n= Notes =\nA.\n== B ==\nC.\n= D =\nE.", ["Text.", "D", "E."], "1 reference section"),
        ("=== Sources ===\nA.\n== B ==\nC.", ["B", "C."], "1 reference section"),
        (
            "== Further reading ==\nA.\n== Bibliography ==\nB.\n== C ==\nD.",
            ["C", "D."],
            "2 reference sections",
        ),
        ("== Notes of a spy ==\nA.", ["Notes of a spy", "A."], ""),
        ("== See also ==\n{{quote|A.}}\n[[File:x.jpg|A caption.]]\n== B ==", ["B"], "1 reference section"),
        ("A [http://a.b brilliant site] is.", ["A   is."], "1 label of an external link"),
        ("A [http://a.b] is.", ["A   is."], ""),
        ("Text. [[Category:Towns|of no use]]", ["Text."], "1 category"),
        ("A.\n[[Category:Poets]]\n[[Category:Bad poets of old]]", ["A."], "2 categories"),
    ],
)
def test_labels_categories_and_reference_sections_are_not_read(
    source: str, read: list[str], unread: str
) -> None:
    assert sentences(source) == read
    assert describe_unread(parse(source, Format.WIKITEXT).unread) == (
        f"Not read: {unread}." if unread else ""
    )


def test_markers_in_a_reference_section_are_followed() -> None:
    source = "== Notes ==\n<!-- evenhand off -->\n== B ==\nA shameful law."
    assert parse(source, Format.WIKITEXT).suppressed
