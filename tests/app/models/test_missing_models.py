"""Without models the window opens, reports what is missing and offers ways to install models."""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from windows import Make

from app.main_window.window import MainWindow
from app.models.download_dialog import DownloadDialog
from core.models.active import promoted_folder
from core.models.registry import ModelRegistry
from tests.homepages import Home, serving
from tests.tiny import describe
from tests.tiny_rewriter import make_rewriter

TEXT = "The shameful record reveals it.\n"
HTTP = frozenset({"http"})


@pytest.fixture(scope="session")
def tiny_rewriter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_rewriter(tmp_path_factory.mktemp("rewriter") / "rewriter")


@pytest.fixture
def installed(
    tiny_bundle: Path, tiny_rewriter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """The folder of the bundled models, which a test may damage."""
    folder = tmp_path / "installed"
    shutil.copytree(tiny_bundle, folder / "reader")
    shutil.copytree(tiny_rewriter, folder / "rewriter")
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: folder / "reader")
    for module in ("core.rewriting.rewriter", "core.bundles.rewriter"):
        monkeypatch.setattr(f"{module}.bundled_rewriter", lambda: folder / "rewriter")
    return folder


@pytest.fixture
def window(make: Make, qtbot: QtBot, installed: Path) -> Callable[[], MainWindow]:
    """Opens a window with the models as they are installed."""

    def opened() -> MainWindow:
        one = make(TEXT, load=None, load_rewriter=None)
        qtbot.waitUntil(lambda: one.components.store_access.store is not None)
        return one

    return opened


@pytest.fixture
def archive(tiny_bundle: Path, tiny_rewriter: Path, tmp_path: Path) -> Path:
    """Both models in an archive; the reader is of another version."""
    reader = Path(shutil.copytree(tiny_bundle, tmp_path / "packed"))
    describe(reader, version="0.2")
    made = tmp_path / "models.zip"
    with zipfile.ZipFile(made, "w") as book:
        for name, folder in (("reader", reader), ("rewriter", tiny_rewriter)):
            for path in folder.iterdir():
                book.write(path, f"{name}/{path.name}")
    return made


@pytest.fixture
def home(archive: Path) -> Iterator[Home]:
    with serving(Home(files={"models.zip": archive.read_bytes()})) as served:
        yield served


def marked(window: MainWindow) -> list[str]:
    return [mark.finding.text for mark in window.ui.editor.marks]


def dialog_of(window: MainWindow) -> DownloadDialog:
    window.ui.models_bar.buttons["get"].click()
    dialog = window.findChild(DownloadDialog)
    assert dialog is not None
    dialog._schemes = HTTP
    return dialog


def titles(window: MainWindow) -> list[str]:
    assert window.components.store_access.store is not None
    registry = ModelRegistry(window.components.store_access.store)
    return [one.title for role in ("reader", "rewriter") for one in registry.installed(role) if one.id]


# The line above the text


def test_intact_models_show_no_line(window: Callable[[], MainWindow], qtbot: QtBot) -> None:
    one = window()
    qtbot.waitUntil(lambda: marked(one) == ["shameful", "reveals"])
    assert one.ui.models_bar.isHidden()


@pytest.mark.parametrize("fault", ["missing", "damaged"])
def test_a_missing_reader_shows_one_line_with_ways_to_get_it(
    window: Callable[[], MainWindow], qtbot: QtBot, installed: Path, fault: str
) -> None:
    if fault == "missing":
        shutil.rmtree(installed / "reader")
    else:
        (installed / "reader" / "reader.onnx").write_bytes(b"x")
    one = window()
    qtbot.waitUntil(one.ui.models_bar.isVisible)
    assert one.ui.models_bar.text == (
        "The reader, which finds biased wording, is missing or damaged, so nothing is marked."
    )
    assert list(one.ui.models_bar.buttons) == ["folder", "get", "later"]
    one.ui.models_bar.buttons["later"].click()
    assert one.ui.models_bar.isHidden()
    qtbot.keyClicks(one.ui.editor, "More.")
    with qtbot.waitSignal(one.components.analysis.finished):
        one.components.analyse_now()
    assert one.ui.models_bar.isHidden()
    one.ui.actions["analyse"].trigger()
    qtbot.waitUntil(one.ui.models_bar.isVisible)


def test_two_missing_models_share_one_line(
    window: Callable[[], MainWindow], qtbot: QtBot, installed: Path
) -> None:
    shutil.rmtree(installed)
    one = window()
    qtbot.waitUntil(one.ui.models_bar.isVisible)
    assert one.ui.models_bar.text.startswith("The models are missing or damaged")


def test_a_missing_rewriter_is_reported_when_it_is_needed(
    window: Callable[[], MainWindow], qtbot: QtBot, installed: Path
) -> None:
    shutil.rmtree(installed / "rewriter")
    one = window()
    qtbot.waitUntil(one.ui.models_bar.isVisible)
    assert one.ui.models_bar.text.startswith("The rewriter, which makes suggestions, is missing or damaged.")
    assert marked(one) == ["shameful", "reveals"]


def test_the_line_disappears_when_the_model_is_back(
    window: Callable[[], MainWindow], qtbot: QtBot, installed: Path
) -> None:
    (installed / "reader").rename(installed / "aside")
    one = window()
    qtbot.waitUntil(one.ui.models_bar.isVisible)
    (installed / "aside").rename(installed / "reader")
    one.components.analyse_now()
    qtbot.waitUntil(lambda: marked(one) == ["shameful", "reveals"])
    assert one.ui.models_bar.isHidden()


# The ways to a model


def test_an_imported_folder_is_used_at_once(
    window: Callable[[], MainWindow],
    qtbot: QtBot,
    installed: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (installed / "reader").rename(tmp_path / "brought")
    one = window()
    qtbot.waitUntil(one.ui.models_bar.isVisible)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "brought"))
    one.ui.models_bar.buttons["folder"].click()
    qtbot.waitUntil(lambda: marked(one) == ["shameful", "reveals"])
    qtbot.waitUntil(lambda: one.ui.message_bar.text == "reader tiny 0.1 is in use now.")
    assert one.ui.models_bar.isHidden()


def test_a_folder_without_a_model_is_reported_in_one_line(
    window: Callable[[], MainWindow],
    qtbot: QtBot,
    installed: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shutil.rmtree(installed)
    one = window()
    qtbot.waitUntil(one.ui.models_bar.isVisible)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    one.ui.models_bar.buttons["folder"].click()
    qtbot.waitUntil(lambda: "is not a model: it has no bundle.json" in one.ui.message_bar.text)
    assert one.ui.models_bar.isVisible()


def test_models_are_downloaded_only_after_permission(
    window: Callable[[], MainWindow], qtbot: QtBot, installed: Path, home: Home, archive: Path
) -> None:
    shutil.rmtree(installed / "reader")
    one = window()
    qtbot.waitUntil(one.ui.models_bar.isVisible)
    dialog = dialog_of(one)
    dialog.field.setText(home.url("models.zip"))
    dialog.checksum.setText(hashlib.sha256(archive.read_bytes()).hexdigest())
    assert dialog.permission_box.isVisible()
    assert not dialog.get_button.isEnabled()
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert home.asked == []
    assert one.settings.value("get_models") is False
    dialog.permission_box.setChecked(True)
    dialog.get_button.click()
    qtbot.waitUntil(lambda: marked(one) == ["shameful", "reveals"])
    assert not dialog.isVisible()
    assert one.settings.value("get_models") is True
    assert one.ui.message_bar.text.splitlines() == [
        "reader tiny 0.2 is in use now.",
        "rewriter tiny 0.1 was added. To use it, choose it in the settings under Models and training.",
    ]
    assert promoted_folder("rewriter") is None


def test_a_local_archive_needs_no_permission(
    window: Callable[[], MainWindow],
    qtbot: QtBot,
    installed: Path,
    archive: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shutil.rmtree(installed)
    one = window()
    qtbot.waitUntil(one.ui.models_bar.isVisible)
    dialog = dialog_of(one)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(archive), ""))
    dialog.choose.click()
    dialog.get_button.click()
    qtbot.waitUntil(lambda: marked(one) == ["shameful", "reveals"])
    assert one.settings.value("get_models") is False
    assert titles(one) == ["reader tiny 0.2", "rewriter tiny 0.1"]


def test_an_interrupted_download_is_reported_and_resumed(
    window: Callable[[], MainWindow], qtbot: QtBot, installed: Path, home: Home
) -> None:
    shutil.rmtree(installed)
    one = window()
    qtbot.waitUntil(one.ui.models_bar.isVisible)
    dialog = dialog_of(one)
    dialog.permission_box.setChecked(True)
    dialog.field.setText(home.url("models.zip"))
    home.cut = 5000
    dialog.get_button.click()
    qtbot.waitUntil(lambda: "that was received is kept" in dialog.problem)
    assert dialog.isVisible()
    home.cut = None
    dialog.get_button.click()
    qtbot.waitUntil(lambda: titles(one) == ["reader tiny 0.2", "rewriter tiny 0.1"])
    assert home.asked[-1] == ("/models.zip", "bytes=5000-")


def test_a_wrong_checksum_installs_nothing(
    window: Callable[[], MainWindow], qtbot: QtBot, installed: Path, home: Home
) -> None:
    shutil.rmtree(installed)
    one = window()
    qtbot.waitUntil(one.ui.models_bar.isVisible)
    dialog = dialog_of(one)
    dialog.permission_box.setChecked(True)
    dialog.field.setText(home.url("models.zip"))
    dialog.checksum.setText("0" * 64)
    dialog.get_button.click()
    qtbot.waitUntil(lambda: "its SHA-256 differs" in dialog.problem)
    assert titles(one) == []


def test_cancelling_disconnects_and_keeps_the_partial_file(
    window: Callable[[], MainWindow], qtbot: QtBot, installed: Path, home: Home
) -> None:
    shutil.rmtree(installed)
    one = window()
    qtbot.waitUntil(one.ui.models_bar.isVisible)
    dialog = dialog_of(one)
    dialog.permission_box.setChecked(True)
    dialog.field.setText(home.url("models.zip"))
    home.cut = 5000
    home.stalls.set()
    dialog.get_button.click()
    qtbot.waitUntil(lambda: dialog.progress.startswith("0.0 of"))
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    dialog.wait_for_threads()
    home.cut = None
    home.stalls.clear()
    one.ui.models_bar.buttons["get"].click()
    assert dialog.field.text() == home.url("models.zip")
    dialog.get_button.click()
    qtbot.waitUntil(lambda: titles(one) == ["reader tiny 0.2", "rewriter tiny 0.1"])
    assert home.asked[-1] == ("/models.zip", "bytes=5000-")


def test_closing_the_window_stops_the_download(
    window: Callable[[], MainWindow], qtbot: QtBot, installed: Path, home: Home
) -> None:
    """The fixture that looks for threads left behind fails this otherwise."""
    shutil.rmtree(installed)
    one = window()
    qtbot.waitUntil(one.ui.models_bar.isVisible)
    dialog = dialog_of(one)
    dialog.permission_box.setChecked(True)
    dialog.field.setText(home.url("models.zip"))
    home.cut = 5000
    home.stalls.set()
    dialog.get_button.click()
    qtbot.waitUntil(lambda: dialog.progress.startswith("0.0 of"))
    one.ui.editor.document().setModified(False)
    one.close()
    assert not dialog.fetching
