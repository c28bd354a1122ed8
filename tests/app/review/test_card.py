"""The card: everything said about a finding, never outside the window, never in the way of the keyboard."""

from __future__ import annotations

from dataclasses import replace

import fakes
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.analysis.suggestions import DisplayedSuggestions
from app.review.card import FindingCard, card_rect
from app.widgets.links import LinkLabel
from app.widgets.theme import apply_theme
from core.text.diff import TextEdit
from core.types import Finding, Suggestion

WHY = ["“shameful” judges the senator: say what was done, and who calls it shameful."]
KIND = "Framing: subjective words that are tied to a point of view."
LINKS = [("MOS:LABEL", "https://en.wikipedia.org/wiki/MOS:LABEL?a=1&b=2")]
FOUND = fakes.report().findings[0]
SENTENCE = "The senator's shameful record reveals that the chairman ignored ordinary people."
OFFERED = DisplayedSuggestions(
    SENTENCE,
    (
        Suggestion((TextEdit(14, 23, ""),), SENTENCE.replace("shameful ", ""), 0.9, 0.81, 0.22),
        Suggestion(
            (TextEdit(14, 22, "criticised"),), SENTENCE.replace("shameful", "criticised"), 0.7, 0.81, 0.4
        ),
    ),
)


class Desk(QWidget):
    """A window with a text and a card over it."""

    def __init__(self, width: int = 600, height: int = 400) -> None:
        super().__init__()
        self.text = QPlainTextEdit(fakes.DRAFT)
        self.text.setTabChangesFocus(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.text)
        self.resize(width, height)
        self.card = FindingCard(self)

    def put(
        self,
        finding: Finding = FOUND,
        why: list[str] | None = None,
        *,
        anchor: tuple[int, int] = (60, 40),
        suggestions: DisplayedSuggestions = OFFERED,
        editable: bool = True,
    ) -> FindingCard:
        """Show the card at a word whose top left corner is ``anchor``."""
        box = QRect(QPoint(*anchor), QSize(70, 18))
        said = WHY if why is None else why
        self.card.show_for(
            finding,
            said,
            kind_text=KIND,
            links=LINKS,
            suggestions=suggestions,
            editable=editable,
            anchor=box,
            room=self.rect(),
            within=self,
        )
        return self.card


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    """A window in view, the text in focus."""
    made = Desk()
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    made.text.setFocus()
    qtbot.waitUntil(made.text.hasFocus)
    return made


def shown_texts(card: FindingCard) -> list[str]:
    return [label.text().replace("\u200b", "") for label in card.findChildren(QLabel) if label.isVisible()]


def overflow(card: FindingCard) -> int:
    scroll = card.findChild(QScrollArea)
    assert isinstance(scroll, QScrollArea)
    return scroll.verticalScrollBar().maximum()


def test_card_says_everything(desk: Desk) -> None:
    """Kind, confidence, words, reasons, what the kind is, guide."""
    texts = shown_texts(desk.put())
    for told in ("Framing", "93%", "shameful", WHY[0], KIND):
        assert told in texts
    assert any("MOS:LABEL</a>" in text for text in texts)
    assert not any("quotation" in text for text in texts)


def test_quotation_is_told(desk: Desk) -> None:
    """A quotation is its speaker's: the card says so, and only there."""
    assert any("quotation" in text for text in shown_texts(desk.put(replace(FOUND, quoted=True))))
    assert not any("quotation" in text for text in shown_texts(desk.put()))


def test_second_finding_leaves_nothing_of_the_first(desk: Desk) -> None:
    """Moving from finding to finding, old reasons must not stay, and the new ones must fit."""
    desk.resize(600, 900)
    desk.put(why=["First reason.", "Second reason."])
    other = replace(FOUND, text="iconic")
    texts = shown_texts(desk.put(other, ["Third reason."] * 4))
    assert texts.count("Third reason.") == 4
    assert not {"shameful", "First reason.", "Second reason."} & set(texts)
    assert overflow(desk.card) == 0
    assert desk.card.finding == other


def test_card_stands_below_or_above_its_words(desk: Desk) -> None:
    """It never covers the words that it is about while there is room beside them."""
    below = desk.put(anchor=(60, 40)).geometry()
    assert below.top() > 58
    above = desk.put(anchor=(60, 370)).geometry()
    assert above.bottom() < 370
    assert below.width() <= 460


@pytest.mark.parametrize("size", [(600, 400), (300, 240), (160, 120)])
@pytest.mark.parametrize("anchor", [(0, 0), (560, 380), (-50, 500)])
def test_card_stays_inside(size: tuple[int, int], anchor: tuple[int, int], qtbot: QtBot) -> None:
    """However small the window and long the words, every part of the card can be reached."""
    desk = Desk(*size)
    qtbot.addWidget(desk)
    desk.show()
    card = desk.put(replace(FOUND, text="Donaudampfschifffahrt" * 12), WHY * 6, anchor=anchor)
    assert desk.rect().contains(card.geometry())


def test_content_fits_its_card(desk: Desk) -> None:
    """Nothing is cut and nothing scrolls where the window has the room."""
    desk.resize(700, 700)
    for words in ("ill", "an unusually long run of quite ordinary words " * 4, "x" * 120):
        card = desk.put(replace(FOUND, text=words.strip()), WHY * 3)
        assert overflow(card) == 0
        for label in card.findChildren(QLabel):
            if label.isVisible() and label.text():
                needed = (
                    label.heightForWidth(label.width()) if label.wordWrap() else label.sizeHint().height()
                )
                assert label.height() >= needed


def test_a_card_that_gets_the_room_scrolls_no_more(desk: Desk, qtbot: QtBot) -> None:
    """Beside a scroll bar the text has more lines; they do not keep the bar."""
    for count in range(40, 60):
        why = ["word " * count]
        desk.resize(440, 150)
        qtbot.waitUntil(lambda why=why: overflow(desk.put(why=why)) > 0)
        desk.resize(440, 700)
        qtbot.waitUntil(lambda why=why: overflow(desk.put(why=why)) == 0)


@pytest.mark.parametrize("words", ["criticised", "a very long way of saying the same " * 3])
def test_every_changed_word_of_a_suggestion_is_in_sight(desk: Desk, words: str) -> None:
    """Long suggestions wrap: nothing is put in place that the row has cut off."""
    desk.resize(700, 900)
    edits = (TextEdit(14, 22, words.strip()), TextEdit(47, 55, "chair"))
    card = desk.put(suggestions=DisplayedSuggestions(SENTENCE, (Suggestion(edits, "", 0.9, 0.81, 0.22),) * 3))
    assert overflow(card) == 0
    for row in card.suggestions.rows:
        assert row.height() >= row.heightForWidth(row.width())
        for shown in (*words.split(), "shameful", "chairman", "chair"):
            assert shown in row.shown


def test_fewer_suggestions_leave_no_gap_behind(desk: Desk) -> None:
    """A card that had three rows is as low for a note as one that never had any."""
    fresh = desk.put(replace(FOUND, fingerprint="1"), suggestions=DisplayedSuggestions(note="None.")).height()
    desk.put(replace(FOUND, fingerprint="2"))
    assert (
        desk.put(replace(FOUND, fingerprint="3"), suggestions=DisplayedSuggestions(note="None.")).height()
        == fresh
    )


sides = st.integers(1, 900)


@given(sides, sides, sides, sides, st.integers(-100, 1000), st.integers(-100, 1000))
def test_place_is_always_inside(width: int, height: int, wide: int, high: int, x: int, y: int) -> None:
    """Any card, any window, any anchor, also one that is scrolled out of sight."""
    room = QRect(0, 0, wide, high)
    assert room.contains(card_rect(QSize(width, height), QRect(x, y, 40, 15), room))


def test_typing_goes_on_under_the_card(desk: Desk, qtbot: QtBot) -> None:
    """A card that takes the keyboard would swallow what is being typed."""
    desk.put()
    assert desk.text.hasFocus()
    qtbot.keyClicks(desk.text, "abc")
    assert desk.text.toPlainText().startswith("abc")


def test_tab_reaches_the_card_and_escape_closes_it(desk: Desk, qtbot: QtBot) -> None:
    """The card is there for the keyboard too."""
    card = desk.put()
    qtbot.keyClick(desk.text, Qt.Key.Key_Tab)
    assert card.hasFocus()
    with qtbot.waitSignal(card.dismissed):
        qtbot.keyClick(card, Qt.Key.Key_Escape)
    assert not card.isVisible()


def test_closing_twice_is_told_once(desk: Desk) -> None:
    """One card, one farewell; hiding it without the person's doing is none."""
    told: list[bool] = []
    desk.card.dismissed.connect(lambda: told.append(True))
    desk.put().dismiss()
    desk.card.dismiss()
    desk.put().hide()
    assert told == [True]


def test_link_is_told_not_opened(desk: Desk, qtbot: QtBot) -> None:
    """Only a click or Enter asks for an address, and the window decides; showing the card fetches nothing."""
    card = desk.put()
    links = next(label for label in card.findChildren(QLabel) if "MOS:LABEL</a>" in label.text())
    assert not links.openExternalLinks()
    with qtbot.waitSignal(card.link_clicked) as told:
        links.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.keyClick(links, Qt.Key.Key_Tab)
        qtbot.keyClick(links, Qt.Key.Key_Return)
    assert told.args == [LINKS[0][1]]


def test_words_are_not_markup(desk: Desk) -> None:
    """Words and reasons from a draft are shown, not interpreted."""
    texts = shown_texts(desk.put(replace(FOUND, text="<img src=x>"), ["<b>no</b>"]))
    assert "<img src=x>" in texts
    assert "<b>no</b>" in texts


def test_card_speaks(desk: Desk) -> None:
    """Kind, words and confidence, then the reasons."""
    card = desk.put()
    assert (
        card.accessibleName() == "Framing: shameful, confidence 93 percent, strong subjective, WP:IMPARTIAL"
    )
    assert WHY[0] in card.accessibleDescription()


def test_the_links_of_an_open_card_follow_the_theme(desk: Desk, qapp: QApplication) -> None:
    try:
        apply_theme(qapp, "light", "off")
        card = desk.put()
        (links,) = card.findChildren(LinkLabel)
        light = links.text()
        assert qapp.palette().link().color().name() in light
        apply_theme(qapp, "dark", "off")
        assert links.text() != light
        assert qapp.palette().link().color().name() in links.text()
    finally:
        apply_theme(qapp, "system")


@pytest.mark.parametrize("line", range(0, 400, 20))
@pytest.mark.parametrize("high", [200, 400])
def test_it_becomes_lower_before_it_covers_its_words(line: int, high: int, qtbot: QtBot) -> None:
    """In a low window what does not fit is scrolled to; the words that it is about are always in sight."""
    desk = Desk(683, high)
    qtbot.addWidget(desk)
    desk.show()
    top = min(line, high - 20)
    card = desk.put(why=WHY * 12, anchor=(60, top))
    assert not card.geometry().intersects(QRect(60, top, 70, 18))
    assert desk.rect().contains(card.geometry())
    assert overflow(card) > 0
    assert card.height() >= 72
    card.set_suggestions(DisplayedSuggestions(note="No suggestion. " * 40))
    assert not card.geometry().intersects(QRect(60, top, 70, 18))


def test_it_covers_its_words_only_where_nothing_could_be_read_beside_them() -> None:
    """Between the bars of a window that is hardly open a strip of a few pixels would say nothing."""
    room, words = QRect(0, 40, 600, 120), QRect(60, 90, 70, 18)
    assert card_rect(QSize(400, 300), words, room) == QRect(60, 40, 400, 120)


def test_nothing_on_it_says_how_a_text_leans(desk: Desk) -> None:
    """Which side a sentence seems to be on is no reason to change it; the card is about its words."""
    said = [*shown_texts(desk.put()), desk.card.accessibleName(), desk.card.accessibleDescription()]
    parts = desk.card.findChildren(QWidget)
    said += [text for part in parts for text in (part.toolTip(), part.accessibleName(), part.objectName())]
    assert any("shameful" in one for one in said)
    for one in said:
        assert not {"left", "right", "center", "centre", "leaning", "political"} & set(one.casefold().split())
