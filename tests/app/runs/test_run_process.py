"""Queries to a child process: only the newest is answered, and none after its owner is gone."""

from __future__ import annotations

import sys

import pytest
import shiboken6
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.runs.run_process import QueryResult, TrainerQuery


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_only_the_newest_query_is_answered(qtbot: QtBot, qapp: QObject) -> None:
    question, answers = TrainerQuery(qapp), list[QueryResult]()
    question.ask(python("import time; print('old', flush=True); time.sleep(60)"), answers.append)
    question.ask(
        python("import sys; print('new'); print('why', file=sys.stderr); sys.exit(3)"), answers.append
    )
    qtbot.waitUntil(lambda: bool(answers))
    assert [(one.exit_code, one.output.strip(), one.problem) for one in answers] == [(3, "new", "why")]
    assert not question.is_running


def test_a_program_that_cannot_start_gives_an_error_result(qtbot: QtBot, qapp: QObject) -> None:
    question, answers = TrainerQuery(qapp), list[QueryResult]()
    question.ask(["/nowhere/python"], answers.append)
    qtbot.waitUntil(lambda: bool(answers))
    assert answers[0].exit_code == -1
    assert answers[0].problem
    assert not question.is_running


@pytest.mark.qt_log_ignore("QProcess: Destroyed while process", extend=True)
def test_no_result_is_delivered_after_the_owner_is_destroyed(qtbot: QtBot) -> None:
    """Its child's end came to an object that was half gone, and the error went to nobody."""
    owner, answers = QObject(), list[QueryResult]()
    question = TrainerQuery(owner)
    question.ask(python("import time; time.sleep(60)"), answers.append)
    with qtbot.captureExceptions() as raised:
        shiboken6.delete(owner)
    assert not raised
    assert not answers
