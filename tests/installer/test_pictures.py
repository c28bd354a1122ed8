"""Protects the pictures of the guide: all are there, small, and drawn with few colours that look like the window's."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PySide6.QtGui import QImage

from installer.pictures import FOLDER, MAX_BYTES, NAMES, README_PICTURE, with_palette
from installer.project import ROOT


@pytest.mark.parametrize("path", [*(FOLDER / f"{name}.png" for name in NAMES), README_PICTURE], ids=str)
def test_each_picture_is_a_small_one_with_a_palette(path: object) -> None:
    image = QImage(str(path))
    assert image.format() == QImage.Format.Format_Indexed8
    assert image.width() >= 280
    assert README_PICTURE.stat().st_size <= MAX_BYTES


def test_the_guide_names_no_picture_that_is_not_drawn() -> None:
    guide = (ROOT / "docs" / "usage.md").read_text(encoding="utf-8")
    assert set(re.findall(r"!\[[^\]]*\]\(pictures/([\w-]+)\.png\)", guide)) <= set(NAMES)
    assert {path.stem for path in FOLDER.iterdir()} == set(NAMES)


def rgb(image: QImage) -> np.ndarray:
    made = image.convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(made.constBits(), np.uint8).reshape(made.height(), -1, 4)[..., :3].astype(int)


def test_few_colours_stay_as_they_are() -> None:
    image = QImage(33, 7, QImage.Format.Format_RGB32)
    for x in range(33):
        for y in range(7):
            image.setPixel(x, y, 0xFF000000 | x * 70_000 + y)
    made = with_palette(image)
    assert made.format() == QImage.Format.Format_Indexed8
    assert (rgb(made) == rgb(image)).all()


def test_of_many_colours_each_becomes_a_near_one() -> None:
    image = QImage(200, 100, QImage.Format.Format_RGB32)
    for x in range(200):
        for y in range(100):
            image.setPixel(x, y, 0xFF000000 | (x + 20) << 16 | (2 * y) << 8 | 128)
    assert np.abs(rgb(with_palette(image)) - rgb(image)).max() <= 24
