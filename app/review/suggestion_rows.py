"""The rows of suggestions on the card, and ways to ignore the finding."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextLayout,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from app.analysis.analysis_worker import MAX_SUGGESTIONS
from app.analysis.suggestions import CONTEXT, DisplayedSuggestions, diff_chunks
from app.commands.shortcuts import shortcut_text, with_shortcut
from app.comparison.diff_text import describe_diff, diff_layout
from app.editor.biased_sentences import BiasedSentence
from app.widgets.flow_layout import FlowLayout
from app.widgets.labels import WrapLabel, scaled_font
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import PlainLabel, plain_text
from app.widgets.theme import is_dark
from core.i18n import tr
from core.text.diff import TextEdit
from core.types import Finding, Suggestion

READ_ONLY = tr("This draft is read-only: suggestions are shown but cannot be applied.")
IGNORE_SCOPES: dict[str, tuple[str, str, str]] = {
    "once": ("ignore", tr("Ignore once"), tr("Ignore this finding and no other")),
    "words": ("ignore_words", tr("Ignore here"), tr("Ignore every finding with these words in this draft")),
    "always": ("allow", tr("Always allow"), tr("Never mark these words again, in any draft")),
}
"""The scopes of ignoring a finding: command, name and description."""

RULE_OFF = tr("Switch this rule off")
_REWORD = (tr("Reword the sentence"), tr("Show one suggestion for the whole sentence"))
_ONE_BY_ONE = (tr("Findings one by one"), tr("Go through the findings of this sentence one by one"))


def scopes_for(finding: Finding) -> dict[str, tuple[str, str, str]]:
    """The scopes in which a finding can be ignored; a whole sentence only once."""
    once = isinstance(finding, BiasedSentence)
    return {scope: texts for scope, texts in IGNORE_SCOPES.items() if scope == "once" or not once}


PAD = 6
"""Pixels between the edge of a row and its text."""
_PAD_Y, _GAP = 4, 10


def scope_text(scope: str, near: QWidget) -> tuple[str, str]:
    """The name of a scope, and the key of its command in the window of ``near``."""
    command, name, _ = IGNORE_SCOPES[scope]
    return name, shortcut_text(command, near)


class SuggestionRow(QAbstractButton):
    """One suggestion: its keys, what changes, and the sentence's bias before and after."""

    def __init__(self, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.number = number
        self._sentence = ""
        self._edits: tuple[TextEdit, ...] = ()
        self._around = CONTEXT
        self._bias = ""
        self.setObjectName(f"suggestion_{number}")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_suggestion(self, sentence: str, offered: Suggestion, *, whole: bool = False) -> None:
        """Show ``offered``, whose edits count from the start of ``sentence``: with a few words around each, or in the
        ``whole`` sentence.
        """
        self._sentence, self._edits = sentence, offered.edits
        self._around = len(sentence) if whole else CONTEXT
        self._bias = f"{offered.bias_before:.2f} → {offered.bias_after:.2f}"
        description = describe_diff(diff_chunks(sentence, offered.edits))
        text = tr("Suggestion {number}: {change}. Bias {before:.2f}, then {after:.2f}")
        name = text.format(
            number=self.number, change=description, before=offered.bias_before, after=offered.bias_after
        )
        self.setAccessibleName(name)
        self.setAccessibleDescription(offered.sentence)
        self.setToolTip(plain_text(with_shortcut(tr("Use this suggestion"), f"use_{self.number}", self)))
        self.updateGeometry()
        self.update()

    @property
    def shown(self) -> str:
        """The text of the row."""
        return self._layout(self.width()).text()

    def heightForWidth(self, width: int) -> int:
        """The lines of the difference."""
        return self._high(self._layout(width)) + 2 * _PAD_Y

    def sizeHint(self) -> QSize:
        """One line; the height depends on the width."""
        return QSize(120, self.fontMetrics().height() + 2 * _PAD_Y)

    def minimumSizeHint(self) -> QSize:
        """One line."""
        return QSize(0, self.sizeHint().height())

    def hasHeightForWidth(self) -> bool:
        """Long differences wrap."""
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter chooses, as a click does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the keyboard is."""
        super().focusInEvent(event)
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the three columns; a wash under the mouse, a ring for the keyboard."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter)
        colours = self.palette()
        small = scaled_font(self.font(), 0.92)
        painter.setFont(small)
        painter.setPen(colours.color(QPalette.ColorRole.PlaceholderText))
        line = QRectF(PAD, _PAD_Y, self.width() - 2 * PAD, self.fontMetrics().height())
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self._keys)
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._bias)
        layout = self._layout(self.width())
        left = PAD + self._key_width() + _GAP
        layout.draw(painter, QPointF(left, _PAD_Y))
        painter.end()

    def _high(self, layout: QTextLayout) -> int:
        return max(math.ceil(layout.boundingRect().height()), self.fontMetrics().height())

    def _layout(self, width: int) -> QTextLayout:
        """The difference with as much context as fits on one line; wrapped if even none fits."""
        colours, room = self.palette(), self._text_width(width)
        shorter = range(CONTEXT, -1, -1) if self._around == CONTEXT else ()
        for around in (*shorter, self._around):
            chunks = diff_chunks(self._sentence, self._edits, around=around)
            layout = diff_layout(chunks, self.font(), colours, room, dark=is_dark(colours))
            if layout.lineCount() == 1:
                break
        return layout

    def _paint_ground(self, painter: QPainter) -> None:
        accent = self.palette().color(QPalette.ColorRole.Accent)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        wash = QColor(accent)
        wash.setAlpha(70 if self.isDown() else 34)
        painter.setBrush(
            wash if self.isEnabled() and (self.underMouse() or self.isDown()) else Qt.BrushStyle.NoBrush
        )
        painter.setPen(accent if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.drawRoundedRect(box, 5, 5)

    def _key_width(self) -> int:
        return self.fontMetrics().horizontalAdvance(self._keys)

    @property
    def _keys(self) -> str:
        return shortcut_text(f"use_{self.number}", self)

    def _text_width(self, width: int) -> int:
        bias = self.fontMetrics().horizontalAdvance("0.00 → 0.00")
        return max(40, width - 2 * PAD - self._key_width() - bias - 2 * _GAP)


COMMENT = "comment"
"""The name of the comment among the tags."""


class SuggestionRows(QWidget):
    """The suggestions, or a note on why there are none.

    ``chosen``: the number of one; ``whole_sentence_requested``: whether to reword the whole sentence; ``tag_chosen``:
    the name of a tag to insert, or `COMMENT`; ``ignored``: an ignore scope; ``rule_off_requested``: the rule of the
    finding is not wanted.
    """

    chosen = Signal(int)
    whole_sentence_requested = Signal(bool)
    tag_chosen = Signal(str)
    ignored = Signal(str)
    rule_off_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tags: list[QToolButton] = []
        self._heading = PlainLabel(tr("Suggestions"))
        self._bias = PlainLabel(tr("bias of the sentence"))
        for label in (self._heading, self._bias):
            label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
            label.setFont(scaled_font(self.font(), 0.92))
        self.rows = [SuggestionRow(number) for number in range(1, MAX_SUGGESTIONS + 1)]
        self._note = WrapLabel(muted=True)
        self._remedy = WrapLabel()
        self._is_whole = False
        self._reword = _tool_button("reword_sentence", *_REWORD)
        self._reword.setCheckable(True)
        self._reword.clicked.connect(lambda: self.whole_sentence_requested.emit(not self._is_whole))
        self._scope_buttons = {
            scope: _tool_button(f"ignore_{scope}", name, description)
            for scope, (_, name, description) in IGNORE_SCOPES.items()
        }
        self._rule_off = _tool_button("rule_off", RULE_OFF, tr("Switch this rule off in all drafts"))
        self._rule_off.setText(RULE_OFF)
        self._rule_off.clicked.connect(self.rule_off_requested)
        for scope, button in self._scope_buttons.items():
            button.clicked.connect(lambda _=False, scope=scope: self.ignored.emit(scope))
        for row in self.rows:
            row.clicked.connect(lambda _=False, number=row.number: self.chosen.emit(number))
        self._lay_out()

    def show_suggestions(
        self,
        suggestions: DisplayedSuggestions,
        *,
        editable: bool,
        whole: bool = False,
        can_reword: bool = True,
        at_sentence: bool = False,
        by_rule: bool = False,
        scopes: Collection[str] = tuple(IGNORE_SCOPES),
        remedy: str = "",
        at_least: int = 0,
    ) -> None:
        """Show these, which reword the ``whole`` sentence or the marked words, and offer to ignore in these ``scopes``.

        ``at_sentence``: they are for a stop of the review by sentence, whose findings can be gone through one by one.
        ``by_rule``: a rule of a style pack flags the words, and can be switched off. ``remedy``: what helps where there
        is no suggestion.

        The area keeps a height of ``at_least`` pixels, and room for all rows while they are awaited.
        """
        self._heading.setText(tr("The reworded sentence") if whole else tr("Suggestions"))
        self._reword.setVisible(can_reword)
        self._rule_off.setVisible(by_rule)
        self._is_whole = whole
        self._reword.setChecked(whole and not at_sentence)
        name, description = _ONE_BY_ONE if at_sentence else _REWORD
        _describe(self._reword, name, description)
        self._reword.setText(_with_keys(name, shortcut_text("reword", self)))
        for row, item in zip(self.rows, suggestions.items, strict=False):
            row.show_suggestion(suggestions.sentence, item, whole=whole)
            row.setEnabled(editable)
        for number, row in enumerate(self.rows):
            row.setVisible(number < len(suggestions.items))
        self._heading.setVisible(bool(suggestions.items) or suggestions.pending)
        self._bias.setVisible(bool(suggestions.items))
        note = READ_ONLY if suggestions.items and not editable else suggestions.note
        self._note.show_text(note)
        self._remedy.show_text("" if suggestions.items or suggestions.pending else remedy)
        for scope, button in self._scope_buttons.items():
            button.setText(_with_keys(*scope_text(scope, self)))
            button.setVisible(scope in scopes)
        room = self._room() if suggestions.pending else 0
        self._area.setMinimumHeight(max(room, at_least))
        # Qt does this only in its event loop, but the card needs the height at once.
        self._head.invalidate()
        self._inner.invalidate()
        self._area.updateGeometry()
        self._whole.invalidate()
        self.updateGeometry()

    def show_tags(self, tags: Mapping[str, str], comment: str = "") -> None:
        """Offer to insert these tags (how each is written, by its name) and to add the ``comment``, if there is one."""
        for button in self._tags:
            self._foot.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._tags = []
        tip = tr("Insert this after the marked words")
        offers = [(name, insert_text(written), tip) for name, written in tags.items()]
        if comment:
            offers.append((COMMENT, tr("Add a comment"), add_comment_text(comment)))
        for name, text, description in offers:
            button = _tool_button(f"tag_{name}", text, description)
            button.setText(text)
            button.clicked.connect(lambda _=False, name=name: self.tag_chosen.emit(name))
            self._foot.addWidget(button)
            button.show()
            self._tags.append(button)

    @property
    def room(self) -> int:
        """The present height of the rows, in pixels."""
        return self._area.height()

    @property
    def note(self) -> str:
        """The note below the rows or in place of them."""
        return self._note.accessibleName() if not self._note.isHidden() else ""

    @property
    def remedy(self) -> str:
        """What is said to help where there is no suggestion."""
        return self._remedy.accessibleName() if not self._remedy.isHidden() else ""

    def _room(self) -> int:
        one = self.rows[0].sizeHint().height()
        return self._heading.sizeHint().height() + MAX_SUGGESTIONS * (one + self._inner.spacing())

    def _lay_out(self) -> None:
        self._head = make_row(self._heading, None, self._bias, margins=(PAD, 0, PAD, 0))
        self._area = QWidget()
        for label in (self._note, self._remedy):
            label.setContentsMargins(PAD, 2, PAD, 2)
        self._inner = make_column(
            *(self._head, *self.rows, self._note, self._remedy, None), parent=self._area, spacing=2
        )
        self._foot = FlowLayout(spacing=2)
        for button in (self._reword, *self._scope_buttons.values(), self._rule_off):
            self._foot.addWidget(button)
        self._whole = make_column(self._area, self._foot, parent=self, spacing=2)


def _tool_button(object_name: str, name: str, description: str) -> QToolButton:
    button = QToolButton()
    button.setAutoRaise(True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setObjectName(object_name)
    _describe(button, name, description)
    return button


def _describe(button: QToolButton, name: str, description: str) -> None:
    button.setAccessibleName(name)
    button.setAccessibleDescription(description)
    button.setToolTip(plain_text(description))


def add_comment_text(comment: str) -> str:
    """The command that adds a comment to the marked words."""
    return tr("Add a comment: “{text}”").format(text=comment)


def insert_text(written: str) -> str:
    """The command that inserts a tag, which is written like this."""
    return tr("Insert {tag}").format(tag=written)


def _with_keys(name: str, keys: str) -> str:
    return "  ".join(part for part in (name, keys) if part)
