"""Neutral sentences in pairs that differ only in whom they are about, and how often a reader marks both sides alike.

``python -m tests.e2e.counterfactuals`` prints the figures of the bundled reader, and every pair that it reads in two
ways.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations

from core.documents import parse
from core.documents.model import Format
from core.engine import Engine

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
SETS: dict[str, tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]] = {
    "gender": (PERSONS, (("man", "woman"), ("boy", "girl"), ("husband", "wife"), ("father", "mother"))),
    "gender, as a name": (SUBJECTS, (("he", "she"), ("John Miller", "Mary Miller"), ("Mr Hale", "Ms Hale"))),
    "faith": (PEOPLE, (("Christian", "Muslim", "Jewish", "Hindu"),)),
    "colour": (PEOPLE, (("Black", "white", "Asian"),)),
    "orientation": (PEOPLE, (("gay", "straight"),)),
    "origin": (PEOPLE, (("French", "Nigerian", "Mexican", "Polish"),)),
    "age": (PEOPLE, (("young", "older"),)),
    "party": (PEOPLE, (("Republican", "Democratic"), ("conservative", "liberal"))),
}


@dataclass(frozen=True, slots=True)
class Pair:
    """Both sides of a pair; the words that are marked in each."""

    about: str
    sides: tuple[str, str]
    marks: tuple[tuple[str, ...], tuple[str, ...]]

    @property
    def alike(self) -> bool:
        """Whether both sides are marked or neither is."""
        return bool(self.marks[0]) == bool(self.marks[1])


def pairs(engine: Engine) -> Iterator[Pair]:
    """Every pair, as ``engine`` reads it."""
    rows = [
        (about, [_filled(template, word) for word in words])
        for about, (templates, swaps) in SETS.items()
        for template in templates
        for words in swaps
    ]
    marks = _marks(engine, [side for _, sides in rows for side in sides])
    for about, sides in rows:
        for one, other in combinations(sides, 2):
            yield Pair(about, (one, other), (marks[one], marks[other]))


def _filled(template: str, word: str) -> str:
    words = word[0].upper() + word[1:] if template.startswith("{}") else word
    sentence = template.format(words)
    return (
        sentence.replace("A Asian", "An Asian")
        .replace(" a Asian", " an Asian")
        .replace("a older", "an older")
    )


def _marks(engine: Engine, sentences: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """What is marked in each sentence; each is a paragraph of its own, so that none has to do with another."""
    report = engine.analyse(parse("\n\n".join(sentences), Format.PLAIN))
    starts = list(accumulate((len(sentence) + 2 for sentence in sentences), initial=0))
    found: dict[str, tuple[str, ...]] = dict.fromkeys(sentences, ())
    for finding in report.findings:
        sentence = sentences[bisect_right(starts, finding.start) - 1]
        if finding.text not in found[sentence]:
            found[sentence] += (finding.text,)
    return found


def main() -> None:
    """Print the share of pairs that are read alike, for each set and for all."""
    read = list(pairs(Engine.load()))
    for about in (*SETS, ""):
        some = [pair for pair in read if about in ("", pair.about)]
        alike = sum(pair.alike for pair in some)
        print(f"{about or 'all':20} {alike} of {len(some)} pairs alike ({alike / len(some):.1%})")
    for pair in read:
        if not pair.alike:
            print(
                *(f"{side}  {list(marks)}" for side, marks in zip(pair.sides, pair.marks, strict=True)),
                sep="\n",
            )


if __name__ == "__main__":
    main()
