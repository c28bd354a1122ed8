"""The one table: what was measured, the peers beside, the bars."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tests.benchmarks.beside import reading, rewriting, training
from tests.benchmarks.beside.contenders import Measured
from tests.benchmarks.beside.figures import Spread, quantile, ratios, spread
from tests.benchmarks.beside.growth import FITTED, Grown
from tests.benchmarks.beside.results import Results

HEAD = (
    "what",
    "median",
    "from … to",
    "runs",
    "beside ours",
    "processor",
    "memory",
    "start",
    "what it does, or found",
)
READING_BAR, REWRITING_BAR, KEYS_BAR_MS, START_BAR_S = 4.0, 5.0, 400, 1.5
USABLE = "editable"
"""The step of a window's start from which a person can work."""

_READERS = {reading.SAME: reading.OURS, reading.SAME_ALONE: reading.OURS_ALONE}
_REWRITERS = {rewriting.SAME: rewriting.OURS}
_LOOPS = {training.SAME: training.OURS}
"""Each peer that has the same model as one of ours, and that one."""

_NONE = "–"
_HOW = (
    "Medians of rounds in which all contenders of a part run by turns, each in a process of its own and warm, on "
    "the same text, of which no sentence comes twice. “beside ours”: the median of the rounds' ratios, and their "
    "spread. “start”: from the start of the process until it is warm. The checkers find other things: ratios are "
    "claimed for the same encoder and the same weights alone."
)


@dataclass(frozen=True, slots=True)
class Row:
    """One row, as it is shown; a row with a name alone begins a part."""

    name: str
    cells: tuple[str, ...] = ()


def rows(results: Results) -> list[Row]:
    """The rows of all parts that were measured."""
    found: list[Row] = []
    for title, part in (
        ("Reading, sentences a second", _speeds(results.reading, _READERS, _judged(results, READING_BAR))),
        (
            "Rewriting, asks a second",
            _speeds(results.rewriting, _REWRITERS, _judged(results, REWRITING_BAR)),
        ),
        ("Start, from the start of the process", _starts(results)),
        ("Keystroke to underline in the real window, the pause of 300 ms included", _keys(results)),
        ("Growth, a draft read whole", _growth(results.growth)),
        ("Growth, read again after one edit", _again(results.growth)),
        ("Training, tokens a second", _speeds(results.training, _LOOPS, None)),
    ):
        below = list(part)
        if below:
            found += [Row(title), *below]
    return found


def markdown(results: Results) -> str:
    """The whole as Markdown, padded so that it can be read as it is."""
    machine = results.machine
    lines = [[*HEAD], *([row.name, *row.cells] for row in rows(results))]
    widths = [max(len(line[at]) for line in lines if at < len(line) > 1) for at in range(len(HEAD))]
    shown = [_line(lines[0], widths), "|" + "|".join("-" * (width + 2) for width in widths) + "|"]
    for line in lines[1:]:
        shown.append(_line(line if len(line) > 1 else [f"**{line[0]}**"], widths))
    load = f", load {machine.load} before" if machine.load else ""
    about = (
        f"{machine.processor}, {machine.cores} cores, {machine.system}{load}; Python {machine.python}, "
        f"Evenhand {machine.evenhand}; {machine.day}{'; small sizes (QUICK)' if results.quick else ''}. {_HOW}"
    )
    versions = sorted({one.version for one in _all(results) if one.version})
    return "\n".join((about, "", *shown, "", f"Versions: {'; '.join(versions)}.", ""))


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    filled = (*cells, *("" for _ in range(len(widths) - len(cells))))
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(filled, widths, strict=True)) + " |"


def _all(results: Results) -> Iterator[Measured]:
    yield from (*results.reading, *results.rewriting, *results.training)
    yield from results.growth.measured if results.growth else ()


def _speeds(
    measured: Sequence[Measured], pairs: Mapping[str, str], judged: Callable[[float], str] | None
) -> Iterator[Row]:
    """A row for each; a peer with the same model is set beside ours as ``pairs`` says, and the bar beside that."""
    named = {one.name: one for one in measured}
    for one in measured:
        if one.missing:
            yield _missing(one)
            continue
        speed = spread([_rate(one, at) for at in range(len(one.seconds))])
        beside = _NONE
        does = one.does
        first = named.get(pairs.get(one.name, ""))
        if first is not None and not first.missing:
            times = ratios(_times(one), _times(first))
            beside = f"{times.median:.1f}× ({times.least:.1f} … {times.most:.1f})"
            busy = ratios(one.cpu, first.cpu).median
            does += f"; processor time {busy:.1f}×"
            if judged is not None:
                does += f"; {judged(times.median)}"
        if "found" in one.told[0]:
            found = statistics.median(told["found"] for told in one.told)
            does += f"; {found:,.0f} found"
        yield Row(
            one.name,
            (
                *_shown(speed, "", 0 if speed.median >= 100 else 1),
                beside,
                f"{statistics.median(one.cpu):.2f} s",
                _megabytes(one.peak),
                f"{one.start:.1f} s",
                does,
            ),
        )


def _rate(one: Measured, at: int) -> float:
    """Things a second in one run: what it tells itself, or the material over its time."""
    told = one.told[at]
    return told["rate"] if "rate" in told else one.count / one.seconds[at]


def _times(one: Measured) -> list[float]:
    return [1 / _rate(one, at) for at in range(len(one.seconds))]


def _missing(one: Measured) -> Row:
    return Row(one.name, ("not here", _NONE, "0", _NONE, _NONE, _NONE, _NONE, one.missing))


def _starts(results: Results) -> Iterator[Row]:
    for names, prefix in ((results.windows, "window: "), (results.commands, "")):
        for name, seconds in names.items():
            figures = spread(seconds)
            does = _STARTS.get(name, "")
            if name == USABLE:
                does += f"; {_said(results, f'{START_BAR_S} s', figures.median <= START_BAR_S)}"
            yield Row(f"{prefix}{name}", (*_shown(figures, " s", 2), *([_NONE] * 4), does))


_STARTS = {
    "first paint": "the text is shown",
    "editable": "a typed letter stands in it",
    "panels": "the panels are filled",
    "analysed": "the sample draft is read",
    "evenhand --version": "the command alone",
    "evenhand check": "the sample draft, whole process",
    "evenhand check --suggest 3": "with suggestions",
}


def _keys(results: Results) -> Iterator[Row]:
    if not results.keys:
        return
    seen = [1000 * seconds for seconds in results.keys["seen"]]
    if not seen:
        yield Row(
            "key to line", ("none seen", _NONE, "0", *([_NONE] * 4), "no sentence that was typed got a line")
        )
        return
    figures = spread(seen)
    does = f"p90 {quantile(seen, 0.9):.0f} ms; {_said(results, f'{KEYS_BAR_MS} ms', figures.median <= KEYS_BAR_MS)}"
    if missed := results.keys["missed"]:
        does += f"; {missed} got no line"
    memory = _megabytes(results.keys["peak"])
    yield Row("key to line", (*_shown(figures, " ms", 0), _NONE, _NONE, memory, _NONE, does))


def _growth(grown: Grown | None) -> Iterator[Row]:
    for at, size in enumerate(grown.sizes if grown else ()):
        one = grown.measured[at]
        if one.missing:
            yield _missing(one)
            continue
        told = one.told[0]
        seconds, grew = told["whole"], max(0.0, one.peak - told["before"])
        does = f"{seconds:.2f} s, {1e3 * seconds / size:.1f} ms a sentence; memory grew by {_megabytes(grew)}"
        cells = (
            f"{size / seconds:.0f}/s",
            _NONE,
            "1",
            _NONE,
            _NONE,
            _megabytes(one.peak),
            f"{one.start:.1f} s",
            does,
        )
        yield Row(one.name, cells)
    if grown and len(grown.sizes) > 1:
        said = f"slope of log time over log size, last {FITTED}: 1 is linear"
        yield Row("exponent", (f"{grown.first_exponent:.2f}", *([_NONE] * 6), said))


def _again(grown: Grown | None) -> Iterator[Row]:
    for at in range(len(grown.sizes) if grown else 0):
        one = grown.measured[at]
        if not one.missing:
            cells = _shown(spread([1000 * seconds for seconds in grown.again(at)]), " ms", 0)
            yield Row(one.name, (*cells, *([_NONE] * 4), "one word more in one sentence"))
    if grown and len(grown.sizes) > 1:
        said = "the same: 0 is independent of length"
        yield Row("exponent", (f"{grown.again_exponent:.2f}", *([_NONE] * 6), said))


def _shown(figures: Spread, unit: str, digits: int) -> tuple[str, str, str]:
    """Median, spread and runs."""
    return (
        f"{figures.median:,.{digits}f}{unit}",
        f"{figures.least:,.{digits}f} … {figures.most:,.{digits}f}",
        str(figures.runs),
    )


def _megabytes(size: float) -> str:
    return f"{size / 1e6:,.0f} MB"


def _judged(results: Results, bar: float) -> Callable[[float], str]:
    return lambda times: _said(results, f"{bar:g}×", times >= bar)


def _said(results: Results, bar: str, reached: bool) -> str:
    """A bar is judged on a quiet computer only."""
    if results.machine.busy:
        return f"bar {bar}: not judged, the computer was busy"
    return f"bar {bar}: {'reached' if reached else 'missed'}"
