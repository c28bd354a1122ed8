"""The issues panel: every finding listed, filtered and spoken; the list stays where the person left it."""

from __future__ import annotations

from dataclasses import replace

import fakes
import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QLabel, QListView, QMenu, QSlider, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.review.findings_list import FindingsModel, describe_facts, sentence_context
from app.review.findings_panel import FindingFilter, FindingsPanel
from app.settings.settings import SETTINGS_BY_NAME
from core.documents import Format
from core.documents.unread import explain_unread
from core.types import ALL_KINDS, KINDS, Cue, Finding, Kind, SentenceReading, Unread, UnreadKind


@pytest.fixture
def panel(qtbot: QtBot) -> FindingsPanel:
    """A panel in view, with the draft's findings."""
    made = FindingsPanel()
    qtbot.addWidget(made)
    made.resize(320, 300)
    made.show()
    made.show_report(fakes.report(), fakes.DRAFT)
    return made


def rows(panel: FindingsPanel) -> QListView:
    found = panel.findChild(QListView, "issues")
    assert isinstance(found, QListView)
    return found


def listed(panel: FindingsPanel) -> list[str]:
    model = rows(panel).model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def current(panel: FindingsPanel) -> str | None:
    chosen = rows(panel).selectedIndexes()
    return chosen[0].data() if chosen else None


def shown_texts(panel: FindingsPanel) -> str:
    labels = [label for label in panel.findChildren(QLabel) if label.isVisible()]
    return "\n".join(label.text() for label in labels)


def toggle(panel: FindingsPanel, kind: Kind) -> QToolButton:
    button = panel.findChild(QToolButton, f"kind_{kind.value}")
    assert isinstance(button, QToolButton)
    return button


def point_in(panel: FindingsPanel, row: int) -> QPoint:
    view = rows(panel)
    return view.visualRect(view.model().index(row, 0)).center()


def test_findings_and_counts(panel: FindingsPanel) -> None:
    """Title, buttons and rows agree with the report."""
    assert listed(panel) == [words for words, *_ in fakes.MARKED]
    assert "Findings 7" in shown_texts(panel)
    assert [toggle(panel, kind).accessibleName() for kind in KINDS] == [
        "Framing 4",
        "Epistemological 2",
        "Demographic 1",
    ]


@pytest.mark.parametrize("width", [220, 640])
def test_buttons_name_the_kinds_in_narrow_and_wide_panels(panel: FindingsPanel, width: int) -> None:
    """Glyph and number alone say nothing to who does not know them."""
    panel.resize(width, 500)
    QApplication.processEvents()
    assert [toggle(panel, kind).text() for kind in KINDS] == [
        "Framing 4",
        "Epistemological 2",
        "Demographic 1",
    ]
    for kind in KINDS:
        button = toggle(panel, kind)
        needed = button.fontMetrics().horizontalAdvance(button.text()) + button.iconSize().width()
        assert button.width() >= needed
        assert panel.rect().contains(button.rect().translated(button.mapTo(panel, QPoint(0, 0))))


def test_buttons_stand_in_fewer_columns_in_a_narrower_panel(panel: FindingsPanel) -> None:
    """Whatever the font: a wide dock has one row, a narrower one two columns, and the narrowest one column."""
    seen = []
    for width in range(900, 100, -10):
        panel.resize(width, 300)
        QApplication.processEvents()
        rows_of_buttons = len({toggle(panel, kind).y() for kind in KINDS})
        seen.append((rows_of_buttons, toggle(panel, Kind.FRAMING).text()))
    assert list(dict.fromkeys(seen)) == [(rows, "Framing 4") for rows in (1, 2, 3)]
    assert seen == sorted(seen)


def test_kind_button_filters_and_tells(panel: FindingsPanel, qtbot: QtBot) -> None:
    """Turning a kind off hides its rows and tells the window, which hides its underlines."""
    with qtbot.waitSignal(panel.filter_changed) as told:
        toggle(panel, Kind.FRAMING).click()
    assert told.args == [FindingFilter(frozenset(ALL_KINDS) - {Kind.FRAMING}, 0.0)]
    assert panel.filter == told.args[0]
    assert listed(panel) == ["reveals", "chairman", "claim"]
    assert "Findings 3 of 7" in shown_texts(panel)
    assert toggle(panel, Kind.FRAMING).accessibleName() == "Framing 4"


def test_a_least_confidence_hides_what_is_less_sure(panel: FindingsPanel, qtbot: QtBot) -> None:
    """The counts on the buttons are those of the draft; the title says how many are shown."""
    slider = panel.findChild(QSlider)
    assert isinstance(slider, QSlider)
    with qtbot.waitSignal(panel.filter_changed) as told:
        slider.setValue(70)
    assert told.args == [FindingFilter(frozenset(ALL_KINDS), 0.7)]
    assert listed(panel) == ["shameful", "reveals", "legendary", "of course"]
    assert toggle(panel, Kind.DEMOGRAPHIC).accessibleName() == "Demographic 1"
    assert "Findings 4 of 7" in shown_texts(panel)
    assert "70%" in slider.accessibleDescription()


def test_filter_is_set_from_outside(panel: FindingsPanel) -> None:
    """A remembered filter moves the controls and is told once; the same filter again is silence."""
    told: list[FindingFilter] = []
    panel.filter_changed.connect(told.append)
    wanted = FindingFilter(frozenset({Kind.DEMOGRAPHIC}), 0.6)
    panel.filter = wanted
    panel.filter = wanted
    assert told == [wanted]
    assert [toggle(panel, kind).isChecked() for kind in KINDS] == [False, False, True]
    assert listed(panel) == ["chairman"]


def test_all_filtered_out_is_said(panel: FindingsPanel) -> None:
    """An empty list over a biased draft must not look like a clean draft."""
    panel.filter = FindingFilter(frozenset(), 0.0)
    assert listed(panel) == []
    assert "7 findings are filtered out" in shown_texts(panel)
    assert "No findings" not in shown_texts(panel)


def test_clean_draft_is_said(panel: FindingsPanel) -> None:
    """No findings is an answer, not an empty box."""
    panel.show_report(fakes.report(findings=[]), fakes.DRAFT)
    assert "No findings" in shown_texts(panel)


def test_messages_leave_the_rows(panel: FindingsPanel) -> None:
    """A state is told beside the rows and replaces none of them; without rows it takes their place."""
    panel.set_message("Checking…")
    assert "Checking…" in shown_texts(panel)
    assert len(listed(panel)) == 7
    panel.show_report(fakes.report(), fakes.DRAFT)
    assert "Checking…" not in shown_texts(panel)
    panel.clear()
    panel.set_message("The model could not be loaded: no such folder")
    assert "could not be loaded: no such folder" in shown_texts(panel)
    assert listed(panel) == []


def test_what_was_not_read_is_said(panel: FindingsPanel) -> None:
    parts = (Unread(UnreadKind.TEMPLATE), Unread(UnreadKind.TEMPLATE), Unread(UnreadKind.NOTE))
    panel.show_report(replace(fakes.report(), unread=parts), fakes.DRAFT)
    (label,) = [one for one in panel.findChildren(QLabel) if one.accessibleName().startswith("Not read: ")]
    assert label.isVisible()
    assert label.accessibleName() == "Not read: 1 note, 2 templates."
    assert label.toolTip() == f"{explain_unread(UnreadKind.TEMPLATE)}\n{explain_unread(UnreadKind.NOTE)}"
    panel.show_report(fakes.report(), fakes.DRAFT)
    assert not label.isVisible()


def test_click_activates_once(panel: FindingsPanel, qtbot: QtBot) -> None:
    """One click, one jump, to the finding that was clicked."""
    told: list[Finding] = []
    panel.finding_activated.connect(told.append)
    qtbot.mouseClick(rows(panel).viewport(), Qt.MouseButton.LeftButton, pos=point_in(panel, 1))
    assert [finding.text for finding in told] == ["reveals"]


def test_keys_walk_and_enter_activates(panel: FindingsPanel, qtbot: QtBot) -> None:
    """Arrows must not move the caret in the text; Enter does."""
    told: list[Finding] = []
    panel.finding_activated.connect(told.append)
    panel.set_current(fakes.report().findings[0])
    qtbot.keyClick(rows(panel), Qt.Key.Key_Down)
    qtbot.keyClick(rows(panel), Qt.Key.Key_Down)
    qtbot.keyClick(rows(panel), Qt.Key.Key_Up)
    assert (told, current(panel)) == ([], "reveals")
    qtbot.keyClick(rows(panel), Qt.Key.Key_Return)
    assert [finding.text for finding in told] == ["reveals"]


def test_set_current_selects_and_does_not_activate(panel: FindingsPanel) -> None:
    """The caret chooses the row; the row must not answer by moving the caret."""
    told: list[Finding] = []
    panel.finding_activated.connect(told.append)
    panel.set_current(fakes.report().findings[4])
    assert current(panel) == "legendary"
    panel.set_current(None)
    assert (current(panel), told) == (None, [])
    panel.filter = FindingFilter(frozenset({Kind.DEMOGRAPHIC}), 0.0)
    panel.set_current(fakes.report().findings[4])
    assert current(panel) is None


def test_equal_words_select_the_right_row() -> None:
    """Two findings of one fingerprint are two rows: the nearer one is the current one."""
    source = "A shameful act. A shameful act. A shameful act."
    findings = [fakes.finding(source, "shameful", after=at) for at in (0, 15, 31)]
    assert len({finding.fingerprint for finding in findings}) == 1
    model = FindingsModel()
    model.show(findings, source, fakes.sentences_of(source))
    assert [model.row_of(finding) for finding in findings] == [0, 1, 2]
    moved = replace(findings[2], start=findings[2].start + 2, end=findings[2].end + 2)
    assert model.row_of(moved) == 2
    assert model.row_of(fakes.finding(source, "act")) is None


def test_rows_speak(panel: FindingsPanel) -> None:
    """A blind proofreader hears kind, words and confidence, then class, guide and sentence."""
    index = rows(panel).model().index(2, 0)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == (
        "Demographic: chairman, confidence 61 percent, gendered default, MOS:GNL"
    )
    description = index.data(Qt.ItemDataRole.AccessibleDescriptionRole)
    assert "gendered default" in description
    assert "MOS:GNL" in description
    assert "The senator's shameful record reveals that the chairman ignored ordinary people." in description


def test_controls_have_names(panel: FindingsPanel) -> None:
    """Nothing that takes the focus is nameless."""
    takes_focus = [
        widget
        for widget in panel.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible()
    ]
    assert len(takes_focus) >= 5
    assert all(widget.accessibleName() for widget in takes_focus)


@pytest.mark.parametrize("by_key", [True, False])
def test_a_row_has_a_menu_with_every_way_to_pass_over(
    panel: FindingsPanel, qtbot: QtBot, by_key: bool
) -> None:
    """The menu key opens it for the present row, the mouse for the row below it."""
    view = rows(panel)
    view.setCurrentIndex(view.model().index(2, 0))
    event = QContextMenuEvent.Reason.Keyboard if by_key else QContextMenuEvent.Reason.Mouse
    place = QPoint(0, 0) if by_key else point_in(panel, 4)
    target = view if by_key else view.viewport()
    QApplication.sendEvent(target, QContextMenuEvent(event, place, view.mapToGlobal(place)))
    menu = panel.findChild(QMenu)
    assert menu is not None
    names = [action.text().split("\t")[0] for action in menu.actions() if not action.isSeparator()]
    assert names == [
        "Show in draft",
        "Ignore once",
        "Ignore here",
        "Always allow",
        SETTINGS_BY_NAME["sink_on_word"].label,
    ]
    with qtbot.waitSignal(panel.ignore_requested) as told:
        next(action for action in menu.actions() if action.text().startswith("Always allow")).trigger()
    assert (told.args[0].text, told.args[1]) == ("chairman" if by_key else "legendary", "always")
    menu.close()


def test_an_edit_changes_only_its_rows(panel: FindingsPanel) -> None:
    """A new report of almost the same findings must not rebuild the list."""
    model = rows(panel).model()
    removed: list[tuple[int, int]] = []
    added: list[tuple[int, int]] = []
    model.rowsRemoved.connect(lambda _parent, first, last: removed.append((first, last)))
    model.rowsInserted.connect(lambda _parent, first, last: added.append((first, last)))
    shifted = [
        replace(finding, start=finding.start + 3, end=finding.end + 3) for finding in fakes.report().findings
    ]
    panel.show_report(fakes.report("   " + fakes.DRAFT, findings=shifted), "   " + fakes.DRAFT)
    assert (removed, added) == ([], [])
    without = [finding for finding in shifted if finding.text != "claim"]
    panel.show_report(fakes.report("   " + fakes.DRAFT, findings=without), "   " + fakes.DRAFT)
    assert (removed, added) == ([(3, 3)], [])
    panel.show_report(fakes.report("   " + fakes.DRAFT, findings=shifted), "   " + fakes.DRAFT)
    assert added == [(3, 3)]
    assert listed(panel) == [words for words, *_ in fakes.MARKED]


def test_rows_follow_the_new_offsets(panel: FindingsPanel, qtbot: QtBot) -> None:
    """A row that stayed activates the finding of the new report, not the old one with its old place."""
    source = "Well. " + fakes.DRAFT
    panel.show_report(fakes.report(source), source)
    told: list[Finding] = []
    panel.finding_activated.connect(told.append)
    qtbot.mouseClick(rows(panel).viewport(), Qt.MouseButton.LeftButton, pos=point_in(panel, 0))
    assert [source[finding.start : finding.end] for finding in told] == ["shameful"]


def test_selection_and_scroll_stay_with_their_findings(qtbot: QtBot) -> None:
    """Results that arrive while someone reads the list must not move it under their eyes."""
    source, long = fakes.long_report(200)
    panel = FindingsPanel()
    qtbot.addWidget(panel)
    panel.resize(300, 400)
    panel.show()
    panel.show_report(long, source)
    view = rows(panel)
    panel.set_current(long.findings[100])
    view.verticalScrollBar().setValue(view.verticalScrollBar().value() + 7)
    on_top = view.indexAt(QPoint(5, 1)).data()
    place = view.visualRect(view.currentIndex()).top()

    panel.show_report(fakes.report(source, findings=long.findings[5:]), source)
    assert current(panel) == "wording100"
    assert view.indexAt(QPoint(5, 1)).data() == on_top
    assert view.visualRect(view.currentIndex()).top() == place

    panel.show_report(long, source)
    assert current(panel) == "wording100"
    assert view.visualRect(view.currentIndex()).top() == place

    gone = [finding for finding in long.findings if finding.text != "wording100"]
    panel.show_report(fakes.report(source, findings=gone), source)
    assert current(panel) is None
    assert view.indexAt(QPoint(5, 1)).data() == on_top


def test_ten_thousand_rows_cost_what_is_seen(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """No widget per row, and only rows in sight are put into words."""
    source, long = fakes.long_report(10_000)
    painted: set[int] = set()
    context = FindingsModel.context
    monkeypatch.setattr(FindingsModel, "context", lambda self, row: painted.add(row) or context(self, row))
    panel = FindingsPanel()
    qtbot.addWidget(panel)
    panel.resize(300, 500)
    before = len(panel.findChildren(QWidget))
    panel.show_report(long, source)
    panel.grab()
    assert rows(panel).model().rowCount() == 10_000
    assert len(panel.findChildren(QWidget)) <= before + 2
    assert 0 < len(painted) < 30


@pytest.mark.parametrize("width", [60, 120, 220, 600])
def test_strange_words_are_painted(width: int, qtbot: QtBot) -> None:
    """Emoji, right-to-left, mark-up, NUL, lone surrogates and endless words are drawn at any width."""
    words = ["👩‍👩‍👧", "سيئ جدا", "<b>x</b>", "a\0b", "c\ud800d", "w" * 500, "two\nlines"]
    source = ". ".join(f"He said {word} there" for word in words)
    findings = [fakes.finding(source, word, kind=KINDS[at % 3]) for at, word in enumerate(words)]
    panel = FindingsPanel()
    qtbot.addWidget(panel)
    panel.resize(width, 500)
    panel.show_report(fakes.report(source, findings=findings), source)
    assert not panel.grab().isNull()
    assert listed(panel)[3:5] == ["a\ufffdb", "c\ufffdd"]


def test_context_is_the_sentence() -> None:
    """The words stand in their own sentence, on one line, whatever the line ends are."""
    source = "One.\r\nThe so-\ncalled  expert spoke. Two."
    finding = fakes.finding(source, "called  expert")
    sentence = SentenceReading(6, source.index(" Two"), 0.9, True, False, fakes.CENTRE)
    context = sentence_context(finding, source, sentence)
    assert (context.before, context.words, context.after) == ("The so- ", "called expert", " spoke.")


@pytest.mark.parametrize(
    ("form", "source"),
    [
        (Format.WIKITEXT, "'''Ada Stroud''' was a [[radical (politics)|radical]] ''mayor''.<ref>A.</ref>"),
        (Format.MARKDOWN, "**Ada Stroud** was a [radical](https://example.org) *mayor*."),
    ],
)
def test_context_is_without_mark_up(form: Format, source: str) -> None:
    start = source.rindex("radical")
    finding = replace(fakes.finding(source, "radical"), start=start, end=start + len("radical"))
    sentence = SentenceReading(0, len(source), 0.9, True, False, fakes.CENTRE)
    context = sentence_context(finding, source, sentence, form)
    assert (context.before, context.words) == ("Ada Stroud was a ", "radical")
    assert context.after.strip() == "mayor."


def test_facts_say_where_a_finding_comes_from() -> None:
    """Kind, class and guide; honest where no list knows the word; quotations are named."""
    source = "a b"
    cue = Cue("b", "strong_subjective", "WP:IMPARTIAL")
    assert (
        describe_facts(fakes.finding(source, "b", cue=cue))
        == "Framing · strongly subjective word · WP:IMPARTIAL"
    )
    assert (
        describe_facts(fakes.finding(source, "b", quoted=True)) == "Framing · from context · in a quotation"
    )


def test_model_has_one_level() -> None:
    """A row has no rows: views that ask for a tree must not loop."""
    model = FindingsModel()
    model.show(fakes.report().findings, fakes.DRAFT, ())
    assert model.rowCount(QModelIndex()) == 7
    assert model.rowCount(model.index(0)) == 0
