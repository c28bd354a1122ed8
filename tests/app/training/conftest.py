"""A window with the training page open and a fake trainer."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from training_driver import FAKE, TrainingDriver
from windows import Make

from core import training_env


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    folder = tmp_path / "corpora"
    folder.mkdir()
    for name in ("one.csv", "two.csv"):
        (folder / name).write_text("x")
    return folder


@pytest.fixture
def training(make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, corpora: Path) -> TrainingDriver:
    monkeypatch.setattr(training_env, "find_training_python", lambda: FAKE)
    window = make()
    window.settings.set("corpora_folders", (str(corpora),))
    return TrainingDriver(window, qtbot, monkeypatch)
