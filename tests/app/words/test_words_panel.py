"""The words panel: every word with its score and sentences, by keyboard and in accessible texts."""

from __future__ import annotations

import pytest
import word_effects_data
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QWidget
from pytestqt.qtbot import QtBot

from app.charts.chart_sections import make_chart
from app.export.chart_export import Picture, render_png, render_svg
from app.widgets.labels import scaled_font
from app.widgets.theme import palette
from app.words.word_chart import NOTE, WordChart, chart_spec
from app.words.word_rows import (
    WordFilter,
    accessible_text,
    effects_as_text,
    explain_score,
    filter_words,
    word_title,
    words_as_text,
)
from app.words.words_panel import EMPTY, WordsPanel

SOURCE = word_effects_data.SOURCE


@pytest.fixture
def panel(qtbot: QtBot) -> WordsPanel:
    made = WordsPanel()
    qtbot.addWidget(made)
    made.resize(340, 620)
    made.show()
    made.show_rows(word_effects_data.rows(), SOURCE)
    return made


def shown(view: QAbstractItemView) -> list[str]:
    model = view.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def pick(panel: WordsPanel, word: str) -> None:
    panel.list.setCurrentIndex(panel.list.model().index(shown(panel.list).index(word), 0))


def test_words_follow_the_chosen_order() -> None:
    def words(order: str) -> list[str]:
        return [row.word for row in filter_words(word_effects_data.rows(), WordFilter(order=order))]

    assert words("bias") == ["shameful", "Muslim", "plot", "mayor", "town"]
    assert words("effect")[:2] == ["shameful", "Muslim"]
    assert words("count")[0] == "Muslim"
    assert words("word") == ["mayor", "Muslim", "plot", "shameful", "town"]


def test_words_are_found_by_a_few_letters_and_identity_terms_alone(panel: WordsPanel, qtbot: QtBot) -> None:
    qtbot.keyClicks(panel.filter_bar.search, "MUS")
    assert shown(panel.list) == ["Muslim"]
    panel.filter_bar.search.clear()
    panel.filter_bar.identity_terms_only.click()
    assert shown(panel.list) == ["Muslim"]
    qtbot.keyClicks(panel.filter_bar.search, "zzz")
    assert not shown(panel.list)
    assert not panel.list.isVisible()


def test_the_first_word_is_selected_with_its_sentences(panel: WordsPanel) -> None:
    assert panel.chosen is not None
    assert panel.chosen.word == "shameful"
    assert shown(panel.sentences.list) == ["A shameful plot failed."]


def test_a_selected_word_shows_each_sentence_with_and_without_it(panel: WordsPanel) -> None:
    pick(panel, "Muslim")
    model = panel.sentences.list.model()
    texts = [str(model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)) for row in range(2)]
    assert shown(panel.sentences.list) == ["The Muslim mayor spoke.", "Muslim voters came to the town hall."]
    assert "0.82" in texts[0]
    assert "0.31" in texts[0]
    assert "left out" in texts[0]
    assert "0.44" in texts[1]
    assert "0.19" in texts[1]


def test_enter_and_a_click_go_to_the_sentence(panel: WordsPanel, qtbot: QtBot) -> None:
    pick(panel, "Muslim")
    rows = panel.sentences.list
    with qtbot.waitSignal(panel.location_requested) as wanted:
        rows.setCurrentIndex(rows.model().index(1, 0))
        qtbot.keyClick(rows, Qt.Key.Key_Return)
    assert SOURCE[wanted.args[0].word_start : wanted.args[0].word_end] == "Muslim"
    assert wanted.args[0].start == SOURCE.index("Muslim voters")
    with qtbot.waitSignal(panel.location_requested) as wanted:
        place = rows.visualRect(rows.model().index(0, 0)).center()
        qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert wanted.args[0].start == 0
    with qtbot.waitSignal(panel.word_requested) as wanted:
        qtbot.keyClick(panel.list, Qt.Key.Key_Enter)
    assert wanted.args[0].word == "Muslim"


def test_the_meaning_and_limitations_of_the_score_are_explained(panel: WordsPanel) -> None:
    pick(panel, "Muslim")
    description = explain_score(word_effects_data.rows()[1])
    assert "0.83" in description
    assert "a bias of the model" in description
    assert "not of the word" in description
    assert any(child.accessibleName() == description for child in panel.findChildren(QWidget))


def test_new_rows_keep_the_selected_word(panel: WordsPanel) -> None:
    pick(panel, "plot")
    panel.show_rows([word_effects_data.word("evil", 0.99), *word_effects_data.rows()], f"Evil. {SOURCE}")
    assert panel.chosen is not None
    assert panel.chosen.word == "plot"
    panel.show_rows(word_effects_data.rows()[:2], SOURCE)
    assert panel.chosen is not None
    assert panel.chosen.word == "shameful"


def test_missing_effects_are_requested_when_a_word_is_selected(panel: WordsPanel, qtbot: QtBot) -> None:
    with qtbot.waitSignal(panel.effects_requested) as wanted:
        pick(panel, "plot")
    assert wanted.args[0].word == "plot"
    assert not panel.sentences.list.isVisible()
    panel.show_effects("plot", word_effects_data.effects("plot", "plan", (0.9, 0.5)))
    assert shown(panel.sentences.list) == ["A shameful plot failed."]
    assert panel.sentences.list.isVisible()


def test_a_word_without_a_general_term_says_so(panel: WordsPanel) -> None:
    pick(panel, "town")
    panel.show_effects("town", ())
    description = [
        child.accessibleName() for child in panel.sentences.findChildren(QWidget) if child.isVisible()
    ]
    assert any("No more general word" in one for one in description)


def test_a_state_is_shown_above_or_instead_of_the_rows(panel: WordsPanel) -> None:
    panel.set_message("Reading …")
    assert shown(panel.list)
    assert panel.list.isVisible()
    panel.clear("The model is damaged.")
    assert not panel.list.isVisible()
    names = [child.accessibleName() for child in panel.findChildren(QWidget) if child.isVisible()]
    assert "The model is damaged." in names
    panel.show_rows([], "")
    names = [child.accessibleName() for child in panel.findChildren(QWidget) if child.isVisible()]
    assert EMPTY in names


def test_rows_are_copied_with_the_names_of_their_columns(panel: WordsPanel, qtbot: QtBot) -> None:
    pick(panel, "Muslim")
    qtbot.keyClick(panel.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = [line.split("\t") for line in QGuiApplication.clipboard().text().split("\n")]
    assert copied[0][0] == "Word"
    assert copied[1][:3] == ["Muslim", "2", "0.830"]
    panel.copy_words()
    assert QGuiApplication.clipboard().text() == words_as_text(word_effects_data.rows())
    panel.sentences.copy_all()
    lines = QGuiApplication.clipboard().text().split("\n")
    assert len(lines) == 3
    assert lines[1].startswith("0.820\t0.310\tThe Muslim mayor spoke.\tThe mayor spoke.")
    assert QKeySequence(QKeySequence.StandardKey.Copy)
    assert len({line.count("\t") for line in effects_as_text(panel.sentences.effects).split("\n")}) == 1


def test_a_row_has_an_accessible_text() -> None:
    description = accessible_text(word_effects_data.rows()[1])
    for part in ("Muslim", "2 times", "0.83", "Demographic 83%", "identity term"):
        assert part in description


def test_the_title_lists_all_replacements() -> None:
    first, second = word_effects_data.effects("Muslim", "", (0.8, 0.3), (0.4, 0.2))
    row = word_effects_data.rows()[1]
    assert word_title(row, (first, second)) == "“Muslim” → left out"
    other = word_effects_data.effects("Muslim", "believers", (0.8, 0.3), (0.4, 0.2))[1]
    assert word_title(row, (first, other)) == "“Muslim” → left out, “believers”"


def test_the_chart_selects_a_word_hidden_by_a_filter(panel: WordsPanel, qtbot: QtBot) -> None:
    qtbot.keyClicks(panel.filter_bar.search, "town")
    chart = panel.chart.chart
    chart.setFocus()
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Down, Qt.Key.Key_Return):
        qtbot.keyClick(chart, key)
    assert panel.chosen is not None
    assert panel.chosen.word == "Muslim"
    assert not panel.filter_bar.search.text()


def test_the_chart_shows_the_highest_words_and_says_so(qtbot: QtBot) -> None:
    chart = WordChart(max_words=2)
    qtbot.addWidget(chart)
    chart.show_words(word_effects_data.rows()[::-1])
    assert chart.accessibleDescription() == "shameful 0.93; Muslim 0.83"
    chart.set_max_words(3)
    assert chart.count() == 3
    chart.show_words([])
    assert chart.accessibleDescription() == "No words."


def test_the_chart_can_be_exported_as_an_image(qtbot: QtBot) -> None:
    charts = {"words": chart_spec(word_effects_data.rows())}
    chart = make_chart("words", None, charts=charts)  # type: ignore[arg-type]
    qtbot.addWidget(chart)
    picture = Picture(charts["words"].title, note=NOTE)
    image = QPixmap()
    assert image.loadFromData(render_png(chart, picture))
    drawn = render_svg(chart, picture).decode()
    assert "shameful" in drawn
    assert "0.93" in drawn


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("high_contrast", [False, True])
@pytest.mark.parametrize("size", [(220, 260), (340, 420), (900, 900)])
def test_every_size_and_theme_is_drawn(
    panel: WordsPanel, qtbot: QtBot, dark: bool, high_contrast: bool, size: tuple[int, int]
) -> None:
    panel.setPalette(palette(dark=dark, high_contrast=high_contrast))
    panel.resize(*size)
    qtbot.wait(1)
    assert not panel.grab().isNull()
    has_space = size[1] >= panel.minimumSizeHint().height() + panel.chart.sizeHint().height()
    assert panel.chart.isVisible() == (size[1] >= 400 and has_space)
    assert panel.chart.isVisible() or size[1] < 900
    assert panel.list.visibleRegion().boundingRect().height() > 20
    assert panel.sentences.list.visibleRegion().boundingRect().height() > 20


def test_a_low_panel_hides_the_chart_with_large_type(panel: WordsPanel, qtbot: QtBot) -> None:
    """The chart once kept the panel so high that it never came to be low enough to leave the chart out."""
    panel.setFont(scaled_font(panel.font(), 1.6))
    panel.resize(220, 260)
    qtbot.waitUntil(lambda: not panel.chart.isVisible())
    assert panel.list.visibleRegion().boundingRect().height() > 20
    assert panel.sentences.list.visibleRegion().boundingRect().height() > 20
    panel.resize(340, 1200)
    qtbot.waitUntil(panel.chart.isVisible)


def test_undrawable_and_very_long_words_are_shown(panel: WordsPanel) -> None:
    panel.show_rows(
        [word_effects_data.word("\ud800\x00odd", 0.5), word_effects_data.word("w" * 5000, 0.4)], SOURCE
    )
    assert not panel.grab().isNull()
    assert panel.minimumSizeHint().width() < 400
