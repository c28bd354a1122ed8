"""Protects trust in the marks: complaints 1 and 10 to 14, answered in the real window or by the real engine."""

from __future__ import annotations

from pathlib import Path

import pytest

import resources
from app.analysis.explanations import explain
from app.widgets.kinds import kind_style
from core.documents import parse
from core.documents.types import Format
from core.engine.cue_classes import guide_url, read_table
from core.engine.cues import Lexicon
from core.engine.engine import Engine
from core.engine.reader import Reader
from core.types import Kind
from tests.e2e.conftest import Sit
from tests.e2e.counterfactuals import SETS, Pair, pairs
from tests.e2e.person import Person

QUOTING = (
    "The shameful record.\n\n“A disgraceful act,” he said.\n\n“It goes on\n\n“and is legendary,” she said.\n"
)


@pytest.fixture
def tiny(tiny_bundle: Path) -> Engine:
    """The whole engine over a reader that is made in a moment."""
    return Engine(Reader.load(tiny_bundle, threads=1), Lexicon.load())


def test_a2_01_quotations_are_exempt_and_one_key_marks_them(sit: Sit) -> None:
    """1: quotes are not mine. What others said is left alone, also over paragraphs, until the person asks for it."""
    person = sit(QUOTING)
    person.see(["shameful"])
    assert len(person.rows) == 1
    person.press("Ctrl+Shift+Q")
    person.see(["shameful", "disgraceful", "legendary"])
    assert [row for row in person.rows if "in a quotation" in row] == person.rows[1:]
    person.press("Ctrl+Shift+Q")
    person.see(["shameful"])


PAGE = "<!DOCTYPE html><html><body>{}</body></html>"
MARKERS = {
    "draft.md": (
        "A shameful law.\n\n<!-- evenhand off -->\n\nA disastrous law reveals it.\n\n<!-- evenhand on -->\n\n"
        "The chairman. <!-- evenhand ignore-next --> A shameful policy. The mankind.\n\n"
        "<!-- evenhand off framing -->\n\nA shameful record reveals it.\n"
    ),
    "draft.wikitext": (
        "A shameful law.\n\n<!-- evenhand off -->\n== Shameful ==\n* A disastrous law reveals it.\n"
        "<!-- evenhand on -->\n\nThe chairman. <!-- evenhand ignore-next --> A shameful policy. The mankind.\n\n"
        "<!-- evenhand off framing -->\n\nA shameful record reveals it.\n"
    ),
    "draft.html": PAGE.format(
        "<p>A shameful law.</p><!-- evenhand off --><p>A disastrous law reveals it.</p><!-- evenhand on -->"
        "<p>The chairman. <!-- evenhand ignore-next -->A shameful policy. The mankind.</p>"
        "<!-- evenhand off framing --><p>A shameful record reveals it.</p>"
    ),
}


@pytest.mark.parametrize("name", MARKERS)
def test_a2_10_a_comment_switches_off_a_section_a_line_or_a_kind(sit: Sit, tiny: Engine, name: str) -> None:
    """10: suppress one line, rules for a section. In every format that has comments, and also after an edit."""
    person = sit(MARKERS[name], name=name, load=lambda: tiny)
    kept = ["shameful", "chairman", "mankind", "reveals"]
    person.see(kept)
    person.write("The mankind. ")
    person.see(["mankind", *kept])


def test_a2_11_every_kind_can_be_switched_off_and_stays_off(sit: Sit) -> None:
    """11: a rule that cannot be disabled. Each kind goes from text and list alike, for the next draft too."""
    text = "The shameful chairman reveals it."
    words = {Kind.FRAMING: "shameful", Kind.DEMOGRAPHIC: "chairman", Kind.EPISTEMOLOGICAL: "reveals"}
    person = sit(text)
    person.see(list(words.values()))
    for kind in words:
        switch(person, kind)
        person.see([word for one, word in words.items() if one is not kind])
        assert len(person.rows) == 2
        switch(person, kind)
        person.see(list(words.values()))
    switch(person, Kind.FRAMING)
    person.rest()
    assert person.marked == ["chairman", "reveals"]
    person.window.close()
    person = sit(text)
    person.see(["chairman", "reveals"])
    switch(person, Kind.FRAMING)
    person.see(list(words.values()))


def switch(person: Person, kind: Kind) -> None:
    """Switch a kind off or on by the palette."""
    person.press("Ctrl+Shift+P")
    person.write(kind_style(kind, dark=False).label)
    person.press("Return")


NAMES = (
    "Niger is a country in West Africa. The delegation from Niger arrived on Tuesday.",
    "The president of Niger signed the treaty.",
    "She has taught kung fu in Leeds since 1998. He opened a kung fu school in 2004.",
    "A disabled person may apply for the pass. The bus has two seats for disabled passengers.",
    "The author is a disabled person from Ohio.",
)


@pytest.mark.parametrize("text", NAMES)
def test_a2_12_the_bundled_reader_leaves_names_and_plain_terms_alone(bundled: Engine, text: str) -> None:
    """12: "Niger", "kung fu" and "disabled" were flagged wherever they stood."""
    assert [finding.text for finding in bundled.analyse(parse(text, Format.PLAIN)).findings] == []


def test_a2_12_what_a_reader_marks_wrongly_is_allowed_by_one_key_in_every_draft(sit: Sit) -> None:
    """12: where a reader is wrong about a name, its owner has the last word, and for good."""
    person = sit("A plot of land. The shameful Plot.")
    person.see(["plot", "shameful", "Plot"])
    person.press("F8")
    person.press("Alt+9")
    person.see(["shameful"])
    person.press("Ctrl+N")
    person.write("A plot and a legendary end.")
    person.see(["legendary"])


DECLARED = {"noted": {Kind.EPISTEMOLOGICAL, Kind.FRAMING}}
"""Phrases that are of two kinds: "he noted that", and "a noted author"."""
CIRCLES = {frozenset(pair.split()) for pair in ("show suggest", "showed suggested", "shown suggested")} | {
    frozenset(pair.split()) for pair in ("showing suggesting", "shows suggests")
}
"""Words of which each is given as the neutral one for the other."""


def test_a2_13_every_finding_of_the_sample_says_why_and_where_that_is_written(bundled: Engine) -> None:
    """13: no source, no link. Each finding has a sentence; each cue names its guide or the work that describes it."""
    text = (resources.ROOT / "samples" / "sample.md").read_text(encoding="utf-8")
    findings = bundled.analyse(parse(text, Format.MARKDOWN), include_quotes=True).findings
    assert len(findings) > 8
    for finding in findings:
        told = explain(finding, bundled.lexicon)
        assert told.kind
        assert all(reason.endswith((".", ")")) for reason in told.reasons), told.reasons
        assert told.reasons
        for cue in finding.why:
            assert cue.source
            assert any(f"“{cue.cue}”" in reason and cue.source in reason for reason in told.reasons)
    linked = [finding for finding in findings if explain(finding, bundled.lexicon).links]
    assert len(linked) > len(findings) / 2


def test_a2_13_the_lists_do_not_contradict_each_other() -> None:
    """13: one list advised what another flagged. No phrase is of two kinds, none is loaded and its own cure."""
    folder = resources.ROOT / "lexicons"
    classes = {row.cells["class"]: row.kind() for row in read_table(folder / "classes.tsv", _CLASSES)}
    kinds: dict[str, set[Kind]] = {}
    for row in read_table(folder / "cues.tsv", _CUES):
        for form in (row.cells["phrase"], *row.cells["forms"].split("|")):
            if form:
                kinds.setdefault(form.casefold(), set()).add(classes[row.cells["class"]])
        pointer = row.cells["guide"]
        assert row.cells["source"]
        assert not pointer or guide_url(pointer)
    assert {phrase: several for phrase, several in kinds.items() if len(several) > 1} == DECLARED

    neutral = {
        row.cells["loaded"].casefold(): set(row.cells["neutral"].casefold().split("|"))
        for row in read_table(folder / "replacements.tsv", ("loaded", "neutral", "part"))
    }
    assert [loaded for loaded, words in neutral.items() if loaded in words] == []
    circles = {
        frozenset((loaded, word))
        for loaded, words in neutral.items()
        for word in words
        if loaded in neutral.get(word, ())
    }
    assert circles <= CIRCLES, f"{circles - CIRCLES} are each the neutral word for the other"


_CLASSES = ("class", "kind", "guide", "label", "reads", "explanation", "caveat", "scope")
_CUES = ("phrase", "forms", "class", "guide", "note", "source")

ALIKE = 0.94
"""Measured on 436 pairs: 435; the smallest sets have 18."""


def test_a2_14_both_sides_of_a_pair_are_marked_alike(bundled: Engine) -> None:
    """14: "man" was flagged, "woman" was not. The share of neutral pairs that are read alike does not fall."""
    read = list(pairs(bundled))
    for about in SETS:
        some = [pair for pair in read if pair.topic == about]
        alike = sum(pair.alike for pair in some) / len(some)
        assert alike >= ALIKE, f"{about}: {alike:.0%} alike, not so: {_unlike(some)}"
    assert sum(pair.alike for pair in read) / len(read) >= 0.98


def _unlike(read: list[Pair]) -> list[tuple[str, str]]:
    return [pair.sides for pair in read if not pair.alike]
