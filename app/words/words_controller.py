"""Connects the words panel with the window: scores words when needed, and goes to their places in the text."""

from __future__ import annotations

import re
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QDockWidget

from app.analysis.analysis_worker import AnalysisController, AnalysisResult, Snapshot
from app.editor.editor import TextEditor
from app.editor.positions import OffsetMap
from app.export.report_export import ReportExporter
from app.review.review_controller import FINDING_CHANGED
from app.widgets.labels import format_percent
from app.words.word_scores import ScoreWordsTask, SentenceEffects, SentenceEffectsTask, WordScores
from core.i18n import tr

if TYPE_CHECKING:
    from app.words.words_panel import WordsPanel
    from core.stereotypes.word_effects import SentenceEffect, WordEffect

DELAY_MS = 250
"""Delay between an analysis and the scoring, in case the person goes on typing."""
_SLICE_GROWTH = 2
NO_WORDS = tr("There are no words yet. Write, paste or open a draft.")
SCORING = tr("Analysing the words …")


class WordsController(QObject):
    """Scores the words of the latest analysis while the panel is visible.

    A change of the text cancels this; the shown rows stay until they are replaced.
    """

    status_message = Signal(str)

    def __init__(self, editor: TextEditor, analysis: AnalysisController, exporter: ReportExporter) -> None:
        super().__init__(editor)
        self._editor = editor
        self._analysis = analysis
        self._exporter = exporter
        self._panel: WordsPanel | None = None
        self._is_visible = False
        self._pending: Snapshot | None = None
        self._shown_snapshot: Snapshot | None = None
        self._shown_reader = self._reader = self._message = ""
        self._task: ScoreWordsTask | None = None
        self._cancel = Event()
        self._effects_task: SentenceEffectsTask | None = None
        self._effects_cancel = Event()
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._timer.timeout.connect(self._start_scoring)
        analysis.outdated.connect(self._stop)
        analysis.finished.connect(self._reading_finished)
        analysis.task_done.connect(self._task_done)

    def set_panel(self, panel: WordsPanel, dock: QDockWidget) -> None:
        """Use this panel, which is in ``dock``."""
        self._panel = panel
        # Qt also calls a dock behind another tab visible.
        self._is_visible = dock.isVisible() and not dock.visibleRegion().isEmpty()
        dock.visibilityChanged.connect(self._visibility_changed)
        panel.effects_requested.connect(self._request_effects)
        panel.location_requested.connect(self.go_to)
        panel.word_requested.connect(self.go_to_word)
        panel.export_requested.connect(self.export)
        panel.set_message(self._message)
        self._score_if_needed()

    def reset(self) -> None:
        """Another draft or another model: forget the words."""
        self._stop()
        self._pending = self._shown_snapshot = None
        self._message = ""
        if self._panel is not None:
            self._panel.clear()

    def go_to(self, effect: SentenceEffect) -> None:
        """Select a word in its sentence, if that is still in the text."""
        if self._shown_snapshot is None:
            return
        source = self._shown_snapshot.text
        at = self._find_sentence(source, effect.start, effect.end)
        if at is None:
            self.status_message.emit(FINDING_CHANGED)
            return
        positions = OffsetMap(source[effect.start : effect.end])
        self._select(
            *(at + positions.to_utf16(place - effect.start) for place in (effect.word_start, effect.word_end))
        )

    def go_to_word(self, word: WordEffect) -> None:
        """Select the first occurrence of a word."""
        if word.effects:
            self.go_to(word.effects[0])
            return
        text = self._editor.text()
        found = re.search(rf"(?<!\w){re.escape(word.word)}(?!\w)", text, re.IGNORECASE)
        if found is None:
            self.status_message.emit(FINDING_CHANGED)
        else:
            self._select(*map(OffsetMap(text).to_utf16, found.span()))

    def export(self) -> None:
        """Save the chart of the words as a picture."""
        from app.words.word_chart import chart_spec

        if self._panel is not None and self._panel.rows:
            self._exporter.export_chart("words", extra_charts={"words": chart_spec(self._panel.rows)})

    def _visibility_changed(self, there: bool) -> None:
        self._is_visible = there
        if there:
            self._score_if_needed()
        else:
            self._stop()

    def _reading_finished(self, reading: AnalysisResult) -> None:
        self._pending, self._reader = reading.snapshot, reading.reader
        self._message = reading.message if reading.report is None else "" if reading.words else NO_WORDS
        if self._message:
            self._pending = None
        if self._panel is not None:
            if reading.report is not None and not reading.words:
                self._shown_snapshot = None
                self._panel.clear()
            self._panel.set_message(self._message)
            self._score_if_needed()

    def _score_if_needed(self) -> None:
        """Score the words soon if they are needed and not known."""
        if self._panel is None or self._pending is None or not self._is_visible:
            return
        if self._is_shown(self._pending):
            self._panel.refresh()
        elif self._task is None:
            self._panel.set_message(SCORING)
            self._timer.start()

    def _is_shown(self, snapshot: Snapshot) -> bool:
        """Whether the rows belong to a text that is analysed in the same way."""
        was = self._shown_snapshot
        return (
            was is not None
            and self._reader == self._shown_reader
            and _relevant_parts(was) == _relevant_parts(snapshot)
        )

    def _start_scoring(self) -> None:
        if self._pending is not None:
            self._submit(ScoreWordsTask(self._pending))

    def _submit(self, task: ScoreWordsTask) -> None:
        self._task = task
        self._cancel = self._analysis.submit(task)

    def _stop(self) -> None:
        self._timer.stop()
        self._cancel.set()
        self._effects_cancel.set()
        self._task = self._effects_task = None

    def _task_done(self, result: object) -> None:
        if self._panel is None:
            return
        if isinstance(result, SentenceEffects) and result.task is self._effects_task:
            self._effects_task = None
            self._effects_cancel.set()
            self._panel.show_effects(result.task.word, result.effects)
        elif isinstance(result, WordScores) and result.task is self._task:
            self._task = None
            self._cancel.set()
            if result.message:
                self._panel.set_message(result.message)
            elif result.rows is None:
                self._continue(result)
            else:
                self._shown_snapshot, self._shown_reader = result.task.snapshot, self._reader
                self._panel.show_rows(result.rows, result.task.snapshot.text)

    def _continue(self, result: WordScores) -> None:
        """Submit the task again after other tasks, with a longer slice, so that it ends in any case."""
        assert self._panel is not None
        self._panel.set_message(
            tr("{share} of the words analysed …").format(share=format_percent(result.share))
        )
        task = result.task
        self._submit(ScoreWordsTask(task.snapshot, task.seconds * _SLICE_GROWTH))

    def _request_effects(self, word: WordEffect) -> None:
        """Compute the effects of a word; this replaces an earlier request."""
        if self._shown_snapshot is not None and self._is_visible:
            self._effects_cancel.set()
            self._effects_task = SentenceEffectsTask(self._shown_snapshot, word.word)
            self._effects_cancel = self._analysis.submit(self._effects_task)

    def _find_sentence(self, source: str, start: int, end: int) -> int | None:
        """The position of ``source[start:end]`` in the current text in UTF-16 units, or of its nearest occurrence."""
        now, sentence = self._editor.text(), source[start:end]
        if now[start:end] != sentence:
            positions = [at for at in (now.find(sentence, start), now.rfind(sentence, 0, start)) if at >= 0]
            start = min(positions, key=lambda at: abs(at - start), default=-1)
        return None if start < 0 else OffsetMap(now).to_utf16(start)

    def _select(self, start: int, end: int) -> None:
        self._editor.window().activateWindow()
        self._editor.setFocus()
        self._editor.go_to(start, end)


def _relevant_parts(snapshot: Snapshot) -> tuple[object, ...]:
    return snapshot.text, snapshot.format, snapshot.include_quotes, snapshot.container
