"""Neutral sentences that mention people and groups: the name of a group alone is no bias, so they have no spans.

A reader that learns demographic spans would mark the bare name of a group ("the widow", "a Welsh cook"). Each frame is
filled with many people, so that only what is said of them can matter. No frame is a template of
`core.stereotypes.templates`, with which a reader is evaluated.
"""

from __future__ import annotations

import random

from core.text.english import indefinite_article
from training.types import Example

_PERSON_FRAMES = (
    "{A} opened a bakery on the high street in 2014.",
    "{A} found the purse and handed it in at the town hall.",
    "{A} was among the first to cross the new bridge.",
    "{The} sold the house and moved closer to the hospital.",
    "{The} waited at the bus stop until the rain stopped.",
    "{The} had lived in the building since 1988, according to the landlord.",
    "{The} lost an appeal against the fine in March.",
    "{The} thanked the firefighters and returned home the same evening.",
    "{The} applied for the permit in June and received it in August.",
    "{The} read the statement aloud and left without taking questions.",
    "{The} is survived by two brothers.",
    "{The} taught evening classes in the village for eleven years.",
    "{The} repaired the roof before the winter.",
    "{The} told the inquiry that the brakes had failed.",
    "{The} will stand for the council in the autumn.",
    "{The} came third in the regional chess championship.",
    "{The} missed the train and took a taxi instead.",
    "{The} kept a diary during the voyage, which the archive bought in 1970.",
    "According to the police report, {a} saw smoke and called for help.",
    "At the hearing {a} described how the water had entered the cellar.",
    "The novel opens with {a} who inherits a vineyard.",
    "The newspaper spoke to {a} who had signed the petition.",
    "The second part of the series follows {a} through a working week.",
    "In the photograph {a} is holding a bicycle.",
    "The jury awarded {a} 12,000 pounds.",
    "The grant allowed {a} to finish a degree in chemistry.",
    "The driver, {a} from the coast, was not hurt.",
    "The owner of the boat is {a} from the next bay.",
    "Nurses treated {a} for a broken wrist.",
    "The town named a square after {a} who had paid for the well.",
    "The seat went to {a}, who will take it up in May.",
    "The letter was written by {a} to the editor of a weekly paper.",
    "The ferry rescued {a} whose kayak had overturned.",
    "The article quotes {a} as saying that rents had doubled.",
    "A jury of twelve, among them {a}, heard the case.",
)
_PLURAL_FRAMES = (
    "{Many} voted on the offer on Thursday.",
    "{Many} queued outside the office from early morning.",
    "{Many} and their families attended the service.",
    "{Many} made up about a third of the audience.",
    "{Many} have run the cooperative since 1962.",
    "{Many} in the region earn slightly less than the average.",
    "{Many} met the minister to discuss the draft law.",
    "{Many} arrived in the valley in the 1890s to build the railway.",
    "{Many} may apply for the allowance from October.",
    "The course is open to {many}.",
    "The charity provides legal advice to {many}.",
    "The survey found that {many} were more likely to walk to work.",
    "The exhibition shows letters written by {many} during the war.",
    "The union represents {many} in eight counties.",
    "Two {many} were elected to the board.",
    "Three {many} were injured when the bus left the road.",
    "A group of {many} founded the school in 1911.",
    "Among the passengers were {many} on their way to a wedding.",
    "The documentary follows five {many} over a year.",
    "The hostel houses {many} who work at the port.",
    "Turnout among {many} rose by four points.",
    "The festival was started by {many} in the east of the city.",
)
_NOUNS = tuple(
    "man woman boy girl widow widower pensioner teenager child student nurse miner farmer cook engineer driver cleaner "
    "builder plumber teacher lawyer doctor priest imam rabbi nun monk soldier veteran refugee migrant immigrant "
    "landlord tenant banker clerk dentist fisherman shopkeeper musician dancer painter poet novelist historian "
    "journalist photographer electrician carpenter baker butcher gardener waiter hairdresser tailor pilot sailor "
    "mother father grandmother grandfather bachelor bride neighbour customer passenger resident voter worker".split()
)
_GROUPS = tuple(
    "Welsh Scottish Irish English British French German Italian Spanish Portuguese Polish Romanian Ukrainian Russian "
    "Turkish Greek Swedish Danish Dutch Belgian Syrian Iraqi Iranian Afghan Pakistani Indian Chinese Japanese Korean "
    "Vietnamese Filipino Nigerian Kenyan Somali Ethiopian Egyptian Moroccan Algerian Mexican Brazilian Colombian "
    "Cuban American Canadian Australian Christian Catholic Protestant Muslim Jewish Hindu Buddhist Sikh Mormon atheist "
    "Black white Asian Latino Roma Kurdish Arab gay lesbian bisexual transgender straight deaf blind disabled "
    "young elderly retired unemployed married divorced homeless conservative liberal socialist Republican Democratic "
    "left-wing right-wing".split()
)
_BARE = {
    "man": "men", "woman": "women", "child": "children", "fisherman": "fishermen"
}  # fmt: skip
_MANY = tuple(
    "Muslims Christians Jews Hindus Sikhs Buddhists Catholics Protestants atheists Mormons Americans Canadians "
    "Australians Germans Italians Greeks Russians Ukrainians Romanians Poles Turks Kurds Arabs Syrians Iraqis Afghans "
    "Pakistanis Indians Nigerians Somalis Kenyans Ethiopians Egyptians Moroccans Mexicans Brazilians Colombians Cubans "
    "Swedes Danes Republicans Democrats conservatives liberals socialists pensioners teenagers veterans lesbians "
    "immigrants migrants refugees".split()
)
_PER_FRAME = 40


def neutral_mention_examples(*, seed: int) -> list[Example]:
    """Every frame with `_PER_FRAME` people drawn with ``seed``: a noun alone, or a noun after the name of a group."""
    draw = random.Random(seed)
    made: dict[str, Example] = {}
    for frame in _PERSON_FRAMES:
        for _ in range(_PER_FRAME):
            person = _person(draw)
            text = frame.format(
                A=f"{indefinite_article(person).capitalize()} {person}",
                a=f"{indefinite_article(person)} {person}",
                The=f"The {person}",
            )
            made[text] = Example(text, "neutral mentions", spans=(), bias=0.0, group=frame)
    for frame in _PLURAL_FRAMES:
        for _ in range(_PER_FRAME):
            people = _people(draw)
            text = frame.format(Many=people[0].upper() + people[1:], many=people)
            made[text] = Example(text, "neutral mentions", spans=(), bias=0.0, group=frame)
    return list(made.values())


def _person(draw: random.Random) -> str:
    noun = draw.choice(_NOUNS)
    return noun if draw.random() < 0.35 else f"{draw.choice(_GROUPS)} {noun}"


def _people(draw: random.Random) -> str:
    if draw.random() < 0.35:
        return draw.choice(_MANY)
    noun = draw.choice(_NOUNS)
    plural = _BARE.get(noun, f"{noun}s")
    return plural if draw.random() < 0.35 else f"{draw.choice(_GROUPS)} {plural}"
