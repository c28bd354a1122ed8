"""Using a wording: what was shown is put in place of what was read, as one step, or nothing is changed."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.reading.suggesting import Suggesting
from app.reading.wordings import changes, described
from app.reading.worker import Analyst
from app.review.card_host import CardHost
from app.review.ignoring import NO_FINDING, short
from app.review.review import Review
from app.review.suggestion_rows import READ_ONLY
from app.text.editor import TextPane
from app.text.marks import moved
from app.text.positions import TextMap
from core.findings import Finding
from core.language import tr

CHANGED = tr(
    "This sentence was changed since it was read. Nothing was replaced; new wordings are being looked for."
)
WAIT = tr("Still looking for wordings. Nothing was replaced.")


class Rewording(QObject):
    """Applies wordings, from the keys and from the card.

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
        cards.chosen.connect(self.apply)

    def apply_here(self, number: int) -> None:
        """Use the wording of that number at the finding that a person is at."""
        finding = self._cards.shown or self._review.here()
        if finding is None:
            self.told.emit(NO_FINDING)
        else:
            self.apply(finding, number)

    def apply(self, finding: Finding, number: int) -> None:
        """Use a wording of a finding, or say why not; the sentence is read again at once."""
        wordings = self._suggesting.of(finding)
        place = self._suggesting.place(finding)
        if self._pane.isReadOnly():
            self.told.emit(READ_ONLY)
        elif wordings.pending:
            self.told.emit(WAIT if place else CHANGED)
        elif not 1 <= number <= len(wordings.items):
            none = tr("There is no wording {number}.").format(number=number)
            self.told.emit(none if wordings.items else wordings.note)
        elif place is not None:
            chosen = wordings.items[number - 1]
            positions = TextMap(wordings.sentence)
            start = place.stands_at
            edits = [
                (
                    start + positions.to_utf16(edit.start),
                    start + positions.to_utf16(edit.end),
                    edit.replacement,
                )
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
