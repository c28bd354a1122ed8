"""Words, tokenizer-safe text, and the chunks and windows that a long text is cut into.

Imported when the window starts, so it must not import numpy.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from unicodedata import category

_BLOCKS = (range(0x0300, 0x2100), range(0x3000, 0x3100), range(0xA600, 0xAC00), range(0xFE00, 0xFE30))
_MARKS = "".join(
    chr(code) for block in _BLOCKS for code in block if category(chr(code)) in ("Mn", "Mc", "Me")
)
_IN_WORD = rf"[\w{_MARKS}\u00ad\u200c\u200d]"

WORD = re.compile(rf"\w{_IN_WORD}*+(?:['’\-‐‑]\w{_IN_WORD}*+)*+")
"""A whole word: letters and digits with their combining marks and joiners, inner apostrophes and hyphens."""

MAX_WORD_CHARACTERS = 200
"""Characters of a word that are read; what follows them in the word is not."""


def last_word(text: str, end: int | None = None) -> re.Match[str] | None:
    """The last word of ``text[:end]`` if only white space follows it there; None also where it is very long."""
    stop = len(text[:end].rstrip())
    start = max(0, stop - MAX_WORD_CHARACTERS)
    words = list(WORD.finditer(text, start, stop))
    if not words or words[-1].end() < stop or 0 < start == words[-1].start():
        return None
    return words[-1]


_SURROGATE = re.compile("[\ud800-\udfff]")
_OVERLONG = re.compile(rf"(?<!{_IN_WORD}){_IN_WORD}{{{MAX_WORD_CHARACTERS}}}{_IN_WORD}++")
_EMOJI = re.compile("[\u2600-\u27bf\U0001f000-\U0001faff\U000e0020-\U000e007f]")


def tokenizer_safe(text: str) -> str:
    """``text`` without characters that break tokenization; no character moves.

    A lone surrogate has no UTF-8 form. An emoji would become one unknown token with the word it touches. Some
    tokenizers take very long for a very long word, so its end becomes white space.
    """
    text = text if text.isascii() else _EMOJI.sub(" ", _SURROGATE.sub("\ufffd", text))
    return _OVERLONG.sub(_without_end, text)


def _without_end(word: re.Match[str]) -> str:
    return word.group()[:MAX_WORD_CHARACTERS] + " " * (len(word.group()) - MAX_WORD_CHARACTERS)


def has_letter(text: str) -> bool:
    """Whether ``text`` holds a letter of any script."""
    return any(map(str.isalpha, text))


CHUNK_CHARACTERS = 2000
"""Longer texts are analysed in chunks of about this length, which bounds memory and the work after an edit."""


def split_chunks(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of the chunks of ``text``: at most `CHUNK_CHARACTERS` each, never cut inside a word."""
    start = 0
    while len(text) - start > CHUNK_CHARACTERS:
        cut = start + CHUNK_CHARACTERS
        for word in list(WORD.finditer(text, start, cut))[-1:]:
            end = word.end() if (whole := WORD.match(text, word.start())) is None else whole.end()
            if end > cut:
                cut = word.start() if word.start() > start else end
        yield start, cut
        start = cut
    if start < len(text) or not text:
        yield start, len(text)


def windows(offsets: Sequence[tuple[int, int]], most: int) -> Iterator[tuple[int, int]]:
    """(start, end) token positions of windows of at most ``most`` tokens and about equal length.

    A window ends where white space follows, or failing that anywhere.
    """
    start = 0
    while start < len(offsets):
        left = len(offsets) - start
        end = start + math.ceil(left / math.ceil(left / most))
        if end < len(offsets):
            for at in range(end, start, -1):
                if offsets[at][0] > offsets[at - 1][1]:
                    end = at
                    break
        yield start, end
        start = end
