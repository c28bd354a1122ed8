"""The way between the words panel and the window: when words are scored, and where a chosen one leads to."""

from __future__ import annotations

import re
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QDockWidget

from app.analysis.analysis_worker import Analyst, Reading, Snapshot
from app.editor.editor import TextPane
from app.editor.positions import TextMap
from app.export.report_export import Exporting
from app.review.review_controller import GONE
from app.widgets.labels import percent
from app.words.word_scores import Effects, ReadWithout, Scored, ScoreWords
from core.i18n import tr

if TYPE_CHECKING:
    from app.words.words_panel import WordsPanel
    from core.stereotypes.word_effects import SentenceEffect, WordEffect

PAUSE_MS = 250
"""From a reading until its words are scored: the person may be typing on."""
_LONGER = 2
NOTHING = tr("There is no word to look at yet. Write, paste or open a draft.")
LOOKING = tr("Reading the words one by one …")


class Words(QObject):
    """Has the words of the newest reading scored while the panel is in sight. ``told``: a passing message.

    A change of the text cancels it; the rows that are there stay until others come.
    """

    told = Signal(str)

    def __init__(self, pane: TextPane, analyst: Analyst, exporting: Exporting) -> None:
        super().__init__(pane)
        self._pane = pane
        self._analyst = analyst
        self._exporting = exporting
        self._panel: WordsPanel | None = None
        self._in_sight = False
        self._wanted: Snapshot | None = None
        self._shown: Snapshot | None = None
        self._shown_by = self._reader = self._message = ""
        self._task: ScoreWords | None = None
        self._cancel = Event()
        self._asked: ReadWithout | None = None
        self._ask_cancel = Event()
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._start)
        analyst.outdated.connect(self._stop)
        analyst.finished.connect(self._read)
        analyst.done.connect(self._arrived)

    def set_panel(self, panel: WordsPanel, dock: QDockWidget) -> None:
        """Fill this panel, which stands in ``dock``, from now on."""
        self._panel = panel
        # A dock behind another tab is out of sight, though Qt calls it visible.
        self._in_sight = dock.isVisible() and not dock.visibleRegion().isEmpty()
        dock.visibilityChanged.connect(self._seen)
        panel.effects_wanted.connect(self._ask)
        panel.place_wanted.connect(self.go_to)
        panel.word_wanted.connect(self.go_to_word)
        panel.export_wanted.connect(self.export)
        panel.set_message(self._message)
        self._begin()

    def forget(self) -> None:
        """Another draft is there, or another model: nothing is known of its words."""
        self._stop()
        self._wanted = self._shown = None
        self._message = ""
        if self._panel is not None:
            self._panel.clear()

    def go_to(self, effect: SentenceEffect) -> None:
        """Go to a word in its sentence, where that still stands in the text."""
        if self._shown is None:
            return
        source = self._shown.text
        at = self._place(source, effect.start, effect.end)
        if at is None:
            self.told.emit(GONE)
            return
        positions = TextMap(source[effect.start : effect.end])
        self._select(*(at + positions.to_utf16(place - effect.start) for place in (effect.at, effect.to)))

    def go_to_word(self, word: WordEffect) -> None:
        """Go to the first place of a word."""
        if word.effects:
            self.go_to(word.effects[0])
            return
        text = self._pane.text()
        found = re.search(rf"(?<!\w){re.escape(word.word)}(?!\w)", text, re.IGNORECASE)
        if found is None:
            self.told.emit(GONE)
        else:
            self._select(*map(TextMap(text).to_utf16, found.span()))

    def export(self) -> None:
        """Keep the chart of the words as a picture."""
        from app.words.word_chart import chart_row

        if self._panel is not None and self._panel.rows:
            self._exporting.chart("words", more={"words": chart_row(self._panel.rows)})

    def _seen(self, there: bool) -> None:
        self._in_sight = there
        if there:
            self._begin()
        else:
            self._stop()

    def _read(self, reading: Reading) -> None:
        self._wanted, self._reader = reading.snapshot, reading.reader
        self._message = reading.message if reading.report is None else "" if reading.words else NOTHING
        if self._message:
            self._wanted = None
        if self._panel is not None:
            if reading.report is not None and not reading.words:
                self._shown = None
                self._panel.clear()
            self._panel.set_message(self._message)
            self._begin()

    def _begin(self) -> None:
        """Score the words soon, if they are wanted and not known."""
        if self._panel is None or self._wanted is None or not self._in_sight:
            return
        if self._is_shown(self._wanted):
            self._panel.refresh()
        elif self._task is None:
            self._panel.set_message(LOOKING)
            self._pause.start()

    def _is_shown(self, wanted: Snapshot) -> bool:
        """Whether the rows are of a text that reads the same."""
        was = self._shown
        return was is not None and self._reader == self._shown_by and _matter(was) == _matter(wanted)

    def _start(self) -> None:
        if self._wanted is not None:
            self._give(ScoreWords(self._wanted))

    def _give(self, task: ScoreWords) -> None:
        self._task = task
        self._cancel = self._analyst.give(task)

    def _stop(self) -> None:
        self._pause.stop()
        self._cancel.set()
        self._ask_cancel.set()
        self._task = self._asked = None

    def _arrived(self, result: object) -> None:
        if self._panel is None:
            return
        if isinstance(result, Effects) and result.of is self._asked:
            self._asked = None
            self._ask_cancel.set()
            self._panel.show_effects(result.of.word, result.effects)
        elif isinstance(result, Scored) and result.of is self._task:
            self._task = None
            self._cancel.set()
            if result.message:
                self._panel.set_message(result.message)
            elif result.rows is None:
                self._go_on(result)
            else:
                self._shown, self._shown_by = result.of.snapshot, self._reader
                self._panel.show_rows(result.rows, result.of.snapshot.text)

    def _go_on(self, result: Scored) -> None:
        """Give the thread to others for a moment, and go on; a little longer, so that an end comes in any case."""
        assert self._panel is not None
        self._panel.set_message(tr("{share} of the words read …").format(share=percent(result.share)))
        task = result.of
        self._give(ScoreWords(task.snapshot, task.seconds * _LONGER))

    def _ask(self, word: WordEffect) -> None:
        """Have the sentences of a word read without it; another word that was asked for is asked no more."""
        if self._shown is not None and self._in_sight:
            self._ask_cancel.set()
            self._asked = ReadWithout(self._shown, word.word)
            self._ask_cancel = self._analyst.give(self._asked)

    def _place(self, source: str, start: int, end: int) -> int | None:
        """Where ``source[start:end]`` stands now, in UTF-16 units: there, or else where it is found nearest."""
        now, sentence = self._pane.text(), source[start:end]
        if now[start:end] != sentence:
            places = [at for at in (now.find(sentence, start), now.rfind(sentence, 0, start)) if at >= 0]
            start = min(places, key=lambda at: abs(at - start), default=-1)
        return None if start < 0 else TextMap(now).to_utf16(start)

    def _select(self, start: int, end: int) -> None:
        self._pane.window().activateWindow()
        self._pane.setFocus()
        self._pane.go_to(start, end)


def _matter(snapshot: Snapshot) -> tuple[object, ...]:
    return snapshot.text, snapshot.format, snapshot.include_quotes, snapshot.container
