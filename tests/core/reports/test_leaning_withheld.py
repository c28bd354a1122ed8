"""Protects silence: where a reader says that its political leaning cannot be trusted, no output names a side."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents import Format, parse
from core.engine.cues import Lexicon
from core.engine.engine import Engine
from core.engine.political_leaning import is_confident
from core.engine.reader import Reader
from core.reports.chart_data import paragraph_bars
from core.reports.descriptions import describe_leaning_chart, explain_missing_leaning
from core.reports.html_report import ReportContext, render_page
from core.reports.html_tables import ReportEntry
from core.reports.json_report import file_entry
from core.reports.terminal import render_text
from core.types import Leaning, NoLeaning, Report
from tests.tiny import describe

LEFT = "The union and the workers said that the policy is new to the people. "
RIGHT = "The border and the patriots said that the policy is new to the people. "
DULL = "The law and the record said that the policy is new to the people. "
MIXED = (LEFT + RIGHT) * 10

Open = Callable[[float], Engine]


@pytest.fixture(scope="module")
def open_with(tiny_bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Open:
    """Opens a reader that states with which probability it can tell a leaning."""

    def with_threshold(least: float) -> Engine:
        folder = tmp_path_factory.mktemp("reader") / "reader"
        shutil.copytree(tiny_bundle, folder)
        describe(folder, thresholds={"span": 0.5, "bias": 0.5, "political": 0.5, "leaning": least})
        return Engine(Reader.load(folder, threads=1), Lexicon.load())

    return with_threshold


def analyse(engine: Engine, source: str) -> Report:
    return engine.analyse(parse(source, Format.PLAIN))


def outputs(engine: Engine, report: Report, source: str) -> tuple[str, str]:
    """What is printed, on one line, and the page."""
    context = ReportContext(datetime.now(UTC), "1", ())
    page = "".join(
        render_page([ReportEntry("a.txt", report, source, leaning=True)], context, lexicon=engine.lexicon)
    )
    return " ".join(render_text(report, source, lexicon=engine.lexicon, leaning=True).split()), page


@pytest.mark.parametrize(
    ("least", "source", "reason"),
    [
        (0.0, LEFT * 20, None),
        (0.0, MIXED, None),
        (0.8, LEFT * 20, None),
        (0.8, MIXED, NoLeaning.UNSURE),
        (0.8, LEFT, NoLeaning.SHORT),
        (0.8, DULL * 20, NoLeaning.UNPOLITICAL),
        (1.0, LEFT * 20, NoLeaning.UNABLE),
        (1.0, LEFT, NoLeaning.UNABLE),
        (1.0, DULL * 20, NoLeaning.UNABLE),
    ],
)
def test_every_output_tells_a_side_or_why_it_does_not(
    open_with: Open, least: float, source: str, reason: NoLeaning | None
) -> None:
    engine = open_with(least)
    report = analyse(engine, source)
    assert (report.summary.leaning is None, report.summary.no_leaning) == (reason is not None, reason)
    (paragraph,) = report.paragraphs
    assert (paragraph.leaning is None, paragraph.no_leaning) == (reason is not None, reason)
    printed, page = outputs(engine, report, source)
    entry = file_entry(report, {}, lexicon=engine.lexicon)["summary"]
    assert entry["no_leaning"] == (None if reason is None else reason.value)
    assert (entry["leaning"] is None) is (reason is not None)
    for output in (printed, page):
        assert ("resemble" in output) is (reason is None)
        assert (reason is not None) is (explain_missing_leaning(reason) in output)
    chart = describe_leaning_chart(paragraph_bars(report))
    assert ("cannot tell" in chart) is (reason in (NoLeaning.UNSURE, NoLeaning.UNABLE))


def test_each_reason_has_a_sentence_of_its_own() -> None:
    sentences = [explain_missing_leaning(reason) for reason in (None, *NoLeaning)]
    assert len(set(sentences)) == len(sentences)
    assert all(one.count(".") == 1 and one.endswith(".") for one in sentences)


def test_a_sentence_has_a_leaning_only_where_the_reader_can_tell(open_with: Open) -> None:
    source = f"{LEFT}{DULL}"
    for least, told in ((0.0, [True, True]), (0.8, [True, False]), (1.0, [False, False])):
        engine = open_with(least)
        report = analyse(engine, source)
        entries = file_entry(report, {}, lexicon=engine.lexicon)["sentences"]
        assert [one.leaning is not None for one in report.sentences] == told
        assert [one["leaning"] is not None for one in entries] == told


def test_a_reader_that_can_never_tell_is_not_asked(open_with: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = open_with(1.0)
    analyse(engine, LEFT * 20)
    monkeypatch.setattr(engine.reader, "_read_batch", lambda *_: pytest.fail("a window was read"))
    assert analyse(engine, LEFT * 40).summary.no_leaning is NoLeaning.UNABLE


SHARES = st.tuples(st.floats(0.01, 1), st.floats(0.01, 1), st.floats(0.01, 1)).map(
    lambda parts: (parts[0] / sum(parts), parts[1] / sum(parts), parts[2] / sum(parts))
)


@given(shares=SHARES, least=st.floats(0, 1))
def test_a_leaning_is_told_only_where_its_likeliest_side_is_likely_enough(
    shares: tuple[float, float, float], least: float
) -> None:
    assert is_confident(Leaning(*shares), least) is (least < 1 and max(shares) >= least)
