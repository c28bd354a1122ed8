"""Report export: the file matches the window, is complete or absent, and errors are reported."""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from threading import Event
from xml.etree import ElementTree as Xml

import pytest
from fake_reader import FakeReader
from fake_rewriter import FakeRewriter
from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QProgressDialog
from pytestqt.qtbot import QtBot
from windows import TEXT, Make, read, saving_to

from app.background.incremental_tasks import Steps
from app.export import report_export
from app.export.chart_export import ChartExportDialog
from app.export.report_pdf import LINES_PER_PART, render_pdf, split_into_parts
from app.main_window.window import MainWindow
from core.bundles.manifest import BundleError
from core.models.active import active_bundle

WORDS = ["shameful", "reveals", "chairman"]


def opened(make: Make, qtbot: QtBot, text: str = TEXT, words: list[str] | None = None) -> MainWindow:
    window = make(text)
    read(window, qtbot, WORDS if words is None else words)
    return window


def done(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.components.exporter.is_busy)


def export_html(window: MainWindow, qtbot: QtBot, path: Path) -> str:
    window.ui.actions["export_html"].trigger()
    done(window, qtbot)
    return path.read_text(encoding="utf-8")


def row_of(html: str, words: str) -> str:
    """The row of a finding, as text; tags end words."""
    rows = re.findall(r"<tr><th scope=\"row\" id=.*?</tr>", html)
    texts = [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in rows]
    return next(text for text in texts if words in text)


def status_text(window: MainWindow) -> str:
    return window.ui.message_bar.text


def test_html_holds_what_the_window_shows(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The draft, its findings, and what was changed since it was opened; no path of this machine."""
    window = opened(make, qtbot)
    window.ui.editor.moveCursor(window.ui.editor.textCursor().MoveOperation.End)
    window.ui.editor.insertPlainText("A legendary end.")
    read(window, qtbot, [*WORDS, "legendary"])
    saving_to(monkeypatch, tmp_path / "out")
    with qtbot.waitSignal(window.components.exporter.status_message) as blocker:
        window.ui.actions["export_html"].trigger()
    done(window, qtbot)
    html = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert blocker.args == ["out.html was written."]
    for words in (
        "legendary",
        "👍🏽",
        "reader test 1.0",
        "As opened",
        "<ins>A legendary end.</ins>",
        "<h1>",
        "<td>17</td>",
    ):
        assert words in html
    assert str(tmp_path) not in html
    assert "<script" not in html


def test_ignored_findings_are_left_out_and_counted(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An editor's decision stands in the report too."""
    window = opened(make, qtbot)
    window.ui.actions["next"].trigger()
    window.ui.actions["ignore"].trigger()
    read(window, qtbot, WORDS[1:])
    saving_to(monkeypatch, tmp_path / "out.html")
    window.ui.actions["export_html"].trigger()
    done(window, qtbot)
    html = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert re.search(r"not listed</th><td>1<", html)
    assert html.count('<mark class="framing" ') == 0


@pytest.mark.parametrize(("step", "marked"), [(-2, ["shameful"]), (1, ["shameful", "perhaps", "plot"])])
def test_the_report_does_not_depend_on_the_sensitivity(
    make: Make,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    step: int,
    marked: list[str],
) -> None:
    """Its counts and charts are those of the panels, and its rows are what is counted."""
    window = opened(make, qtbot, "A shameful plan.\n\nIt was perhaps so.\n\nA plot.\n", ["shameful", "plot"])
    window.ui.sensitivity.slider.setValue(step)
    read(window, qtbot, marked)
    saving_to(monkeypatch, tmp_path / "out.html")
    html = export_html(window, qtbot, tmp_path / "out.html")
    assert row_of(html, "shameful")
    assert row_of(html, "plot").endswith("No suitable suggestion found.")
    assert re.findall(r'<mark class="(\w+)" ', html) == ["framing", "framing"]
    assert re.search(r"Findings, framing</th><td>2<", html)


def test_the_suggestions_of_each_finding_are_listed_or_why_there_is_none(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As the cards offer them, the best first, also for findings that were never in view; and who proposed them."""
    text = "A shameful claim.\n\n" + "Plain words.\n\n" * 200 + "A legendary thing. A plot.\n"
    window = opened(make, qtbot, text, ["shameful", "legendary", "plot"])
    saving_to(monkeypatch, tmp_path / "out.html")
    html = export_html(window, qtbot, tmp_path / "out.html")
    assert "shameful → (deleted) (0.81 → 0.22) shameful → criticised (0.81 → 0.32)" in row_of(
        html, "shameful"
    )
    last = row_of(html, "legendary")
    assert last.index("(deleted)") < last.index("well-known") < last.index("long-serving")
    assert row_of(html, "plot").endswith("No suitable suggestion found.")
    assert "Role: rewriter." in html


def test_suggestions_that_are_known_are_not_looked_for_again(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Neither those of the cards for a report, nor those of a report for the cards or the next report."""
    rewriter = FakeRewriter()
    text = "A shameful claim.\n\n" + "Plain words.\n\n" * 200 + "A legendary thing. It reveals it.\n"
    window = make(text, load_rewriter=lambda _: rewriter)
    qtbot.waitUntil(lambda: rewriter.seen == ["shameful", "legendary"])
    prefetch, findings = window.components.prefetch, window.components.review.findings
    places = [prefetch.locate(finding) for finding in findings[:2]]
    qtbot.waitUntil(lambda: all(place and prefetch.cache.get(place.key) for place in places))
    saving_to(monkeypatch, tmp_path / "out.html")
    first = export_html(window, qtbot, tmp_path / "out.html")
    assert rewriter.seen == ["shameful", "legendary", "reveals"]
    assert not window.components.prefetch.get(window.ui.editor.marks[2].finding).pending
    assert row_of(export_html(window, qtbot, tmp_path / "out.html"), "reveals") == row_of(first, "reveals")
    assert rewriter.seen == ["shameful", "legendary", "reveals"]


def test_looking_for_suggestions_is_shown_and_can_be_cancelled(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gate = Event()
    rewriter = FakeRewriter(gate=gate)
    window = make(load_rewriter=lambda _: rewriter)
    read(window, qtbot, WORDS)
    saving_to(monkeypatch, tmp_path / "out.html")
    window.ui.actions["export_html"].trigger()
    dialog = window.findChild(QProgressDialog)
    assert dialog is not None
    assert dialog.labelText() == "Looking for suggestions: finding 1 of 3 …"
    assert window.components.exporter.is_busy
    window.ui.actions["export_pdf"].trigger()
    assert status_text(window) == report_export.BUSY
    dialog.canceled.emit()
    assert not window.components.exporter.is_busy
    gate.set()
    html = export_html(window, qtbot, tmp_path / "out.html")
    assert "criticised" in html, "another export starts from the beginning"


def test_the_text_can_be_edited_while_suggestions_are_looked_for(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The edit is read in between; the report is of the text as it was."""
    gate = Event()
    rewriter = FakeRewriter(gate=gate)
    window = make(load_rewriter=lambda _: rewriter)
    read(window, qtbot, WORDS)
    saving_to(monkeypatch, tmp_path / "out.html")
    window.ui.actions["export_html"].trigger()
    window.ui.editor.insertPlainText("A legendary start. ")
    gate.set()
    read(window, qtbot, ["legendary", *WORDS])
    done(window, qtbot)
    html = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "legendary" not in html
    assert "criticised" in row_of(html, "shameful")
    assert "chair" in row_of(html, "chairman")


def test_without_a_rewriter_the_report_has_no_suggestions(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def missing(_engine: object) -> FakeRewriter:
        raise BundleError("No rewriter.")

    window = make(load_rewriter=missing)
    read(window, qtbot, WORDS)
    saving_to(monkeypatch, tmp_path / "out.html")
    html = export_html(window, qtbot, tmp_path / "out.html")
    assert "shameful" in row_of(html, "shameful")
    assert "Suggestions" not in html
    assert "Role: rewriter." not in html


def inflated(packed: bytes) -> bytes:
    """A whole stream of a PDF. The line end behind it is no part of it; a carriage return at its end may be."""
    unpacking = zlib.decompressobj()
    text = unpacking.decompress(packed)
    assert unpacking.eof
    return text


def test_pdf_has_pages_of_real_text(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Fonts, not a picture of the text; a title; several pages for several pages of draft."""
    text = "\n\n".join(["A plain paragraph with a number of words, and then some more of them."] * 90)
    window = opened(make, qtbot, text + "\n\nThe shameful end.\n", ["shameful"])
    saving_to(monkeypatch, tmp_path / "out.pdf")
    window.ui.actions["export_pdf"].trigger()
    done(window, qtbot)
    data = (tmp_path / "out.pdf").read_bytes()
    assert data.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", data)) >= 3
    assert b"/ToUnicode" in data
    assert b"/FontFile2" in data or b"/FontFile3" in data
    assert "Evenhand report: draft.md".encode("utf-16-be") in data or b"Evenhand report: draft.md" in data
    streams = [
        inflated(found)
        for found in re.findall(rb"FlateDecode.*?stream\r?\n(.*?)endstream", data, re.DOTALL)
        if found[:1] == b"\x78"
    ]
    assert sum(b" Tj" in stream or b" TJ" in stream for stream in streams) >= 3


def test_the_report_of_a_page_of_text_has_three_pages_at_most(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With the charts, ten findings, their suggestions and both models: the models' cards are links."""
    plain = "The council met in the town hall on Monday and spoke about the new road for two hours. " * 2
    text = "\n\n".join([plain + "The shameful plan was made in May."] * 10)
    assert len(text.split()) > 400
    name = active_bundle("reader").title
    window = make(text + "\n", load=lambda: FakeReader(name=name))
    read(window, qtbot, ["shameful"] * 10)
    saving_to(monkeypatch, tmp_path / "out.pdf")
    window.ui.actions["export_pdf"].trigger()
    done(window, qtbot)
    data = (tmp_path / "out.pdf").read_bytes()
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", data)) <= 3


def test_an_empty_report_is_refused_with_a_message(make: Make, qtbot: QtBot) -> None:
    """Before anything is read, and while the newest words are not yet."""
    window = make(None)
    window.components.exporter.export_html()
    assert status_text(window) in (report_export.NOT_READ, report_export.STILL_READING)
    window.components.review.clear()
    window.components.exporter.export_chart()
    assert status_text(window) == report_export.NOT_READ


def test_the_report_waits_for_the_analysis(make: Make, qtbot: QtBot) -> None:
    """Marks of one text on another would be wrong: no report is better."""
    window = opened(make, qtbot)
    window.ui.editor.insertPlainText("New words. ")
    window.ui.actions["export_html"].trigger()
    assert status_text(window) == report_export.STILL_READING
    assert not window.components.exporter.is_busy


@pytest.mark.parametrize("command", ["export_html", "export_pdf"])
def test_an_unwritable_file_is_reported(
    command: str, make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One sentence, and nothing half beside it."""
    window = opened(make, qtbot)
    saving_to(monkeypatch, tmp_path / "gone" / "out.html")
    with qtbot.waitSignal(window.components.exporter.message) as wrong:
        window.ui.actions[command].trigger()
    done(window, qtbot)
    assert "out.html was not saved" in wrong.args[0]
    assert not (tmp_path / "gone").exists()


def test_cancelled_and_closed_leave_no_file(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A window that is closed while a report is made ends it and writes nothing."""
    window = opened(make, qtbot)
    steps: list[str] = []

    def slow(_entry: object, _reader: str) -> Steps:
        try:
            while True:
                steps.append("step")
                yield 0.1
        finally:
            steps.append("end")

    monkeypatch.setattr(report_export, "_render_pdf", slow)
    saving_to(monkeypatch, tmp_path / "out.pdf")
    window.ui.actions["export_pdf"].trigger()
    qtbot.waitUntil(lambda: "step" in steps)
    window.ui.actions["export_html"].trigger()
    assert status_text(window) == report_export.BUSY
    window.close()
    assert not window.components.exporter.is_busy
    assert steps[-1] == "end"
    assert not (tmp_path / "out.pdf").exists()


def test_an_unexpected_error_does_not_reveal_the_draft(
    make: Make,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    window = opened(make, qtbot)

    def broken(*_: object) -> Steps:
        yield 0.0
        raise RuntimeError("shameful words")

    monkeypatch.setattr(report_export, "_render_html", broken)
    saving_to(monkeypatch, tmp_path / "out.html")
    with qtbot.waitSignal(window.components.exporter.message) as wrong:
        window.ui.actions["export_html"].trigger()
    done(window, qtbot)
    assert wrong.args[0] == "out.html could not be written (RuntimeError). The draft itself is safe."
    assert "shameful" not in caplog.text


@pytest.mark.parametrize("on", [False, True])
def test_reports_and_charts_have_the_leaning_only_if_the_window_shows_it(
    on: bool, make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Off by default, as in the panel."""
    window = opened(make, qtbot, "A shameful plan. " + "The plan is new. " * 20, ["shameful"])
    if on:
        window.settings.set("show_leaning", True)
    saving_to(monkeypatch, tmp_path / "out.html")
    html = export_html(window, qtbot, tmp_path / "out.html")
    assert ("Leaning" in html) is ("leaning by paragraph" in html) is on
    choice = dialog_of(window, "")._chart_choice
    charts = [choice.itemText(number) for number in range(choice.count())]
    assert any("leaning" in title for title in charts) is on


def dialog_of(window: MainWindow, name: str) -> ChartExportDialog:
    window.components.exporter.export_chart(name)
    return window.findChildren(ChartExportDialog)[-1]


@pytest.mark.parametrize("form", ["PNG", "SVG"])
def test_a_chart_is_written(
    form: str, make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The chart that was chosen, in the form and the width that were chosen."""
    window = opened(make, qtbot)
    dialog = dialog_of(window, "cues")
    dialog._format_choice.setCurrentIndex(dialog._format_choice.findData(form))
    dialog._width.setValue(500)
    assert dialog._chart_choice.currentData() == "cues"
    path = tmp_path / f"chart.{form.lower()}"
    saving_to(monkeypatch, path)
    with qtbot.waitSignal(window.components.exporter.status_message):
        dialog.save()
    if form == "PNG":
        assert QImage(str(path)).size().width() == 1000
    else:
        assert Xml.parse(path).getroot().get("width") == "500"


def test_the_dialog_stays_when_a_chart_cannot_be_written(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = opened(make, qtbot)
    dialog = dialog_of(window, "bias")
    saving_to(monkeypatch, tmp_path / "gone" / "chart.png")
    dialog.save()
    assert "chart.png was not saved" in dialog.message
    assert dialog.isVisible()
    dialog.copy()
    assert QGuiApplication.clipboard().image().size() != QSize(0, 0)
    dialog.reject()


def test_parts_contain_every_line_once() -> None:
    """What is laid out piece by piece is the whole page, and each piece can stand alone."""
    lines = [f'<p dir="auto">Line {number}</p>\n' for number in range(3 * LINES_PER_PART + 1)]
    rows = [f"<tr><td>{number}</td></tr>\n" for number in range(30)]
    head = '<table class="changes">\n<thead><tr><th>Old</th><th>Now</th></tr></thead>\n<tbody>\n'
    page = ["<style>p {}</style><h1>x</h1>", '<div class="draft" lang="en">\n', *lines, "</div>\n"]
    page += [head, *rows, "</tbody>\n</table>\n", "<p>end</p>"]
    made = list(split_into_parts(page))
    whole = "".join(made)
    assert re.findall(r"Line (\d+)<", whole) == [str(number) for number in range(3 * LINES_PER_PART + 1)]
    assert re.findall(r"<td>(\d+)<", whole) == [str(number) for number in range(30)]
    assert "<style>" not in whole
    for part in made:
        assert part.count("<div") == part.count("</div>")
        assert part.count("<table") == part.count("</table>") == part.count("<thead>")
    assert whole.count('width="50%"') == 2 * whole.count("<thead>")


def drained(steps: Steps, shares: list[float]) -> bytes:
    while True:
        try:
            shares.append(next(steps))
        except StopIteration as end:
            return bytes(end.value)


def test_a_pdf_is_written_in_steps_and_can_be_cancelled(qtbot: QtBot) -> None:
    """Between two parts, and between two pages."""
    steps = render_pdf(["<p>one</p>", "<p>two</p>", "<p>three</p>"], title="x")
    next(steps)
    steps.close()
    shares: list[float] = []
    steps = render_pdf(["<p>one</p>", "<p>two</p>"], title="x")
    assert drained(steps, shares).startswith(b"%PDF-")
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
