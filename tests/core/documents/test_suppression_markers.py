"""Protects who switches checks off by a marker (A2: 10): what it names is left out, and never more than that."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents import Format, SuppressedRange, parse
from core.documents.suppression import MAX_NOTES, find_suppressed
from core.documents.types import Sentence
from core.engine.engine import Engine
from core.types import ALL_KINDS, KINDS, Kind, Report

WITH_COMMENTS = (Format.MARKDOWN, Format.WIKITEXT)
BIASED = "The chairman reveals a shameful record."


def suppressed(source: str, form: Format = Format.WIKITEXT) -> list[tuple[str, tuple[Kind, ...]]]:
    """What is off in a source: its words, and for which kinds."""
    document = parse(source, form)
    return [(source[one.start : one.end].strip(), one.kinds) for one in document.suppressed]


@pytest.mark.parametrize("form", WITH_COMMENTS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_off_until_on(form: Format, end: str) -> None:
    source = "One.\n\n<!-- evenhand off -->\n\nTwo.\n\nThree.\n\n<!-- evenhand on -->\n\nFour.\n"
    (found,) = suppressed(source.replace("\n", end), form)
    assert found == (f"Two.{end}{end}Three.", ALL_KINDS)


@pytest.mark.parametrize("form", WITH_COMMENTS)
def test_off_without_on_runs_to_the_end(form: Format) -> None:
    assert suppressed("One. <!-- evenhand off --> Two.\n\nThree.", form) == [("Two.\n\nThree.", ALL_KINDS)]


@pytest.mark.parametrize(
    "marker",
    ["<!--evenhand off-->", "<!--  EVENHAND\toff  -->", "<!-- evenhand\noff -->"],
)
@pytest.mark.parametrize("form", WITH_COMMENTS)
def test_case_and_spaces_are_free(form: Format, marker: str) -> None:
    assert [words for words, _ in suppressed(f"One. {marker} Two.", form)] == ["Two."]


def test_single_kinds_go_off_and_on() -> None:
    source = (
        "<!-- evenhand off framing, demographic -->a <!-- evenhand off epistemological -->b"
        "<!-- evenhand on framing -->c<!-- evenhand on -->d"
    )
    shown = [(re.sub("<!--.*?-->", "", words).strip(), kinds) for words, kinds in suppressed(source)]
    assert shown == [
        ("a", (Kind.FRAMING, Kind.DEMOGRAPHIC)),
        ("b", KINDS),
        ("c", (Kind.EPISTEMOLOGICAL, Kind.DEMOGRAPHIC)),
    ]


def test_markers_do_not_nest() -> None:
    source = "<!-- evenhand off -->a<!-- evenhand off -->b<!-- evenhand on -->c<!-- evenhand on -->d"
    ((words, kinds),) = suppressed(source)
    assert words.startswith("a")
    assert words.endswith("b")
    assert kinds == ALL_KINDS


@pytest.mark.parametrize("form", WITH_COMMENTS)
def test_the_next_sentence_alone(form: Format) -> None:
    source = "One. <!-- evenhand ignore-next --> Two “said. <!-- evenhand ignore-next framing -->\n\nThree” four. Five."
    assert suppressed(source, form) == [("Two “said.", ALL_KINDS), ("Three” four.", (Kind.FRAMING,))]
    assert suppressed("One. <!-- evenhand ignore-next -->", form) == []


def test_a_marker_inside_a_sentence_speaks_of_its_rest() -> None:
    source = "A <!-- evenhand off framing -->shameful<!-- evenhand on --> and disastrous act."
    assert suppressed(source) == [("shameful", (Kind.FRAMING,))]


@pytest.mark.parametrize(
    ("form", "source"),
    [
        (Format.WIKITEXT, "<nowiki><!-- evenhand off --></nowiki> One."),
        (Format.WIKITEXT, "<pre><!-- evenhand off --></pre> One."),
        (Format.WIKITEXT, "<syntaxhighlight lang=html><!-- evenhand off --></syntaxhighlight> One."),
        (Format.WIKITEXT, "<!-- evenhand off One."),
        (Format.MARKDOWN, "`<!-- evenhand off -->` One."),
        (Format.MARKDOWN, "```html\n<!-- evenhand off -->\n```\n\nOne."),
        (Format.MARKDOWN, "    <!-- evenhand off -->\n\nOne."),
        (Format.MARKDOWN, "\\<!-- evenhand off --> One."),
        (Format.MARKDOWN, "<script>\n'<!-- evenhand off -->'\n</script>\n\nOne."),
        (Format.MARKDOWN, "One <!-- evenhand off"),
        (Format.MARKDOWN, "---\ntitle: <!-- evenhand off -->\n---\n\nOne."),
        (Format.PLAIN, "<!-- evenhand off --> One."),
        (Format.HTML, "<!-- evenhand off --> One."),
        (Format.MARKDOWN, "<!-- evenhanded off --> One."),
        (Format.MARKDOWN, "<!-- see evenhand off --> One."),
    ],
)
def test_what_is_no_comment_is_no_marker(form: Format, source: str) -> None:
    document = parse(source, form)
    assert document.suppressed == ()
    assert document.notes == ()


@pytest.mark.parametrize(
    ("marker", "said"),
    [
        ("<!-- evenhand of -->", "“evenhand of” is not a marker"),
        ("<!-- evenhand -->", "not a marker"),
        ("<!-- evenhand off framming -->", "“framming” is not a kind"),
        ("<!-- evenhand ignore-next please -->", "“please” is not a kind"),
    ],
)
@pytest.mark.parametrize("form", WITH_COMMENTS)
def test_an_unknown_word_does_nothing_but_give_a_note(form: Format, marker: str, said: str) -> None:
    document = parse(f"One.\r\n\r\n{marker}\r\n\r\nTwo.", form)
    assert document.suppressed == ()
    (note,) = document.notes
    assert note.startswith("line 3: ")
    assert said in note


def test_a_page_full_of_wrong_markers_gives_a_few_notes() -> None:
    assert len(parse("<!-- evenhand x -->\n" * 5000, Format.WIKITEXT).notes) == MAX_NOTES


def test_what_the_caller_says_is_joined_with_the_markers() -> None:
    source = "One. Two. <!-- evenhand off framing -->Three."
    given = [SuppressedRange(5, 9), SuppressedRange(0, 4, (Kind.DEMOGRAPHIC,))]
    document = parse(source, Format.MARKDOWN, suppressed=given)
    assert [(source[one.start : one.end], one.kinds) for one in document.suppressed] == [
        ("One.", (Kind.DEMOGRAPHIC,)),
        ("Two.", ALL_KINDS),
        ("Three.", (Kind.FRAMING,)),
    ]


MARKS = st.sampled_from(
    [
        *(
            f"<!-- evenhand {act}{kinds} -->"
            for act in ("off", "on", "ignore-next")
            for kinds in ("", " framing")
        ),
        *(
            "<!-- evenhand bad -->",
            "One. ",
            "Two “words. ",
            "”",
            "\n\n",
            " ",
            "`",
            "[[",
            "{{",
            "}}",
            "''",
            "> ",
            "🙂",
            "<!--",
        ),
    ]
)


@given(st.lists(MARKS, max_size=16).map("".join), st.sampled_from(WITH_COMMENTS))
@settings(max_examples=400)
def test_stretches_are_sorted_disjoint_and_inside(source: str, form: Format) -> None:
    document = parse(source, form)
    last, kinds_before = 0, ()
    for one in document.suppressed:
        assert last <= one.start < one.end <= len(source)
        assert one.kinds
        assert not (last == one.start and kinds_before == one.kinds)
        assert one.kinds == tuple(kind for kind in ALL_KINDS if kind in one.kinds)
        last, kinds_before = one.end, one.kinds
    assert all(note.startswith("line ") for note in document.notes)
    ends = 0
    for start, end in document.paragraphs:
        assert ends <= start < end <= len(source)
        ends = end
    homes = [
        sum(start <= sentence.start and sentence.end <= end for start, end in document.paragraphs)
        for sentence in document.sentences
    ]
    assert homes == [1] * len(document.sentences)


@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.integers(0, 30), st.sets(st.sampled_from(ALL_KINDS), min_size=1)),
        max_size=8,
    )
)
def test_joined_stretches_are_off_where_any_of_them_was(given_ones: list[tuple[int, int, set[Kind]]]) -> None:
    ones = [SuppressedRange(start, end, tuple(kinds)) for start, end, kinds in given_ones]
    joined = find_suppressed([], [Sentence(0, 30, False)], length=30, also=ones)
    for place in range(30):
        wanted = {kind for one in ones if one.start <= place < one.end for kind in one.kinds}
        assert {kind for one in joined if one.start <= place < one.end for kind in one.kinds} == wanted


def words(report: Report) -> list[str]:
    """The words of the findings."""
    return [finding.text for finding in report.findings]


@pytest.mark.parametrize("form", WITH_COMMENTS)
def test_the_engine_leaves_out_what_is_off(engine: Engine, form: Format) -> None:
    def read(source: str) -> Report:
        return engine.analyse(parse(source, form))

    assert words(read(BIASED)) == ["chairman", "reveals", "shameful"]
    assert words(read(f"<!-- evenhand off framing -->\n\n{BIASED}")) == ["chairman", "reveals"]
    assert words(read(f"The law is new. <!-- evenhand off -->{BIASED}<!-- evenhand on --> {BIASED}")) == [
        *("chairman", "reveals", "shameful")
    ]
    nothing = read(f"<!-- evenhand off -->\n\n{BIASED}")
    assert nothing.sentences == nothing.findings == nothing.paragraphs == ()
    assert nothing.summary.sentences == 0
    part = read(f"The law is new. <!-- evenhand ignore-next --> {BIASED}")
    assert (len(part.sentences), part.summary.biased_sentences) == (1, 0)
    inside = read("The chairman <!-- evenhand off -->reveals a<!-- evenhand on --> shameful record.")
    assert words(inside) == ["chairman", "shameful"]
    assert inside.summary.sentences == 1
    assert read("One.\n\n<!-- evenhand nonsense -->\n").notes[0].startswith("line 3: ")


def test_all_kinds_one_by_one_are_all_kinds(engine: Engine) -> None:
    off_each = "".join(f"<!-- evenhand off {kind} -->" for kind in ALL_KINDS)
    assert engine.analyse(parse(f"{off_each}{BIASED}", Format.WIKITEXT)).sentences == ()
