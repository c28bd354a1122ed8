"""What the rules read and what they give: tokens, sentences, slots, and injected pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.findings import Kind


@dataclass(frozen=True, slots=True)
class Statement:
    """A neutral sentence. ``group`` is its source's id, ``part`` train or dev, ``source`` its corpus."""

    text: str
    group: str
    part: str
    source: str


@dataclass(frozen=True, slots=True)
class Token:
    """One token: Penn tag, dependency label, index of its head, offset in code points, and entity label or empty."""

    text: str
    lemma: str
    tag: str
    dep: str
    head: int
    start: int
    ent: str = ""

    @property
    def end(self) -> int:
        """Offset after the last character."""
        return self.start + len(self.text)

    @property
    def lower(self) -> str:
        """The text in lower case."""
        return self.text.lower()


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text and its tokens in order."""

    text: str
    tokens: tuple[Token, ...]

    def at(self, index: int) -> Token | None:
        """The token at ``index``, or None outside the sentence."""
        return self.tokens[index] if 0 <= index < len(self.tokens) else None

    def tag(self, index: int) -> str:
        """The tag at ``index``, or an empty string outside the sentence."""
        token = self.at(index)
        return token.tag if token else ""

    def word(self, index: int) -> str:
        """The lower-case word at ``index``, or an empty string outside the sentence."""
        token = self.at(index)
        return token.lower if token else ""

    def children(self, index: int, *deps: str) -> list[int]:
        """Indexes of the tokens that hang on ``index`` by one of ``deps``."""
        return [
            number
            for number, token in enumerate(self.tokens)
            if token.head == index and number != index and token.dep in deps
        ]


@dataclass(frozen=True, slots=True)
class Slot:
    """A place where one of ``options`` makes the sentence biased.

    ``text[start:end]`` is replaced by ``prefix + option + suffix`` (an insertion where start == end); only the
    option itself is marked. ``beside`` is the word that the option must suit, or empty; ``strict``: options that
    were not seen before that word are no options.
    """

    start: int
    end: int
    options: Sequence[str]
    family: str
    kind: Kind
    prefix: str = ""
    suffix: str = ""
    beside: str = ""
    strict: bool = False


@dataclass(frozen=True, slots=True)
class InjectedEdit:
    """``biased[start:end] == before``; the neutral sentence has ``after`` there (empty: the words were inserted)."""

    start: int
    end: int
    before: str
    after: str
    kind: Kind
    rule: str


@dataclass(frozen=True, slots=True)
class Injected:
    """A neutral sentence, the biased one made from it, and what was injected, in order."""

    neutral: str
    biased: str
    edits: tuple[InjectedEdit, ...]
    group: str
    part: str
    source: str
