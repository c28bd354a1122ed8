"""Protects the words themselves: complaints 2 to 6 and 19, of text that was corrupted, lost, or ran from the caret."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtWidgets import QMessageBox

from core.cli import main
from core.engine.cues import Lexicon
from core.engine.engine import Engine
from core.engine.reader import Reader
from core.rewriting.suggester import Suggester
from tests.app.fake_reader import FakeReader
from tests.core.rewriting.fake_proposer import Told
from tests.e2e.conftest import Sit

ROOT = Path(__file__).parents[2]
MIXED = (
    "👍🏽 Cafe\u0301: the shameful 🏳️‍🌈 record reveals it.\r\n\r\n"
    "שלום the legendary מילה of\u00a0𝔘𝔫𝔦.\r\n"
    "مرحبا 👩‍👩‍👧 the chairman e\u0308 said.\r\n"
)
LONG = (
    "Plain words.\n\n" * 60
    + ("A shameful plan, a legendary end, a disgraceful plan: he reveals all to the chairman.\n\n")
    + "More of it.\n\n" * 60
)


def test_a2_02_an_emoji_shifts_no_mark_and_the_replacement_corrupts_nothing(sit: Sit, tmp_path: Path) -> None:
    """2: an emoji shifts the underline, and what is put in place corrupts the text.

    Also where marks combine, two code points are one sign, writing runs from right to left, and lines end in CR LF.
    """
    person = sit(MIXED)
    person.see(["shameful", "reveals", "legendary", "chairman"])
    wanted = MIXED
    for old, new, left in (
        ("reveals", "says", ["shameful", "legendary", "chairman"]),
        ("chairman", "chair", ["shameful", "legendary"]),
        ("shameful ", "", ["legendary"]),
    ):
        person.walk_to(old.strip())
        person.wait_for_suggestions()
        person.press("Alt+1")
        wanted = wanted.replace(old, new)
        assert person.text == wanted.replace("\r\n", "\n")
        person.see(left)
    person.press("Ctrl+S")
    assert (tmp_path / "draft.md").read_bytes() == wanted.encode()
    person.press("Ctrl+Z", times=3)
    person.press("Ctrl+S")
    assert (tmp_path / "draft.md").read_bytes() == MIXED.encode()


def test_a2_03_offsets_of_the_command_line_count_characters_of_the_file(
    tiny_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """3: the same shift in Python. What a script cuts out of the text by a finding's offsets is the finding."""
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: tiny_bundle)
    for number, name in enumerate(("draft.txt", "draft.md", "draft.wikitext")):
        path = tmp_path / name
        path.write_bytes(MIXED.encode())
        assert main.main(["check", str(path), "--style", "none", "--format", "json"]) == 1
        (entry,) = json.loads(capsys.readouterr().out)["files"]
        source = path.read_bytes().decode()
        cut = [source[one["start"] : one["end"]] for one in entry["findings"]]
        assert cut == [one["text"] for one in entry["findings"]] == ["shameful", "reveals", "chairman"], (
            number
        )


ANSWERS = {
    "shameful": "Alt+0",
    "legendary": "Alt+2",
    "disgraceful": "Alt+8",
    "reveals": "Alt+9",
    "chairman": "Esc",
}


def test_a2_04_the_caret_stays_at_its_words_after_any_answer_to_a_finding(sit: Sit) -> None:
    """4: the cursor jumps after accepting, and after dismissing, and so does the page. Here it stands in the word."""
    person = sit(LONG)
    person.see(list(ANSWERS))
    bar = person.window.ui.editor.verticalScrollBar()
    for words, keys in ANSWERS.items():
        person.walk_to(words)
        person.wait_for_suggestions()
        person.press("Right", times=3)
        before, scrolled = person.text[: person.caret], bar.value()
        if words == "legendary":
            before = f"{before[:-3]}wel"
        person.press(keys)
        person.rest()
        assert person.text[: person.caret] == before, keys
        assert bar.value() == scrolled > 0
        assert not person.window.ui.editor.textCursor().hasSelection()
        assert not person.card
        person.write("now ")
        assert person.text[: person.caret] == f"{before}now "
        person.rest()


def test_a2_05_the_caret_is_never_taken_back_while_typing_goes_on(sit: Sit) -> None:
    """5: the caret snaps back. A reading that comes late, of this text or of an older one, moves nothing."""
    gate = Event()
    gate.set()
    reader = FakeReader(gate=gate)
    person = sit("A shameful plan.\n\nThe end.\n", load=lambda: reader)
    person.see(["shameful"])
    person.press("F8")
    person.press("Alt+1")
    gate.clear()
    person.press("Ctrl+End")
    for words in ("A leg", "endary ", "plot reveals", " it."):
        person.write(words)
        assert person.text[: person.caret].endswith(words)
        seen = len(reader.seen)
        person.wait(lambda seen=seen: len(reader.seen) > seen)
        assert person.text[: person.caret].endswith(words)
    gate.set()
    person.see(["legendary", "plot", "reveals"])
    person.write(" Done.")
    assert person.text == "A plan.\n\nThe end.\nA legendary plot reveals it. Done."
    assert person.caret == len(person.text)


def test_a2_06_accepting_changes_the_offered_words_and_not_one_beside_them(
    sit: Sit, tiny_bundle: Path
) -> None:
    """6: accepting replaced a word by a whole sentence. The real way from finding to edit, one step of the history."""
    text = (
        "# A  *shameful*\trecord\n\nThe Senator  said this shameful policy,\nthe new law. Shameful people.\n"
    )
    told = Told({"shameful": [("new", 0.6)]})
    engine = Engine(Reader.load(tiny_bundle, threads=1), Lexicon.load())
    person = sit(text, load=lambda: engine, load_rewriter=lambda engine: Suggester(engine, told))
    person.see(["shameful", "shameful", "Shameful"])
    person.press("F8", times=2)
    person.wait_for_suggestions()
    person.tab_to("Suggestion 1: “shameful” → “new”")
    person.press("Return")
    assert person.text == text.replace("this shameful policy", "this new policy")
    person.see(["shameful", "Shameful"])
    person.press("Ctrl+Z")
    assert person.text == text
    assert not person.window.ui.editor.document().isUndoAvailable()


TYPIST = """
import sys, time
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from app.main_window.window import MainWindow
from core.bundles.reader import MissingBundleError

def none(*_):
    raise MissingBundleError("none")

app = QApplication([])
window = MainWindow(load=none, load_rewriter=none)
window.show()
window.components.documents.new()
QTest.keyClicks(window.ui.editor, "Never saved anywhere: the shameful record.")
while not window.components.journal_writer.is_written:
    app.processEvents()
    time.sleep(0.005)
print("written", flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a2_19_a_new_file_that_was_never_saved_survives_a_kill(
    sit: Sit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """19: an unsaved new file was lost. The next start offers it, and one key brings it back."""
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "data"))
    command = [sys.executable, "-c", TYPIST]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as typist:
        assert typist.stdout is not None
        assert typist.stdout.readline() == "written\n"
        typist.send_signal(signal.SIGKILL)
    person = sit(None)
    person.wait(lambda: person.window.components.recovery.dialog is not None)
    dialog = person.window.components.recovery.dialog
    assert dialog is not None
    dialog.activateWindow()
    person.qtbot.waitActive(dialog)
    assert "6 words" in dialog.list.item(0).text()
    person.press("Return")
    assert person.text == "Never saved anywhere: the shameful record."
    person.see(["shameful"])
    assert person.window.isWindowModified()


@pytest.mark.parametrize("keys", ["Ctrl+N", "Ctrl+Q"])
def test_a2_19_nothing_unsaved_is_left_without_a_question(
    sit: Sit, monkeypatch: pytest.MonkeyPatch, keys: str
) -> None:
    """19: whoever leaves is asked, and Cancel leaves everything as it was."""
    person = sit(None)
    person.write("A new draft")
    asked: list[str] = []

    def cancel(_window: object, title: str, text: str, *_: object) -> QMessageBox.StandardButton:
        asked.append(f"{title}: {text}")
        return QMessageBox.StandardButton.Cancel

    monkeypatch.setattr(QMessageBox, "question", cancel)
    person.press(keys)
    assert asked == ["Unsaved changes: Save the changes to “Untitled”?"]
    assert person.window.isVisible()
    person.write(" goes on.")
    assert person.text == "A new draft goes on."
