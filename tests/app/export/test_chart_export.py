"""Exported charts: a PNG in the right colours, a self-contained SVG with text as text."""

from __future__ import annotations

import re
from xml.etree import ElementTree as Xml

import fakes
import pytest
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtWidgets import QApplication

from app.charts.chart_sections import CHARTS, make_chart
from app.export.chart_export import DEFAULT_WIDTH, SCALE, Picture, render_png, render_svg
from app.widgets.kinds import kind_style
from app.widgets.theme import palette
from core.types import Kind

DARK = palette(dark=True)
SVG = "{http://www.w3.org/2000/svg}"


def picture(name: str, **more: object) -> Picture:
    return Picture(CHARTS[name].title, note="A note.", foot="draft.md · Evenhand 0.1.0", **more)  # type: ignore[arg-type]


def image_of(data: bytes) -> QImage:
    image = QImage.fromData(data)
    assert not image.isNull()
    return image


@pytest.mark.parametrize("name", CHARTS)
def test_png_shows_the_chart(name: str, qapp: QApplication) -> None:
    """Twice as wide as was asked for, light, and not blank."""
    image = image_of(render_png(make_chart(name, fakes.report()), picture(name)))
    assert image.width() == SCALE * DEFAULT_WIDTH
    assert image.pixelColor(2, 2) == palette(dark=False).color(QPalette.ColorRole.Window)
    seen = {
        image.pixelColor(x, y).name() for x in range(0, image.width(), 9) for y in range(0, image.height(), 4)
    }
    assert len(seen) > 3
    assert "Evenhand" in image.text("Software")


def test_colours_follow_the_chosen_theme(qapp: QApplication) -> None:
    """Light for print, or as the window is."""
    chart = make_chart("kinds", fakes.report())
    for dress, dark in ((None, False), (DARK, True)):
        image = image_of(render_png(chart, picture("kinds", chosen_palette=dress, width=400)))
        seen = {
            QColor(image.pixel(x, y)).name()
            for x in range(0, image.width(), 2)
            for y in range(0, image.height(), 2)
        }
        assert kind_style(Kind.FRAMING, dark=dark).colour.name() in seen
        assert kind_style(Kind.FRAMING, dark=not dark).colour.name() not in seen


@pytest.mark.parametrize("name", CHARTS)
def test_svg_is_complete_and_self_contained(name: str, qapp: QApplication) -> None:
    """Well-formed, words as text, no script, nothing that is loaded."""
    data = render_svg(make_chart(name, fakes.report()), picture(name, width=700))
    root = Xml.fromstring(data)
    assert root.tag == f"{SVG}svg"
    assert root.get("width") == "700"
    words = " ".join("".join(part.itertext()) for part in root.iter(f"{SVG}text"))
    assert CHARTS[name].title in words
    assert "Evenhand 0.1.0" in words
    description = root.find(f"{SVG}desc")
    assert description is not None
    assert description.text
    tags = {part.tag.removeprefix(SVG) for part in root.iter()}
    assert not tags & {"script", "foreignObject", "image", "use", "a", "style"}
    for part in root.iter():
        for attribute, value in part.attrib.items():
            assert not attribute.startswith("on")
            assert "href" not in attribute
            assert not re.search(r"url\((?!#)", value)
    assert b"<!DOCTYPE" not in data


def test_svg_has_title_and_description(qapp: QApplication) -> None:
    """The labels of bars are text that can be found and read aloud."""
    words = render_svg(make_chart("kinds", fakes.report()), picture("kinds")).decode()
    for label in ("Framing", "Epistemological", "Demographic"):
        assert label in words
    assert re.findall(r'font-family="[^"]*, sans-serif"', words)


@pytest.mark.parametrize(
    "bad", ["\ud800 lone", "nul \0 here", "<script>alert(1)</script> & ]]>", "\ufffe", "x" * 5_000]
)
def test_hostile_names_are_escaped(bad: str, qapp: QApplication) -> None:
    """The name of a draft can hold anything."""
    shown = Picture(title=bad, note=bad, foot=bad, width=400)
    chart = make_chart("bias", fakes.report())
    root = Xml.fromstring(render_svg(chart, shown))
    assert not list(root.iter(f"{SVG}script"))
    assert image_of(render_png(chart, shown)).width() == SCALE * 400
