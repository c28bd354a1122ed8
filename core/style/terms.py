"""Words and phrases as rules name them: how they are compared, and in which forms they are found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from core.text.english import pluralise
from core.text.verb_forms import VerbForm, verb_forms

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
"""A word of a term: what stands between hyphens is a word of its own."""

JOINTS = frozenset(" \t\n\r\u00a0-‐‑–/'’")
"""The characters that may stand between the words of a phrase."""


OWNER = "one's"
"""A word of a phrase that stands for any possessive pronoun or genitive: *bite one's tongue*."""

SELF = "oneself"
"""A word of a phrase that stands for any reflexive pronoun."""

POSSESSIVES = frozenset("my your his her its our their whose one's".split())
REFLEXIVES = frozenset(
    "myself yourself himself herself itself ourselves yourselves themselves oneself".split()
)


class Forms(StrEnum):
    """Which word of a term is inflected: the first as a verb, the last as a noun, or none."""

    NONE = ""
    VERB = "verb"
    NOUN = "noun"


def normalise(term: str) -> str:
    """The words of a term in lower case, with a space between."""
    return " ".join(word.lower().replace("’", "'") for word in WORD.findall(term))


def first_words(words: tuple[str, ...]) -> frozenset[str]:
    """The words with which a phrase may begin in a text: several where its first word stands for pronouns."""
    if len(words) > 1 and words[0] in (OWNER, SELF):
        return POSSESSIVES if words[0] == OWNER else REFLEXIVES
    return frozenset(words[:1])


def term_forms(term: str, forms: Forms) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each form of a term as its words, and the name of the form: of `VerbForm`, ``plural``, or empty."""
    words = normalise(term).split()
    if not words:
        return
    if forms is Forms.VERB:
        for form, verb in verb_forms(words[0]).items():
            yield (verb, *words[1:]), form.value
        if words[0] == "be":
            yield from (((verb, *words[1:]), "") for verb in ("am", "are", "were"))
    elif forms is Forms.NOUN:
        yield tuple(words), ""
        yield (*words[:-1], pluralise(words[-1])), _PLURAL
    else:
        yield tuple(words), ""


_PLURAL = "plural"


def in_form(replacement: str, form: str) -> str:
    """A replacement, given in its base form, in the form of what it replaces."""
    first, space, rest = replacement.partition(" ")
    if form == _PLURAL:
        head, space, last = replacement.rpartition(" ")
        return f"{head}{space}{pluralise(last)}"
    if form:
        return f"{verb_forms(first)[VerbForm(form)]}{space}{rest}"
    return replacement
