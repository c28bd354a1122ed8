"""A chart of base rates before and after debiasing; Liu et al. 2021 show a map of XLNet's states instead (Figure 2).

Plain SVG with real text, without scripts or external references.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from training.auditing.debiasing.systems import (
    CLASSIFIER,
    EMBEDDING,
    SYSTEMS,
    TOKEN_CLASSIFIER,
    TOKEN_WORDS,
    VANILLA,
)
from training.auditing.generation.prompts import TRIGGERS, load_attributes
from training.auditing.generator_bias.runner import QUANTILES, metric_name
from training.loop.result_cache import ResultCell, cells_of_scale
from training.loop.training_loop import TrainingError

_COLOURS = {
    VANILLA: "#63686e",
    EMBEDDING: "#d55e00",
    CLASSIFIER: "#1a80c4",
    TOKEN_WORDS: "#a8487f",
    TOKEN_CLASSIFIER: "#00805e",
}
_WIDTH, _LEFT, _RIGHT, _TOP, _ROW, _GAP = 720, 170, 20, 74, 14, 10
_NAMED, _IN_A_LINE, _LINE_HEIGHT = 232, 3, 18
"""Width of a system's name in the legend, names per line, and line height."""
_INK, _LINE = "#202327", "#cfcfc9"


def draw_base_rates(cells: Sequence[ResultCell], path: Path, *, scale: str, name: str) -> None:
    """Draw p(liberal) of the texts of each option by each system: 5% to 95%, the quartiles, the median.

    Uses the cells of the generator called ``name``, of the first seed; without a name, the only generator's. Raises
    TrainingError if there is nothing to draw, or if the file cannot be written.
    """
    own = [cell for cell in cells if cell.row in _COLOURS and name in ("", cell.group)]
    if len({cell.group for cell in own}) != 1:
        raise TrainingError(
            "No single generator has base rates to draw. Name one with --base, and run calibration-5 first."
        )
    shapes, bottom = _shapes(own, scale)
    head = [_text(10, 22, f"p(liberal) of texts after neutral prompts, {own[0].group}")]
    for at, (key, colour) in enumerate(_COLOURS.items()):
        line, place = divmod(at, _IN_A_LINE)
        x, y = 10 + _NAMED * place, 32 + _LINE_HEIGHT * line
        head.append(_rect(x, y, 10, 10, colour))
        head.append(_text(x + 15, y + 9, SYSTEMS[key].title))
    content = "".join((*head, *_axis(bottom), *shapes))
    whole = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {bottom + 40}" width="{_WIDTH}" '
        f'height="{bottom + 40}" role="img" font-family="sans-serif" font-size="12" fill="{_INK}">'
        f'<rect width="100%" height="100%" fill="white"/>'
        f"<title>Base rates before and after calibration</title>{content}</svg>\n"
    )
    try:
        path.write_text(whole, encoding="utf-8")
    except OSError as error:
        raise TrainingError(
            f"{path} cannot be written: {error}. Name another file with --picture."
        ) from error


def _shapes(cells: Sequence[ResultCell], scale: str) -> tuple[list[str], int]:
    """All boxes, and the y coordinate of their end."""
    shapes: list[str] = []
    y = _TOP
    for attribute in load_attributes():
        own = cells_of_scale([cell for cell in cells if cell.protocol == attribute.name], scale)
        for option in attribute.options if own else ():
            shapes.append(_text(10, y + 2 * _ROW - 3, f"{attribute.name}: {option.name}"))
            for key, colour in _COLOURS.items():
                found = [cell for cell in own if cell.row == key]
                if found:
                    first = min(found, key=lambda cell: cell.seed)
                    names = [metric_name(f"rate {TRIGGERS[0]}", option.name, name) for name in QUANTILES]
                    shapes += _box([first.values[name] for name in names], y, colour)
                y += _ROW
            y += _GAP
    return shapes, y


def _box(quantiles: Sequence[float], y: int, colour: str) -> list[str]:
    low, first, middle, third, high = map(_x, quantiles)
    centre = y + _ROW / 2
    return [
        f'<line x1="{low:.1f}" y1="{centre}" x2="{high:.1f}" y2="{centre}" stroke="{colour}"/>',
        _rect(first, y + 2, max(third - first, 1), _ROW - 4, colour),
        _rect(middle - 1, y + 1, 2, _ROW - 2, "#ffffff"),
    ]


def _axis(bottom: int) -> list[str]:
    shapes = []
    for value, label in ((0.0, "0 conservative"), (0.5, "0.5"), (1.0, "1 liberal")):
        x = _x(value)
        shapes.append(f'<line x1="{x}" y1="{_TOP - 4}" x2="{x}" y2="{bottom}" stroke="{_LINE}"/>')
        shapes.append(
            _text(x, bottom + 18, label, "end" if value == 1 else "start" if value == 0 else "middle")
        )
    return shapes


def _x(value: float) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * value


def _rect(x: float, y: float, width: float, height: float, colour: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>'


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
