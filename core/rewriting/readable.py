"""Whether a sentence is one that the rewriter was made for, and what to tell a person where it is not."""

from __future__ import annotations

import re

from core.language import tr
from core.words import WORD

MOST_WORDS = 120
TOO_LONG = tr("This sentence is too long to rewrite.")
QUOTED = tr("These are the speaker's own words; a quotation is not reworded.")
NOTHING_BETTER = tr("No better wording found.")
NOT_PROSE = tr("This is a list or a table row, not a sentence; it is not reworded.")
FOREIGN = tr("This does not read as English, so it is not reworded.")

_ENGLISH = frozenset(
    "the of and to was were that with for this from by which has have had are been not they their who will would its "
    "but she it he his her as at be is in on or an when after than".split()
)
_OTHERS = frozenset(
    "le la les des du et est dans pour que qui sur une avec il elle der die das und ist nicht mit ein eine den von für "
    "auf dem el los las del y en por con para una di che per non della gli het een van dat niet zijn os da em uma não "
    "och det att som på är til av av ikke jest się na nie że w z".split()
)
_CELLS = re.compile(r"\s\|\s|\||\t| {3,}")
_FEW, _LIST, _COMMAS = 4, 8, 0.3


def trouble(text: str) -> str:
    """Why the prose ``text`` is left alone, for a person; empty where it is a sentence of English."""
    words = WORD.findall(text)
    if len(words) > MOST_WORDS:
        return TOO_LONG
    letters = [character for character in text if character.isalpha()]
    latin = sum(character < "\u0250" for character in letters)
    if not letters or 2 * latin < len(letters):
        return FOREIGN
    lower = [word.lower() for word in words]
    english = sum(word in _ENGLISH for word in lower)
    if sum(word in _OTHERS for word in lower) > english:
        return FOREIGN
    if len(_CELLS.findall(text)) > 1:
        return NOT_PROSE
    listed = len(words) >= _LIST and not english
    commas = text.count(",") + text.count(";")
    return (
        NOT_PROSE if listed or (len(words) >= _FEW and not english and commas > _COMMAS * len(words)) else ""
    )
