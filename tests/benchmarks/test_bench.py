"""Protects the benchmark's frame: text, figures, turns, what is said of peers that are not here, table and picture."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents import Format, parse
from resources import ROOT
from tests.benchmarks.beside import reading, rewriting
from tests.benchmarks.beside.child import Ready, Work
from tests.benchmarks.beside.contenders import Contender, Measured, compare, node, python
from tests.benchmarks.beside.figures import exponent, quantile, ratios, spread
from tests.benchmarks.beside.growth import EDITS, Grown
from tests.benchmarks.beside.picture import draw
from tests.benchmarks.beside.results import Machine, Results, this_machine
from tests.benchmarks.beside.table import HEAD, markdown, rows
from tests.benchmarks.beside.text import draft, sentences

TIMES = st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=9)


def test_no_sentence_comes_twice_and_the_same_seed_gives_the_same_text() -> None:
    lines = sentences(3000, seed=4)
    assert len(set(lines)) == 3000
    assert lines == sentences(3000, seed=4)
    assert lines[:3000] == sentences(4000, seed=4)[:3000]
    assert lines != sentences(3000, seed=5)


def test_the_draft_has_the_sentences_that_were_put_into_it() -> None:
    lines = sentences(400)
    text = draft(lines)
    found = [text[one.start : one.end] for one in parse(text, Format.PLAIN).sentences]
    assert found == lines


@given(TIMES)
def test_a_spread_holds_its_median(values: list[float]) -> None:
    found = spread(values)
    assert found.least <= found.median <= found.most
    assert found.runs == len(values)
    assert quantile(values, 0) == found.least
    assert quantile(values, 1) == found.most
    assert quantile(values, 0.5) == pytest.approx(found.median)


def test_ratios_are_taken_round_by_round() -> None:
    """A round in which the computer was three times as slow for both says no more and no less than another."""
    found = ratios([8.0, 24.0, 10.0], [2.0, 6.0, 2.0])
    assert (found.median, found.least, found.most) == (4.0, 4.0, 5.0)
    with pytest.raises(ValueError, match="longer"):
        ratios([1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="Nothing was measured"):
        spread([])


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.0])
def test_the_exponent_of_a_power_is_found(power: float) -> None:
    sizes = [10, 100, 1000, 10_000]
    assert exponent(sizes, [0.3 * size**power for size in sizes]) == pytest.approx(power)
    with pytest.raises(ValueError, match="two sizes"):
        exponent([10], [1.0])


def steady(log: str, name: str) -> Ready:
    """A contender for the test below: writes down when it runs, and prints as libraries do."""

    def prepare(number: int) -> Work:
        def work() -> dict[str, float]:
            print("{'noise': 1}")
            with Path(log).open("a", encoding="utf-8") as file:
                file.write(f"{name}{number} ")
            return {"found": 3.0}

        return work

    return Ready(f"{name} 1.0", prepare)


def failing(_log: str) -> Ready:
    """A contender that needs what is not there."""
    raise ModuleNotFoundError("No module named 'peer'")


def broken(_log: str) -> Ready:
    """A contender that ends in the middle of a run."""

    def prepare(number: int) -> Work:
        return lambda: sys.exit(7) if number else {}

    return Ready("broken", prepare)


def test_contenders_run_by_turns_in_processes_of_their_own_and_those_that_cannot_say_why(
    tmp_path: Path,
) -> None:
    log = tmp_path / "log"
    here = "test_bench"

    def command(function: str, *arguments: object) -> tuple[str, ...]:
        return tuple(
            part.replace(f"beside.{here}", here) for part in python(f"{here}:{function}", log, *arguments)
        )

    found = compare(
        [
            Contender("one", "does", command("steady", "a"), 5),
            Contender("gone", "does", command("failing")),
            Contender("ends", "does", command("broken")),
            Contender("nowhere", "does", ("no-such-program-anywhere",)),
            Contender("two", "does", command("steady", "b"), 5),
        ],
        2,
    )
    one, gone, ends, nowhere, two = found
    assert log.read_text(encoding="utf-8").split() == ["a0", "b0", "a1", "b1", "a2", "b2"]
    for ran, version in ((one, "a 1.0"), (two, "b 1.0")):
        assert (ran.version, ran.missing, len(ran.seconds), len(ran.cpu)) == (version, "", 2, 2)
        assert ran.told == [{"found": 3.0}] * 2
        assert ran.peak > 1e6
        assert ran.start > 0
    assert gone.missing == "No module named 'peer'"
    assert "7" in ends.missing
    assert nowhere.missing == "no-such-program-anywhere is not installed"


def test_a_checker_in_javascript_that_is_not_installed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.benchmarks.beside.contenders.PEERS", tmp_path)
    (found,) = compare([Contender("alex", "does", node("alex", tmp_path))], 1)
    assert found.missing in ("not installed; make bench-peers", "node is not installed")


def ran(name: str, seconds: list[float], count: int = 100, **told: float) -> Measured:
    """A contender that was measured."""
    return Measured(name, "what it does", count, "1.0", "", 0.5, 2e8, seconds, seconds, [told] * len(seconds))


def grown(sizes: tuple[int, ...]) -> Grown:
    """Growth that is linear when read whole and none after an edit."""
    again = {f"edit {number}": 0.02 for number in range(EDITS)}
    return Grown(
        sizes, tuple(ran(f"{size} sentences", [1.0], whole=size / 100, before=1e8, **again) for size in sizes)
    )


def results() -> Results:
    """All parts, with a checker that is not here."""
    return Results(
        Machine("Some processor", 2, "Linux", "3.11", "0.1", "2026-11-22", "0.1"),
        True,
        reading=[
            ran(reading.OURS, [1.0, 2.0, 1.0], found=3.0),
            ran(reading.SAME, [4.5, 9.0, 3.5]),
            Measured("alex", "does", missing="not installed; make bench-peers"),
        ],
        rewriting=[ran(rewriting.OURS, [1.0]), ran(rewriting.SAME, [4.0])],
        windows={"first paint": [0.5], "editable": [1.6]},
        commands={"evenhand check": [0.7]},
        keys={"seen": [0.35, 0.36, 0.39], "missed": 1, "peak": 3e8},
        growth=grown((10, 100, 1000)),
        training=[ran("training loop", [1.0], rate=900.0), ran("Trainer", [1.0], rate=600.0)],
    )


def test_the_table_sets_the_peers_beside_ours_and_says_which_bars_are_reached() -> None:
    found = {row.name: " ".join(row.cells) for row in rows(results())}
    assert "4.5× (3.5 … 4.5)" in found[reading.SAME]
    assert "bar 4×: reached" in found[reading.SAME]
    assert "100 " in found[reading.OURS]
    assert "3 found" in found[reading.OURS]
    assert "×" not in found[reading.OURS]
    assert "bar 5×: missed" in found[rewriting.SAME]
    assert found["alex"].startswith("not here")
    assert found["alex"].endswith("make bench-peers")
    assert "360 ms" in found["key to line"]
    assert "bar 400 ms: reached" in found["key to line"]
    assert "1 got no line" in found["key to line"]
    assert "1.5×" in found["Trainer"]
    assert "bar 1.5 s: missed" in found["window: editable"]
    slopes = [row.cells[0] for row in rows(results()) if row.name == "exponent"]
    assert slopes == ["1.00", "0.00"] or slopes == ["1.00", "-0.00"]


def test_no_bar_is_judged_on_a_busy_computer() -> None:
    """Two threads of torch that wait for one another and for a core look a dozen times as slow as they are."""
    some = results()
    some.machine = replace(some.machine, load="2.5")
    told = " ".join(cell for row in rows(some) for cell in row.cells)
    assert told.count("not judged") == 4
    assert "reached" not in told
    assert "missed" not in told


def test_a_window_in_which_no_line_was_seen_is_told() -> None:
    some = replace(results(), keys={"seen": [], "missed": 4, "peak": 3e8})
    found = {row.name: " ".join(row.cells) for row in rows(some)}
    assert found["key to line"].startswith("none seen")


def test_every_peer_is_locked_by_its_hash_and_no_place_to_fetch_it_from_is_named() -> None:
    folder = ROOT.parent / "tests" / "benchmarks" / "peers"
    lock = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    fetched = {name: one for name, one in lock.items() if name}
    assert all(one["integrity"].startswith("sha512-") for one in fetched.values())
    assert not any("resolved" in one for one in fetched.values())
    wanted = json.loads((folder / "package.json").read_text(encoding="utf-8"))["dependencies"]
    assert {name: lock[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    text = (folder / "requirements.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    entries = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    assert len(entries) >= 4
    assert all("==" in entry and "--hash=sha256:" in entry for entry in entries)


def test_every_row_of_the_markdown_has_all_columns_and_parts_left_out_are_not_there() -> None:
    for some in (results(), Results(this_machine(), False)):
        lines = [line for line in markdown(some).splitlines() if line.startswith("|")]
        assert len(lines) >= 2
        assert {line.count("|") for line in lines} == {len(HEAD) + 1}
    assert "**Reading" in markdown(results())
    assert "**" not in markdown(Results(this_machine(), False))


def test_all_that_was_measured_is_in_the_json() -> None:
    told = json.loads(json.dumps(results().as_dict()))
    assert told["reading"][1]["seconds"] == [4.5, 9.0, 3.5]
    assert told["growth"]["sizes"] == [10, 100, 1000]
    assert told["machine"]["processor"] == "Some processor"


@pytest.mark.usefixtures("qapp")
def test_the_picture_is_written_and_is_not_blank(tmp_path: Path) -> None:
    from PySide6.QtGui import QColor, QImage

    path = tmp_path / "bench.png"
    draw(results(), path)
    image = QImage(str(path))
    assert image.width() > 2000
    parts = [[], [], [], []]
    for x in range(0, image.width(), 3):
        for y in range(0, image.height(), 3):
            parts[4 * x // image.width()].append(image.pixel(x, y))
    for pixels in parts:
        assert len(set(pixels)) > 3
        assert pixels.count(QColor("white").rgb()) < len(pixels)
