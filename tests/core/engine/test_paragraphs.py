"""Protects the charts by paragraph: only sentences that count count, and no leaning is made up from too little."""

from __future__ import annotations

import pytest

from core.documents import Format, parse
from core.engine.engine import Engine
from core.engine.paragraphs import ReadSentence, read_paragraphs
from core.types import Leaning, NoLeaning, SentenceReading

NOTHING = Leaning(0.0, 1.0, 0.0)
LEFT = "The union and the workers said that the policy is new to the people. "


def sentence(start: int, *, bias: float = 0.5, quoted: bool = False, right: float = 0.5) -> SentenceReading:
    """A sentence of ten characters."""
    return SentenceReading(
        start, start + 10, bias, biased=bias > 0.5, quoted=quoted, leaning=Leaning(1 - right, 0.0, right)
    )


def read(*sentences: SentenceReading, words: int = 25, political: float = 0.9) -> list[ReadSentence]:
    """The sentences as the engine hands them over."""
    return [ReadSentence(one, political, words, one.leaning or NOTHING) for one in sentences]


def test_bias_is_the_mean_of_the_sentences_that_count() -> None:
    given = read(
        sentence(0, bias=0.2), sentence(10, bias=1.0, quoted=True), sentence(20, bias=0.6), sentence(40)
    )
    first, second = read_paragraphs([(0, 30), (40, 50)], given, political=0.5)
    assert (first.start, first.end, first.sentences) == (0, 30, 2)
    assert first.bias == pytest.approx(0.4)
    assert second.sentences == 1
    first, _ = read_paragraphs([(0, 30), (40, 50)], given, political=0.5, include_quotes=True)
    assert (first.sentences, first.bias) == (3, pytest.approx(0.6))


def test_a_paragraph_of_quotations_has_nothing_that_counts() -> None:
    (one,) = read_paragraphs([(0, 10)], read(sentence(0, quoted=True)), political=0.5)
    assert (one.sentences, one.bias, one.leaning) == (0, 0.0, None)


def test_a_paragraph_without_a_sentence_that_was_read_is_left_out() -> None:
    assert [one.start for one in read_paragraphs([(0, 10), (20, 30)], read(sentence(20)), political=0.5)] == [
        20
    ]


def test_leaning_is_weighted_and_spreads() -> None:
    given = [
        *read(sentence(0, right=1.0), words=35),
        *read(sentence(10, right=0.0), words=35, political=0.3),
    ]
    (one,) = read_paragraphs([(0, 20)], given, political=0.5)
    assert one.leaning is not None
    assert one.leaning.right == pytest.approx(0.75)
    assert one.leaning.left + one.leaning.center + one.leaning.right == pytest.approx(1)
    assert one.leaning.spread == pytest.approx((0.75 * 0.5**2 + 0.25 * 1.5**2) ** 0.5)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (read(sentence(0), sentence(10), words=29), NoLeaning.SHORT),
        (read(sentence(0), words=100), NoLeaning.SHORT),
        (read(sentence(0), sentence(10), words=40, political=0.4), NoLeaning.UNPOLITICAL),
        (read(sentence(0), sentence(10), words=40, political=0.0), NoLeaning.UNPOLITICAL),
        (read(sentence(0), sentence(10, quoted=True)), NoLeaning.SHORT),
    ],
)
def test_no_leaning_from_too_little(given: list[ReadSentence], reason: NoLeaning) -> None:
    (one,) = read_paragraphs([(0, 20)], given, political=0.5)
    assert (one.leaning, one.no_leaning) == (None, reason)
    (one,) = read_paragraphs([(0, 20)], given, political=0.5, least=1.0)
    assert (one.leaning, one.no_leaning) == (None, NoLeaning.UNABLE)


@pytest.mark.parametrize(
    ("right", "least", "reason"),
    [
        (0.7, 0.0, None),
        (0.7, 0.69, None),
        (0.7, 0.71, NoLeaning.UNSURE),
        (0.3, 0.69, None),
        (0.3, 0.71, NoLeaning.UNSURE),
        (1.0, 0.999, None),
        (1.0, 1.0, NoLeaning.UNABLE),
    ],
)
def test_a_side_is_told_only_where_it_is_likely_enough(
    right: float, least: float, reason: NoLeaning | None
) -> None:
    given = read(sentence(0, right=right), sentence(10, right=right), words=40)
    (one,) = read_paragraphs([(0, 20)], given, political=0.5, least=least)
    assert (one.leaning is None, one.no_leaning) == (reason is not None, reason)


def test_the_report_has_the_paragraphs_of_the_document(engine: Engine) -> None:
    source = f"Title\n\n{LEFT * 6}\n\n“The law is shameful.”\n\n***\n\nA shameful record.\n"
    report = engine.analyse(parse(source, Format.PLAIN))
    assert [one.sentences for one in report.paragraphs] == [1, 6, 0, 1]
    assert [source[one.start : one.end] for one in report.paragraphs][::3] == ["Title", "A shameful record."]
    leaning = report.paragraphs[1].leaning
    assert leaning is not None
    assert leaning.left > leaning.right
