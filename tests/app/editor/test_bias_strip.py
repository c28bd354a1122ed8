"""The strip: what is dark in it is biased in the text, and a click goes exactly there."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPalette
from pytestqt.qtbot import QtBot
from vision import contrast

from app.editor.bias_strip import BiasStrip, bias_colour
from app.widgets.theme import palette
from core.types import Leaning, SentenceReading

CENTRE = Leaning(0.3, 0.4, 0.3)


def reading(start: int, end: int, bias: float, *, quoted: bool = False) -> SentenceReading:
    return SentenceReading(start, end, bias, bias >= 0.5, quoted, CENTRE)


@pytest.fixture
def strip(qtbot: QtBot) -> BiasStrip:
    """A strip of 401 pixels over 1,000 code points: neutral, biased, neutral, biased."""
    made = BiasStrip()
    qtbot.addWidget(made)
    made.setPalette(palette(dark=False))
    made.resize(16, 401)
    made.show()
    biases = (0.0, 1.0, 0.1, 0.8)
    made.set_sentences([reading(250 * at, 250 * at + 249, bias) for at, bias in enumerate(biases)], 1000)
    return made


def clicks(strip: BiasStrip) -> list[int]:
    told: list[int] = []
    strip.position_clicked.connect(told.append)
    return told


@pytest.mark.parametrize("dark", [False, True])
def test_scale_only_grows(dark: bool) -> None:
    """More bias is more contrast to the ground, in even a small step; the strongest stands far out."""
    ground = palette(dark=dark).color(QPalette.ColorRole.Window)
    ratios = [contrast(bias_colour(step / 20, dark=dark), ground) for step in range(21)]
    assert all(low < high for low, high in pairwise(ratios))
    assert ratios[-1] >= 7
    assert ratios[0] < 1.5


def test_each_sentence_has_its_place_and_shade(strip: BiasStrip) -> None:
    """Offset over length is height; the colour is that of the sentence's own bias."""
    image = strip.grab().toImage()
    for y, bias in ((50, 0.0), (150, 1.0), (250, 0.1), (350, 0.8)):
        assert image.pixelColor(8, y).name() == bias_colour(bias, dark=False).name()


def test_quoted_sentences_are_hatched(strip: BiasStrip) -> None:
    """A speaker's words are not the writer's: another look, not another shade only."""
    strip.set_sentences([reading(0, 500, 0.9), reading(500, 1000, 0.9, quoted=True)], 1000)
    image = strip.grab().toImage()
    plain = {image.pixelColor(x, y).name() for x in range(3, 13) for y in range(20, 180)}
    hatched = {image.pixelColor(x, y).name() for x in range(3, 13) for y in range(220, 380)}
    assert plain == {bias_colour(0.9, dark=False).name()}
    assert hatched > plain


def test_crowded_rows_still_show_bias(strip: BiasStrip) -> None:
    """In a long text many sentences share a pixel: a few biased ones darken it, all of them blacken it."""
    few = [reading(at, at + 1, 0.9 if at % 10 == 0 else 0.0) for at in range(20_000)]
    strip.set_sentences(few, 20_000)
    some = strip.grab().toImage().pixelColor(8, 200).lightness()
    strip.set_sentences([reading(at, at + 1, 0.9) for at in range(20_000)], 20_000)
    assert (
        strip.grab().toImage().pixelColor(8, 200).lightness()
        < some
        < bias_colour(0.1, dark=False).lightness()
    )


def test_click_and_drag_tell_code_points(strip: BiasStrip, qtbot: QtBot) -> None:
    """Middle is middle, the ends are the ends, and a drag beyond them goes no further."""
    told = clicks(strip)
    qtbot.mousePress(strip, Qt.MouseButton.LeftButton, pos=QPoint(8, 200))
    qtbot.mouseMove(strip, QPoint(8, 300))
    qtbot.mouseMove(strip, QPoint(8, 900))
    qtbot.mouseRelease(strip, Qt.MouseButton.LeftButton, pos=QPoint(8, 900))
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(8, 0))
    assert told == [500, 750, 1000, 0]


def test_empty_text_tells_nothing(qtbot: QtBot) -> None:
    """Before the first reading there is nowhere to go, and nothing breaks."""
    strip = BiasStrip()
    qtbot.addWidget(strip)
    told = clicks(strip)
    strip.set_visible_range(0, 100)
    strip.show()
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton)
    qtbot.keyClick(strip, Qt.Key.Key_Down)
    strip.set_sentences([], 0)
    assert not strip.grab().isNull()
    assert (told, strip.describe_at(5)) == ([], "")


def test_keys_walk_over_the_biased_sentences(strip: BiasStrip, qtbot: QtBot) -> None:
    """The strip is of use without a mouse; it starts from what is in sight."""
    told = clicks(strip)
    strip.set_visible_range(300, 400)
    for key in (
        Qt.Key.Key_Down,
        Qt.Key.Key_Down,
        Qt.Key.Key_Up,
        Qt.Key.Key_Up,
        Qt.Key.Key_End,
        Qt.Key.Key_Home,
    ):
        qtbot.keyClick(strip, key)
    assert told == [750, 250, 750, 250]
    assert strip.accessibleDescription().startswith("Sentence 2.")


def test_view_is_framed_inside_the_strip(strip: BiasStrip) -> None:
    """The part in sight is marked; a view of one line is still seen, at the very end too."""
    bare = strip.grab().toImage()
    for view, inside, outside in (((250, 500), 101, 300), ((999, 1000), 396, 200)):
        strip.set_visible_range(*view)
        framed = strip.grab().toImage()
        assert framed.pixelColor(8, inside) != bare.pixelColor(8, inside)
        assert framed.pixelColor(8, outside) == bare.pixelColor(8, outside)


def test_tooltip_tells_the_sentence(strip: BiasStrip) -> None:
    """Which sentence, how biased, whose words."""
    strip.set_sentences([reading(0, 400, 0.12), reading(400, 1000, 0.81, quoted=True)], 1000)
    assert strip.describe_at(10) == "Sentence 1 of 2 · bias 0.12"
    assert strip.describe_at(300) == "Sentence 2 of 2 · bias 0.81 · reads as biased · in a quotation"


def test_strip_speaks_and_takes_the_focus(strip: BiasStrip) -> None:
    """A map nobody can see is told in a sentence."""
    assert strip.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert strip.accessibleName() == "Bias over the text"
    assert strip.accessibleDescription() == "2 of 4 sentences read as biased"


def test_strip_follows_the_theme(strip: BiasStrip) -> None:
    """The kept map is drawn anew in the dark."""
    strip.grab()
    strip.setPalette(palette(dark=True))
    assert strip.grab().toImage().pixelColor(8, 150).name() == bias_colour(1.0, dark=True).name()
