"""Choosing a model: it is previewed first, replaced completely or not at all, and can be undone."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QTextBrowser
from pytestqt.qtbot import QtBot
from section_driver import STRICT, SectionDriver, finished_run, make_bundle, open_section
from windows import Button, Make, answer

from app.models.download_dialog import DownloadDialog
from app.models.models_section import RoleSection
from core.models.active import active_folder
from core.runs.types import Status
from tests.tiny_rewriter import describe_rewriter, make_rewriter

TEXT = "The shameful record 👍🏽 reveals it. The law is new. The chairman said that.\n"
WORDS = ["shameful", "reveals", "chairman"]
Open = Callable[..., SectionDriver]


@pytest.fixture(scope="session")
def tiny_rewriter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_rewriter(tmp_path_factory.mktemp("rewriter") / "rewriter")


@pytest.fixture
def open_driver(
    make: Make, qtbot: QtBot, tiny_bundle: Path, tiny_rewriter: Path, monkeypatch: pytest.MonkeyPatch
) -> Open:
    """Opens a window with the tiny models, and the section."""
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: tiny_bundle)
    for module in ("core.rewriting.rewriter", "core.bundles.rewriter"):
        monkeypatch.setattr(f"{module}.bundled_rewriter", lambda: tiny_rewriter)

    def opened(text: str = TEXT) -> SectionDriver:
        return open_section(make(text, load=None, load_rewriter=None), qtbot)

    return opened


@pytest.fixture
def strict(tiny_bundle: Path, tmp_path: Path) -> Path:
    """A reader that marks nothing."""
    return make_bundle(tiny_bundle, tmp_path / "strict", "0.2", thresholds=STRICT)


def test_models_are_listed_by_role_with_the_one_in_use_first(open_driver: Open, strict: Path) -> None:
    driver = open_driver()
    assert driver.titles("rewriter") == ["rewriter tiny 0.1"]
    added = driver.registry.add_folder(strict)
    driver.registry.promote(added.id, "reader")
    driver.section.refresh()
    driver.qtbot.waitUntil(lambda: driver.titles() == ["reader tiny 0.2", "reader tiny 0.1"])
    rows = driver.section.roles["reader"].list
    first, second = (
        str(rows.item(row).data(Qt.ItemDataRole.AccessibleTextRole)) for row in range(rows.count())
    )
    assert first.startswith("reader tiny 0.2, in use, imported")
    assert second.startswith("reader tiny 0.1, came with Evenhand")


def test_use_model_shows_the_changes_and_go_back_restores(open_driver: Open, strict: Path) -> None:
    driver = open_driver()
    driver.wait_for_findings(WORDS)
    added = driver.registry.add_folder(strict)
    driver.select(added)
    driver.section.roles["reader"].use_button.click()
    dialog = driver.dialog()
    assert "0 findings gained, 3 lost, 0 changed, 0 unchanged" in dialog.message_label.text()
    rows = [dialog.list.topLevelItem(row) for row in range(dialog.list.topLevelItemCount())]
    assert [row.text(1) for row in rows] == WORDS
    assert [row.text(2) for row in rows] == ["Framing", "Epistemological", "Demographic"]
    assert rows[0].text(3) == "The shameful record 👍🏽 reveals it."
    assert "lost" in rows[0].text(0)
    dialog.use.click()
    driver.wait_for_message("reader tiny 0.2 is in use now.")
    assert active_folder("reader") == added.folder
    driver.wait_for_findings([])
    assert driver.titles()[0] == "reader tiny 0.2"
    driver.section.roles["reader"].rollback_button.click()
    driver.wait_for_message("reader tiny 0.1 is in use again.")
    driver.wait_for_findings(WORDS)
    driver.qtbot.waitUntil(lambda: not driver.section.roles["reader"].rollback_button.isEnabled())


def test_keeping_the_current_model_changes_nothing(
    open_driver: Open, strict: Path, tiny_bundle: Path
) -> None:
    driver = open_driver()
    driver.wait_for_findings(WORDS)
    driver.select(driver.registry.add_folder(strict))
    driver.section.roles["reader"].use_button.click()
    driver.dialog().keep.click()
    driver.wait_for_message("reader tiny 0.1 stays in use.")
    assert active_folder("reader") == tiny_bundle
    driver.wait_for_findings(WORDS)
    assert driver.section.roles["reader"].use_button.isEnabled()


def test_the_model_of_a_run_is_installed_only_when_it_is_used(open_driver: Open, strict: Path) -> None:
    driver = open_driver()
    assert driver.window.components.store_access.store is not None
    run = finished_run(
        driver.window.components.store_access.store, lambda folder: Path(shutil.copytree(strict, folder))
    )
    driver.section.use_run(run.id)
    driver.dialog().keep.click()
    driver.wait_for_message("stays in use")
    assert len(driver.registry.installed("reader")) == 1
    driver.section.use_run(run.id)
    driver.dialog().use.click()
    driver.wait_for_message("reader tiny 0.2 is in use now.")
    assert (driver.registry.active("reader").source, driver.registry.active("reader").run) == ("run", run.id)
    driver.wait_for_findings([])
    driver.section.use_run(run.id)
    driver.wait_for_message("reader tiny 0.2 is already in use.")


def test_an_unusable_run_is_reported(open_driver: Open, strict: Path) -> None:
    driver = open_driver()
    assert driver.window.components.store_access.store is not None
    driver.section.use_run("no-such-run")
    driver.wait_for_message("This run no longer exists.")
    run = finished_run(
        driver.window.components.store_access.store,
        lambda folder: Path(shutil.copytree(strict, folder)),
        status=Status.FAILED,
    )
    driver.section.use_run(run.id)
    driver.wait_for_message("The run 6f0d8c52 failed.")
    assert not driver.has_dialog()
    assert driver.section.import_button.isEnabled()


def test_another_model_can_replace_a_broken_one(
    open_driver: Open, tiny_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = open_driver()
    driver.wait_for_findings(WORDS)
    added = driver.registry.add_folder(make_bundle(tiny_bundle, tmp_path / "other", "0.2"))
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: tmp_path / "nothing")
    driver.window.components.use_other_models()
    driver.qtbot.waitUntil(driver.window.ui.models_bar.isVisible)
    driver.select(added)
    driver.section.roles["reader"].use_button.click()
    dialog = driver.dialog()
    assert "The model in use does not work" in dialog.message_label.text()
    dialog.use.click()
    driver.wait_for_message("reader tiny 0.2 is in use now.")
    driver.wait_for_findings(WORDS)
    driver.qtbot.waitUntil(driver.window.ui.models_bar.isHidden)


def test_downloading_models_is_offered_next_to_the_import(open_driver: Open) -> None:
    driver = open_driver()
    driver.section.download_button.click()
    dialog = driver.window.findChild(DownloadDialog)
    assert dialog is not None
    assert dialog.isVisible()
    assert not dialog.get_button.isEnabled()


def test_an_empty_draft_is_not_compared(open_driver: Open, strict: Path) -> None:
    driver = open_driver("  \n")
    driver.select(driver.registry.add_folder(strict))
    driver.section.roles["reader"].use_button.click()
    dialog = driver.dialog()
    assert "The open draft is empty" in dialog.message_label.text()
    assert dialog.list.isHidden()
    dialog.use.click()
    driver.wait_for_message("is in use now")


def test_a_missing_or_damaged_model_is_reported(open_driver: Open, strict: Path) -> None:
    driver = open_driver()
    added = driver.registry.add_folder(strict)
    driver.select(added)
    (added.folder / "reader.onnx").write_bytes(b"x")
    driver.section.roles["reader"].use_button.click()
    driver.wait_for_message("does not match its checksum")
    shutil.rmtree(added.folder)
    driver.section.roles["reader"].use_button.click()
    driver.wait_for_message("There is no model in")
    assert not driver.has_dialog()
    assert driver.registry.active("reader").id is None


def test_a_model_deleted_during_the_preview_is_reported(open_driver: Open, strict: Path) -> None:
    driver = open_driver()
    added = driver.registry.add_folder(strict)
    driver.select(added)
    driver.section.roles["reader"].use_button.click()
    dialog = driver.dialog()
    shutil.rmtree(added.folder)
    dialog.use.click()
    driver.wait_for_message("There is no model in")
    assert driver.registry.active("reader").id is None
    driver.wait_for_findings(WORDS)


def test_a_rewriter_is_used_after_one_confirmation(
    open_driver: Open, tiny_rewriter: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(tiny_rewriter, tmp_path / "other"))
    describe_rewriter(folder, version="0.2")
    driver = open_driver()
    added = driver.registry.add_folder(folder)
    driver.select(added)
    driver.section.roles["rewriter"].use_button.click()
    dialog = driver.dialog()
    assert "Suggestions will come from the other model." in dialog.message_label.text()
    dialog.use.click()
    driver.wait_for_message("rewriter tiny 0.2 is in use now.")
    assert active_folder("rewriter") == added.folder


def test_a_folder_is_imported_and_removed(
    open_driver: Open, strict: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = open_driver()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "nothing"))
    driver.section.import_button.click()
    driver.wait_for_message("is not a model: it has no bundle.json")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(strict))
    driver.section.import_button.click()
    driver.wait_for_message("reader tiny 0.2 was added.")
    driver.qtbot.waitUntil(lambda: driver.titles() == ["reader tiny 0.1", "reader tiny 0.2"])
    box = driver.section.roles["reader"]
    assert not box.remove_button.isEnabled(), "the model that came with the program stays"
    box.list.setCurrentRow(1)
    asked = answer(monkeypatch, Button.No)
    box.remove_button.click()
    assert (asked, len(driver.titles())) == (["Remove a model"], 2)
    answer(monkeypatch, Button.Yes)
    box.remove_button.click()
    driver.wait_for_message("reader tiny 0.2 was removed.")
    driver.qtbot.waitUntil(lambda: driver.titles() == ["reader tiny 0.1"])


def test_the_model_card_opens_and_loads_no_resources(
    open_driver: Open, tiny_bundle: Path, tmp_path: Path
) -> None:
    driver = open_driver()
    folder = Path(shutil.copytree(tiny_bundle, tmp_path / "carded"))
    (folder / "README.md").write_text(
        "# A card\n\n<b>html</b> ![picture](file:///etc/hostname) [link](file:///etc/hostname)\n",
        encoding="utf-8",
    )
    added = driver.registry.add_folder(make_bundle(folder, tmp_path / "made", "0.4"))
    driver.select(added)
    driver.section.roles["reader"].card_button.click()
    dialog = next(
        driver
        for driver in driver.widget.window().findChildren(QDialog)
        if driver.windowTitle().startswith("Model card of")
    )
    page = dialog.findChild(QTextBrowser)
    assert page is not None
    assert "A card" in page.toPlainText()
    assert "<b>html</b>" in page.toPlainText()
    assert "href" not in page.toHtml()
    assert "<img" not in page.toHtml()
    dialog.close()


def test_a_chosen_model_that_does_not_load_is_reported_in_the_window(
    make: Make, open_driver: Open, strict: Path, qtbot: QtBot
) -> None:
    driver = open_driver()
    added = driver.registry.add_folder(strict)
    driver.registry.promote(added.id, "reader")
    (added.folder / "tokenizer.json").unlink()
    driver.window.components.use_other_models()
    driver.wait_for_findings(WORDS)
    qtbot.waitUntil(
        lambda: "Until then the reader that came with Evenhand is used." in driver.window.ui.message_bar.text
    )


def test_stopping_a_preview_changes_nothing(
    open_driver: Open, strict: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    from core.engine.engine import Engine

    driver = open_driver()
    driver.wait_for_findings(WORDS)
    gate = threading.Event()
    real = Engine.load

    def slow(folder: object = None) -> Engine:
        gate.wait()
        return real(folder)  # type: ignore[arg-type]

    driver.select(driver.registry.add_folder(strict))
    monkeypatch.setattr(Engine, "load", slow)
    driver.section.roles["reader"].use_button.click()
    driver.qtbot.waitUntil(lambda: "is analysing the open draft" in driver.section.progress.text)
    assert not driver.section.roles["reader"].use_button.isEnabled()
    driver.section.commands.use_run("another")
    driver.wait_for_message("Another change to the models is in progress")
    driver.section.progress.stop.click()
    driver.wait_for_message("Stopped.")
    gate.set()
    assert driver.section.progress.text == ""
    assert driver.section.roles["reader"].use_button.isEnabled()
    driver.window.components.analyse_now()
    driver.wait_for_findings(WORDS)
    assert not driver.has_dialog()


def test_closing_the_page_during_a_preview_is_safe(open_driver: Open, strict: Path, qtbot: QtBot) -> None:
    driver = open_driver()
    driver.select(driver.registry.add_folder(strict))
    driver.section.roles["reader"].use_button.click()
    driver.section.close()
    driver.widget.deleteLater()
    qtbot.wait(50)
    driver.wait_for_findings(WORDS)
    assert driver.registry.active("reader").id is None


def test_the_commands_of_a_model_wrap_below_its_list_and_are_all_seen(open_driver: Open) -> None:
    """At 200% the page is so narrow that they have no room on one line."""
    driver = open_driver()
    driver.widget.resize(300, 500)

    def are_seen(box: RoleSection) -> bool:
        buttons = [box.use_button, box.card_button, box.rollback_button, box.remove_button]
        places = [QRect(button.mapTo(box, QPoint(0, 0)), button.size()) for button in buttons]
        wrapped = len({place.top() for place in places}) > 1
        below = min(place.top() for place in places) > box.list.geometry().bottom()
        return wrapped and below and all(box.rect().contains(place) for place in places)

    driver.qtbot.waitUntil(lambda: all(map(are_seen, driver.section.roles.values())))
