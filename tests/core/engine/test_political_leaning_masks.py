"""Who published a text must not move its leaning: not by name, dateline, by-line or address, not in the summary, not in
a sentence, not in a paragraph. Exact equality, with the reader that Evenhand comes with."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.documents import parse
from core.documents.types import Format
from core.engine.engine import Engine
from core.engine.political_leaning import load_outlets, mask_publisher
from core.types import Leaning, Report

SURE, EVERYDAY = load_outlets()
STORY = (
    "The governor signed the tax bill on Monday after weeks of protest in the capital. Republicans in the senate "
    "had demanded deeper cuts, while Democrats warned that schools and hospitals would pay for it. Voters will decide "
    "in November whether the law stays, and both parties are already spending heavily on the campaign. "
    "Unions marched against the cuts again, and a conservative group sued over the rise of the tax on petrol."
)
PLACES = (
    "{outlet} reported on Sunday that the vote was close.",
    "The vote was close, according to {outlet}.",
    "The vote, {outlet} said, was close.",
    "In an interview with {outlet}, the senator called the vote close.",
    "A reporter for {outlet} asked whether the vote was close.",
    "The vote was close, the {outlet}’s poll showed.",
    "“The vote was close,” he told {outlet} on Sunday.",
)
BEFORE = ("", "WASHINGTON — ", "WASHINGTON ({outlet}) - ", "({outlet}) — ", "NEW YORK, June 3 ({outlet}) -- ")
names = st.sampled_from(SURE + EVERYDAY)


@pytest.fixture(scope="module")
def engine() -> Engine:
    """The bundled reader, made to tell the leaning of every text."""
    made = Engine.load()
    thresholds = replace(made.reader.bundle.thresholds, leaning=0.34)
    made.reader.bundle = replace(made.reader.bundle, thresholds=thresholds)
    return made


def leanings(engine: Engine, text: str) -> tuple[Leaning | None, ...]:
    """Of the whole, of each sentence, and of each paragraph."""
    report: Report = engine.analyse(parse(text, Format.PLAIN))
    sentences = [sentence.leaning for sentence in report.sentences]
    return report.summary.leaning, *sentences, *(paragraph.leaning for paragraph in report.paragraphs)


@given(place=st.sampled_from(PLACES), one=names, other=names)
@example(place=PLACES[0], one="Fox News", other="Mother Jones")
@settings(deadline=None)
def test_one_name_in_the_place_of_another_leaves_the_same_text(place: str, one: str, other: str) -> None:
    assert mask_publisher(place.format(outlet=one)) == mask_publisher(place.format(outlet=other))


@given(name=names)
def test_nothing_of_a_name_is_left(name: str) -> None:
    for form in (name, f"the {name}", f"The {name}", f"{name} News", f"@{name}", f"{name}'s", f"{name}’s"):
        assert mask_publisher(form) == ""
    for form in {name, name.upper()} if name in SURE else {name}:
        assert form not in mask_publisher(f"He told {form} that it was so.").split()


@pytest.mark.parametrize("place", PLACES)
def test_no_name_moves_the_leaning_that_is_shown(engine: Engine, place: str) -> None:
    told = {leanings(engine, f"{STORY} {place.format(outlet=name)}") for name in ("Fox News", "MSNBC", "Vox")}
    assert len(told) == 1
    assert told.pop()[0] is not None


@pytest.mark.parametrize("before", BEFORE[1:])
@pytest.mark.parametrize("name", ["Reuters", "AP", "CNN", "Fox News"])
def test_no_dateline_moves_the_leaning(engine: Engine, before: str, name: str) -> None:
    assert leanings(engine, before.format(outlet=name) + STORY) == leanings(engine, STORY)


def test_no_byline_and_no_address_moves_the_leaning(engine: Engine) -> None:
    plain = engine.analyse(parse(f"{STORY} More follows.", Format.PLAIN)).summary.leaning
    for byline in ("By Jane Doe, Fox News", "By John Smith and Jane Doe | CNN", "BY JANE DOE"):
        text = f"{byline}\n\n{STORY} More follows."
        assert engine.analyse(parse(text, Format.PLAIN)).summary.leaning == plain
    text = f"{STORY} More https://www.foxnews.com/politics/story follows."
    assert engine.analyse(parse(text, Format.PLAIN)).summary.leaning == plain


def test_the_name_alone_would_move_it(engine: Engine) -> None:
    """The reader itself does hear a name: without the masks these tests would fail."""
    left, right = engine.reader.read([f"{STORY} {PLACES[0].format(outlet=n)}" for n in ("MSNBC", "Fox News")])
    assert left.leaning != right.leaning


def test_a_name_in_another_name_stays() -> None:
    text = "Vice President Pence left Capitol Hill in time, for that reason, with the people of the nation."
    assert mask_publisher(text) is text


def test_what_holds_no_name_comes_back_as_it_is() -> None:
    for text in (
        "By then it was over.",
        "He left (for now) - and came back.",
        "A deal — or not.",
        "“Why?” he asked.",
    ):
        assert mask_publisher(text) is text


@given(text=st.text(alphabet="Aa .-,()'’@/By—", max_size=300))
@settings(deadline=None)
def test_any_text_can_be_masked_and_only_becomes_shorter(text: str) -> None:
    found = mask_publisher(text)
    assert len(found) <= len(text)


@pytest.mark.parametrize("piece", ["A", "A ", "A. ", "a-", "A-a.", "By A ", "(A", "The "])
def test_a_long_text_is_masked_at_once(piece: str) -> None:
    """A pattern that tries every way to cut a text would not end."""
    assert len(mask_publisher(piece * 20_000)) <= len(piece) * 20_000
