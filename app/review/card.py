"""The card at a finding: its kind, class and confidence, suggestions or what helps instead, the explanation, and
links to the guides. In a review by sentence, the card of a sentence: its suggestion, and its findings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPalette
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from app.analysis.explanations import TERM_DEPENDENT, explain_term_dependence
from app.analysis.suggestions import DisplayedSuggestions, can_reword
from app.editor.biased_sentences import BiasedSentence
from app.review.findings_list import accessible_text, describe_facts, describe_kind
from app.review.suggestion_rows import PAD, SuggestionRows, scopes_for
from app.widgets.icons import kind_icon
from app.widgets.labels import ElidedLabel, WrapLabel, format_percent, scaled_font, to_single_line
from app.widgets.layouts import make_column, make_row, make_scroll_area
from app.widgets.links import LinkLabel
from app.widgets.plain_text import PlainLabel
from app.widgets.theme import is_dark
from core.i18n import ntr, tr
from core.types import Finding, Kind

_MAX_WIDTH = 460
_GAP = 6  # between the anchor and the card, and between the card and the edge of the window
_EDGE = 2  # keeps the content clear of the round corners
_GLYPH = 16
_LEAST_HEIGHT = 72
"""In pixels. A card this low still shows the kind and the words; where even that has no room, it covers its words."""
_FIRST_WORDS = 90
"""How many characters of a sentence are shown as its first words."""


def card_rect(size: QSize, anchor: QRect, room: QRect) -> QRect:
    """The rectangle of a card of ``size``: below the anchor, or above it if there is no room, always inside ``room``.

    If it fits on neither side, it takes the larger one and is cut to that height (its content scrolls). If that is
    less than its least height, it covers the anchor.
    """
    width = min(size.width(), room.width())
    wanted = min(size.height(), room.height())
    least = min(wanted, _LEAST_HEIGHT)
    below = min(wanted, room.bottom() - anchor.bottom() - _GAP)
    above = min(wanted, anchor.top() - room.top() - _GAP)
    if below == wanted or (below >= above and below >= least):
        height, top = below, anchor.bottom() + 1 + _GAP
    elif above >= least:
        height, top = above, anchor.top() - _GAP - above
    else:
        height, top = wanted, room.bottom() + 1 - wanted
    top = max(room.top(), min(top, room.bottom() + 1 - height))
    left = max(room.left(), min(anchor.left(), room.right() + 1 - width))
    return QRect(left, top, width, height)


class FindingCard(QFrame):
    """Shown over the text, inside the window. It does not take the focus: Tab reaches it, Escape closes it.

    ``chosen``: the number of a suggestion; ``whole_sentence_requested``: whether the whole sentence is to be reworded;
    ``tag_chosen``: the name of a tag to insert; ``ignored``: the scope in which to ignore the finding;
    ``rule_off_requested``: its rule is not wanted.
    """

    dismissed = Signal()
    link_clicked = Signal(str)
    chosen = Signal(int)
    whole_sentence_requested = Signal(bool)
    tag_chosen = Signal(str)
    ignored = Signal(str)
    rule_off_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("finding_card")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self._finding: Finding | None = None
        self._sentence: Sequence[Finding] = ()
        self._explanations: list[str] = []
        self._advice = ""
        self._reasons: list[WrapLabel] = []
        self._editable = True
        self._lowest = 0

        self._glyph = PlainLabel()
        self._label = ElidedLabel()
        self._label.setForegroundRole(QPalette.ColorRole.WindowText)
        self._label.setFont(scaled_font(self.font(), 1.0, bold=True))
        self._confidence = PlainLabel()
        self._confidence.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._words = WrapLabel()
        self._words.setFont(scaled_font(self.font(), 1.2, bold=True))
        self.suggestions = SuggestionRows()
        self.suggestions.chosen.connect(self.chosen)
        self.suggestions.whole_sentence_requested.connect(self.whole_sentence_requested)
        self.suggestions.tag_chosen.connect(self.tag_chosen)
        self.suggestions.ignored.connect(self.ignored)
        self.suggestions.rule_off_requested.connect(self.rule_off_requested)
        self._rule = QFrame()
        self._rule.setFixedHeight(1)
        self._rule.setAutoFillBackground(True)
        self._rule.setBackgroundRole(QPalette.ColorRole.Midlight)
        self._quoted = WrapLabel(tr("This is in a quotation: the words are the speaker's."))
        self._term_dependent = WrapLabel(TERM_DEPENDENT, bold=True)
        self._dependence_text = WrapLabel()
        self._kind_text = WrapLabel(muted=True)
        self._links = LinkLabel()
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
        answers: Sequence[str] = (),
        suggestions: DisplayedSuggestions,
        tags: Mapping[str, str] | None = None,
        comment: str = "",
        whole: bool = False,
        rewordable: bool | None = None,
        advice: str = "",
        sentence: Sequence[Finding] = (),
        term_dependent: bool = False,
        editable: bool = True,
        anchor: QRect,
        room: QRect,
        within: QWidget,
    ) -> None:
        """Show ``finding`` over ``within``, near ``anchor`` and inside ``room``, two rectangles in its coordinates.

        ``explanations`` are sentences, and so are ``answers``, which stand above them; ``links`` are pairs of name and
        address, ``tags`` and ``comment`` as of ``app.review.tag_commands.TagCommands``. ``rewordable``: whether the
        sentence can be reworded as a whole, if that is known; ``advice`` is what the guide says to do, as it stands
        in the explanations. Both are said where there is no suggestion. With ``sentence``, all of its findings, the
        card is that of the sentence. Without ``editable`` suggestions are shown but cannot be applied. Shown again
        for the same words, the card does not become lower.
        """
        same = (
            self.isVisible()
            and self._finding is not None
            and self._finding.fingerprint == finding.fingerprint
            and bool(self._sentence) == bool(sentence)
        )
        if self.parentWidget() is not within:
            self.setParent(within)
        self._finding, self._sentence = finding, sentence
        self._explanations = [*answers, *([_in_sentence(one) for one in sentence] or explanations)]
        self._advice, self._editable = advice, editable
        self._show_head()
        self._quoted.setVisible(finding.quoted and not sentence)
        self.suggestions.show_tags({} if sentence else tags or {}, "" if sentence else comment)
        self._show_suggestions(
            suggestions, whole=whole, rewordable=rewordable, at_least=self.suggestions.room if same else 0
        )
        term_dependent = term_dependent and not sentence
        dependence = [f"{TERM_DEPENDENT}.", explain_term_dependence(finding)] if term_dependent else []
        self._dependence_text.setText("".join(dependence[1:]))
        for part in (self._term_dependent, self._dependence_text):
            part.setVisible(term_dependent)
        self._kind_text.show_text("" if sentence else kind_text)
        self._links.setVisible(bool(links))
        self._links.show_links(links)
        names = ", ".join(name for name, _ in links)
        self._links.setAccessibleName(tr("Guides: {names}").format(names=names))
        self._paint_kind()
        self.setAccessibleName(self._label.text() if sentence else accessible_text(finding))
        described = [*dependence, *self._explanations, "" if sentence else kind_text]
        self.setAccessibleDescription(" ".join(described))
        if not same:
            self._scroll.verticalScrollBar().setValue(0)
        room = room.adjusted(_GAP, _GAP, -_GAP, -_GAP)
        wanted = self._wanted_size(within)
        self.setGeometry(card_rect(wanted, anchor, room))
        self._show_scroll_bar(wanted.height())
        self._lowest = room.bottom() if self.y() > anchor.bottom() else self.geometry().bottom()
        self.show()
        self.raise_()

    def set_suggestions(
        self, suggestions: DisplayedSuggestions, *, whole: bool = False, rewordable: bool | None = None
    ) -> None:
        """Show new suggestions for the finding on the card; nothing moves, the card grows downward."""
        self._show_suggestions(
            suggestions, whole=whole, rewordable=rewordable, at_least=self.suggestions.room
        )
        within = self.parentWidget()
        if within is not None:
            wanted = self._wanted_size(within).height()
            if wanted > self.height():
                self.resize(self.width(), min(wanted, self._lowest + 1 - self.y()))
            self._show_scroll_bar(wanted)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the card."""
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)

    def holds_focus(self) -> bool:
        """Whether the keyboard focus is on the card or inside it."""
        focus = QApplication.focusWidget()
        return focus is not None and (focus is self or self.isAncestorOf(focus))

    def dismiss(self) -> None:
        """Close the card and emit ``dismissed``, unless it is closed already."""
        if self.isVisible():
            self.hide()
            self.dismissed.emit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._finding is not None:
            self._paint_kind()

    def _lay_out(self) -> None:
        head = make_row(self._glyph, (self._label, 1), self._confidence, spacing=7)
        self._content = QWidget()
        self._reasons_column = make_column(spacing=6)
        above = make_column(head, self._words, spacing=8, margins=(PAD, 0, PAD, 0))
        below = make_column(
            self._term_dependent,
            self._dependence_text,
            self._reasons_column,
            *(self._quoted, self._kind_text, self._links),
            spacing=8,
            margins=(PAD, 0, PAD, 0),
        )
        self._body = make_column(
            *(above, self.suggestions, self._rule, below, None),
            parent=self._content,
            spacing=8,
            margins=(14 - PAD, 11, 14 - PAD, 12),
        )
        self._scroll = make_scroll_area(self._content)
        self._content.setAutoFillBackground(False)
        self._scroll.viewport().setAutoFillBackground(False)
        make_column(self._scroll, parent=self, margins=(_EDGE, _EDGE, _EDGE, _EDGE))

    def _wanted_size(self, within: QWidget) -> QSize:
        width = min(_MAX_WIDTH, within.width() - 2 * _GAP)
        for part in (self, *self.findChildren(QWidget)):
            part.ensurePolished()
        border = self.contentsMargins()
        wide = border.left() + border.right() + 2 * _EDGE
        high = border.top() + border.bottom() + 2 * _EDGE
        self._body.activate()
        return QSize(width, self._body.totalHeightForWidth(width - wide) + high)

    def _show_scroll_bar(self, wanted: int) -> None:
        """Have a scroll bar only if the card is lower than ``wanted``.

        Qt would keep one that was needed before: beside it the text has more lines.
        """
        policy = Qt.ScrollBarPolicy
        needed = self.height() < wanted
        self._scroll.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if needed else policy.ScrollBarAlwaysOff
        )

    def _show_head(self) -> None:
        """Kind, confidence and words; of a sentence, how many findings it has: its words stand below."""
        finding = self._finding
        if finding is None:
            return
        if self._sentence:
            count = len(self._sentence)
            text = ntr("Sentence with {count:,} finding", "Sentence with {count:,} findings", count)
            self._label.setText(text.format(count=count))
            self._confidence.setText("")
            self._words.hide()
            return
        whole = isinstance(finding, BiasedSentence)
        words = to_single_line(finding.shown)
        if whole and len(words) > _FIRST_WORDS:
            words = words[:_FIRST_WORDS].rpartition(" ")[0] + " …"
        self._label.setText(describe_kind(finding))
        share = "" if finding.kind is Kind.STYLE else format_percent(finding.confidence)
        self._confidence.setText(tr("bias {share}").format(share=share) if whole else share)
        self._words.show_text(words)

    def _show_suggestions(
        self, suggestions: DisplayedSuggestions, *, whole: bool, rewordable: bool | None, at_least: int
    ) -> None:
        """The suggestions, or what helps instead: the sentence reworded, the advice of the guide."""
        finding = self._finding
        if finding is None:
            return
        fits = can_reword(finding)
        advice = self._advice if fits and not whole else ""
        lines = [tr("The sentence can be reworded as a whole.")] if fits and rewordable else []
        self.suggestions.show_suggestions(
            suggestions,
            whole=whole,
            can_reword=bool(self._sentence) or (fits and (whole or rewordable is not False)),
            at_sentence=bool(self._sentence),
            by_rule=finding.style is not None and not self._sentence,
            scopes=() if self._sentence else scopes_for(finding),
            remedy="" if whole else " ".join(filter(None, [*lines, advice])),
            editable=self._editable,
            at_least=at_least,
        )
        said = bool(advice) and bool(self.suggestions.remedy)
        reasons = self._explanations
        self._write_reasons([one.replace(f" {advice}", "") for one in reasons] if said else reasons)

    def _write_reasons(self, explanations: list[str]) -> None:
        if [label.accessibleName() for label in self._reasons] == explanations:
            return
        for label in self._reasons:
            self._reasons_column.removeWidget(label)
            label.hide()
            label.deleteLater()
        self._reasons = [WrapLabel() for _ in explanations]
        for label, explanation in zip(self._reasons, explanations, strict=True):
            label.setText(explanation)
            self._reasons_column.addWidget(label)
            label.show()

    def _paint_kind(self) -> None:
        if self._finding is not None:
            self._glyph.setVisible(not self._sentence and not isinstance(self._finding, BiasedSentence))
            icon = kind_icon(self._finding.kind, dark=is_dark(self.palette()))
            self._glyph.setPixmap(icon.pixmap(QSize(_GLYPH, _GLYPH), self.devicePixelRatioF()))


def _in_sentence(finding: Finding) -> str:
    """A finding as one of several in a sentence: its words, and what it is."""
    words = to_single_line(finding.shown)
    return tr("“{words}”: {facts}").format(words=words, facts=describe_facts(finding))
