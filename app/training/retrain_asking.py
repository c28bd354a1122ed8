"""A button that asks the trainer something, and stops asking when it is pressed again."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from app.training.child_question import Answer, Question


class AskButton(QPushButton):
    """Asks what ``command`` gives, if it gives something. ``answered`` carries the answer.

    ``given_up``: the person, or the form, waits for it no longer.
    """

    answered = Signal(object)
    given_up = Signal()

    def __init__(
        self, words: str, stop_words: str, command: Callable[[], list[str] | None], *, tip: str
    ) -> None:
        super().__init__()
        self._words = (words, stop_words)
        self._command = command
        self._question = Question(self)
        self.setAutoDefault(False)
        self.setToolTip(tip)
        self.setAccessibleDescription(tip)
        self.clicked.connect(self._pressed)
        self._show()

    @property
    def waits(self) -> bool:
        """Whether an answer is waited for."""
        return self._question.waits

    def give_up(self) -> None:
        """Wait no longer, if there is something that is waited for."""
        if self.waits:
            self._question.stop()
            self._show()
            self.given_up.emit()

    def _pressed(self) -> None:
        if self.waits:
            self.give_up()
        elif (command := self._command()) is not None:
            self._question.ask(command, self._answered)
            self._show()

    def _answered(self, answer: Answer) -> None:
        self._show()
        self.answered.emit(answer)

    def _show(self) -> None:
        words = self._words[self.waits]
        self.setText(words)
        self.setAccessibleName(words.replace("&", ""))
