"""Protects the choice of a model: seen before it is made, made whole or not at all, and undone by one button."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QTextBrowser
from pytestqt.qtbot import QtBot
from shelf_desk import STRICT, Room, finished_run, made, open_room
from windows import Button, Make, answer

from app.models.download_dialog import DownloadDialog
from core.models.active import active_folder
from core.runs.types import Status
from tests.tiny_rewriter import describe_rewriter, make_rewriter

TEXT = "The shameful record 👍🏽 reveals it. The law is new. The chairman said that.\n"
WORDS = ["shameful", "reveals", "chairman"]
Open = Callable[..., Room]


@pytest.fixture(scope="session")
def tiny_rewriter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_rewriter(tmp_path_factory.mktemp("rewriter") / "rewriter")


@pytest.fixture
def room(
    make: Make, qtbot: QtBot, tiny_bundle: Path, tiny_rewriter: Path, monkeypatch: pytest.MonkeyPatch
) -> Open:
    """Opens a window with the tiny models, and the section."""
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: tiny_bundle)
    for module in ("core.rewriting.rewriter", "core.bundles.rewriter"):
        monkeypatch.setattr(f"{module}.bundled_rewriter", lambda: tiny_rewriter)

    def opened(text: str = TEXT) -> Room:
        return open_room(make(text, load=None, load_rewriter=None), qtbot)

    return opened


@pytest.fixture
def strict(tiny_bundle: Path, tmp_path: Path) -> Path:
    """A reader that marks nothing."""
    return made(tiny_bundle, tmp_path / "strict", "0.2", thresholds=STRICT)


def test_the_models_of_each_role_are_listed_the_one_in_use_first(room: Open, strict: Path) -> None:
    one = room()
    assert one.titles("rewriter") == ["rewriter tiny 0.1"]
    added = one.shelf.add_folder(strict)
    one.shelf.promote(added.id, "reader")
    one.section.refresh()
    one.qtbot.waitUntil(lambda: one.titles() == ["reader tiny 0.2", "reader tiny 0.1"])
    rows = one.section.roles["reader"].list
    first, second = (
        str(rows.item(row).data(Qt.ItemDataRole.AccessibleTextRole)) for row in range(rows.count())
    )
    assert first.startswith("reader tiny 0.2, in use, imported")
    assert second.startswith("reader tiny 0.1, came with Evenhand")


def test_use_this_model_tells_what_changes_and_go_back_restores(room: Open, strict: Path) -> None:
    one = room()
    one.marked(WORDS)
    added = one.shelf.add_folder(strict)
    one.select(added)
    one.section.roles["reader"].use_button.click()
    dialog = one.dialog()
    assert "0 findings gained, 3 lost, 0 changed, 0 unchanged" in dialog.message_label.text()
    rows = [dialog.list.topLevelItem(row) for row in range(dialog.list.topLevelItemCount())]
    assert [row.text(1) for row in rows] == WORDS
    assert [row.text(2) for row in rows] == ["Framing", "Epistemological", "Demographic"]
    assert rows[0].text(3) == "The shameful record 👍🏽 reveals it."
    assert "lost" in rows[0].text(0)
    dialog.use.click()
    one.said("reader tiny 0.2 is in use now.")
    assert active_folder("reader") == added.folder
    one.marked([])
    assert one.titles()[0] == "reader tiny 0.2"
    one.section.roles["reader"].rollback_button.click()
    one.said("reader tiny 0.1 is in use again.")
    one.marked(WORDS)
    one.qtbot.waitUntil(lambda: not one.section.roles["reader"].rollback_button.isEnabled())


def test_keeping_the_present_one_changes_nothing(room: Open, strict: Path, tiny_bundle: Path) -> None:
    one = room()
    one.marked(WORDS)
    one.select(one.shelf.add_folder(strict))
    one.section.roles["reader"].use_button.click()
    one.dialog().keep.click()
    one.said("reader tiny 0.1 stays in use.")
    assert active_folder("reader") == tiny_bundle
    one.marked(WORDS)
    assert one.section.roles["reader"].use_button.isEnabled()


def test_the_model_of_a_run_comes_to_the_shelf_only_when_it_is_used(room: Open, strict: Path) -> None:
    one = room()
    assert one.window.components.store_access.store is not None
    run = finished_run(
        one.window.components.store_access.store, lambda folder: Path(shutil.copytree(strict, folder))
    )
    one.section.use_run(run.id)
    one.dialog().keep.click()
    one.said("stays in use")
    assert len(one.shelf.installed("reader")) == 1
    one.section.use_run(run.id)
    one.dialog().use.click()
    one.said("reader tiny 0.2 is in use now.")
    assert (one.shelf.active("reader").source, one.shelf.active("reader").run) == ("run", run.id)
    one.marked([])
    one.section.use_run(run.id)
    one.said("reader tiny 0.2 is already in use.")


def test_a_run_that_cannot_be_used_is_a_sentence(room: Open, strict: Path) -> None:
    one = room()
    assert one.window.components.store_access.store is not None
    one.section.use_run("no-such-run")
    one.said("This run no longer exists.")
    run = finished_run(
        one.window.components.store_access.store,
        lambda folder: Path(shutil.copytree(strict, folder)),
        status=Status.FAILED,
    )
    one.section.use_run(run.id)
    one.said("The run 6f0d8c52 failed.")
    assert not one.asks()
    assert one.section.import_button.isEnabled()


def test_where_the_model_in_use_is_broken_another_can_still_be_used(
    room: Open, tiny_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = room()
    one.marked(WORDS)
    added = one.shelf.add_folder(made(tiny_bundle, tmp_path / "other", "0.2"))
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: tmp_path / "nothing")
    one.window.components.use_other_models()
    one.qtbot.waitUntil(one.window.ui.models_bar.isVisible)
    one.select(added)
    one.section.roles["reader"].use_button.click()
    dialog = one.dialog()
    assert "The model in use does not work" in dialog.message_label.text()
    dialog.use.click()
    one.said("reader tiny 0.2 is in use now.")
    one.marked(WORDS)
    one.qtbot.waitUntil(one.window.ui.models_bar.isHidden)


def test_get_the_models_is_offered_beside_the_import(room: Open) -> None:
    one = room()
    one.section.download_button.click()
    dialog = one.window.findChild(DownloadDialog)
    assert dialog is not None
    assert dialog.isVisible()
    assert not dialog.get_button.isEnabled()


def test_an_empty_draft_is_not_compared(room: Open, strict: Path) -> None:
    one = room("  \n")
    one.select(one.shelf.add_folder(strict))
    one.section.roles["reader"].use_button.click()
    dialog = one.dialog()
    assert "The open draft is empty" in dialog.message_label.text()
    assert dialog.list.isHidden()
    dialog.use.click()
    one.said("is in use now")


def test_a_model_that_vanished_or_is_damaged_is_a_sentence(room: Open, strict: Path) -> None:
    one = room()
    added = one.shelf.add_folder(strict)
    one.select(added)
    (added.folder / "reader.onnx").write_bytes(b"x")
    one.section.roles["reader"].use_button.click()
    one.said("does not match its checksum")
    shutil.rmtree(added.folder)
    one.section.roles["reader"].use_button.click()
    one.said("There is no model in")
    assert not one.asks()
    assert one.shelf.active("reader").id is None


def test_a_model_that_vanishes_while_the_person_thinks_is_a_sentence(room: Open, strict: Path) -> None:
    one = room()
    added = one.shelf.add_folder(strict)
    one.select(added)
    one.section.roles["reader"].use_button.click()
    dialog = one.dialog()
    shutil.rmtree(added.folder)
    dialog.use.click()
    one.said("There is no model in")
    assert one.shelf.active("reader").id is None
    one.marked(WORDS)


def test_a_rewriter_is_used_after_a_plain_word(room: Open, tiny_rewriter: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(tiny_rewriter, tmp_path / "other"))
    describe_rewriter(folder, version="0.2")
    one = room()
    added = one.shelf.add_folder(folder)
    one.select(added)
    one.section.roles["rewriter"].use_button.click()
    dialog = one.dialog()
    assert "Suggestions will come from the other model." in dialog.message_label.text()
    dialog.use.click()
    one.said("rewriter tiny 0.2 is in use now.")
    assert active_folder("rewriter") == added.folder


def test_importing_a_folder_and_removing_it(
    room: Open, strict: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = room()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "nothing"))
    one.section.import_button.click()
    one.said("is no model: it has no bundle.json")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(strict))
    one.section.import_button.click()
    one.said("reader tiny 0.2 was added.")
    one.qtbot.waitUntil(lambda: one.titles() == ["reader tiny 0.1", "reader tiny 0.2"])
    box = one.section.roles["reader"]
    assert not box.remove_button.isEnabled(), "the model that came with the program stays"
    box.list.setCurrentRow(1)
    asked = answer(monkeypatch, Button.No)
    box.remove_button.click()
    assert (asked, len(one.titles())) == (["Remove a model"], 2)
    answer(monkeypatch, Button.Yes)
    box.remove_button.click()
    one.said("reader tiny 0.2 was removed.")
    one.qtbot.waitUntil(lambda: one.titles() == ["reader tiny 0.1"])


def test_the_card_opens_and_loads_nothing_of_its_own(room: Open, tiny_bundle: Path, tmp_path: Path) -> None:
    one = room()
    folder = Path(shutil.copytree(tiny_bundle, tmp_path / "carded"))
    (folder / "README.md").write_text(
        "# A card\n\n<b>html</b> ![picture](file:///etc/hostname) [link](file:///etc/hostname)\n",
        encoding="utf-8",
    )
    added = one.shelf.add_folder(made(folder, tmp_path / "made", "0.4"))
    one.select(added)
    one.section.roles["reader"].card_button.click()
    dialog = next(
        one for one in one.widget.window().findChildren(QDialog) if one.windowTitle().startswith("Card of")
    )
    page = dialog.findChild(QTextBrowser)
    assert page is not None
    assert "A card" in page.toPlainText()
    assert "<b>html</b>" in page.toPlainText()
    assert "href" not in page.toHtml()
    assert "<img" not in page.toHtml()
    dialog.close()


def test_a_promoted_model_that_does_not_load_is_told_in_the_window(
    make: Make, room: Open, strict: Path, qtbot: QtBot
) -> None:
    one = room()
    added = one.shelf.add_folder(strict)
    one.shelf.promote(added.id, "reader")
    (added.folder / "tokenizer.json").unlink()
    one.window.components.use_other_models()
    one.marked(WORDS)
    qtbot.waitUntil(
        lambda: "Until then the reader that came with Evenhand is used." in one.window.ui.message_bar.text
    )


def test_stopping_a_trial_leaves_all_as_it_was(
    room: Open, strict: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    from core.engine.engine import Engine

    one = room()
    one.marked(WORDS)
    gate = threading.Event()
    real = Engine.load

    def slow(folder: object = None) -> Engine:
        gate.wait()
        return real(folder)  # type: ignore[arg-type]

    one.select(one.shelf.add_folder(strict))
    monkeypatch.setattr(Engine, "load", slow)
    one.section.roles["reader"].use_button.click()
    one.qtbot.waitUntil(lambda: "is analysing the open draft" in one.section.progress.text)
    assert not one.section.roles["reader"].use_button.isEnabled()
    one.section.commands.use_run("another")
    one.said("Another change to the models is in progress")
    one.section.progress.stop.click()
    one.said("Stopped.")
    gate.set()
    assert one.section.progress.text == ""
    assert one.section.roles["reader"].use_button.isEnabled()
    one.window.components.analyse_now()
    one.marked(WORDS)
    assert not one.asks()


def test_closing_the_room_while_a_model_is_tried_is_safe(room: Open, strict: Path, qtbot: QtBot) -> None:
    one = room()
    one.select(one.shelf.add_folder(strict))
    one.section.roles["reader"].use_button.click()
    one.section.close()
    one.widget.deleteLater()
    qtbot.wait(50)
    one.marked(WORDS)
    assert one.shelf.active("reader").id is None
