"""Using a wording: what was shown is put in place of what was read, as one step, or nothing is changed."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent

from app.analysis.analysis_worker import Analyst
from app.analysis.suggestion_prefetch import Place, Suggesting
from app.analysis.suggestions import SOON, Key, Wordings, changes, described
from app.editor.editor import TextPane
from app.editor.marks import moved
from app.editor.positions import TextMap
from app.review.card_controller import CardHost
from app.review.ignore_commands import NO_FINDING, short
from app.review.review_controller import Review
from app.review.suggestion_rows import READ_ONLY
from core.i18n import tr
from core.types import Finding

CHANGED = tr(
    "This sentence was changed since it was read. Nothing was replaced; new wordings are being looked for."
)
OFF = tr("Called off: no wording will be put in.")


@dataclass(frozen=True, slots=True)
class _Awaited:
    """A wording that was chosen before it was found: its number, what it depends on, where its words begin (UTF-16)."""

    number: int
    key: Key
    start: int


class Rewording(QObject):
    """Applies wordings, from the keys and from the card. One that is still looked for is put in when it is found,
    unless the text is changed, Escape is pressed or the person goes to another finding meanwhile.

    ``applied``: the ``Finding``, and where it began in UTF-16 units of the text as it is then. ``used``: the
    ``Finding``, the ``Place`` of its sentence, and the ``Suggestion``. ``told``: a passing message.
    """

    applied = Signal(object, int)
    used = Signal(object, object, object)
    told = Signal(str)

    def __init__(
        self,
        pane: TextPane,
        analyst: Analyst,
        *,
        cards: CardHost,
        review: Review,
        suggesting: Suggesting,
    ) -> None:
        super().__init__(pane)
        self._pane = pane
        self._analyst = analyst
        self._cards = cards
        self._review = review
        self._suggesting = suggesting
        self._awaited: _Awaited | None = None
        cards.chosen.connect(self.apply)
        suggesting.known.connect(lambda _: self._look())
        review.shown.connect(self._look)
        pane.caret_on.connect(self._caret_on)
        for end in (analyst.outdated, analyst.stopped, cards.dismissed):
            end.connect(self.forget)

    def apply_here(self, number: int) -> None:
        """Use the wording of that number at the finding that a person is at."""
        finding = self._cards.shown or self._review.here()
        if finding is None:
            self.told.emit(NO_FINDING)
        else:
            self.apply(finding, number)

    def apply(self, finding: Finding, number: int) -> None:
        """Use a wording of a finding, now or when it is found, or say why not; the sentence is read again at once."""
        self._await(None)
        wordings = self._suggesting.of(finding)
        place = self._suggesting.place(finding)
        mark = self._pane.marks.find(finding)
        if self._pane.isReadOnly():
            self.told.emit(READ_ONLY)
        elif wordings.pending and (place is None or mark is None):
            self.told.emit(CHANGED)
        elif wordings.pending:
            self._await(_Awaited(number, place.key, mark.start))
            self._cards.expect(finding, number)
            if self._cards.shown != finding:
                self._cards.show_now(finding)
            self.told.emit(SOON.format(number=number))
        elif not 1 <= number <= len(wordings.items):
            none = tr("There is no wording {number}.").format(number=number)
            self.told.emit(none if wordings.items else wordings.note)
        elif place is not None:
            self._replace(finding, place, wordings, number)

    def forget(self) -> None:
        """Put in nothing that is still looked for, and say so; nothing happens where nothing is awaited."""
        if self._awaited is not None:
            self._await(None)
            self.told.emit(OFF)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Escape that nothing else in the window has taken calls off what is awaited."""
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            self.forget()
        return False

    def _replace(self, finding: Finding, place: Place, wordings: Wordings, number: int) -> None:
        chosen = wordings.items[number - 1]
        positions = TextMap(wordings.sentence)
        start = place.stands_at
        edits = [
            (start + positions.to_utf16(edit.start), start + positions.to_utf16(edit.end), edit.replacement)
            for edit in chosen.edits
        ]
        began = moved(start + positions.to_utf16(place.key.offset), edits)
        if not self._pane.replace(edits):
            return
        self._analyst.changed(at_once=True)
        done = "; ".join(
            described(short(old), short(new)) for old, new in changes(wordings.sentence, chosen.edits)
        )
        self.told.emit(tr("{change}. Undo takes it back.").format(change=done))
        self.applied.emit(finding, began)
        self.used.emit(finding, place, chosen)

    def _await(self, awaited: _Awaited | None) -> None:
        self._awaited = awaited
        window = self._pane.window()
        if awaited is None:
            self._cards.expect(None)
            window.removeEventFilter(self)
        else:
            window.installEventFilter(self)

    def _look(self) -> None:
        """Use what is awaited if it is found by now, and its sentence and the person are still there."""
        awaited = self._awaited
        if awaited is None:
            return
        mark = self._pane.marks.at(awaited.start)
        place = self._suggesting.place(mark.finding) if mark else None
        if (
            mark is None
            or place is None
            or place.key != awaited.key
            or self._review.chosen not in (None, mark.finding)
        ):
            self.forget()
        elif self._suggesting.of(mark.finding).pending:
            self._cards.expect(mark.finding, awaited.number)
        else:
            self.apply(mark.finding, awaited.number)

    def _caret_on(self, finding: Finding | None) -> None:
        mark = self._pane.marks.find(finding) if finding else None
        if mark is not None and self._awaited is not None and mark.start != self._awaited.start:
            self.forget()
