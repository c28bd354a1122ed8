"""Word tables of the injection rules, how well their words go with a neighbour, and the same tables read backwards
as a lexicon.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from core.engine.cue_classes import read_table
from core.types import Kind
from resources import ROOT
from training.injection import inflection

# The word tables of this folder and how well their words go with the word beside them.


_SEEN = 2
_FOLDER = Path(__file__).parent
_WORD = re.compile(r"[a-z]+(?:[-'][a-z]+)*|[.,;:!?()\"“”]")


@dataclass(frozen=True, slots=True)
class ModifierRow:
    """One row of ``adjectives.tsv`` or ``adverbs.tsv``: words that suit ``fits`` (a noun class, or a place)."""

    words: tuple[str, ...]
    fits: str
    family: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Swap:
    """One row of ``swaps.tsv``: what neutral words of a part of speech turn into."""

    biased: tuple[str, ...]
    part: str
    family: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All tables. ``classes`` are the classes of a noun; ``swaps`` go by neutral lemma or phrase, in lower case."""

    adjectives: tuple[ModifierRow, ...]
    adverbs: tuple[ModifierRow, ...]
    phrases: tuple[ModifierRow, ...]
    classes: dict[str, frozenset[str]]
    swaps: dict[str, tuple[Swap, ...]]

    def fitting(self, noun: str) -> list[ModifierRow]:
        """The rows of adjectives that suit a noun's classes."""
        found = self.classes.get(noun, frozenset())
        return [row for row in self.adjectives if row.fits in found]

    def first_words(self) -> frozenset[str]:
        """Every word whose company is worth counting: the last word of each adjective and adverb."""
        return frozenset(
            word.lower().split()[-1] for row in (*self.adjectives, *self.adverbs) for word in row.words
        )


@cache
def load() -> Vocabulary:
    """The tables beside this module. Raises LexiconError where one is malformed."""
    classes: dict[str, set[str]] = defaultdict(set)
    for row in read_table(_FOLDER / "nouns.tsv", ("class", "nouns")):
        for noun in row.required("nouns").split("|"):
            classes[noun].add(row.required("class"))
    swaps: dict[str, list[Swap]] = defaultdict(list)
    for row in read_table(_FOLDER / "swaps.tsv", ("neutral", "biased", "part", "family", "kind")):
        swap = Swap(_split(row.required("biased")), row.required("part"), row.required("family"), row.kind())
        for neutral in _split(row.required("neutral")):
            swaps[neutral.lower()].append(swap)
    return Vocabulary(
        adjectives=_rows("adjectives.tsv", "fits"),
        adverbs=_rows("adverbs.tsv", "place"),
        phrases=_rows("phrases.tsv", "place"),
        classes={noun: frozenset(found) for noun, found in classes.items()},
        swaps={neutral: tuple(found) for neutral, found in swaps.items()},
    )


def _rows(name: str, column: str) -> tuple[ModifierRow, ...]:
    return tuple(
        ModifierRow(_split(row.required("words")), row.required(column), row.required("family"), row.kind())
        for row in read_table(_FOLDER / name, ("words", column, "family", "kind"))
    )


def _split(cell: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cell.split("|")))


class Cooccurrence:
    """How often a word of the tables was seen directly before another word."""

    def __init__(self, first_words: frozenset[str]) -> None:
        self._left = first_words
        self._pairs: dict[str, Counter[str]] = defaultdict(Counter)
        self._totals: Counter[str] = Counter()

    def read(self, texts: Iterable[str]) -> None:
        """Count the pairs of ``texts``."""
        for text in texts:
            for first, second in pairwise(_WORD.findall(text.lower())):
                if first in self._left:
                    self._pairs[second][first] += 1
                    self._totals[first] += 1

    def weights(self, options: Sequence[str], neighbour: str) -> list[float]:
        """A weight for each option before ``neighbour``: 0 where it was seen there less than twice.

        The count to the power 0.8 over the root of the word's own frequency, so that words that keep close company
        come before words that stand before everything.
        """
        seen = self._pairs.get(neighbour.lower(), Counter())
        weights: list[float] = []
        for option in options:
            words = option.lower().split()
            count = seen[words[-1]]
            if count < _SEEN:
                count = 0
            share = 1.0 if len(words) == 1 else 0.3
            weights.append(share * count**0.8 / self._totals[words[-1]] ** 0.5 if count else 0.0)
        return weights


# The tables of swaps read backwards: for a loaded word or phrase, in every form, the neutral ones.
#
# ``resources/lexicons/replacements.tsv`` is what ``rows`` gives; the app knows no inflection of its own. After a change
# of ``swaps.tsv``, ``python -m training.injection.vocabulary`` writes it again.


VERBS = frozenset(
    "active capture die followed_by have infinitive intransitive naming report tell transitive verb".split()
)
NOUNS = frozenset(("noun", "title"))
_MOST = 4
_PAST = {
    row.split()[0]: (row.split()[1], row.split()[-1])
    for row in (
        "say said|write wrote written|tell told|think thought|find found|show showed shown|shoot shot|leave left|"
        "take took taken|fall fell fallen|beat beat beaten|cut cut|hit hit|strike struck|meet met|make made|get got|"
        "become became become|win won|run ran run|hold held|keep kept|build built|send sent|spend spent|lose lost|"
        "see saw seen|speak spoke spoken|give gave given|go went gone|grow grew grown|rise rose risen|sell sold|"
        "begin began begun|choose chose chosen|drive drove driven|know knew known|bring brought|buy bought|"
        "come came come|put put|set set|lead led|read read|sing sang sung|sit sat|stand stood|teach taught|"
        "throw threw thrown|understand understood|wear wore worn|seek sought|let let|pay paid|withhold withheld|"
        "draw drew drawn|eat ate eaten|fight fought|feel felt|"
        "have had|be was been|do did done|hear heard|break broke broken"
    ).split("|")
}
"""Past tense and participle of neutral verbs; ``inflect`` knows the loaded ones."""


def lexicon_rows() -> list[tuple[str, str, str]]:
    """(loaded, neutral ones parted by ``|``, ``verb`` or ``other``), sorted; all in lower case.

    What may be a verb and something else (*mob*, *plot*) is taken for the other: that is its commoner use.
    """
    verbs: dict[str, dict[str, None]] = {}
    others: dict[str, dict[str, None]] = {}
    for neutral, swaps in load().swaps.items():
        for swap in swaps:
            found = verbs if swap.part in VERBS else others
            for biased in swap.biased:
                for loaded, form in _forms(biased.lower(), neutral, swap.part):
                    found.setdefault(loaded, {})[form] = None
    return sorted(
        (loaded, "|".join(list(forms)[:_MOST]), "other" if loaded in others else "verb")
        for loaded, forms in (verbs | others).items()
    )


def write_lexicon(path: Path) -> None:
    """Write the table to ``path``."""
    lines = ["\t".join(("loaded", "neutral", "part")), *("\t".join(row) for row in lexicon_rows())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _forms(loaded: str, neutral: str, part: str) -> list[tuple[str, str]]:
    pairs = [(loaded, neutral)]
    if part in VERBS:
        tags = ("VBD", "VBZ", "VBG", "VBN")
        pairs += [(inflection.verb(loaded, tag), _inflect_neutral_verb(neutral, tag)) for tag in tags]
    elif part in NOUNS and inflection.plural(loaded) != loaded:
        pairs.append((inflection.plural(loaded), inflection.plural(neutral)))
    return [(one, other) for one, other in pairs if one != other]


def _inflect_neutral_verb(neutral: str, tag: str) -> str:
    first, *rest = neutral.split()
    if tag in ("VBD", "VBN") and first in _PAST:
        return " ".join([_PAST[first][tag == "VBN"], *rest])
    return inflection.verb(neutral, tag)


if __name__ == "__main__":
    write_lexicon(ROOT / "lexicons" / "replacements.tsv")
