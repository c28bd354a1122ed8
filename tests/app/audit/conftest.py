"""The audit window over a trainer that replays recorded events."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from audit_drivers import BiasAuditDriver, CompassDriver
from pytestqt.qtbot import QtBot
from windows import Make

from core import training_env
from core.training_env import TrainingPython

HERE = Path(__file__).parent


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    folder = tmp_path / "corpora"
    folder.mkdir()
    return folder


def _train_with(child: str, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = TrainingPython((sys.executable, str(HERE / child)), "fake", managed=False)
    monkeypatch.setattr(training_env, "find_training_python", lambda: trainer)


@pytest.fixture
def bias_driver(make: Make, qtbot: QtBot, corpora: Path, monkeypatch: pytest.MonkeyPatch) -> BiasAuditDriver:
    _train_with("audit_child.py", monkeypatch)
    return BiasAuditDriver(make(), qtbot, corpora, monkeypatch)


@pytest.fixture
def compass_driver(make: Make, qtbot: QtBot, corpora: Path, monkeypatch: pytest.MonkeyPatch) -> CompassDriver:
    _train_with("compass_child.py", monkeypatch)
    return CompassDriver(make(), qtbot, corpora, monkeypatch)
