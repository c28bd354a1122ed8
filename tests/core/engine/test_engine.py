"""Protects findings and summary: where they stand in the file as it was opened, and what counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents import Format, parse, prose
from core.engine.cues import Lexicon
from core.engine.engine import Engine, _parts
from core.engine.political_leaning import leaning_windows, split_parts
from core.engine.reader import Cancelled, Reader
from core.engine.spans import Span
from core.text.english import FUNCTION_WORDS
from core.types import Finding, Kind, Report

LAID_OUT = [form for form in Format if form not in (Format.DOCX, Format.ODT)]
"""Formats by how they are laid out: docx and odt are as html."""


@pytest.fixture
def engine(tiny_bundle: Path) -> Engine:
    """An engine with a fresh reader."""
    return Engine(Reader.load(tiny_bundle, threads=1), Lexicon.load())


def words(report: Report) -> list[str]:
    """The words of the findings."""
    return [finding.text for finding in report.findings]


def assert_contract(report: Report, source: str) -> None:
    """What design.md promises of findings and sentences, always."""
    assert report.characters == len(source)
    ends = 0
    for finding in report.findings:
        assert finding.text == source[finding.start : finding.end]
        assert ends <= finding.start < finding.end
        assert any(character.isalpha() for character in finding.text)
        homes = [s for s in report.sentences if s.start <= finding.start and finding.end <= s.end]
        assert len(homes) == 1
        assert 0 <= finding.confidence <= 1
        assert len(finding.fingerprint) == 16
        ends = finding.end
    assert sum(report.summary.kinds.values()) == len(report.findings)
    assert 0 <= report.summary.bias <= 1


def test_a_finding_says_where_what_and_why(engine: Engine) -> None:
    source = "The law is new. The senator reveals a shameful record."
    report = engine.analyse(parse(source, Format.PLAIN), path="draft.txt")
    assert_contract(report, source)
    assert words(report) == ["reveals", "shameful"]
    finding = report.findings[0]
    assert (finding.start, finding.kind, finding.quoted) == (28, Kind.EPISTEMOLOGICAL, False)
    assert finding.why[0].cue == "reveals"
    assert finding.why[0].category == "factive_verb" or "factive" in finding.why[0].category
    assert [sentence.biased for sentence in report.sentences] == [False, True]
    assert report.summary.biased_sentences == 1
    assert (report.path, report.format) == ("draft.txt", "plain")
    assert engine.name == "reader tiny 0.1"


def test_markup_is_cut_out_of_findings(engine: Engine) -> None:
    source = "A ''shameful'' {{sic}} disastrous<ref>shameful [http://a.b]</ref> [[Chairman|chairman]] law."
    report = engine.analyse(parse(source, Format.WIKITEXT))
    assert_contract(report, source)
    assert words(report) == ["shameful", "disastrous", "chairman"]


def test_a_span_across_markup_becomes_one_finding_a_side(engine: Engine) -> None:
    source = "A shameful ''disastrous'' law."
    report = engine.analyse(parse(source, Format.WIKITEXT))
    assert words(report) == ["shameful", "disastrous"]
    assert report.summary.kinds[Kind.FRAMING] == 2


@pytest.mark.parametrize(
    ("source", "format"),
    [
        ("A '''shameful''' and ''disastrous'' law.", Format.WIKITEXT),
        ("A **shameful** and *disastrous* law.", Format.MARKDOWN),
        ("A shameful [and disastrous](https://a.b) law.", Format.MARKDOWN),
        ("A [shameful and](https://a.b) *the disastrous* law.", Format.MARKDOWN),
        ("A [[x|shameful or]] disastrous law.", Format.WIKITEXT),
    ],
)
def test_a_function_word_between_two_marked_up_words_is_no_finding(
    engine: Engine, source: str, format: Format
) -> None:
    document = parse(source, format)
    text = prose(document, document.sentences[0])
    span = Span(text.text.index("shameful"), text.text.index(" law"), Kind.FRAMING, 0.9)
    assert [finding.text for finding in engine._findings(document, text, span)] == ["shameful", "disastrous"]


@pytest.mark.parametrize("source", ["'''Some''' of ''them'' agree.", "'''So''' ''very'' old."])
def test_function_words_that_are_the_whole_span_stay_findings(engine: Engine, source: str) -> None:
    document = parse(source, Format.WIKITEXT)
    text = prose(document, document.sentences[0])
    span = Span(0, text.text.rindex(" "), Kind.FRAMING, 0.9)
    found = [finding.text for finding in engine._findings(document, text, span)]
    assert found
    assert " ".join(found) == text.text[: span.end]


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["renowned", "brilliant", "shameful", "and", "of", "the"]), st.integers(0, 4)
        ),
        min_size=1,
        max_size=6,
    )
)
def test_markup_never_makes_a_finding_of_a_function_word_nor_loses_a_word(
    words: list[tuple[str, int]],
) -> None:
    styles = ("{}", "**{}**", "*{}*", "[{}](https://example.org)", "`x` {}")
    source = "He saw " + " ".join(styles[style].format(word) for word, style in words) + " men."
    document = parse(source, Format.MARKDOWN)
    text = prose(document, document.sentences[0])
    start, end = text.text.index("saw ") + 4, text.text.rindex(" men")
    parts = [text.text[a:b] for a, b in _parts(document, text, Span(start, end, Kind.FRAMING, 0.9))]
    content = [word for word, _ in words if word not in FUNCTION_WORDS]
    edges = {"and", "the"}
    kept = [word for part in parts for word in part.split() if word not in FUNCTION_WORDS]
    assert [word for word in kept if word != "x"] == content
    assert parts or all(word in {*edges, "x"} for word in text.text[start:end].split())
    assert all(set(part.split()) - edges for part in parts)
    if len(parts) > 1:
        assert all(word not in edges for part in parts for word in (part.split()[0], part.split()[-1]))
    if content:
        assert all(any(word not in FUNCTION_WORDS for word in part.split()) for part in parts)


def test_quotations_are_left_out_unless_asked_for(engine: Engine) -> None:
    source = 'The law is new. "This is a shameful, disastrous record." The senator claims so.'
    document = parse(source, Format.PLAIN)
    without, with_quotes = engine.analyse(document), engine.analyse(document, include_quotes=True)
    assert words(without) == ["claims"]
    assert words(with_quotes) == ["shameful", "disastrous", "claims"]
    assert [finding.quoted for finding in with_quotes.findings] == [True, True, False]
    assert without.sentences == with_quotes.sentences
    assert sum(sentence.quoted for sentence in without.sentences) == 1
    assert (without.summary.sentences, without.summary.biased_sentences) == (2, 1)
    assert (with_quotes.summary.sentences, with_quotes.summary.biased_sentences) == (3, 2)


def test_bias_is_the_mean_weighted_by_length(engine: Engine) -> None:
    report = engine.analyse(parse("Shameful. The law is a law that the people said is new.", Format.PLAIN))
    lengths = [sentence.end - sentence.start for sentence in report.sentences]
    mean = sum(s.bias * n for s, n in zip(report.sentences, lengths, strict=True)) / sum(lengths)
    assert report.summary.bias == pytest.approx(mean)
    assert report.summary.bias < 0.4 < report.sentences[0].bias


def test_kinds_and_confidence_choose(engine: Engine) -> None:
    document = parse("The chairman reveals a shameful law.", Format.PLAIN)
    assert words(engine.analyse(document, kinds=[Kind.DEMOGRAPHIC])) == ["chairman"]
    assert words(engine.analyse(document, min_confidence=1.0)) == []
    surest = max(engine.analyse(document).findings, key=lambda finding: finding.confidence)
    assert surest in engine.analyse(document, min_confidence=surest.confidence).findings


def fingerprints(report: Report) -> dict[str, str]:
    """Fingerprint by words."""
    return {finding.text: finding.fingerprint for finding in report.findings}


def test_a_fingerprint_survives_a_move_and_not_a_change(engine: Engine) -> None:
    first = engine.analyse(parse("The senator has a shameful record.", Format.PLAIN))
    moved = engine.analyse(parse("It is new.\n\nThe senator   has a shameful record.", Format.PLAIN))
    other = engine.analyse(parse("The senator has a shameful policy.", Format.PLAIN))
    assert fingerprints(first) == fingerprints(moved)
    assert fingerprints(first) != fingerprints(other)


LEFT = "The union and the workers said that the policy is new to the people. "
RIGHT = "The border and the patriots said that the policy is new to the people. "
DULL = "The law and the record said that the policy is new to the people. "


def test_leaning_is_read_from_the_whole_text(engine: Engine) -> None:
    left, right = (engine.analyse(parse(text * 20, Format.PLAIN)).summary.leaning for text in (LEFT, RIGHT))
    mixed = engine.analyse(parse(LEFT * 40 + RIGHT * 40, Format.PLAIN)).summary.leaning
    assert left is not None
    assert right is not None
    assert mixed is not None
    assert left.left > 0.8
    assert right.right > 0.8
    assert abs(mixed.left - mixed.right) < 0.3
    assert left.left + left.center + left.right == pytest.approx(1)
    assert left.spread < 0.1
    assert mixed.spread > 0.5


def test_no_leaning_for_short_or_unpolitical_text(engine: Engine) -> None:
    assert engine.analyse(parse(LEFT * 2, Format.PLAIN)).summary.leaning is None
    assert engine.analyse(parse(DULL * 20, Format.PLAIN)).summary.leaning is None


def test_the_leaning_windows_are_few_and_spread_over_the_text() -> None:
    texts = [f"{number} " + "a b c d e f g h i" for number in range(1000)]
    windows, count = leaning_windows(map(split_parts, texts))
    assert count == 10_000
    assert len(windows) == 12
    assert windows[0].startswith("0 ")
    assert "999 " in windows[-1]
    assert all(len(window.split()) == 100 for window in windows)


def test_one_endless_sentence_gives_windows_of_bounded_size() -> None:
    windows, _ = leaning_windows(map(split_parts, ["word " * 5000, "漢" * 100_000]))
    assert len(windows) == 12
    assert max(map(len, windows)) <= 1500


def test_an_edit_re_reads_little(engine: Engine) -> None:
    sentences = [f"The senator of the {number} people said that the law is new." for number in range(200)]
    engine.analyse(parse(" ".join(sentences), Format.PLAIN))
    read: list[Sequence[str]] = []
    chunk = engine.reader._read_batch
    engine.reader._read_batch = lambda parts, _: (read.append(parts), chunk(parts))[1]  # type: ignore[method-assign]
    sentences[100] = sentences[100].replace("new", "shameful")
    engine.analyse(parse(" ".join(sentences), Format.PLAIN))
    assert sum(map(len, read)) <= 2


def test_cancelling(engine: Engine) -> None:
    with pytest.raises(Cancelled):
        engine.analyse(parse("The law is new.", Format.PLAIN), cancelled=lambda: True)


@pytest.mark.parametrize(
    "source", ["", " \n\r\n", "word", "\0", "\ud800", "{{", "[[", "```", '"', "…", "\ufeff"]
)
@pytest.mark.parametrize("form", LAID_OUT)
def test_next_to_nothing_is_a_report(engine: Engine, source: str, form: Format) -> None:
    report = engine.analyse(parse(source, form))
    assert_contract(report, source)
    assert report.findings == ()
    assert report.summary.leaning is None
    assert math.isfinite(report.summary.bias)


def test_a_line_of_100_000_characters(engine: Engine) -> None:
    source = "the law and the people " * 4500 + "claims a shameful record"
    report = engine.analyse(parse(source, Format.PLAIN))
    assert_contract(report, source)
    assert words(report) == ["claims", "shameful"]


PARTS = st.sampled_from(
    [
        *("shameful", "claims", "chairman", "Law", "law", " ", " ", " ", ". ", ", ", "=", "==", "{|", "|}"),
        *('"', "“", "”", "«", "»", "'", "''", "[[", "|", "]]", "{{", "}}", "<ref>", "</ref>", "<!--", "-->"),
        *(
            "`",
            "*",
            "_",
            "**",
            "[",
            "](http://x.y)",
            "http://shameful.org",
            "> ",
            "# ",
            "- ",
            "&nbsp;",
            "&amp;",
        ),
        *(
            "\n",
            "\r\n",
            "\n\n",
            "🙂",
            "é",
            "e\u0301",
            "שלום",
            "漢字",
            "\ud800",
            "\0",
            "\u00a0",
            "shame\u00adful",
        ),
        *("ﬃ", "İ", "ß"),
    ]
)


@pytest.mark.parametrize("form", LAID_OUT)
def test_every_finding_slices_its_words_out_of_the_source(tiny_bundle: Path, form: Format) -> None:
    engine = Engine(Reader.load(tiny_bundle, threads=1), Lexicon.load())

    @settings(max_examples=600)
    @given(st.lists(PARTS, max_size=40).map("".join), st.booleans())
    def check(source: str, include_quotes: bool) -> None:
        document = parse(source, form)
        report = engine.analyse(document, include_quotes=include_quotes)
        assert_contract(report, source)
        for finding in report.findings:
            inside = [
                span for span in document.non_prose if span.start < finding.end and finding.start < span.end
            ]
            assert not any(span.gap for span in inside)
            assert bool(inside) == bool(finding.words)
            assert include_quotes or not quoted(finding, document.quotes)

    check()


def quoted(finding: Finding, quotes: Sequence[tuple[int, int]]) -> bool:
    """Whether a finding stands inside a quotation."""
    return any(start <= finding.start and finding.end <= end for start, end in quotes)
