"""The table of the leaning gauge: the interval covers the share of ratings that it should.

The bundle reads as in the app.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine.reader import Reader
from core.reports import chart_data
from core.reports.chart_data import leaning_interval
from core.types import Leaning
from tests.tiny import make_bundle
from training.corpora import allsides, babe
from training.evaluation import leaning_gauge

shares = st.tuples(*[st.floats(0.01, 1)] * 3)


@given(st.lists(st.tuples(shares, st.integers(0, 2)), min_size=20, max_size=60))
def test_a_band_of_that_width_holds_the_share_it_is_for(
    drawn: list[tuple[tuple[float, float, float], int]],
) -> None:
    told = [(Leaning(*(share / sum(three) for share in three)), rating) for three, rating in drawn]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chart_data, "INTERVAL_SCALE", leaning_gauge.interval_half_width(told) * 1.0000001)
        held = [
            low <= rating - 1 <= high
            for leaning, rating in told
            for _, low, high in [leaning_interval(leaning)]
        ]
    assert sum(held) >= leaning_gauge.COVERAGE * len(held)


def test_a_surer_reader_has_a_narrower_band() -> None:
    def width(leaning: Leaning) -> float:
        _, low, high = leaning_interval(leaning)
        return high - low

    assert width(Leaning(0.02, 0.96, 0.02)) < width(Leaning(0.2, 0.6, 0.2)) < width(Leaning(0.3, 0.4, 0.3))


def test_the_table_has_every_length_and_the_interval(
    corpora: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(1)
    found = [
        allsides.Article(
            f"Outlet {at % 9}",
            at % 3,
            "x",
            tuple(" ".join(draw.choice(("union", "border", "law")) for _ in range(12)) for _ in range(9)),
        )
        for at in range(45)
    ]
    monkeypatch.setattr(allsides, "load", lambda *_, **__: found)
    monkeypatch.setattr(allsides, "is_held_out", lambda outlet: outlet < "Outlet 5")
    told = leaning_gauge.run(corpora, make_bundle(tmp_path / "tiny")).splitlines()
    assert [line.split()[0] for line in told[1:8]] == ["10", "20", "40", "60", "100", "200", "all"]
    assert told[1].split()[1] == "25"
    assert all(re.search(r"\d \[[\d.]+, [\d.]+\]", line) for line in told[1:8])
    assert "no leaning below" in told[-3]
    assert "of 25 articles" in told[-2]
    assert re.match(
        r"\d+ texts of 6 sentences of \d+ BABE outlets that are in no corpus of articles", told[-1]
    )


def test_sentences_of_other_outlets_are_grouped_by_outlet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [(f"Line {at} of Alternet.", "Alternet", 0) for at in range(15)]
    rows += [(f"Line {at} of Reuters.", "Reuters", 1) for at in range(6)]
    rows += [(f"Line {at} of Fox News.", "Fox News", 2) for at in range(30)]
    monkeypatch.setattr(babe, "rated_sentences", lambda _: rows)
    texts = leaning_gauge._texts_of_other_outlets(tmp_path, {allsides.publisher_of("Fox Online News")})
    assert [(rating, outlet) for rating, outlet, _ in texts] == [(0, "Alternet")] * 2 + [(1, "Reuters")]
    lines = [sentences for _, _, sentences in texts]
    assert [len(set(some)) for some in lines] == [6, 6, 6]
    assert not set(lines[0]) & set(lines[1])
    assert leaning_gauge._score_other_outlets(Reader.load(make_bundle(tmp_path / "tiny")), []).startswith(
        "every outlet of BABE is in"
    )
