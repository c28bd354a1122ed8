"""Protects the grammar of a sentence: new words have the class, number and form of those that they replace."""

from __future__ import annotations

import pytest

from core.documents import Format, parse
from core.rewriting.edits import make_passage
from core.rewriting.word_fit import fits
from core.text.diff import TextEdit


def fit(text: str, old: str, new: str) -> bool:
    document = parse(text, Format.PLAIN)
    passage = make_passage(document, document.sentences[0])
    start = passage.text.index(old)
    return fits(passage, TextEdit(start, start + len(old), new))


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("He passed away in 1998.", "passed away", "died"),
        ("She slammed the plan.", "slammed", "criticized"),
        ("The regimes fell.", "regimes", "governments"),
        ("One of the greatest pianists.", "greatest", "leading"),
        ("He is a terrible king.", "a terrible", "an unpopular"),
        ("The thugs are slamming it.", "slamming", "criticizing"),
        ("A far-left ideologue spoke.", "ideologue", "politician"),
        ("A genius inventor spoke.", "genius ", ""),
        ("The disastrous plan failed.", "disastrous ", ""),
        ("It is believed that he left.", "It is believed that he", "He"),
        ("He sadly died.", "sadly ", ""),
        ("She claims that he left.", "claims", "said"),
        ("The embattled leader left.", "embattled ", ""),
        ("The Zorblatt mob left.", "Zorblatt mob", "Zorblatt group"),
    ],
)
def test_words_of_the_same_class_fit(text: str, old: str, new: str) -> None:
    assert fit(text, old, new)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("He passed away in 1998.", "passed away", "death"),
        ("The genocidal war ended.", "genocidal", "people"),
        ("Our great country won.", "great", "artist"),
        ("The thugs left.", "thugs", "man"),
        ("She slammed the plan.", "slammed", "criticism"),
        ("They slam the plan.", "slam", "criticizes"),
        ("She slammed the plan.", "slammed ", ""),
        ("The pointlessness of war is known.", "pointlessness ", ""),
        ("He left quickly and sadly.", "sadly", "house"),
        ("It was a shameful plan.", "was a shameful ", ""),
        ("He is a thug.", "thug", "qwzrt"),
    ],
)
def test_words_of_another_class_do_not_fit(text: str, old: str, new: str) -> None:
    assert not fit(text, old, new)
