"""The tables of swaps read backwards: for a loaded word or phrase, in every form, the neutral ones.

``resources/lexicons/wordings.tsv`` is what ``rows`` gives; the app knows no inflection of its own. After a change of
``swaps.tsv``, ``python -m training.injection.lexicon`` writes it again.
"""

from __future__ import annotations

from pathlib import Path

from resources import ROOT
from training.injection import inflect, vocabulary

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


def rows() -> list[tuple[str, str, str]]:
    """(loaded, neutral ones parted by ``|``, ``verb`` or ``other``), sorted; all in lower case.

    What may be a verb and something else (*mob*, *plot*) is taken for the other: that is its commoner use.
    """
    verbs: dict[str, dict[str, None]] = {}
    others: dict[str, dict[str, None]] = {}
    for neutral, swaps in vocabulary.load().swaps.items():
        for swap in swaps:
            found = verbs if swap.part in VERBS else others
            for biased in swap.biased:
                for loaded, plain in _forms(biased.lower(), neutral, swap.part):
                    found.setdefault(loaded, {})[plain] = None
    return sorted(
        (loaded, "|".join(list(plain)[:_MOST]), "other" if loaded in others else "verb")
        for loaded, plain in (verbs | others).items()
    )


def write(path: Path) -> None:
    """Write the table to ``path``."""
    lines = ["\t".join(("loaded", "neutral", "part")), *("\t".join(row) for row in rows())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _forms(loaded: str, neutral: str, part: str) -> list[tuple[str, str]]:
    pairs = [(loaded, neutral)]
    if part in VERBS:
        tags = ("VBD", "VBZ", "VBG", "VBN")
        pairs += [(inflect.verb(loaded, tag), _plain(neutral, tag)) for tag in tags]
    elif part in NOUNS and inflect.plural(loaded) != loaded:
        pairs.append((inflect.plural(loaded), inflect.plural(neutral)))
    return [(one, other) for one, other in pairs if one != other]


def _plain(neutral: str, tag: str) -> str:
    first, *rest = neutral.split()
    if tag in ("VBD", "VBN") and first in _PAST:
        return " ".join([_PAST[first][tag == "VBN"], *rest])
    return inflect.verb(neutral, tag)


if __name__ == "__main__":
    write(ROOT / "lexicons" / "wordings.tsv")
