"""Text as a tokenizer can take it, character for character."""

from __future__ import annotations

import re

_SURROGATE = re.compile("[\ud800-\udfff]")
_EMOJI = re.compile("[\u2600-\u27bf\U0001f000-\U0001faff\U000e0020-\U000e007f]")


def encodable(text: str) -> str:
    """``text`` with nothing in it that a tokenizer stumbles over; no character moves.

    A lone surrogate has no UTF-8 form. An emoji would make one unknown word of itself and the word it touches.
    """
    return text if text.isascii() else _EMOJI.sub(" ", _SURROGATE.sub("\ufffd", text))


def has_letter(text: str) -> bool:
    """Whether there is a letter of any script in ``text``."""
    return any(map(str.isalpha, text))
