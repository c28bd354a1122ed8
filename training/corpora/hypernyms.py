"""A small table of English nouns and what they are kinds of, from WordNet's own files.

The nearest hypernym by a noun's first sense, the commonest, climbing past what is rarer than the word itself by
WordNet's counts in tagged text ("teacher" is no "educator" but a person) and past what says nothing ("entity"). Only
words that are nouns in nearly all of that text, so that a verb is not taken for one. Offensive words, as far as WordNet
marks them, are left out on both sides.
"""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from core.stereotypes.generalisation import NO_HYPERNYM
from training.types import CorpusError

NEEDED = ("data.noun", "index.noun", "index.sense")
_NOUN, _PERSON_FILE = "1", 18
_SHARE = 0.8
"""Of a word's counted uses at least so many are nouns."""

_EMPTY = frozenset(
    "abstraction act action activity artifact attribute being body cause cognition communication concept condition "
    "content creation device document entity equipment event extent feature group grouping happening idea indication "
    "information instrument instrumentality instrumentation item knowledge location magnitude material matter measure "
    "message object occurrence organism part people person phenomenon piece point possession process product property "
    "quality quantity quantum region relation science section shape signal situation space state stuff substance "
    "system thing topographic unit way whole".split()
)
"""Hypernyms that say too little; of a person "person" says enough."""

_GENDERED = frozenset(
    "boy daddy father female gentleman girl husband king lady lord male man mother prince princess queen sir son uncle "
    "wife woman".split()
)
"""Hypernyms that would tell a gender; what is above them does not."""

_OFTEN = 5
"""A hypernym has at least so many counted uses, so that it is a word that everybody uses."""

_OFFENSIVE = frozenset(
    ("disparagement", "ethnic_slur", "obscenity", "depreciation", "derogation", "dirty_word")
)
_SAID_OFFENSIVE = re.compile(r"offensive|disparag|derogat|obscen|vulgar|ethnic slur|contempt", re.IGNORECASE)
"""What a gloss says of a word that is no word for a newspaper."""

_WORD = re.compile(r"[a-z]{3,}")


@dataclass(frozen=True, slots=True)
class _Synset:
    file: int
    lemmas: tuple[str, ...]
    above: tuple[str, ...]
    usage: tuple[str, ...]
    gloss: str


def export(wordnet: Path, out: Path) -> int:
    """Write the table of the WordNet in ``wordnet`` to ``out`` (gzip), and say how many words it has.

    Raises CorpusError where the folder holds no WordNet.
    """
    table = find_hypernyms(wordnet)
    out.write_bytes(pack(table))
    return len(table)


def pack(table: Mapping[str, str]) -> bytes:
    """The table as `core.stereotypes.generalisation` reads it; the same table gives the same bytes."""
    rows: dict[str, list[str]] = {}
    for word, general in sorted(table.items()):
        rows.setdefault(general or NO_HYPERNYM, []).append(word)
    lines = "".join(f"{general} {' '.join(words)}\n" for general, words in sorted(rows.items()))
    return gzip.compress(lines.encode("utf-8"), mtime=0)


def find_hypernyms(wordnet: Path) -> dict[str, str]:
    """The hypernym of each noun, empty where it has no useful one. Raises CorpusError where there is no WordNet."""
    folder = _folder(wordnet)
    try:
        synsets = dict(_synsets(folder / "data.noun"))
        first = dict(_first_senses(folder / "index.noun"))
        nouns, others, elsewhere = _counts(folder / "index.sense")
    except (OSError, ValueError, IndexError) as error:
        raise CorpusError(f"{folder} contains no WordNet that can be read ({error}).") from error
    offensive = _offensive(synsets)
    found = {}
    for word, offset in first.items():
        sense = synsets.get(offset)
        if sense is None or word not in sense.lemmas or not (nouns[word] or sense.file == _PERSON_FILE):
            continue
        if word not in offensive and _is_noun(word, nouns, others, elsewhere):
            found[word] = _climbed(word, offset, synsets, nouns, offensive)
    return found


def _folder(wordnet: Path) -> Path:
    """The folder with the files: the one that was named, its ``dict``, or NLTK's ``corpora/wordnet`` under it."""
    tried = [wordnet, wordnet / "dict", wordnet / "corpora" / "wordnet", wordnet / "wordnet"]
    for folder in tried:
        if all((folder / name).is_file() for name in NEEDED):
            return folder
    raise CorpusError(
        f"{wordnet} contains no WordNet: {', '.join(NEEDED)} are needed. Name WordNet's dict folder or NLTK's data."
    )


def _synsets(path: Path) -> Iterator[tuple[str, _Synset]]:
    for line in _lines(path):
        facts, _, gloss = line.partition(" | ")
        fields = facts.split()
        count = int(fields[3], 16)
        lemmas = fields[4 : 4 + 2 * count : 2]
        rest = fields[5 + 2 * count :]
        pointers = [(rest[at], rest[at + 1]) for at in range(0, len(rest) - 3, 4)]
        yield (
            fields[0],
            _Synset(
                int(fields[1]),
                tuple(lemmas),
                tuple(offset for kind, offset in pointers if kind == "@"),
                tuple(offset for kind, offset in pointers if kind == ";u"),
                gloss,
            ),
        )


def _first_senses(path: Path) -> Iterator[tuple[str, str]]:
    for line in _lines(path):
        fields = line.split()
        if _WORD.fullmatch(fields[0]):
            yield fields[0], fields[6 + int(fields[3])]


def _counts(path: Path) -> tuple[Counter[str], Counter[str], set[str]]:
    """How often each word is a noun in tagged text, how often it is not, and which ones have other senses at all."""
    nouns: Counter[str] = Counter()
    others: Counter[str] = Counter()
    elsewhere: set[str] = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        key, _offset, _number, count = line.split()
        lemma, _, sense = key.partition("%")
        if sense[0] == _NOUN:
            nouns[lemma] += int(count)
        else:
            others[lemma] += int(count)
            elsewhere.add(lemma)
    return nouns, others, elsewhere


def _lines(path: Path) -> Iterator[str]:
    """The entries of a file, without the licence at its head."""
    return (line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("  "))


def _is_noun(word: str, nouns: Counter[str], others: Counter[str], elsewhere: set[str]) -> bool:
    used = nouns[word] + others[word]
    return nouns[word] >= _SHARE * used if used else word not in elsewhere


def _offensive(synsets: Mapping[str, _Synset]) -> set[str]:
    """Lemmas of synsets that WordNet marks as offensive in use."""
    return {
        lemma.lower()
        for one in synsets.values()
        if _SAID_OFFENSIVE.search(one.gloss)
        or any(
            mark in _OFFENSIVE for usage in one.usage if usage in synsets for mark in synsets[usage].lemmas
        )
        for lemma in one.lemmas
    }


def _climbed(
    word: str, offset: str, synsets: Mapping[str, _Synset], nouns: Counter[str], offensive: set[str]
) -> str:
    """The nearest useful hypernym, breadth first; empty where there is none."""
    person = synsets[offset].file == _PERSON_FILE
    level, seen = list(synsets[offset].above), {offset}
    least = max(_OFTEN, nouns[word])
    while level:
        for one in level:
            lemmas = [
                lemma
                for lemma in synsets[one].lemmas
                if _WORD.fullmatch(lemma)
                and lemma != word
                and lemma not in offensive | _GENDERED
                and nouns[lemma] >= least
                and (lemma not in _EMPTY or (person and lemma == "person"))
            ]
            if lemmas:
                return max(lemmas, key=nouns.__getitem__)
        seen.update(level)
        level = [above for one in level for above in synsets[one].above if above not in seen]
    return ""
