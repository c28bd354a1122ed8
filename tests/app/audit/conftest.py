"""The audit window over a trainer that plays back what an audit said."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from auditing import Auditing
from pytestqt.qtbot import QtBot
from windows import Make

from core import environment
from core.environment import Trainer

CHILD = Path(__file__).with_name("audit_child.py")


@pytest.fixture
def auditing(make: Make, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Auditing:
    trainer = Trainer((sys.executable, str(CHILD)), "fake", managed=False)
    monkeypatch.setattr(environment, "trainer", lambda: trainer)
    corpora = tmp_path / "corpora"
    corpora.mkdir()
    return Auditing(make(), qtbot, corpora, monkeypatch)
