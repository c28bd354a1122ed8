"""Text from a word processor's or a browser's clipboard as a person would have typed it."""

from __future__ import annotations

import re

_LINE_ENDS = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
# Soft hyphens, zero-width spaces, byte order marks, the place of a picture, and controls: invisible, yet in the file.
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1f\x7f\x80-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff\ufffc]")
_LONE = re.compile("[\ud800-\udfff]")
_BULLET = re.compile(r"^([ \t]*)[·•▪■◦●○§o\uf0a7\uf0b7](?:\t[ \t\u00a0]*|[ \u00a0]{2,})(?=\S)", re.MULTILINE)
_LINE_SPACE = re.compile(r"[ \t\u00a0]+(?=\n)")


def clean(text: str) -> str:
    r"""Pasted text with ``\n`` line ends, no invisible characters, and ``- `` for the bullets of lists.

    No-break spaces inside a line, joiners of emoji and scripts, and the space at the very end are kept. Cleaning twice
    changes nothing more.
    """
    text = _LINE_ENDS.sub("\n", text)
    text = _LONE.sub("\ufffd", _INVISIBLE.sub("", text))
    return _LINE_SPACE.sub("", _BULLET.sub(r"\1- ", text))
