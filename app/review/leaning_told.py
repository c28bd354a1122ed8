"""What is said of the leaning of a sentence before and after a wording, where there is something to say."""

from __future__ import annotations

from core.language import tr
from core.leaning_words import CLEAR
from core.suggestions import Suggestion


def leaning_told(offered: Suggestion) -> str:
    """Whose outlets' wording the sentence resembles now and then would; empty where it resembles no clear side."""
    if offered.leans is None or max(map(abs, offered.leans)) < CLEAR:
        return ""
    before, after = map(_side, offered.leans)
    return tr("leaning: {before} → {after}").format(before=before, after=after)


def _side(lean: float) -> str:
    if abs(lean) < CLEAR:
        return tr("no clear side")
    side = tr("left") if lean < 0 else tr("right")
    return f"{side}\u00a0{abs(lean):.2f}"
