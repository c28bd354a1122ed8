"""Protects the words of a draft: counted where they stand, scored, their effects at the right places, stoppable."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from core.documents import Format, parse
from core.engine.reader import Cancelled, Reader
from core.stereotypes.word_effects import effects_of_word, word_effects

TEXT = "The shameful Muslim senator met the people. Then Muslims said that 7 laws of the senator were new."


@pytest.fixture(scope="module")
def reader(tiny_bundle: Path) -> Reader:
    return Reader.load(tiny_bundle, threads=1)


def test_words_that_say_something_are_counted_and_ranked(reader: Reader) -> None:
    rows = word_effects(reader, parse(TEXT, Format.PLAIN))
    words = {row.word: row for row in rows}
    assert rows[0].word == "shameful"
    assert words["senator"].count == 2
    assert words["Muslim"].group == words["Muslims"].group == "faith"
    assert not {"The", "the", "that", "of", "7", "were", "Then"} & words.keys()
    assert [row.score.bias for row in rows] == sorted((row.score.bias for row in rows), reverse=True)


def test_an_effect_has_the_offsets_of_its_word(reader: Reader) -> None:
    document = parse("# A record\n\n" + TEXT, Format.MARKDOWN)
    words = {row.word: row for row in word_effects(reader, document)}
    for word in ("Muslim", "Muslims"):
        (effect,) = words[word].effects
        assert document.source[effect.word_start : effect.word_end] == word
        assert document.source[effect.start : effect.end] == effect.before
        before, after = reader.read([effect.before, effect.after])
        assert (effect.bias_before, effect.bias_after) == (before.bias, after.bias)
        assert words[word].shift == pytest.approx(before.bias - after.bias)
    assert words["Muslim"].effects[0].after == "The shameful senator met the people."
    assert words["Muslims"].effects[0].general == "believers"


def test_effects_of_other_words_come_when_asked(reader: Reader) -> None:
    document = parse(TEXT, Format.PLAIN)
    assert not next(row for row in word_effects(reader, document) if row.word == "senator").effects
    found = effects_of_word(reader, document, "Senator")
    assert [effect.general for effect in found] == ["legislator", "legislator"]
    assert effects_of_word(reader, document, "zorble") == ()
    assert effects_of_word(reader, document, "shameful") == ()


def test_quotations_and_what_is_switched_off_are_left_out(reader: Reader) -> None:
    quoted = parse("The law. “The shameful people said that,” he said.", Format.PLAIN)
    assert "shameful" not in {row.word for row in word_effects(reader, quoted)}
    assert "shameful" in {row.word for row in word_effects(reader, quoted, include_quotes=True)}
    source = "The law.\n\n<!-- evenhand off -->\n\nA shameful law.\n\n<!-- evenhand on -->\n\nThe people.\n"
    assert {row.word for row in word_effects(reader, parse(source, Format.MARKDOWN))} == {"law", "people"}


def test_a_word_is_shown_without_the_capital_of_a_sentence(reader: Reader) -> None:
    rows = word_effects(reader, parse("Laws are laws. Records, too.", Format.PLAIN))
    assert {row.word: row.count for row in rows} == {"laws": 2, "Records": 1}


@pytest.mark.parametrize("source", ["", " \n", "7 8 9.", "The of and."])
def test_a_draft_without_words_has_none(reader: Reader, source: str) -> None:
    assert word_effects(reader, parse(source, Format.PLAIN)) == []


@pytest.mark.parametrize("after", ["no sentence", "all sentences"])
def test_it_can_be_stopped_while_words_are_sought_and_while_they_are_read(
    tiny_bundle: Path, after: str
) -> None:
    reader = Reader.load(tiny_bundle, threads=1)
    document = parse(TEXT, Format.PLAIN)
    asked, patience = count(), len(document.sentences) if after == "all sentences" else 0
    with pytest.raises(Cancelled):
        word_effects(reader, document, cancelled=lambda: next(asked) >= patience)
    assert next(asked) == patience + 1


def test_progress_is_reported(tiny_bundle: Path) -> None:
    reader = Reader.load(tiny_bundle, threads=1)
    document = parse(TEXT, Format.PLAIN)
    heard: list[float] = []
    word_effects(reader, document, on_progress=heard.append)
    assert heard == sorted(heard)
    assert heard[-1] == 1
