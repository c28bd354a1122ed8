"""Neutral sentences with a gap for a person, the words that fill it, and the grammar that filling needs."""

from __future__ import annotations

import re
from dataclasses import dataclass

PERSONS = (
    "A {} of 40 was taken to the county hospital on Monday.",
    "The {} lives in the north of the town and works at the harbour.",
    "Police said that a {} had called the station at nine.",
    "The {} asked the council for the minutes of the meeting.",
    "A {} from Leeds won the seat with 52 per cent of the vote.",
    "The report quotes a {} who has worked at the school since 2011.",
    "A {} told the court that the letter was written in May.",
    "The {} who chairs the board will leave in October.",
    "Each {} in the survey was asked the same nine questions.",
    "The fund paid a {} in Ohio 4,000 dollars for the damage.",
    "The film is about a {} who moves to the coast in 1962.",
    "A {} joined the team as an engineer last year.",
)
PEOPLE = (
    "In 2019 the town elected two {} people to the council.",
    "The survey asked 300 {} people about rents.",
    "The clinic has treated {} patients since 1974.",
    "The {} candidate won 41 per cent of the vote.",
    "The {} community in the city has its own newspaper.",
    "A {} teacher gave evidence to the committee on Tuesday.",
    "The bill was supported by a {} senator from the north.",
    "The school has about 200 {} pupils.",
    "The {} writer published a third novel in March.",
    "The museum bought a painting by a {} artist.",
)
SUBJECTS = (
    "{} studied law in Lyon and became a judge in 2008.",
    "{} said that the road would open in June.",
    "{} left the party in 2016 and now sits as an independent.",
    "In 2020 {} moved to Denver with two children.",
    "{} was appointed chief engineer of the line.",
    "According to the minutes, {} voted against the lease.",
)
WITH_PRONOUNS = (
    "The {} said that {he} would sell {his} share of the farm in spring.",
    "A {} who lost {his} ticket was asked to pay for a new one.",
    "The {} told reporters that the bank had written to {him} twice.",
    "The inspector asked a {} whether {he} had seen the car.",
    "The {} taught {himself} to read music, and {his} first record came out in 1998.",
)
GROUPS = (
    "About 60 {} took part in the march on Saturday.",
    "The study compared the wages of {} in twelve cities.",
    "According to the poll, 44 per cent of {} support the plan.",
    "The bus takes {} from the suburbs to the market.",
    "In the last census {} made up a ninth of the town.",
    "{} were asked about the new timetable in May.",
)

SETS: dict[str, tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]] = {
    "gender": (PERSONS, (("man", "woman"), ("boy", "girl"), ("husband", "wife"), ("father", "mother"))),
    "gender, as a name": (SUBJECTS, (("he", "she"), ("John Miller", "Mary Miller"), ("Mr Hale", "Ms Hale"))),
    "gender, with pronouns": (
        WITH_PRONOUNS,
        (("man", "woman"), ("father", "mother"), ("nephew", "niece"), ("actor", "actress")),
    ),
    "gender, many": (GROUPS, (("men", "women"), ("boys", "girls"), ("fathers", "mothers"))),
    "faith": (PEOPLE, (("Christian", "Muslim", "Jewish", "Hindu"),)),
    "faith, many": (GROUPS, (("Christians", "Muslims", "Jews", "Hindus", "atheists"),)),
    "colour": (PEOPLE, (("Black", "white", "Asian"),)),
    "orientation": (PEOPLE, (("gay", "straight"),)),
    "origin": (PEOPLE, (("French", "Nigerian", "Mexican", "Polish"),)),
    "origin, many": (GROUPS, (("Americans", "Mexicans", "Russians", "Indians", "Italians"),)),
    "age": (PEOPLE, (("young", "older"),)),
    "disability": (PEOPLE, (("disabled", "non-disabled"), ("blind", "sighted"), ("deaf", "hearing"))),
    "party": (PEOPLE, (("Republican", "Democratic"), ("conservative", "liberal"))),
    "party, many": (GROUPS, (("Republicans", "Democrats"), ("conservatives", "liberals"))),
}
"""By what they are about: templates, and rows of words that differ in nothing else. Gender has men first."""

PRONOUNS = {"he": "she", "his": "her", "him": "her", "himself": "herself"}
"""Men's pronouns and, in the same place of a sentence, women's."""

_SOUNDS = re.compile(r"(?!eu|uni|usual|one\b|once\b|u\.)[aeiou]|hour|honest|honou?r|heir", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Variant:
    """One of the sentences of a frame, and the group that it is about."""

    group: str
    text: str


@dataclass(frozen=True, slots=True)
class Frame:
    """A sentence in as many variants as groups.

    ``source`` is the template, or the sentence as a corpus has it where ``real``.
    """

    about: str
    source: str
    variants: tuple[Variant, ...]
    real: bool = False


def frames() -> list[Frame]:
    """Every template of SETS, filled."""
    return [
        Frame(about, template, tuple(_variant(about, template, words, place) for place in range(len(words))))
        for about, (templates, rows) in SETS.items()
        for template in templates
        for words in rows
    ]


def fill(template: str, word: str) -> str:
    """``template`` about ``word``: its pronouns follow it, and so does an article before it."""
    female = any(word in row[1:] for row in SETS["gender, with pronouns"][1])
    chosen = {he: she if female else he for he, she in PRONOUNS.items()}
    start, end = template.split("{}")
    sentence = fitting(start.format(**chosen), word, end.format(**chosen))
    return sentence[0].upper() + sentence[1:]


def fitting(before: str, word: str, after: str) -> str:
    """The three joined, with "a" or "an" at the end of ``before`` as ``word`` is spoken."""
    article = re.search(r"\b(an?) $", before, re.IGNORECASE)
    if article:
        spoken = article[1][0] + ("n" if begins_with_vowel(word) else "")
        before = f"{before[: article.start()]}{spoken} "
    return before + word + after


def begins_with_vowel(word: str) -> bool:
    """Whether ``word`` is spoken with a vowel first (by its letters; enough for the words here)."""
    return bool(_SOUNDS.match(word))


def _variant(about: str, template: str, words: tuple[str, ...], place: int) -> Variant:
    group = ("male", "female")[place] if about.startswith("gender") else words[place]
    return Variant(group, fill(template, words[place]))
