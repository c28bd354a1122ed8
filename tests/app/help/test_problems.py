"""The problem report says where and what, and never contains text of the draft unasked."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.help.dialogs import ProblemsDialog
from app.help.problems import MAX_PROBLEMS, Problems, make_excepthook, report

SECRET = "the senator's infamous unpublished words"


@pytest.fixture
def problems(qapp: object) -> Iterator[Problems]:
    problems = Problems()
    problems.listen()
    yield problems
    problems.stop_listening()


def fail_on(text: str) -> None:
    raise ValueError(f"cannot read {text}")


def test_an_uncaught_error_is_kept_without_its_message(problems: Problems) -> None:
    messages: list[str] = []
    try:
        fail_on(SECRET)
    except ValueError as error:
        make_excepthook(problems, messages.append)(type(error), error, error.__traceback__)
    (problem,) = problems.recent
    assert problem.description == "ValueError"
    assert problem.frames[-1].endswith("in fail_on")
    assert problem.frames[-1].startswith("tests/app/help/test_problems.py:")
    assert "ValueError" in messages[0]
    assert "save it now" in messages[0]
    whole = report(problems.recent, models=["reader small 1.0"])
    assert SECRET not in whole + messages[0]
    assert "in fail_on" in whole
    assert "reader small 1.0" in whole


def test_frames_of_a_frozen_program_are_named_by_their_place(problems: Problems) -> None:
    """Its modules bear the places that they had in the project, and lie in no folder of this computer."""
    code = compile("raise ValueError", "app/training/training_section.py", "exec")
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - it is empty
        exec(code)
    assert (
        problems.add("ValueError", caught.tb).frames[-1].startswith("app/training/training_section.py:1 in ")
    )


def test_logged_errors_and_thread_errors_are_kept(problems: Problems, qtbot: QtBot) -> None:
    logging.getLogger("app.analysis.analysis_worker").error("%s failed in %s", "_Read", "parse")
    thread = threading.Thread(target=fail_on, args=(SECRET,))
    with qtbot.waitSignal(problems.added):
        thread.start()
    thread.join()
    assert [problem.description for problem in problems.recent] == [
        "app.analysis.analysis_worker: _Read failed in parse",
        "ValueError",
    ]


def test_only_the_last_are_kept(problems: Problems) -> None:
    for number in range(MAX_PROBLEMS + 5):
        problems.add(str(number))
    assert [problem.description for problem in problems.recent] == [
        str(n) for n in range(5, MAX_PROBLEMS + 5)
    ]


def test_the_dialog_shows_what_is_copied_and_adds_the_draft_only_when_asked(
    problems: Problems, qtbot: QtBot
) -> None:
    problems.add("first")
    dialog = ProblemsDialog(problems, models=lambda: ["reader small 1.0"], draft=lambda: SECRET)
    qtbot.addWidget(dialog)
    dialog.show()
    problems.add("second")
    dialog.copy_button.click()
    copied = QGuiApplication.clipboard().text()
    assert copied == dialog.text.toPlainText()
    assert "first" in copied
    assert "second" in copied
    assert SECRET not in copied
    dialog.with_draft.setChecked(True)
    dialog.copy_button.click()
    assert SECRET in QGuiApplication.clipboard().text()
    dialog.with_draft.setChecked(False)
    assert SECRET not in dialog.text.toPlainText()
