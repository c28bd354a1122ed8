"""Protects what an editor must never have to check: names, numbers and negations survive every offered suggestion.

Sentences are made at random and a proposer that drops, swaps and adds words at random stands in for the model. What
is offered is judged here by the lists that the sentences were made from, not by the guards.
"""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from core.documents import Document, Format, parse
from core.engine.engine import Engine
from core.rewriting.scoring import MAX_BIAS_RISE, log_odds
from core.rewriting.suggester import Suggester
from core.types import Suggestion
from tests.core.rewriting.fake_proposer import Nasty

NAMES = ("Ann", "Lee", "O'Neill", "NATO", "Paris", "March", "McCoy", "Jean-Paul")
NUMBERS = ("12", "1,200", "3.5%", "1999", "$40", "seven", "twenty-two")
NEGATIONS = ("not", "never", "without", "no", "nor", "hardly", "cannot", "isn't", "didn’t")
FLAGGED = ("shameful", "disastrous", "reveals", "claims", "chairman", "mankind")
PLAIN = (
    "the",
    "law",
    "of",
    "a",
    "people",
    "policy",
    "and",
    "said",
    "that",
    "to",
    "new",
    "record",
    "an",
    "is",
)
QUOTED = '"a shameful law"'


def sentence(chooser: random.Random) -> str:
    """A sentence with at least one flagged word and many things that must stay."""
    words = [chooser.choice(FLAGGED)]
    for pool, most in ((NAMES, 2), (NUMBERS, 2), (NEGATIONS, 2), (FLAGGED, 1), (PLAIN, 8), ((QUOTED,), 1)):
        words += [chooser.choice(pool) for _ in range(chooser.randint(0, most))]
    words += ["the", "people"]
    chooser.shuffle(words)
    if chooser.random() < 0.3:
        words[chooser.randrange(len(words))] += ","
    if chooser.random() < 0.2:
        return " ".join(words).lower() + " ."
    text = " ".join(words)
    return text[0].upper() + text[1:] + "."


def must_stay(text: str) -> dict[str, Counter[str]]:
    """How often each name, number, negation and quotation stands in ``text``."""
    tokens = re.findall(r"[\w$%'’,.-]*\w%?", text)
    bare = [token.strip(",.") for token in tokens]
    lower = [token.lower() for token in bare]
    pools = {"names": NAMES, "numbers": NUMBERS, "negations": NEGATIONS}
    counted = {
        name: Counter(token for token in (bare if name == "names" else lower) if token in pool)
        for name, pool in pools.items()
    }
    return counted | {"quotations": Counter(re.findall('"[^"]*"', text))}


def check(engine: Engine, document: Document, suggestion: Suggestion, *, bias: float) -> None:
    """Everything that is promised of an offered suggestion."""
    source, text = document.source, document.source
    first, last = document.sentences[1].start, document.sentences[1].end
    for edit in reversed(suggestion.edits):
        assert first <= edit.start < edit.end <= last
        assert edit.text != source[edit.start : edit.end]
        text = text[: edit.start] + edit.text + text[edit.end :]
    assert text == source[:first] + suggestion.sentence + source[last:]
    old, new = must_stay(source[first:last]), must_stay(suggestion.sentence)
    cased = source[first:last] != source[first:last].lower()
    assert new == (old if cased else old | {"names": new["names"]}), (source[first:last], suggestion.sentence)
    again = parse(text, Format.PLAIN)
    assert len(again.sentences) == len(document.sentences)
    found = engine.analyse(again, include_quotes=True)
    after = found.sentences[1].bias
    assert after == pytest.approx(suggestion.bias_after, abs=1e-6)
    assert suggestion.bias_before == pytest.approx(bias, abs=1e-6)
    assert after < bias or log_odds(after) - log_odds(bias) <= MAX_BIAS_RISE + 1e-6
    assert after < bias or found.findings, "it may rise beside other findings alone"


def offered(engine: Engine, count: int) -> int:
    """Make ``count`` documents, check what is offered for their findings and return how much that was."""
    chooser = random.Random(5)
    suggester = Suggester(engine, Nasty(6))
    total = 0
    for _ in range(count):
        document = parse(f"The law is new.\n\n{sentence(chooser)}\n\nThe law is new.", Format.PLAIN)
        if len(document.sentences) != 3:
            continue
        report = engine.analyse(document)
        for finding in report.findings[:2]:
            for suggestion in suggester.suggest(document, finding).items:
                check(engine, document, suggestion, bias=report.sentences[1].bias)
                total += 1
        for suggestion in suggester.rewrite(document, document.sentences[1]):
            check(engine, document, suggestion, bias=report.sentences[1].bias)
            total += 1
    return total


def test_suggestions_preserve_the_content(engine: Engine) -> None:
    assert offered(engine, 150) > 100


@pytest.mark.slow
def test_suggestions_preserve_the_content_of_ten_thousand_sentences(engine: Engine) -> None:
    assert offered(engine, 10_000) > 8_000
