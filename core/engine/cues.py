"""The lexicon: finds words of the cue lists in a sentence and explains them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.engine.cue_classes import (
    SCARE_QUOTES,
    CueClass,
    KindNote,
    LexiconError,
    TableRow,
    explain_class,
    explain_scare_quotes,
    explain_style,
    explain_without_cue,
    guide_url,
    read_classes,
    read_kinds,
    read_table,
)
from core.engine.guide_classes import GuideClass, read_guide_classes
from core.i18n import tr
from core.text.tokens import WORD
from core.types import Cue, Finding, Kind

_COLUMNS = ("phrase", "forms", "class", "guide", "note", "source")
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ＇´`", "'"))
_LETTER = r"[^\W_][\u0300-\u036f]*"
_WORD = re.compile(rf"(?:{_LETTER})+(?:'(?!s\b)(?:{_LETTER})+)*|(?<=\w)'s\b", re.IGNORECASE)
_JOINT = re.compile(r"(?:(?<=[sS])['’])?\s*+(?:[-\u2010\u2011\u2013/]\s*+)?")
_HYPHENS = "-\u2010\u2011"
_SCARE_MARKS = (("“", "”"), ("„", "“"), ("«", "»"), ("‘", "’"), ('"', '"'), ("'", "'"))
_SCARE_WORDS = 3
_SCARE_CHARACTERS = 60
_REACH = 80
_NAMED_WORDS = 4
_DOUBT = "doubt"

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Word:
    start: int
    end: int
    key: str


@dataclass(frozen=True, slots=True)
class _Entry:
    """A phrase in one class. ``prefix``: it is followed by a hyphen (``pseudo-``)."""

    cue_class: CueClass
    source: str
    note: str
    prefix: bool


@dataclass(frozen=True, slots=True)
class _Hit:
    start: int
    end: int
    entries: tuple[_Entry, ...]


class Lexicon:
    """The cue lists of ``resources/lexicons``, read-only once loaded.

    Classes are ranked by their row in ``classes.tsv``: the first is the strongest.
    """

    def __init__(
        self,
        classes: dict[str, CueClass],
        kinds: dict[Kind, KindNote],
        entries: dict[Key, tuple[_Entry, ...]],
        guide_classes: dict[str, GuideClass],
    ) -> None:
        self.classes = classes
        self.kinds = kinds
        self.guide_classes = guide_classes
        self._entries = entries
        self._rank = {key: rank for rank, key in enumerate(classes)}
        lengths: dict[str, set[int]] = {}
        for phrase in entries:
            lengths.setdefault(phrase[0], set()).add(len(phrase))
        self._lengths = {word: tuple(sorted(sizes, reverse=True)) for word, sizes in lengths.items()}

    @classmethod
    def load(cls, folder: Path | None = None) -> Lexicon:
        """Read the tables of ``folder``, by default the bundled ones.

        Raises LexiconError where a file is missing or a row is malformed.
        """
        if folder is None:
            import resources

            folder = resources.ROOT / "lexicons"
        classes = read_classes(folder / "classes.tsv")
        if _DOUBT not in classes:
            message = tr("{path} has no class {name!r}. Reinstall Evenhand.")
            raise LexiconError(message.format(path=folder / "classes.tsv", name=_DOUBT))
        kinds = read_kinds(folder / "kinds.tsv")
        guide_classes = read_guide_classes(folder / "guide_classes.tsv")
        gathered: dict[Key, list[_Entry]] = {}
        for row in read_table(folder / "cues.tsv", _COLUMNS):
            for phrase, entry in _entries_of(row, classes):
                same = gathered.setdefault(phrase, [])
                if any(other.cue_class is entry.cue_class for other in same):
                    twice = tr("{phrase!r} appears twice in the class {name!r}")
                    raise row.error(twice.format(phrase=" ".join(phrase), name=entry.cue_class.key))
                same.append(entry)
        rank = {key: number for number, key in enumerate(classes)}
        ordered = {
            phrase: tuple(sorted(entries, key=lambda entry: rank[entry.cue_class.key]))
            for phrase, entries in gathered.items()
        }
        return cls(classes, kinds, ordered, guide_classes)

    def match(self, text: str) -> tuple[tuple[int, int, str], ...]:
        """(start, end, class) of every entry in ``text``: leftmost, then longest, never overlapping.

        Phrases in several classes come once for each, strongest first. Takes time linear in the text.
        """
        return tuple(
            (hit.start, hit.end, entry.cue_class.key)
            for hit in self._hits(text)
            for entry in hit.entries
            if not entry.cue_class.only_own_kind
        )

    def cue_words(self, text: str) -> NDArray[np.bool_]:
        """For each `WORD` of ``text`` whether an entry of `match` covers a part of it: bool [words]."""
        found = self.match(text)
        marked, at = [], 0
        for match in WORD.finditer(text):
            start, end = match.span()
            while at < len(found) and found[at][1] <= start:
                at += 1
            marked.append(at < len(found) and found[at][0] < end)
        return np.array(marked, dtype=np.bool_)

    def cues(self, sentence: str, start: int, end: int, kind: Kind | None = None) -> tuple[Cue, ...]:
        """The cues for ``sentence[start:end]``: lexicon entries and scare quotes, each once.

        A phrase counts if it overlaps the span ("people say" in "some people say"). Cues of the finding's ``kind`` come
        first, then longer ones, then stronger classes.
        """
        left, right = _window(sentence, start, end)
        near = sentence[left:right]
        found: list[tuple[tuple[bool, int, int, int], Cue]] = []

        def add(at: int, to: int, cue_class: CueClass, source: str) -> None:
            if at < end - left and to > start - left:
                words = " ".join(near[at:to].split())
                other = cue_class.kind is not kind
                order = (other, -len(words.split()), self._rank[cue_class.key], at)
                found.append((order, Cue(words, cue_class.key, source)))

        for hit in self._hits(near):
            for entry in hit.entries:
                if not entry.cue_class.only_own_kind or entry.cue_class.kind is kind:
                    add(hit.start, hit.end, entry.cue_class, entry.source)
        for at, to in _scare_quotes(near):
            add(at, to, self.classes[_DOUBT], SCARE_QUOTES)
        found.sort(key=lambda item: item[0])
        unique: dict[tuple[str, str], Cue] = {}
        for _, cue in found:
            unique.setdefault((cue.cue.casefold(), cue.category), cue)
        return tuple(unique.values())

    def kind_of(self, phrase: str) -> Kind | None:
        """The kind of the strongest class with an entry in ``phrase``; None where there is no entry."""
        keys = [key for _, _, key in self.match(phrase)]
        return self.classes[min(keys, key=self._rank.__getitem__)].kind if keys else None

    def correct_kind(self, words: str, read_as: Kind) -> Kind:
        """The kind of marked ``words`` for which the reader predicts ``read_as``.

        Up to four words get the kind of their cue class if that is epistemological or demographic: the reader learned
        its kinds from these classes and predicts the two rarer ones too seldom. (Not for a reader that tells the guide
        class of its findings.)
        """
        cued = self.kind_of(words) if len(words.split()) <= _NAMED_WORDS else None
        return read_as if cued is None or cued is Kind.FRAMING else cued

    def explain(self, cue: Cue) -> str:
        """One sentence on a cue from this lexicon, and the caveat of its class if there is one.

        Raises LexiconError for a class that this lexicon does not have.
        """
        if cue.category not in self.classes:
            message = tr("There is no cue class {name!r}. Analyse the text again.")
            raise LexiconError(message.format(name=cue.category))
        if cue.source == SCARE_QUOTES:
            return explain_scare_quotes(cue)
        cue_class = self.classes[cue.category]
        entries = self._entries.get(_key(cue.cue), ())
        notes = [entry.note for entry in entries if entry.cue_class is cue_class and entry.note]
        caveat = notes[0] if notes else cue_class.caveat
        return f"{explain_class(cue, cue_class)} {caveat}".rstrip()

    def guide_class(self, finding: Finding) -> GuideClass | None:
        """The guide's class of a finding; None where the reader does not tell it."""
        return self.guide_classes.get(finding.guide_class)

    def reasons(self, finding: Finding) -> list[str]:
        """Sentences on why there is a finding: the rule of a style pack, then the guide's class and the cues.

        Where the reader gives neither, one sentence that it marks the words from their context.
        """
        found = [explain_style(finding.style)] if finding.style else []
        named = self.guide_class(finding)
        known = [self.explain(cue) for cue in finding.why if cue.category in self.classes]
        if finding.kind is not Kind.STYLE:
            found += [named.text, *known] if named else known or [explain_without_cue(finding.kind)]
        return found

    def guides(self, finding: Finding) -> list[tuple[str, str]]:
        """Name and address of the guides that speak of a finding, each once."""
        named = self.guide_class(finding)
        links: dict[str, str] = {}
        if finding.style and finding.style.address:
            links[finding.style.guide or finding.style.pack] = finding.style.address
        for source in (*(named.guides if named else ()), *(cue.source for cue in finding.why)):
            if address := guide_url(source):
                links.setdefault(source, address)
        return list(links.items())

    def explain_kind(self, kind: Kind) -> str:
        """One sentence on what the kind is."""
        return self.kinds[kind].explanation

    def _hits(self, text: str) -> Iterator[_Hit]:
        words = _words(text)
        at = 0
        while at < len(words):
            hit, used = self._hit_at(text, words, at)
            if hit is not None:
                yield hit
            at += used

    def _hit_at(self, text: str, words: list[_Word], at: int) -> tuple[_Hit | None, int]:
        for length in self._lengths.get(words[at].key, ()):
            if at + length > len(words):
                continue
            run = words[at : at + length]
            entries = self._entries.get(tuple(word.key for word in run))
            if entries is None or not _joined(text, run):
                continue
            start, end = run[0].start, run[-1].end
            before, after = _hyphen_before(text, start), _hyphen_after(text, end)
            fitting = tuple(entry for entry in entries if not before and entry.prefix == after)
            if fitting:
                return _Hit(start, end, fitting), length
        return None, 1


def _entries_of(row: TableRow, classes: dict[str, CueClass]) -> Iterator[tuple[Key, _Entry]]:
    key = row.required("class")
    if key not in classes:
        raise row.error(tr("the class {name!r} is not in classes.tsv").format(name=key))
    publication = row.required("source")
    source = row.guide() or classes[key].guide or publication
    note = row.translated("note")
    forms = row.cells["forms"].split("|") if row.cells["forms"] else []
    for form in (row.required("phrase"), *forms):
        phrase = _key(form)
        if not phrase:
            raise row.error(tr("{phrase!r} contains no word").format(phrase=form))
        yield phrase, _Entry(classes[key], source, note, form.endswith("-"))


def _window(sentence: str, start: int, end: int) -> tuple[int, int]:
    """Whole words around the span, so that the cost does not depend on the length of the sentence."""
    left, right = max(0, start - _REACH), min(len(sentence), end + _REACH)
    while 0 < left < start and not sentence[left - 1].isspace():
        left += 1
    while end < right < len(sentence) and not sentence[right].isspace():
        right -= 1
    return left, right


def _words(text: str) -> list[_Word]:
    plain = text.translate(_APOSTROPHES)
    return [
        _Word(match.start(), match.end(), unicodedata.normalize("NFC", match.group()).casefold())
        for match in _WORD.finditer(plain)
    ]


def _key(phrase: str) -> Key:
    return tuple(word.key for word in _words(phrase))


def _joined(text: str, run: list[_Word]) -> bool:
    """Whether only white space, a hyphen, a slash or a plural's apostrophe separates the words."""
    return all(_JOINT.fullmatch(text, left.end, right.start) for left, right in pairwise(run))


def _hyphen_before(text: str, start: int) -> bool:
    return start >= 2 and text[start - 1] in _HYPHENS and text[start - 2].isalnum()


def _hyphen_after(text: str, end: int) -> bool:
    return end + 1 < len(text) and text[end] in _HYPHENS and text[end + 1].isalnum()


def _scare_quotes(sentence: str) -> Iterator[tuple[int, int]]:
    """(start, end) of the words inside each pair of quotation marks that holds one to three bare words."""
    for opening, closing in _SCARE_MARKS:
        at = sentence.find(opening)
        while at >= 0:
            close = sentence.find(closing, at + 1, at + 2 + _SCARE_CHARACTERS)
            opens = at == 0 or not sentence[at - 1].isalnum()
            closes = close > 0 and not sentence[close + 1 : close + 2].isalnum()
            found = opens and closes and _bare(sentence[at + 1 : close])
            if found:
                yield at + 1, close
            at = sentence.find(opening, close + 1 if found else at + 1)


def _bare(inside: str) -> bool:
    words = _words(inside)
    whole = bool(words) and inside == inside.strip() and words[0].start == 0 and words[-1].end == len(inside)
    return whole and len(words) <= _SCARE_WORDS and _joined(inside, words)
