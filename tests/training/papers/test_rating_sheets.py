"""Protects the blindness of rating sheets: nothing in them tells a system, and each rater has an order of their own."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from training.papers import rating_items, rating_sheets
from training.papers.rating_items import LIU, PROTOCOLS, WIKIBIAS, Protocol, instructions
from training.types import RatingError

SOURCES = [f"The shameful law number {at} passed." for at in range(30)]
SYSTEMS = {
    "evenhand": [text.replace("shameful ", "") for text in SOURCES],
    "MODULAR": [text.replace("shameful", "new") for text in SOURCES],
    "copy": SOURCES,
}


def _plan(protocol: Protocol = WIKIBIAS, *, n: int = 20, seed: int = 1) -> rating_items.Plan:
    return rating_items.plan_sheets(protocol, SOURCES, SYSTEMS, n=n, raters=3, seed=seed)


def _rows(plan: rating_items.Plan, rater: str) -> list[list[str]]:
    text = rating_sheets.to_csv(plan, rater).decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("protocol", PROTOCOLS.values())
def test_nothing_tells_which_system_made_a_text(protocol: Protocol, tmp_path: Path) -> None:
    rating_sheets.write(_plan(protocol), tmp_path / "out")
    for path in (tmp_path / "out" / rating_sheets.RATERS).iterdir():
        text = path.read_text(encoding="utf-8-sig").lower()
        for name in SYSTEMS:
            assert name.lower() not in text, path
    assert "modular" in (tmp_path / "out" / rating_sheets.KEY).read_text(encoding="utf-8").lower()
    assert (tmp_path / "out" / rating_sheets.KEY).stat().st_mode & 0o077 == 0


def test_every_rater_has_every_item_and_some_twice_later_on() -> None:
    plan = _plan()
    assert len(plan.items) == 60
    for rows in plan.sheets.values():
        assert sorted(row.item for row in rows if not row.again) == list(range(60))
        again = [row.item for row in rows if row.again]
        assert len(again) == len(set(again)) == 6
        places = {row.item: at for at, row in enumerate(rows) if not row.again}
        assert all(places[row.item] + 5 < at for at, row in enumerate(rows) if row.again)
    orders = [[row.item for row in rows] for rows in plan.sheets.values()]
    assert orders[0] != orders[1] != orders[2]


def test_which_side_comes_first_is_chance_and_an_id_is_given_once() -> None:
    plan = _plan()
    turned = [row.turned for rows in plan.sheets.values() for row in rows]
    assert 0.35 < sum(turned) / len(turned) < 0.65
    ids = [row.id for rows in plan.sheets.values() for row in rows]
    assert len(set(ids)) == len(ids)
    assert all(name.isalpha() for name in ids)
    assert not any(row.turned for rows in _plan(LIU).sheets.values() for row in rows)


def test_the_seed_makes_the_plan() -> None:
    assert _plan(seed=1) == _plan(seed=1) != _plan(seed=2)


def test_systems_that_say_the_same_share_an_item() -> None:
    plan = rating_items.plan_sheets(
        WIKIBIAS, SOURCES, {"one": SOURCES, "two": SOURCES}, n=5, raters=1, seed=1
    )
    assert len(plan.items) == 5
    assert {item.systems for item in plan.items} == {("one", "two")}


def test_no_spreadsheet_takes_a_text_for_a_formula() -> None:
    bad = ["=1+1", "+49 30", "-2", "@SUM(A1)", "＝cmd", "plain"]
    plan = rating_items.plan_sheets(WIKIBIAS, bad, {"copy": bad}, n=6, raters=1, seed=1)
    shown = {cell for row in _rows(plan, "rater-1")[1:] for cell in row[1:3]}
    assert shown == {"'=1+1", "'+49 30", "'-2", "'@SUM(A1)", "'＝cmd", "plain"}


def test_a_spreadsheet_knows_the_sheet_as_utf_8() -> None:
    text = ["Das “schöne” Café 🌍 passed."]
    data = rating_sheets.to_csv(
        rating_items.plan_sheets(WIKIBIAS, text, {"copy": text}, n=1, raters=1, seed=1), "rater-1"
    )
    assert data.startswith(b"\xef\xbb\xbf")
    assert text[0] in data.decode("utf-8-sig")


def test_the_page_for_printing_shows_markup_as_text_and_every_step_of_a_scale() -> None:
    text = ["<script>alert(1)</script> & more"]
    page = rating_sheets.to_html(
        rating_items.plan_sheets(WIKIBIAS, text, {"copy": text}, n=1, raters=1, seed=1), "rater-1"
    ).decode()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "☐ -2 ☐ -1 ☐ 0 ☐ 1 ☐ 2" in page
    assert "☐ 0 ☐ 1 ☐ 2 ☐ 3 ☐ 4" in page


@pytest.mark.parametrize("protocol", PROTOCOLS.values())
def test_instructions_and_columns_name_every_scale(protocol: Protocol) -> None:
    told = "\n".join(instructions(protocol))
    for one in protocol.criteria:
        assert one.heading in rating_sheets.column_names(protocol)
        assert f"{one.low}: {one.ends[0]}" in told
        assert f"{one.high}: {one.ends[1]}" in told


def test_the_scales_are_those_of_the_papers() -> None:
    scales = {(p.name, one.name): (one.low, one.high) for p in PROTOCOLS.values() for one in p.criteria}
    assert scales == {
        ("wikibias", "fluency"): (-2, 2),
        ("wikibias", "bias"): (-2, 2),
        ("wikibias", "meaning"): (0, 4),
        ("liu", "bias"): (1, 7),
        ("liu", "readability"): (1, 7),
        ("liu", "coherence"): (1, 7),
    }


def test_the_key_comes_back_as_it_was(tmp_path: Path) -> None:
    plan = _plan()
    rating_sheets.write(plan, tmp_path / "out")
    assert rating_items.load_plan(tmp_path / "out" / rating_sheets.KEY) == plan


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"protocol": "wikibias", "seed": 1, "systems": []}'])
def test_a_damaged_key_is_said_in_a_sentence(content: str, tmp_path: Path) -> None:
    (tmp_path / rating_sheets.KEY).write_text(content, encoding="utf-8")
    with pytest.raises(RatingError, match="copy"):
        rating_items.load_plan(tmp_path / rating_sheets.KEY)


def test_sheets_that_may_be_filled_are_not_written_over(tmp_path: Path) -> None:
    written = rating_sheets.write(_plan(), tmp_path / "out")
    before = {path: path.read_bytes() for path in written}
    with pytest.raises(RatingError, match="another folder"):
        rating_sheets.write(_plan(seed=9), tmp_path / "out")
    assert {path: path.read_bytes() for path in written} == before


def test_bad_calls_are_refused() -> None:
    with pytest.raises(RatingError, match="29 lines, the sources have 30"):
        rating_items.plan_sheets(WIKIBIAS, SOURCES, {"short": SOURCES[1:]}, n=5, raters=1, seed=1)
    with pytest.raises(RatingError, match="from 1 to 30"):
        rating_items.plan_sheets(WIKIBIAS, SOURCES, SYSTEMS, n=31, raters=1, seed=1)
    with pytest.raises(RatingError, match="rater"):
        rating_items.plan_sheets(WIKIBIAS, SOURCES, SYSTEMS, n=5, raters=0, seed=1)
    with pytest.raises(RatingError, match="system"):
        rating_items.plan_sheets(WIKIBIAS, SOURCES, {}, n=5, raters=1, seed=1)


def test_an_empty_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "system.txt"
    path.write_bytes(b"One.\r\n\r\nThree.\r\n")
    with pytest.raises(RatingError, match="line 2"):
        rating_items.read_sentences(path)
    path.write_bytes("One  line.\nTwo\u2028lines.\n".encode())
    assert rating_items.read_sentences(path) == ["One line.", "Two lines."]
    with pytest.raises(RatingError, match="gone"):
        rating_items.read_sentences(tmp_path / "gone.txt")
