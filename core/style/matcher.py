"""Finds what the rules of style packs flag, sentence by sentence, in the text as it is read."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import re2

from core.documents.types import Document, Prose
from core.style.packs import MARK, PartOfSpeech, StylePack, StyleRule, compile_pattern
from core.style.terms import (
    JOINTS,
    OWNER,
    POSSESSIVES,
    REFLEXIVES,
    SELF,
    WORD,
    first_words,
    in_form,
    normalise,
    term_forms,
)
from core.text.english import (
    BE_FORMS,
    DETERMINERS,
    FUNCTION_WORDS,
    PREPOSITIONS,
    is_sentence_start,
)
from core.text.verb_forms import VerbForm
from core.types import Finding, Kind, StyleNote, fingerprint

_GENITIVE = "'s"
_ANY_CASE = "(?i)"
_LONG_WORD = 4
MAX_MATCHES = 200
"""A sentence has at most so many matches: a rule that finds every word says nothing."""


@dataclass(frozen=True, slots=True)
class Match:
    """``text[start:end]`` of a sentence, the rule that flags it, and the form in which its term stands there."""

    start: int
    end: int
    rule: StyleRule
    form: str = ""

    @property
    def span(self) -> tuple[int, int]:
        """Start and end."""
        return self.start, self.end


@dataclass(frozen=True, slots=True)
class _Term:
    words: tuple[str, ...]
    rule: StyleRule
    form: str
    spelling: str
    """The term as the pack writes it, where its case counts; else empty."""


@dataclass(frozen=True, slots=True)
class _Word:
    start: int
    end: int
    lower: str


class StyleMatcher:
    """The rules of packs, ready to be matched. A sentence gives the same matches wherever it stands."""

    def __init__(self, packs: Iterable[StylePack], *, without: Iterable[str] = ()) -> None:
        off = frozenset(without)
        self.packs = tuple(packs)
        self.rules = tuple(
            {rule.key: rule for pack in self.packs for rule in pack.rules if rule.key not in off}.values()
        )
        self._terms: dict[tuple[str, ...], list[_Term]] = defaultdict(list)
        self._exceptions: dict[str, dict[str, list[tuple[str, ...]]]] = {}
        self._patterns: list[tuple[StyleRule, Any]] = []
        self._except_patterns: dict[str, Any] = {}
        for rule in self.rules:
            self._add(rule)
        for terms in self._terms.values():
            terms.sort(key=lambda term: -len(term.words))
        self._any_pattern = _set_of([rule.pattern for rule, _ in self._patterns])

    def __bool__(self) -> bool:
        return bool(self.rules)

    def _add(self, rule: StyleRule) -> None:
        for term in rule.terms:
            spelling = term if rule.case else ""
            seen: set[tuple[str, ...]] = set()
            for words, form in term_forms(term, rule.forms):
                if words not in seen:
                    seen.add(words)
                    for first in first_words(words):
                        self._terms[first, *words[1:2]].append(_Term(words, rule, form, spelling))
        if rule.exceptions:
            found = self._exceptions.setdefault(rule.key, defaultdict(list))
            for phrase in rule.exceptions:
                words = tuple(normalise(phrase).split())
                for first in first_words(words):
                    found[first].append(words)
        if rule.pattern:
            self._patterns.append((rule, compile_pattern(rule.pattern)))
        if rule.except_pattern:
            self._except_patterns[rule.key] = compile_pattern(rule.except_pattern)

    def matches(self, text: str) -> list[Match]:
        """What the rules flag in the text of a sentence: sorted and disjoint, of overlapping ones the longest.

        Where the longest is a name, a part of it is none of the rules' words either.
        """
        words = [_Word(*one.span(), one[0].lower().replace("’", "'")) for one in WORD.finditer(text)]
        found = [*self._term_matches(text, words), *self._pattern_matches(text)]
        kept: list[Match] = []
        taken: list[tuple[int, int]] = []
        names: list[tuple[int, int]] = []
        for one in sorted(found, key=lambda match: (match.start - match.end, match.start)):
            if any(one.start < end and start < one.end for start, end in taken):
                continue
            if any(start <= one.start and one.end <= end for start, end in names if (start, end) != one.span):
                continue
            if not one.rule.names and _is_name(text, words, one):
                names.append(one.span)
            elif self._counts(text, words, one):
                taken.append(one.span)
                kept.append(one)
                if len(kept) == MAX_MATCHES:
                    break
        return sorted(kept, key=lambda match: match.start)

    def _term_matches(self, text: str, words: Sequence[_Word]) -> Iterator[Match]:
        for at, word in enumerate(words):
            after = words[at + 1].lower if at + 1 < len(words) else ""
            for term in chain.from_iterable(
                self._terms.get(key, ()) for key in _beginnings(word.lower, after)
            ):
                if not _stands_at(text, words, at, term.words):
                    continue
                last = words[at + len(term.words) - 1]
                end = last.end - (len(_GENITIVE) if last.lower == term.words[-1] + _GENITIVE else 0)
                if not term.spelling or text[word.start : end] == term.spelling:
                    yield Match(word.start, end, term.rule, term.form)

    def _pattern_matches(self, text: str) -> Iterator[Match]:
        if self._any_pattern is None:
            return
        for number in self._any_pattern.Match(text) or ():
            rule, pattern = self._patterns[number]
            group = pattern.groupindex.get(MARK, 0)
            for one in pattern.finditer(text):
                start, end = one.span(group if one.start(group) >= 0 else 0)
                if start < end:
                    yield Match(start, end, rule)

    def _counts(self, text: str, words: Sequence[_Word], match: Match) -> bool:
        """Whether a match is none of its rule's exceptions, and the part of speech that is wanted."""
        rule = match.rule
        if rule.part_of_speech is not None and rule.part_of_speech is not _part_of_speech(words, match):
            return False
        for phrase_start, phrases in self._exceptions.get(rule.key, {}).items():
            for at, word in enumerate(words):
                if word.start >= match.end:
                    break
                if word.lower != phrase_start:
                    continue
                for phrase in phrases:
                    if _stands_at(text, words, at, phrase) and words[at + len(phrase) - 1].end > match.start:
                        return False
        excepted = self._except_patterns.get(rule.key)
        return excepted is None or not any(
            one.start() < match.end and match.start < one.end() for one in excepted.finditer(text)
        )

    def findings(self, document: Document, text: Prose, *, in_heading: bool = False) -> tuple[Finding, ...]:
        """The matches in a sentence of ``document`` as findings, with its own offsets."""
        found = []
        for match in self.matches(text.text):
            if in_heading and not match.rule.headings:
                continue
            start, end = text.offsets[match.start], text.end(match.end - 1)
            read, words = text.text[match.start : match.end], document.source[start:end]
            at = bisect_right(document.quotes, start, key=lambda quote: quote[1])
            in_quotes = at < len(document.quotes) and document.quotes[at][0] <= start
            found.append(
                Finding(
                    start=start,
                    end=end,
                    text=words,
                    kind=Kind.STYLE,
                    confidence=1.0,
                    quoted=in_quotes and not match.rule.quotations,
                    fingerprint=fingerprint(Kind.STYLE, read, *_neighbours(text.text, match)),
                    words="" if read == words else read,
                    style=describe(match, text.text),
                )
            )
        return tuple(found)


def describe(match: Match, text: str) -> StyleNote:
    """What a finding by a rule says, and the replacements that the rule suggests, in the form of the words there."""
    rule, words = match.rule, text[match.start : match.end]
    before = WORD.findall(text[: match.start])[-1:]
    is_participle = match.form == VerbForm.PAST and before and before[0].lower() in _BEFORE_PARTICIPLE
    form = VerbForm.PARTICIPLE.value if is_participle else match.form
    return StyleNote(
        pack=rule.pack,
        rule=rule.key,
        message=rule.message.replace("{match}", words),
        reason=rule.reason,
        guide=rule.guide,
        address=rule.address,
        severity=rule.severity.value,
        replacements=tuple(in_form(one, form) if one else "" for one in rule.replacements),
    )


def _beginnings(word: str, after: str) -> Iterator[tuple[str, ...]]:
    """The first word or the first two words of terms that may begin at a word with another after it."""
    seconds = {after, after.removesuffix(_GENITIVE)}
    if after in POSSESSIVES or after.endswith(_GENITIVE):
        seconds.add(OWNER)
    if after in REFLEXIVES:
        seconds.add(SELF)
    for first in dict.fromkeys((word, word.removesuffix(_GENITIVE))):
        yield (first,)
        yield from ((first, second) for second in sorted(seconds))


def _stands_at(text: str, words: Sequence[_Word], at: int, phrase: tuple[str, ...]) -> bool:
    """Whether ``phrase`` stands at the word of that number, its words with a space or a hyphen between."""
    if at + len(phrase) > len(words):
        return False
    for number, wanted in enumerate(phrase):
        word = words[at + number]
        if not _is_word(word.lower, wanted, in_phrase=len(phrase) > 1):
            return False
        if number and not JOINTS.issuperset(text[words[at + number - 1].end : word.start]):
            return False
    return True


def _is_word(word: str, wanted: str, *, in_phrase: bool) -> bool:
    """Whether a word in lower case is the one that a term has there, or one that the term's pronoun stands for."""
    if in_phrase and wanted == OWNER:
        return word in POSSESSIVES or word.endswith(_GENITIVE)
    if in_phrase and wanted == SELF:
        return word in REFLEXIVES
    return wanted in (word, word.removesuffix(_GENITIVE))


def _is_name(text: str, words: Sequence[_Word], match: Match) -> bool:
    """Whether a match is part of a name: it has a capital that neither its sentence's start nor its rule explains.

    The later words of a match tell whether it is a title. Where it has none, at the start of a sentence, the next word
    tells; an adverb (*Recently Smith*) is no part of the name after it. A word that the sentence calls a film or a
    book is one.
    """
    inside = [word for word in words if match.start <= word.start < match.end]
    if not inside or not text[inside[0].start].isupper() or text.isupper() or _is_title_case(words, text):
        return False
    rule = match.rule
    at_start = is_sentence_start(text, match.start)
    if at_start and len(inside) == 1 and _IS_WORK.match(text, match.end):
        return True
    if any(term != term.lower() and normalise(term).split()[0] == inside[0].lower for term in rule.terms):
        return False
    later = [word for word in inside[1:] if word.lower not in FUNCTION_WORDS]
    is_title = bool(later) and all(text[word.start].isupper() for word in later)
    if rule.pattern and not rule.terms:
        return is_title and rule.pattern.startswith(_ANY_CASE)
    if later:
        return is_title
    if not at_start:
        return True
    following = next((word for word in words if word.start >= match.end), None)
    return (
        following is not None
        and not inside[-1].lower.endswith("ly")
        and text[match.end : following.start].lstrip("s'’") in (" ", "-")
        and text[following.start].isupper()
        and following.lower not in ("i", "i'm")
    )


_WORKS = (
    r"(?:films?|movies?|albums?|EP|LP|songs?|singles?|novels?|novella|books?|plays?|musicals?|series|operas?|poems?|"
    r"ballet|anthology|magazine|newspaper|comics?|bands?|games?|paintings?|sculpture|documentary|sitcom|podcast|"
    r"retailer|company|brand)\b"
)
_IS_WORK = re.compile(
    r"(?:(?: [\w'’]+){0,4} [A-Z][\w'’]*)? (?:is|was) (?:an?|the) (?:[\w'’-]+ ){0,5}?"
    + _WORKS
    + r"|, (?:an?|the|his|her|their) [^,.;]{0,60}?\b"
    + _WORKS
    + r"[^,.;]{0,80}, (?:is|was|were|won|opened|premiered|stars|tells|came|appeared)\b"
)
"""What follows a title at the start of a sentence: that it is a work, or a work in apposition."""


def _is_title_case(words: Sequence[_Word], text: str) -> bool:
    """Whether every longer word begins with a capital, as in a headline, so that a capital says nothing."""
    longer = [word for word in words if word.end - word.start >= _LONG_WORD and text[word.start].isalpha()]
    return len(longer) > 2 and all(text[word.start].isupper() for word in longer)


def _part_of_speech(words: Sequence[_Word], match: Match) -> PartOfSpeech:
    """Whether a word that can be both is a verb or a noun there, by the words before and after it.

    After *note that* and the like, a finite verb tells a relative clause, so that the word is a noun: *a note that was
    found*. A base form is the verb only after a word that can stand before one.
    """
    before = next((word.lower for word in reversed(words) if word.end <= match.start), "")
    after = next((word.lower for word in words if word.start >= match.end), "")
    last = next((word.lower for word in reversed(words) if word.end <= match.end), "")
    if before in _BEFORE_NOUN or after == "of":
        return PartOfSpeech.NOUN
    if last == "that" and match.form in (VerbForm.BASE, VerbForm.THIRD) and after in _FINITE:
        return PartOfSpeech.NOUN
    if match.form == VerbForm.BASE and before and not before.endswith(("s", "ly")):
        return PartOfSpeech.VERB if before in _BEFORE_BASE else PartOfSpeech.NOUN
    return PartOfSpeech.VERB


_FINITE = frozenset(
    "is are was were has have had does do did will would can could may might shall should must".split()
)
_BEFORE_BASE = frozenset(
    "to and or but not never also still often even always now then only rather i we you they who which that will "
    "would can could may might shall should must do don't didn't doesn't did won't wouldn't can't couldn't let help "
    "people men women children police media few many some most several others both all none we'd i'd they'd he'd "
    "she'd i'll we'll they'll he'll she'll".split()
)
_BEFORE_PARTICIPLE = BE_FORMS | {"has", "have", "had", "having"}
_BEFORE_NOUN = (
    DETERMINERS
    | (PREPOSITIONS - {"to"})
    | frozenset(
        "this these those no some any each another such other first second last new own old main many few "
        "several".split()
    )
)


def _neighbours(text: str, match: Match) -> tuple[str, str]:
    before = WORD.findall(text[: match.start])
    after = WORD.search(text, match.end)
    return before[-1] if before else "", after[0] if after else ""


def _set_of(patterns: Sequence[str]) -> Any:
    """A set that tells in one pass which patterns match a text; None without patterns."""
    if not patterns:
        return None
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 64 << 20
    found = re2.Set.SearchSet(options)
    for pattern in patterns:
        found.Add(pattern)
    found.Compile()
    return found
