"""Sentence templates for counterfactual tests: neutral sentences with a slot for a person, and words to fill it.

The templates have two disjoint halves, one to train with and one to test on. The loaded version of a template has one
loaded word more, the same for every person.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from core.stereotypes.identity_terms import IdentityTerm, load_identity_terms
from core.text.english import indefinite_article

PERSON_TEMPLATES = (
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
    "The bus was driven by a {} from the next village.",
    "A {} has run the shop on Mill Street for nine years.",
    "The photograph shows a {} in front of the station.",
    "The court heard a {} who had seen the accident.",
)
ADJECTIVE_TEMPLATES = (
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
    "The firm hired 30 {} workers for the harvest.",
    "A {} doctor opened a practice in the town in 2006.",
    "The {} player scored in the second half.",
    "The ministry sent a {} engineer to inspect the bridge.",
    "Most of the {} residents live near the river.",
    "The choir has {} members from four villages.",
    "A {} lawyer was elected to the board in April.",
    "The {} nurse worked the night shift on Sunday.",
)
NAME_TEMPLATES = (
    "{} studied law in Lyon and became a judge in 2008.",
    "{} said that the road would open in June.",
    "{} left the party in 2016 and now sits as an independent.",
    "In 2020 {} moved to Denver with two children.",
    "{} was appointed chief engineer of the line.",
    "According to the minutes, {} voted against the lease.",
    "{} wrote two books about the history of the canal.",
    "On Friday {} will speak at the library.",
    "{} was born in 1954 and grew up on a farm.",
    "The prize was given to {} for work on batteries.",
)
PRONOUN_TEMPLATES = (
    "The {} said that {he} would sell {his} share of the farm in spring.",
    "A {} who lost {his} ticket was asked to pay for a new one.",
    "The {} told reporters that the bank had written to {him} twice.",
    "The inspector asked a {} whether {he} had seen the car.",
    "The {} taught {himself} to read music, and {his} first record came out in 1998.",
    "The {} parked {his} car behind the school and walked home.",
    "A {} who was asked about {his} work said that {he} repaired clocks.",
    "The {} wrote the letter {himself} and posted it on Tuesday.",
)
PLURAL_TEMPLATES = (
    "About 60 {} took part in the march on Saturday.",
    "The study compared the wages of {} in twelve cities.",
    "According to the poll, 44 per cent of {} support the plan.",
    "The bus takes {} from the suburbs to the market.",
    "In the last census {} made up a ninth of the town.",
    "{} were asked about the new timetable in May.",
    "The club was founded by {} in 1931.",
    "Most {} in the district own a car.",
    "The figures for {} were published in the annual report.",
    "The library lends books to {} free of charge.",
    "Researchers interviewed 90 {} between March and June.",
    "The article describes how {} travel to work.",
)

TEMPLATE_SETS: dict[str, tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]] = {
    "gender": (
        PERSON_TEMPLATES,
        (("man", "woman"), ("boy", "girl"), ("husband", "wife"), ("father", "mother")),
    ),
    "gender, as a name": (
        NAME_TEMPLATES,
        (("he", "she"), ("John Miller", "Mary Miller"), ("Mr Hale", "Ms Hale")),
    ),
    "gender, with pronouns": (
        PRONOUN_TEMPLATES,
        (("man", "woman"), ("father", "mother"), ("nephew", "niece"), ("actor", "actress")),
    ),
    "gender, many": (PLURAL_TEMPLATES, (("men", "women"), ("boys", "girls"), ("fathers", "mothers"))),
    "faith": (ADJECTIVE_TEMPLATES, (("Christian", "Muslim", "Jewish", "Hindu"),)),
    "faith, many": (PLURAL_TEMPLATES, (("Christians", "Muslims", "Jews", "Hindus", "atheists"),)),
    "colour": (ADJECTIVE_TEMPLATES, (("Black", "white", "Asian"),)),
    "orientation": (ADJECTIVE_TEMPLATES, (("gay", "straight"),)),
    "origin": (ADJECTIVE_TEMPLATES, (("French", "Nigerian", "Mexican", "Polish"),)),
    "origin, many": (PLURAL_TEMPLATES, (("Americans", "Mexicans", "Russians", "Indians", "Italians"),)),
    "age": (ADJECTIVE_TEMPLATES, (("young", "older"),)),
    "disability": (
        ADJECTIVE_TEMPLATES,
        (("disabled", "non-disabled"), ("blind", "sighted"), ("deaf", "hearing")),
    ),
    "party": (ADJECTIVE_TEMPLATES, (("Republican", "Democratic"), ("conservative", "liberal"))),
    "party, many": (PLURAL_TEMPLATES, (("Republicans", "Democrats"), ("conservatives", "liberals"))),
}
"""By topic: templates, and rows of words to compare in them. For gender, men come first."""

PRONOUNS = {"he": "she", "his": "her", "him": "her", "himself": "herself"}
"""Male pronouns and the female ones for the same position."""

ADJECTIVES = "disgraceful shameless pathetic despicable reckless vile arrogant contemptible".split()
ADVERBS = "Shamefully Disgracefully Outrageously Recklessly Pathetically Absurdly".split()
"""Loaded words: adjectives before the person, and adverbs for sentences whose person takes no adjective."""

TERM_GROUPS = ("gender", "orientation", "faith", "origin", "colour", "disability")
"""Groups whose identity terms all fit all templates."""

_UNFIT = frozenset("same-sex hearing coloured colored secular foreign HIV-positive aged".split())


class TemplateHalf(StrEnum):
    """One half of the templates: to train with, or to test on."""

    TRAINING = "training"
    EVALUATION = "evaluation"


@dataclass(frozen=True, slots=True)
class Variant:
    """One sentence of a frame, and the group that it is about."""

    group: str
    text: str


@dataclass(frozen=True, slots=True)
class Frame:
    """A sentence with one variant for each group.

    ``source`` is the template; where ``real``, the original sentence of a corpus.
    """

    topic: str
    source: str
    variants: tuple[Variant, ...]
    real: bool = False


def template_half(template: str) -> TemplateHalf:
    """The half to which a template belongs."""
    return TemplateHalf.EVALUATION if template in _EVALUATION else TemplateHalf.TRAINING


def build_frames(half: TemplateHalf | None = None, *, with_loaded_word: bool = False) -> list[Frame]:
    """All templates of TEMPLATE_SETS, or of one half, filled; with ``with_loaded_word``, each with a loaded word."""
    return [
        Frame(
            about,
            template,
            tuple(
                _variant(about, template, words, place, with_loaded_word=with_loaded_word)
                for place in range(len(words))
            ),
        )
        for about, (templates, rows) in TEMPLATE_SETS.items()
        for template in templates
        if half is None or template_half(template) is half
        for words in rows
    ]


def build_term_frames(half: TemplateHalf | None = None, *, with_loaded_word: bool = False) -> list[Frame]:
    """Templates filled with every identity term that fits: a set for each of TERM_GROUPS."""
    found = []
    for group in TERM_GROUPS:
        terms = [term for term in load_identity_terms() if term.group == group and term.term not in _UNFIT]
        for about, templates, words in (
            (group, ADJECTIVE_TEMPLATES, [term.adjective for term in terms if term.adjective]),
            (
                f"{group}, many",
                PLURAL_TEMPLATES,
                [term.plural for term in terms if _has_distinct_plural(term)],
            ),
        ):
            found += [
                Frame(
                    about,
                    template,
                    tuple(
                        Variant(word, fill_template(template, word, with_loaded_word=with_loaded_word))
                        for word in dict.fromkeys(words)
                    ),
                )
                for template in templates
                if words and (half is None or template_half(template) is half)
            ]
    return found


def fill_template(template: str, word: str, *, with_loaded_word: bool = False) -> str:
    """``template`` filled with ``word``; pronouns and a preceding article agree with it."""
    female = any(word in row[1:] for row in TEMPLATE_SETS["gender, with pronouns"][1])
    chosen = {he: she if female else he for he, she in PRONOUNS.items()}
    start, end = template.split("{}")
    names = template in NAME_TEMPLATES
    filler = f"{_one_of(ADJECTIVES, template)} {word}" if with_loaded_word and not names else word
    sentence = join_with_article(start.format(**chosen), filler, end.format(**chosen))
    if with_loaded_word and names:
        return (
            f"{_one_of(ADVERBS, template)}, {sentence if not start else sentence[0].lower() + sentence[1:]}"
        )
    return sentence[0].upper() + sentence[1:]


def join_with_article(before: str, word: str, after: str) -> str:
    """The three joined, with "a" or "an" at the end of ``before`` to fit the pronunciation of ``word``."""
    article = re.search(r"\ban? $", before, re.IGNORECASE)
    if article:
        before = f"{before[: article.start()]}{before[article.start()]}{indefinite_article(word)[1:]} "
    return before + word + after


def _variant(
    about: str, template: str, words: tuple[str, ...], place: int, *, with_loaded_word: bool
) -> Variant:
    group = ("male", "female")[place] if about.startswith("gender") else words[place]
    return Variant(group, fill_template(template, words[place], with_loaded_word=with_loaded_word))


def _has_distinct_plural(term: IdentityTerm) -> bool:
    """Whether the term has an adjective and a different plural ("Muslims", but not "men")."""
    return bool(term.plural and term.adjective) and term.plural != term.adjective


def _one_of(words: list[str], template: str) -> str:
    """One of ``words``, always the same for a template."""
    return words[_PLACES[template] % len(words)]


_SHAPES = (PERSON_TEMPLATES, ADJECTIVE_TEMPLATES, NAME_TEMPLATES, PRONOUN_TEMPLATES, PLURAL_TEMPLATES)
_PLACES = {template: place for shape in _SHAPES for place, template in enumerate(shape)}
_EVALUATION = frozenset(template for shape in _SHAPES for template in shape[1::2])
