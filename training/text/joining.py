"""Ordinary prose from the tokens of a corpus, and where each token stands in it."""

from __future__ import annotations

from collections.abc import Sequence

_QUOTES = {"``": '"', "''": '"'}
_CLOSING = frozenset([".", ",", ";", ":", "!", "?", "%", ")", "]", "}", "”", "…", "n't", "n’t"])
_CLITICS = frozenset(f"{mark}{end}" for mark in "'’" for end in ("s", "re", "ve", "ll", "d", "m"))
_OPENING = frozenset(["(", "[", "{", "$", "£", "€", "#", "“"])


def join_tokens(tokens: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """The text of Penn Treebank tokens as people write it, and the offsets [start, end) of each token in it.

    Marks stand by their words, ``n't`` and ``'s`` are joined, and straight double quotes open and close in turn.
    """
    text = ""
    places: list[tuple[int, int]] = []
    glued = True
    is_open = False
    for token in tokens:
        shown = _QUOTES.get(token, token)
        closes = shown == '"' and is_open
        if not (glued or closes or shown in _CLOSING or shown.lower() in _CLITICS):
            text += " "
        places.append((len(text), len(text) + len(shown)))
        text += shown
        if shown == '"':
            is_open = not is_open
        glued = shown in _OPENING or (shown == '"' and is_open)
    return text, places
