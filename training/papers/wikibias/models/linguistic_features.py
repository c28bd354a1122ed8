"""Discrete linguistic features of words: the word lists and cue classes that contain them (WIKIBIAS, section 3.2).

The paper names lexicons of hedges, factive verbs and subjective clues, and its release has more. They are used where
available, together with the project's own cue classes.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.engine.cues import Lexicon
from training.injection.inflection import verb
from training.loop.training_loop import TrainingError
from training.types import print_to_stderr

Flags = NDArray[np.uint8]
Entry = tuple[str, ...]

VERB_LISTS = ("assertives", "factives", "implicatives", "report_verbs", "entail", "effect_")
"""Prefixes of the names of lists of verbs, whose inflected forms are added."""
_FORMS = ("VBZ", "VBG", "VBD", "VBN")
_COMMENTS = ("#", ";")
_CLUE = re.compile(r"\bword1=(\S+)")
"""The entry in a line of key=value pairs, the format of MPQA's subjectivity clues."""
_MAX_BYTES = 16 * 2**20
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'"})
_HYPHEN = re.compile(r"(-)")


class LinguisticFeatures:
    """Features of words. ``names`` are those of the lists, then ``cue:`` and each cue class.

    ``lists`` is the number of lists; ``digest`` changes with the lists and their entries.
    """

    def __init__(self, lists: Mapping[str, Iterable[str]], cues: Lexicon) -> None:
        self._cues = cues
        classes = [key for key, cue_class in cues.classes.items() if not cue_class.only_own_kind]
        self.names = (*lists, *(f"cue:{key}" for key in classes))
        self.lists = len(lists)
        self._classes = {key: self.lists + at for at, key in enumerate(classes)}
        found: defaultdict[Entry, set[int]] = defaultdict(set)
        for column, (name, entries) in enumerate(lists.items()):
            for entry in _with_inflections(entries, verbs=name.startswith(VERB_LISTS)):
                for words in _spellings(entry):
                    found[words].add(column)
        self._entries = {words: sorted(columns) for words, columns in found.items()}
        lengths: defaultdict[str, set[int]] = defaultdict(set)
        for words in self._entries:
            lengths[words[0]].add(len(words))
        self._lengths = dict(lengths)
        self.digest = hashlib.sha256(repr((self.names, sorted(self._entries.items()))).encode()).hexdigest()[
            :8
        ]

    @classmethod
    def load(
        cls, folder: Path | None, on_message: Callable[[str], None] = print_to_stderr
    ) -> LinguisticFeatures:
        """The lists ``*.txt`` of ``folder`` and the bundled cue classes; without a folder the cue classes alone.

        Lists have one entry per line, its words separated by spaces or underscores; comments start with # or ;. Empty
        lists are skipped with a message. Raises TrainingError for an unreadable list.
        """
        lists: dict[str, list[str]] = {}
        for path in sorted(folder.glob("*.txt")) if folder is not None else []:
            entries = _read(path)
            if entries:
                lists[path.stem] = entries
            else:
                on_message(f"{path} contains no words and is skipped.")
        return cls(lists, Lexicon.load())

    def features(self, words: Sequence[str]) -> Flags:
        """1 where a word, or an entry of several words that contains it, is in a list, [words, features]."""
        flags = np.zeros((len(words), len(self.names)), dtype=np.uint8)
        forms = [_form(word) for word in words]
        for at, form in enumerate(forms):
            for length in self._lengths.get(form, ()):
                flags[at : at + length, self._entries.get(tuple(forms[at : at + length]), [])] = 1
        self._mark_cues(words, flags)
        return flags

    def _mark_cues(self, words: Sequence[str], flags: Flags) -> None:
        ends = np.cumsum([len(word) + 1 for word in words]) - 1
        for start, end, key in self._cues.match(" ".join(words)):
            first, last = np.searchsorted(ends, [start, end - 1], side="right")
            flags[first : last + 1, self._classes[key]] = 1


def _read(path: Path) -> list[str]:
    """The entries of a list, in UTF-8 or Latin-1, one per line."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise TrainingError(f"{path} is too large for a word list. Copy it again, or remove it.")
        content = path.read_bytes()
    except OSError as error:
        raise TrainingError(
            f"{path} cannot be read ({error.strerror}). Copy it again, or remove it."
        ) from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    rows = (line.strip() for line in text.splitlines())
    return list(filter(None, (_entry(row) for row in rows if not row.startswith(_COMMENTS))))


def _entry(row: str) -> str:
    clue = _CLUE.search(row)
    return (clue.group(1) if clue else row).replace("_", " ").strip()


def _with_inflections(entries: Iterable[str], *, verbs: bool) -> Iterable[str]:
    for entry in entries:
        yield entry
        if verbs and min(map(len, entry.split())) > 1:
            yield from (verb(entry, tag) for tag in _FORMS)


def _spellings(entry: str) -> set[Entry]:
    """An entry as words; entries with hyphens also with separate hyphens, as in some corpora."""
    words = _form(entry).split()
    apart = [part for word in words for part in _HYPHEN.split(word) if part]
    return {tuple(character_vectors) for character_vectors in (words, apart) if character_vectors}


def _form(word: str) -> str:
    return unicodedata.normalize("NFC", word.translate(_APOSTROPHES)).casefold()
