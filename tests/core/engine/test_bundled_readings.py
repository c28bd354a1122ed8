"""Protects what the bundled reader marks: wording that guides name is found, and the same words used neutrally are not.

The sentences were written before the bundled reader was made, and stand in no corpus that it learned from.
"""

from __future__ import annotations

import pytest

from core.documents import Format, parse
from core.engine.engine import Engine

SAID = (
    (
        "The treasurer [revealed] that the roof had been sold.",
        "He [admitted] that he liked the old stand better.",
    ),
    ("The curator [pointed out] that the frame was newer.", "The keeper [insisted] that the lamp was lit."),
    ("Her agent [conceded] that the tour was short.", "The dean [claimed] that the bell tower was safe."),
)
UNSUPPORTED = (
    ("[Some say] that the pond has no bottom.", "[Experts declare] that rye bread is good for you."),
    ("[It is often said] that owls are wise.", "[Most people agree] that the old tram was faster."),
    (
        "[Many believe] that he wrote the anthem himself.",
        "The stew is [widely regarded] as the best on the coast.",
    ),
)
GROUPS = (
    ("The [mentally retarded] were taught in a separate wing.", "The [crippled] porter slept in the lodge."),
    ("The [mulatto] cook was freed in 1811.", "[The blacks] were seated upstairs."),
    ("Her son is [confined to a wheelchair].", "The [gypsies] camped behind the mill."),
    ("The [chairman] will be elected on Friday.", "[Illegal aliens] picked the peaches."),
)
LOADED = (
    ("The mayor [rammed through] the parking plan.", "Her [disastrous] plan cost the town its bus."),
    ("The union [slammed] the offer on Monday.", "The [so-called] experts measured nothing."),
    ("[Clearly], the harbour office was at fault.", "The [legendary] guitarist played two songs."),
    ("The [radical] council banned the fair.", "He [passed away] in Lund in 1974."),
)
NEUTRAL = (
    "Vlad the Impaler ruled Wallachia.",
    "Fearless, Oklahoma, has forty houses.",
    "She read The Ugly Duckling to them.",
    "The band Wicked Lies broke up in 1999.",
    "Brutal Mountain is climbed from the south.",
    "The Best Western is full.",
    "A dumb waiter brought the plates up.",
    "The race condition was fixed in version 2.",
    "A greedy algorithm is used.",
    "The hostile bid was withdrawn in May.",
    "Bad sectors were mapped out.",
    "An illegal move costs two minutes.",
    "Claim 4 is directed to a valve.",
    "The fire claimed six lives.",
    "The alleged theft took place in Bonn.",
    "She was found guilty of aggravated assault.",
    "The massacre of 1622 took place on a Friday.",
    "He denied the charge.",
    "In the novel, a cruel uncle sells the farm.",
    "Black sacrifices a rook on move 20.",
    "He hit a perfect drop shot.",
    "The wicked stepmother hides the key.",
    "He bowled a perfect game in Reno.",
    "The evil twin wears a hat in act two.",
    "No one called the play a masterpiece.",
    "She never claimed to be a nurse.",
    "The film is not a disaster, he wrote.",
    "He was not a traitor, the court held.",
    "A blind date was the subject of the play.",
    "The mute swan nests here.",
    "The council met on Tuesday.",
    "Profits rose 4 percent in the second quarter.",
    "The moss grows on limestone.",
    "The bridge was opened in 1932.",
    "Trains leave every ten minutes.",
    "The author was born in Graz in 1931.",
)


@pytest.fixture(scope="module")
def bundled() -> Engine:
    """The reader that comes with the program."""
    return Engine.load()


def found(engine: Engine, marked: str) -> bool:
    """Whether a finding touches the words in brackets."""
    start, end = marked.index("["), marked.index("]") - 1
    text = marked.replace("[", "").replace("]", "")
    findings = engine.analyse(parse(text, Format.PLAIN)).findings
    return any(finding.start < end and start < finding.end for finding in findings)


@pytest.mark.parametrize(("pairs", "share"), [(SAID, 0.8), (UNSUPPORTED, 0.8), (GROUPS, 0.8), (LOADED, 0.8)])
def test_wording_that_guides_name_is_found(
    bundled: Engine, pairs: tuple[tuple[str, str], ...], share: float
) -> None:
    sentences = [sentence for pair in pairs for sentence in pair]
    missed = [sentence for sentence in sentences if not found(bundled, sentence)]
    assert len(missed) <= (1 - share) * len(sentences), missed


def test_the_same_words_used_neutrally_are_not_marked(bundled: Engine) -> None:
    marked = {
        sentence: [finding.text for finding in findings]
        for sentence in NEUTRAL
        if (findings := bundled.analyse(parse(sentence, Format.PLAIN)).findings)
    }
    assert len(marked) <= 0.2 * len(NEUTRAL), marked


@pytest.mark.parametrize(
    ("british", "american"),
    [
        (
            "The colour of the disgraceful theatre offended them.",
            "The color of the disgraceful theater offended them.",
        ),
        ("The labour organisation slammed the programme.", "The labor organization slammed the program."),
    ],
)
def test_british_and_american_spelling_are_read_alike(bundled: Engine, british: str, american: str) -> None:
    places = [
        [parse(text, Format.PLAIN).source[: finding.start].count(" ") for finding in findings]
        for text in (british, american)
        for findings in [bundled.analyse(parse(text, Format.PLAIN)).findings]
    ]
    assert places[0] == places[1]
