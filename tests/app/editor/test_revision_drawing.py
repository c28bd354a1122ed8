"""Protects what tracked changes look like: readable colours, apart for each author, and no line like a finding's."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPalette
from vision import contrast, lab, linear

from app.editor.revision_drawing import (
    AUTHOR_COLOURS,
    author_colour,
    draw_revision_line,
    draw_revision_place,
)
from app.editor.underlines import Pens, Weight, draw_underline
from app.widgets.theme import palette
from core.revisions.types import RevisionKind
from core.types import ALL_KINDS

pytestmark = pytest.mark.usefixtures("qapp")
BASELINE = 20
NEXT_LINE = 34
ASCENT = 17.0
WORDS = (RevisionKind.INSERTED, RevisionKind.MOVED, RevisionKind.FORMATTED)


def blank() -> tuple[QImage, QPainter]:
    image = QImage(160, 60, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return image, painter


def line(kind: RevisionKind, pens: Pens) -> QImage:
    image, painter = blank()
    draw_revision_line(
        painter, kind, (20, 140), baseline=BASELINE, size=ASCENT, pens=pens, colour=QColor("black")
    )
    painter.end()
    return image


def inked_rows(image: QImage) -> list[int]:
    return [
        y
        for y in range(image.height())
        if any(image.pixelColor(x, y).alphaF() > 0.3 for x in range(image.width()))
    ]


@pytest.mark.parametrize("dark", [False, True])
def test_the_colour_of_each_author_can_be_read_as_text(dark: bool) -> None:
    page = palette(dark=dark).color(QPalette.ColorRole.Base)
    stark = QColor("#000000" if dark else "#ffffff")
    for author in range(AUTHOR_COLOURS):
        assert contrast(author_colour(author, Pens(dark)), page) >= 4.5
        assert contrast(author_colour(author, Pens(dark, high_contrast=True)), stark) >= 7


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("high_contrast", [False, True])
def test_authors_are_apart_from_each_other_and_from_the_text(dark: bool, high_contrast: bool) -> None:
    text = palette(dark=dark, high_contrast=high_contrast).color(QPalette.ColorRole.Text)
    pens = Pens(dark, high_contrast=high_contrast)
    colours = [text, *(author_colour(author, pens) for author in range(AUTHOR_COLOURS))]
    seen = [lab(linear(colour)) for colour in colours]
    assert all(float(np.linalg.norm(one - other)) >= 20 for one, other in combinations(seen, 2))
    assert author_colour(AUTHOR_COLOURS, pens) == author_colour(0, pens), "there is one for any number"


@pytest.mark.parametrize("weight", ["thin", "normal", "thick"])
@pytest.mark.parametrize("high_contrast", [False, True])
def test_lines_are_beneath_those_of_findings_and_above_the_next_text(
    weight: Weight, high_contrast: bool
) -> None:
    pens = Pens(dark=False, high_contrast=high_contrast, weight=weight)
    lowest = 0
    for kind in ALL_KINDS:
        image, painter = blank()
        draw_underline(painter, kind, (20, 140), baseline=BASELINE, size=ASCENT, pens=pens)
        painter.end()
        lowest = max(lowest, *inked_rows(image))
    for kind in WORDS:
        rows = inked_rows(line(kind, pens))
        assert rows[0] >= lowest - 1, kind
        assert rows[-1] <= NEXT_LINE, kind


def test_inserted_and_moved_words_have_a_double_line_and_all_kinds_are_apart() -> None:
    pens = Pens(dark=False)
    rows = {kind: inked_rows(line(kind, pens)) for kind in WORDS}
    for kind in (RevisionKind.INSERTED, RevisionKind.MOVED):
        assert set(range(rows[kind][0], rows[kind][-1])) - set(rows[kind]), "there is a gap between its lines"
    formatted = rows[RevisionKind.FORMATTED]
    assert formatted == list(range(formatted[0], formatted[-1] + 1))
    for one, other in combinations(WORDS, 2):
        assert line(one, pens) != line(other, pens)


def test_a_mark_of_deleted_words_is_struck_and_hides_no_letter() -> None:
    def mark(*, struck: bool) -> list[tuple[int, int]]:
        image, painter = blank()
        draw_revision_place(
            painter, 80, baseline=BASELINE + 10, size=ASCENT, colour=QColor("black"), struck=struck
        )
        painter.end()
        return [(x, y) for x in range(160) for y in range(60) if image.pixelColor(x, y).alphaF() > 0.3]

    struck, plain = mark(struck=True), mark(struck=False)
    assert set(plain) < set(struck)
    assert max(y for _, y in struck) < BASELINE + 10 - ASCENT / 2, "small letters are below it"
    assert min(x for x, _ in struck) >= 80 - ASCENT / 2
    assert max(x for x, _ in struck) <= 80 + ASCENT / 2
