"""From the word pieces that the model writes to words as a person would type them."""

from __future__ import annotations

from collections.abc import Sequence

_TO_LEFT = frozenset(",.;:!?)]%")
_TO_RIGHT = frozenset("([$£€#")
_TO_BOTH = frozenset("-/‐‑")
_APOSTROPHES = frozenset("'’")
_ENDINGS = frozenset(("s", "t", "re", "ve", "ll", "d", "m"))
_ELIDED = frozenset(("o", "d", "l"))


def detokenise(pieces: Sequence[str]) -> str:
    """The words that ``pieces`` (WordPiece, ``##`` goes on with a word) spell; case as in the pieces.

    Hyphens and apostrophes join (``long - term``, ``it ' s``), marks stand at the words that they belong to.
    """
    tokens: list[str] = []
    for piece in pieces:
        if piece.startswith("##") and tokens:
            tokens[-1] += piece[2:]
        else:
            tokens.append(piece)
    text = ""
    for at, token in enumerate(tokens):
        before = tokens[at - 1] if at else ""
        text += token if not at or _joined(tokens, at, before=before) else f" {token}"
    return text


def _joined(tokens: Sequence[str], at: int, *, before: str) -> bool:
    """Whether ``tokens[at]`` stands right after the token before it."""
    token = tokens[at]
    if token in _TO_BOTH or before in _TO_BOTH or token in _TO_LEFT or before in _TO_RIGHT:
        return True
    if token in _APOSTROPHES:
        return before[-1:].isalnum()
    if before in _APOSTROPHES:
        owner = tokens[at - 2] if at > 1 else ""
        return token in _ENDINGS or owner in _ELIDED
    return before in (".", ",") and at > 1 and tokens[at - 2][-1:].isdigit() and token[:1].isdigit()
