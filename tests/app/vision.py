"""What an eye sees: colours under colour-blindness, differences, contrast."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

Array = NDArray[np.float64]

# Machado, Oliveira and Fernandes 2009, table 1, severity 1.0, on linear RGB.
VISION: dict[str, Array] = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TO_XYZ: Array = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(colour: QColor) -> Array:
    """Linear RGB of an sRGB colour."""
    part = np.array([colour.redF(), colour.greenF(), colour.blueF()])
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def lab(rgb: Array) -> Array:
    """CIE L*a*b* (D65) of a linear RGB."""
    xyz = TO_XYZ @ np.clip(rgb, 0, 1) / np.array([0.9505, 1.0, 1.089])
    root = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def contrast(one: QColor, other: QColor) -> float:
    """Contrast ratio of WCAG 2.2, from 1 to 21."""
    low, high = sorted((TO_XYZ @ linear(colour))[1] for colour in (one, other))
    return float((high + 0.05) / (low + 0.05))
