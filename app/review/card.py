"""The card at a finding: which kind it is, how sure the reader is, other words, why, and where the guides say more."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPalette
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.analysis.explanations import TITLE, why
from app.analysis.suggestions import Wordings
from app.review.findings_list import spoken
from app.review.suggestion_rows import PAD, SuggestionRows
from app.widgets.icons import kind_icon
from app.widgets.kinds import look
from app.widgets.labels import ElidedLabel, WrapLabel, percent, scaled, showable
from app.widgets.theme import is_dark
from core.i18n import tr
from core.types import Finding

_MAX_WIDTH = 460
_GAP = 6  # between the anchor and the card, and between the card and the edge of the window
_EDGE = 2  # keeps the content clear of the round corners
_GLYPH = 16


def place(size: QSize, anchor: QRect, room: QRect) -> QRect:
    """Where a card of ``size`` goes: below the anchor, or above it for want of room, always inside ``room``.

    Where neither side holds it, it takes the higher one and is cut to that height (its content scrolls);
    where even that is less than half of it, it covers the anchor.
    """
    width = min(size.width(), room.width())
    wanted = min(size.height(), room.height())
    below = min(wanted, room.bottom() - anchor.bottom() - _GAP)
    above = min(wanted, anchor.top() - room.top() - _GAP)
    if below == wanted or (below >= above and below >= wanted // 2):
        height, top = below, anchor.bottom() + 1 + _GAP
    elif above == wanted or above >= wanted // 2:
        height, top = above, anchor.top() - _GAP - above
    else:
        height, top = wanted, room.bottom() + 1 - wanted
    top = max(room.top(), min(top, room.bottom() + 1 - height))
    left = max(room.left(), min(anchor.left(), room.right() + 1 - width))
    return QRect(left, top, width, height)


class FindingCard(QFrame):
    """Shown over the window, inside it. It takes no focus by itself: Tab reaches it, Escape closes it.

    ``chosen``: the number of a wording; ``ignored``: the way in which the finding is to be passed over.
    """

    dismissed = Signal()
    link_clicked = Signal(str)
    chosen = Signal(int)
    ignored = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("finding_card")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self._finding: Finding | None = None
        self._reasons: list[WrapLabel] = []
        self._editable = True
        self._lowest = 0

        self._glyph = QLabel()
        self._label = ElidedLabel()
        self._label.setForegroundRole(QPalette.ColorRole.WindowText)
        self._label.setFont(scaled(self.font(), 1.0, bold=True))
        self._confidence = QLabel()
        self._confidence.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._words = WrapLabel()
        self._words.setFont(scaled(self.font(), 1.2, bold=True))
        self.wordings = SuggestionRows()
        self.wordings.chosen.connect(self.chosen)
        self.wordings.ignored.connect(self.ignored)
        self._rule = QFrame()
        self._rule.setFixedHeight(1)
        self._rule.setAutoFillBackground(True)
        self._rule.setBackgroundRole(QPalette.ColorRole.Midlight)
        self._quoted = WrapLabel()
        self._quoted.setText(tr("This stands in a quotation: the words are the speaker's."))
        self._on_word = WrapLabel()
        self._on_word.setText(TITLE)
        self._on_word.setFont(scaled(self.font(), 1.0, bold=True))
        self._on_word_why = WrapLabel()
        self._kind_text = WrapLabel(muted=True)
        self._links = QLabel()
        self._links.setTextFormat(Qt.TextFormat.RichText)
        self._links.setWordWrap(True)
        self._links.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self._links.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._links.linkActivated.connect(self.link_clicked)
        self._lay_out()
        self.hide()

    @property
    def finding(self) -> Finding | None:
        """The finding on the card; None before the first."""
        return self._finding

    def show_for(
        self,
        finding: Finding,
        explanations: list[str],
        *,
        kind_text: str,
        links: list[tuple[str, str]],
        wordings: Wordings,
        on_word: bool = False,
        editable: bool = True,
        anchor: QRect,
        within: QWidget,
    ) -> None:
        """Show ``finding`` over ``within``, near ``anchor``, a rectangle in its coordinates.

        ``explanations`` are plain sentences, ``links`` pairs of a name and an address; without ``editable`` the
        wordings are only shown. ``on_word``: the finding leans on its word. Shown again for the same words, the card
        does not become lower.
        """
        same = (
            self.isVisible()
            and self._finding is not None
            and self._finding.fingerprint == finding.fingerprint
        )
        if self.parentWidget() is not within:
            self.setParent(within)
        self._finding = finding
        words = showable(finding.text)
        self._label.setText(look(finding.kind, dark=False).label)
        self._confidence.setText(percent(finding.confidence))
        self._words.setText(words)
        self._quoted.setVisible(finding.quoted)
        self._editable = editable
        self.wordings.show_wordings(wordings, editable=editable, at_least=self.wordings.room if same else 0)
        leans = [f"{TITLE}.", why(finding)] if on_word else []
        self._on_word_why.setText("".join(leans[1:]))
        for part in (self._on_word, self._on_word_why):
            part.setVisible(on_word)
        self._write_why(explanations)
        self._kind_text.setText(kind_text)
        self._kind_text.setVisible(bool(kind_text))
        self._links.setVisible(bool(links))
        self._write_links(links)
        self._paint_kind()
        self.setAccessibleName(spoken(finding))
        self.setAccessibleDescription(" ".join([*leans, *explanations, kind_text]))
        if not same:
            self._scroll.verticalScrollBar().setValue(0)
        room = within.rect().adjusted(_GAP, _GAP, -_GAP, -_GAP)
        self.setGeometry(place(self._wanted_size(within), anchor, room))
        self._lowest = room.bottom() if self.y() > anchor.bottom() else self.geometry().bottom()
        self.show()
        self.raise_()

    def set_wordings(self, wordings: Wordings) -> None:
        """Show what has come for the finding on the card; nothing that stood there moves, the card grows downward."""
        self.wordings.show_wordings(wordings, editable=self._editable, at_least=self.wordings.room)
        within = self.parentWidget()
        if within is not None:
            more = self._wanted_size(within).height() - self.height()
            if more > 0:
                self.resize(self.width(), min(self.height() + more, self._lowest + 1 - self.y()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the card."""
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)

    def holds_focus(self) -> bool:
        """Whether the keyboard is on the card or on something in it."""
        focus = QApplication.focusWidget()
        return focus is not None and (focus is self or self.isAncestorOf(focus))

    def dismiss(self) -> None:
        """Close the card and say so; nothing happens where it is closed already."""
        if self.isVisible():
            self.hide()
            self.dismissed.emit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._finding is not None:
            self._paint_kind()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(7)
        head.addWidget(self._glyph)
        head.addWidget(self._label, 1)
        head.addWidget(self._confidence)
        self._content = QWidget()
        self._why = QVBoxLayout()
        self._why.setSpacing(6)
        above, below = QVBoxLayout(), QVBoxLayout()
        above.addLayout(head)
        above.addWidget(self._words)
        for part in (self._on_word, self._on_word_why):
            below.addWidget(part)
        below.addLayout(self._why)
        for part in (self._quoted, self._kind_text, self._links):
            below.addWidget(part)
        for layout in (above, below):
            layout.setContentsMargins(PAD, 0, PAD, 0)
            layout.setSpacing(8)
        self._body = body = QVBoxLayout(self._content)
        body.setContentsMargins(14 - PAD, 11, 14 - PAD, 12)
        body.setSpacing(8)
        body.addLayout(above)
        body.addWidget(self.wordings)
        body.addWidget(self._rule)
        body.addLayout(below)
        body.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setWidget(self._content)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._content.setAutoFillBackground(False)
        self._scroll.viewport().setAutoFillBackground(False)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(_EDGE, _EDGE, _EDGE, _EDGE)
        whole.addWidget(self._scroll)

    def _wanted_size(self, within: QWidget) -> QSize:
        width = min(_MAX_WIDTH, within.width() - 2 * _GAP)
        for part in (self, *self.findChildren(QWidget)):
            part.ensurePolished()
        border = self.contentsMargins()
        wide = border.left() + border.right() + 2 * _EDGE
        high = border.top() + border.bottom() + 2 * _EDGE
        self._body.activate()
        return QSize(width, self._body.totalHeightForWidth(width - wide) + high)

    def _write_why(self, explanations: list[str]) -> None:
        for label in self._reasons:
            self._why.removeWidget(label)
            label.hide()
            label.deleteLater()
        self._reasons = [WrapLabel() for _ in explanations]
        for label, explanation in zip(self._reasons, explanations, strict=True):
            label.setText(explanation)
            self._why.addWidget(label)
            label.show()

    def _write_links(self, links: list[tuple[str, str]]) -> None:
        anchors = [f'<a href="{escape(address, quote=True)}">{escape(name)}</a>' for name, address in links]
        self._links.setText(" &nbsp; ".join(anchors))
        names = ", ".join(name for name, _ in links)
        self._links.setAccessibleName(tr("Guides: {names}").format(names=names))

    def _paint_kind(self) -> None:
        if self._finding is not None:
            icon = kind_icon(self._finding.kind, dark=is_dark(self.palette()))
            self._glyph.setPixmap(icon.pixmap(QSize(_GLYPH, _GLYPH), self.devicePixelRatioF()))
