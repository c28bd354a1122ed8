"""A WordNet of a few synsets, in the files and the format of the real one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Sense:
    """A synset: its name here, its lemmas, the names of those above it."""

    name: str
    lemmas: tuple[str, ...]
    above: tuple[str, ...] = ()
    kind: str = "noun"


PEOPLE = (
    Sense("entity", ("entity",)),
    Sense("cause", ("causal_agent", "cause"), ("entity",)),
    Sense("organism", ("organism", "being"), ("entity",)),
    Sense("person", ("person", "individual", "soul"), ("cause", "organism")),
    Sense("believer", ("religious_person",), ("person",)),
    Sense("muslim", ("Muslim", "Moslem"), ("believer",)),
    Sense("follower", ("follower",), ("person",)),
    Sense("disciple", ("disciple", "adherent"), ("follower",)),
    Sense("sikh", ("Sikh",), ("disciple",)),
    Sense("homosexual", ("homosexual", "homophile", "gay"), ("person",)),
    Sense("group", ("group",), ("entity",)),
    Sense("deaf", ("deaf",), ("group",)),
    Sense("american", ("African-American", "Afro-American"), ("person",)),
    Sense("merry", ("merry", "gay"), kind="adj"),
    Sense("bright", ("bright",), kind="adj"),
    Sense("move", ("move",), kind="verb"),
    Sense("dance", ("dance", "trip"), ("move",), kind="verb"),
)
_LETTER = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}


def make_wordnet(folder: Path, senses: Sequence[Sense] = PEOPLE) -> Path:
    """Write index and data files under ``folder``, without the lists that some packages lack; returns it."""
    folder.mkdir(parents=True, exist_ok=True)
    offsets: dict[str, int] = {}
    for kind in _LETTER:
        at = 0
        for sense in senses:
            if sense.kind == kind:
                offsets[sense.name] = at
                at += len(_line(sense, {}))
    for kind, letter in _LETTER.items():
        own = [sense for sense in senses if sense.kind == kind]
        _write(folder / f"data.{kind}", "".join(_line(sense, offsets) for sense in own))
        holding: defaultdict[str, list[Sense]] = defaultdict(list)
        for sense in own:
            for lemma in sense.lemmas:
                holding[lemma.lower()].append(sense)
        index = ""
        for lemma, found in sorted(holding.items()):
            places = " ".join(f"{offsets[sense.name]:08d}" for sense in found)
            index += f"{lemma} {letter} {len(found)} 1 @ {len(found)} 0 {places}  \n"
        _write(folder / f"index.{kind}", index)
    return folder


def _line(sense: Sense, offsets: dict[str, int]) -> str:
    letter = _LETTER[sense.kind]
    lemmas = " ".join(f"{lemma} 0" for lemma in sense.lemmas)
    above = "".join(f" @ {offsets.get(name, 0):08d} {letter} 0000" for name in sense.above)
    frames = " 01 + 02 00" if sense.kind == "verb" else ""
    head = f"{offsets.get(sense.name, 0):08d} 03 {letter} {len(sense.lemmas):02x} {lemmas}"
    return f"{head} {len(sense.above):03d}{above}{frames} | invented  \n"


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o644)
