"""Using a wording: what was shown is put in place of what was read, as one step, or nothing is changed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.card_host import CardHost
from app.editor import TextPane
from app.marks import moved
from app.positions import TextMap
from app.review import Review
from app.suggesting import Suggesting
from app.suggestion_rows import READ_ONLY
from app.wordings import changes, described
from app.worker import Analyst
from core.findings import Finding

NO_FINDING = "No marked words here: put the caret on some first."
CHANGED = (
    "This sentence was changed since it was read. Nothing was replaced; new wordings are being looked for."
)
WAIT = "Still looking for wordings. Nothing was replaced."
_LONGEST = 60


class Rewording(QObject):
    """Applies wordings and passes findings over, from the keys and from the card.

    ``applied`` and ``ignored``: the ``Finding``, and where it began in UTF-16 units of the text as it is then.
    ``told``: a passing message.
    """

    applied = Signal(object, int)
    ignored = Signal(object, int)
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
        cards.ignored.connect(self.ignore)

    def apply_here(self, number: int) -> None:
        """Use the wording of that number at the finding that a person is at."""
        self._here(lambda finding: self.apply(finding, number))

    def ignore_here(self) -> None:
        """Pass over the finding that a person is at."""
        self._here(self.ignore)

    def apply(self, finding: Finding, number: int) -> None:
        """Use a wording of a finding, or say why not; the sentence is read again at once."""
        wordings = self._suggesting.of(finding)
        place = self._suggesting.place(finding)
        if self._pane.isReadOnly():
            self.told.emit(READ_ONLY)
        elif wordings.pending:
            self.told.emit(WAIT if place else CHANGED)
        elif not 1 <= number <= len(wordings.items):
            self.told.emit(f"There is no wording {number}." if wordings.items else wordings.note)
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
            self._pane.replace(edits)
            self._analyst.changed(at_once=True)
            done = "; ".join(
                described(_short(old), _short(new)) for old, new in changes(wordings.sentence, chosen.edits)
            )
            self.told.emit(f"{done}. Undo takes it back.")
            self.applied.emit(finding, began)

    def ignore(self, finding: Finding) -> None:
        """Pass over a finding until the draft is opened again."""
        mark = self._pane.marks.find(finding)
        if mark is not None and self._review.ignore(finding):
            self.told.emit(f"“{_short(finding.text)}” is ignored until the draft is opened again.")
            self.ignored.emit(finding, mark.start)

    def _here(self, then: Callable[[Finding], None]) -> None:
        finding = self._cards.shown or self._review.here()
        if finding is None:
            self.told.emit(NO_FINDING)
        else:
            then(finding)


def _short(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 2].rstrip()} …"
