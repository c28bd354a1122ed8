"""A word that mark-up or an invisible sign cuts is marked once and named as it is read."""

from __future__ import annotations

import pytest

from core.documents import Format, parse
from core.engine.engine import Engine

SENTENCE = "The {} plan was read on Tuesday."
WHOLE = "shameful"


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load()


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        (Format.WIKITEXT, "[[shame]]ful"),
        (Format.WIKITEXT, "[[honour|shame]]ful"),
        (Format.WIKITEXT, "'''s'''hameful"),
        (Format.WIKITEXT, "shame&shy;ful"),
        (Format.WIKITEXT, "sha<!-- sic -->meful"),
        (Format.MARKDOWN, "**s**hameful"),
        (Format.MARKDOWN, "[shame](x)ful"),
        (Format.MARKDOWN, "shame&#8203;ful"),
        (Format.PLAIN, "shame\u2060ful"),
        (Format.HTML, "shame\u200bful"),
        (Format.DOCX, "shame\u00adful"),
    ],
)
def test_a_cut_word_is_one_finding(engine: Engine, kind: Format, word: str) -> None:
    source = SENTENCE.format(word)
    plain = engine.analyse(parse(SENTENCE.format(WHOLE), Format.PLAIN)).findings
    found = engine.analyse(parse(source, kind)).findings
    assert [(one.shown, one.kind, one.confidence, one.fingerprint) for one in found] == [
        (one.text, one.kind, one.confidence, one.fingerprint) for one in plain
    ]
    assert len(found) == 1
    assert found[0].text == source[found[0].start : found[0].end]
    assert found[0].text in word
    assert found[0].text.endswith("ful")


def test_words_on_both_sides_of_mark_up_stay_apart(engine: Engine) -> None:
    document = parse("The ''shameful'' [[disgrace|disgraceful]] record was read.", Format.WIKITEXT)
    assert [one.text for one in engine.analyse(document).findings] == ["shameful", "disgraceful"]
