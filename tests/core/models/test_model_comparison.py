"""Protects what a person is told before another reader is used: every finding is counted once and in its place."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.comparison import compare_readings
from core.types import KINDS, Finding, Kind, Report, SentenceReading, Summary, count_kinds

SOURCE = "The shameful record 👍🏽 reveals it. The chairman said so. Nothing here."
SENTENCES = ((0, 34), (35, 56), (57, 70))


def found(start: int, end: int, kind: Kind = Kind.FRAMING) -> Finding:
    return Finding(start, end, SOURCE[start:end], kind, 0.8, False, (), f"{start}-{end}")


def report(*findings: Finding, bias: float = 0.3, biased: int = 1) -> Report:
    sentences = tuple(SentenceReading(*place, bias, False, False, None) for place in SENTENCES)  # type: ignore[arg-type]
    summary = Summary(len(sentences), biased, bias, None, count_kinds(findings))
    return Report("-", "plain", len(SOURCE), summary, sentences, findings)


def words(text: str) -> tuple[int, int]:
    start = SOURCE.index(text)
    return start, start + len(text)


def test_gained_lost_altered_and_same() -> None:
    same, lost = found(*words("shameful")), found(*words("reveals"), Kind.EPISTEMOLOGICAL)
    before = report(same, lost, found(*words("chairman")), bias=0.31, biased=2)
    after = report(
        replace(same, confidence=0.6),
        found(*words("The chairman"), Kind.DEMOGRAPHIC),
        found(*words("Nothing")),
        bias=0.27,
    )
    changes = compare_readings(SOURCE, before, after)
    assert [one.after.text for one in changes.gained if one.after] == ["Nothing"]
    assert [one.before.text for one in changes.lost if one.before] == ["reveals"]
    (altered,) = changes.altered
    assert altered.before is not None
    assert altered.after is not None
    assert (altered.before.text, altered.after.text) == ("chairman", "The chairman")
    assert altered.sentence == "The chairman said so."
    assert changes.lost[0].sentence == "The shameful record 👍🏽 reveals it."
    assert (changes.same, changes.bias_before, changes.bias_after) == (1, 0.31, 0.27)
    assert (changes.biased_before, changes.biased_after, changes.sentences) == (2, 1, 3)
    assert not changes.is_empty


def test_what_does_not_count_is_left_out_of_both() -> None:
    before, after = report(found(*words("shameful"))), report(found(*words("Nothing")))
    changes = compare_readings(SOURCE, before, after, counts=lambda one: one.text == "Nothing")
    assert (len(changes.gained), len(changes.lost)) == (1, 0)
    assert compare_readings(SOURCE, before, before).is_empty


@st.composite
def readings(draw: st.DrawFn) -> Report:
    edges = sorted(draw(st.sets(st.integers(0, len(SOURCE)), max_size=12)))
    spans = [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=False) if a < b]
    return report(*(found(a, b, draw(st.sampled_from(KINDS))) for a, b in spans))


@settings(max_examples=60)
@given(readings(), readings())
def test_every_finding_is_counted_once(before: Report, after: Report) -> None:
    changes = compare_readings(SOURCE, before, after)
    assert len(changes.lost) + len(changes.altered) + changes.same == len(before.findings)
    assert len(changes.gained) + len(changes.altered) + changes.same == len(after.findings)
    back = compare_readings(SOURCE, after, before)
    assert (back.same, len(back.gained)) == (changes.same, len(changes.lost))
