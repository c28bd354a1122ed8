"""Protects the comments that a person adds to findings: they reach the file on every way that it is written, undo takes
them back, a crash does not lose them, and where they cannot be kept that is said. The text never changes by them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from fake_reader import FakeReader
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QToolButton
from pytestqt.qtbot import QtBot
from windows import Button, Make, asking, read, saving_to

from app.documents.draft_comments import move_comments
from app.documents.journal_writer import CHECK_MS, journal_place
from app.documents.recovery import find_unsaved, placed_comments
from app.documents.session import container_bytes, open_session
from app.main_window.window import MainWindow
from app.widgets.labels import WrapLabel
from core.answers.answers import read_people_comments
from core.formats.docx import open_docx
from core.formats.loader import open_document
from core.formats.office_document import OfficeDocument
from core.revisions.author import stamp_now
from core.revisions.resolve import reject_all
from core.storage.draft_comments import DraftComment
from core.storage.journal import Journal, find_orphans, journals_folder
from core.text.diff import TextEdit
from tests.core.formats.builders import comment, commented, docx, odt, paragraph, run

LINE = "He claims a 👍 plot."
FILES = {
    "draft.docx": docx(
        paragraph(run("A "), run("legendary", "<w:b/>"), run(" plan.")) + paragraph(run(LINE))
    ),
    "draft.odt": odt(f"<text:p>A <text:span>legendary</text:span> plan.</text:p><text:p>{LINE}</text:p>"),
    "page.html": f"<p>A <b>legendary</b> plan.</p>\n<p>{LINE}</p>\n".encode(),
}
TEXT = f"A legendary plan.\n{LINE}"
CLASSES = {"plot": "weasel", "legendary": "puffery"}
WORDS = ["legendary", "claims", "plot"]
WHO, PRAISE = "Who says this? Name the source.", "This is praise."
Added = list[tuple[str, str]]
"""The words of each comment of a file, and how it begins."""


@pytest.fixture(params=FILES)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    found = tmp_path / str(request.param)
    found.write_bytes(FILES[found.name])
    return found


@pytest.fixture
def word(tmp_path: Path) -> Path:
    found = tmp_path / "draft.docx"
    found.write_bytes(FILES[found.name])
    return found


@pytest.fixture
def opened(make: Make, qtbot: QtBot) -> Callable[[Path], MainWindow]:
    def window(path: Path) -> MainWindow:
        one = make(None, load=lambda: FakeReader(classes=dict(CLASSES)))
        assert one.components.documents.open(path)
        read(one, qtbot, WORDS)
        return one

    return window


def add(window: MainWindow, words: str = "plot") -> None:
    finding = next(mark.finding for mark in window.ui.editor.marks if mark.finding.text == words)
    window.components.tags.insert(finding, "comment")


def replace_words(window: MainWindow, old: str, new: str) -> None:
    at = window.ui.editor.text().index(old)
    at += sum(character > "\uffff" for character in window.ui.editor.text()[:at])
    window.ui.editor.replace([TextEdit(at, at + len(old), new)])


def shown(window: MainWindow) -> Added:
    """The words with a mark of a comment in the window, and how the comment begins."""
    editor = window.ui.editor
    return [
        (editor.text_between(one.start, one.end), one.comment.text.partition(" Give")[0])
        for one in editor.comments
    ]


def written(path: Path) -> Added:
    """The comments in a file, read from its bytes."""
    container = open_document(path.read_bytes(), name=path.name).container
    if isinstance(container, OfficeDocument):
        found = read_people_comments(container)
        return [
            (container.text[slice(*one.place or (0, 0))], one.text.partition(" Give")[0]) for one in found
        ]
    source = path.read_text(encoding="utf-8")
    return [
        (words, said.partition(" Give")[0]) for words, said in re.findall(r"([^\s>]+)<!-- (.*?) -->", source)
    ]


def save(window: MainWindow) -> None:
    window.ui.actions["save"].trigger()
    assert not window.components.documents.modified


def undone_after_saving(window: MainWindow) -> MainWindow:
    """The window, whose file was saved with a comment that was undone then."""
    add(window)
    save(window)
    window.ui.editor.undo()
    return window


def test_a_comment_is_added_from_the_card_saved_and_there_when_the_file_is_opened_again(
    opened: Callable[[Path], MainWindow], qtbot: QtBot, path: Path
) -> None:
    window = opened(path)
    before = path.read_bytes()
    add(window)
    window.components.card.show_now(window.ui.editor.marks[0].finding)
    button = window.ui.central.findChild(QToolButton, "tag_comment")
    assert button is not None
    assert button.text() == "Add a comment"
    assert PRAISE in button.toolTip()
    button.click()
    assert "Undo removes it" in window.ui.status_bar.currentMessage()
    window.components.card.show_now(window.ui.editor.marks[0].finding)
    said = [
        label.accessibleName() for label in window.ui.central.findChildren(WrapLabel) if label.isVisible()
    ]
    assert any(one.startswith("Comment by ") and PRAISE in one for one in said), (
        "the card says that it is there"
    )
    assert shown(window) == [("legendary", PRAISE), ("plot", WHO)]
    assert window.components.documents.modified
    assert window.isWindowModified()
    assert window.ui.editor.text() == TEXT
    assert path.read_bytes() == before, "nothing is written before it is saved"
    save(window)
    assert written(path) == [("legendary", PRAISE), ("plot", WHO)]
    assert open_document(path.read_bytes(), name=path.name).text == TEXT
    assert shown(window) == [("legendary", PRAISE), ("plot", WHO)]
    once = path.read_bytes()
    save(window)
    assert path.read_bytes() == once, "saving again changes nothing"
    assert window.components.documents.open(path)
    read(window, qtbot, WORDS)
    if path.suffix != ".html":
        qtbot.waitUntil(lambda: shown(window) == [("legendary", PRAISE), ("plot", WHO)])
    assert not window.components.documents.modified
    replace_words(window, "He", "She")
    save(window)
    assert written(path) == [("legendary", PRAISE), ("plot", WHO)]


def test_only_a_finding_that_lacks_a_source_is_offered_one_and_only_once(
    opened: Callable[[Path], MainWindow], path: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    window = opened(path)

    def offers(number: int) -> list[str]:
        menu = window.components.finding_menu.build(window.ui.editor.marks[number].start)
        return [one.text() for one in menu.actions() if one.text().startswith("Add a comment")]

    assert [len(offers(number)) for number in range(3)] == [1, 0, 1]
    assert offers(2) == [f"Add a comment: “{WHO}”"]
    add(window)
    assert offers(2) == []
    add(window)
    assert len(window.ui.editor.comments) == 1
    window.ui.editor.setReadOnly(True)
    assert offers(0) == []
    for name in ("draft.txt", "draft.md", "draft.wiki"):
        other = tmp_path / name
        other.write_text(TEXT, encoding="utf-8")
        window.ui.editor.document().setModified(False)
        assert window.components.documents.open(other)
        read(window, qtbot, WORDS)
        assert offers(0) == offers(2) == []
        add(window)
        assert window.ui.editor.text() == TEXT
        assert not window.components.documents.modified


def test_undo_and_redo_take_it_back_and_again_also_after_a_save(
    opened: Callable[[Path], MainWindow], path: Path
) -> None:
    window = opened(path)
    documents, editor = window.components.documents, window.ui.editor
    replace_words(window, "He", "She")
    add(window)
    editor.undo()
    assert shown(window) == []
    editor.undo()
    assert not documents.modified
    for _ in range(2):
        editor.redo()
    assert shown(window) == [("plot", WHO)]
    save(window)
    editor.undo()
    assert documents.modified
    assert shown(window) == []
    save(window)
    assert written(path) == []
    editor.undo()
    save(window)
    assert open_document(path.read_bytes(), name=path.name).text == TEXT
    for _ in range(2):
        editor.redo()
    save(window)
    assert written(path) == [("plot", WHO)]


def test_it_follows_its_words_through_edits_and_ends_with_them(
    opened: Callable[[Path], MainWindow], path: Path
) -> None:
    window = opened(path)
    add(window)
    add(window, "legendary")
    replace_words(window, "A legendary", "This legendary")
    replace_words(window, "plot", "plan of 👍🏽 theirs")
    save(window)
    assert written(path)[0] == ("legendary", PRAISE)
    assert shown(window)[1] == ("plan of 👍🏽 theirs", WHO)
    replace_words(window, " legendary", "")
    save(window)
    assert [said for _, said in written(path)] == [WHO]
    window.ui.editor.undo()
    save(window)
    assert [said for _, said in written(path)] == [PRAISE, WHO]


def test_a_new_comment_whose_words_are_deleted_is_told_when_the_file_is_saved(
    opened: Callable[[Path], MainWindow], path: Path
) -> None:
    window = opened(path)
    add(window)
    replace_words(window, " plot", "")
    save(window)
    assert "its words are no longer in the text" in window.ui.message_bar.text
    assert written(path) == []


@pytest.mark.parametrize("name", ["draft.docx", "draft.odt"])
def test_it_is_written_beside_tracked_changes_and_other_comments(
    opened: Callable[[Path], MainWindow], qtbot: QtBot, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    ben = '<office:annotation office:name="a"><dc:creator>Ben</dc:creator><text:p>Mine.</text:p></office:annotation>'
    path.write_bytes(
        docx(
            paragraph(run("A legendary plan."))
            + paragraph(run("He claims a 👍 "), commented(1, run("plot."))),
            comments=comment(1, "Ben", "Mine."),
        )
        if name == "draft.docx"
        else odt(
            f"<text:p>A legendary plan.</text:p><text:p>He claims a 👍 {ben}plot.<office:annotation-end "
            'office:name="a"/></text:p>'
        )
    )
    window = opened(path)
    qtbot.waitUntil(lambda: len(window.ui.editor.comments) == 1)
    window.settings.set("author", "Ann Example")
    window.ui.actions["track_changes"].trigger()
    both = [("plot.", "Mine."), ("plot", WHO)]
    for old, new in (("He", "She"), ("plan", "scheme")):
        replace_words(window, old, new)
        add(window)
        save(window)
        assert sorted(written(path)) == sorted(both)
        qtbot.waitUntil(lambda: sorted(shown(window)) == sorted(both))
    data = path.read_bytes()
    container = open_document(data, name=name).container
    assert isinstance(container, OfficeDocument)
    assert open_document(reject_all(container), name=name).text == TEXT
    found = {one.text: one.author for one in read_people_comments(container)}
    assert found == {"Mine.": "Ben", WHO: "Ann Example"}
    window.ui.actions["track_changes"].trigger()
    replace_words(window, "scheme", "idea")
    save(window)
    assert sorted(written(path)) == sorted(both)


def test_accepting_changes_keeps_it_and_it_can_no_longer_be_undone(
    opened: Callable[[Path], MainWindow], qtbot: QtBot, word: Path
) -> None:
    window = opened(word)
    window.ui.actions["track_changes"].trigger()
    replace_words(window, "He", "She")
    add(window)
    assert window.components.revisions.obstacle
    save(window)
    window.components.revisions.resolve(None, accepted=True)
    assert not window.components.documents.session.has_revisions
    assert written(word) == [("plot", WHO)]
    qtbot.waitUntil(lambda: shown(window) == [("plot", WHO)])
    window.ui.editor.undo()
    assert not window.components.documents.modified
    window.components.revisions.undo()
    assert written(word) == [("plot", WHO)]


def crashed(window: MainWindow) -> None:
    """What the journal of a window holds stays, as after a crash."""
    window.components.journal_writer.close(keep=True)
    window.ui.editor.document().setModified(False)
    window.close()


def test_a_crash_before_it_is_saved_does_not_lose_it(
    opened: Callable[[Path], MainWindow], make: Make, qtbot: QtBot, path: Path
) -> None:
    """The text is that of the file, so nothing but the comments is unsaved."""
    window = opened(path)
    add(window)
    crashed(window)
    again = make(None)
    qtbot.waitUntil(lambda: again.components.recovery.dialog is not None)
    dialog = again.components.recovery.dialog
    assert dialog is not None
    assert "1 comment was added" in dialog.state.accessibleName()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert shown(again) == [("plot", WHO)]
    assert again.components.documents.modified
    crashed(again)
    [orphan] = find_orphans(journals_folder()).orphans
    assert [one.text for one in orphan.comments] == [WHO], "the new journal has it as well"
    orphan.release()
    third = make(None)
    qtbot.waitUntil(lambda: third.components.recovery.dialog is not None)
    QTest.keyClick(third.components.recovery.dialog, Qt.Key.Key_Return)
    save(third)
    assert written(path) == [("plot", WHO)]
    assert find_orphans(journals_folder()).orphans == ()


def test_after_a_save_only_later_comments_are_recovered_on_their_words(
    opened: Callable[[Path], MainWindow], make: Make, qtbot: QtBot, word: Path
) -> None:
    window = opened(word)
    add(window)
    save(window)
    replace_words(window, "A ", "🙂 This is a ")
    add(window, "legendary")
    replace_words(window, "🙂 This", "That")
    crashed(window)
    again = make(None)
    qtbot.waitUntil(lambda: again.components.recovery.dialog is not None)
    QTest.keyClick(again.components.recovery.dialog, Qt.Key.Key_Return)
    both = [("legendary", PRAISE), ("plot", WHO)]
    qtbot.waitUntil(lambda: shown(again) == both)
    save(again)
    assert sorted(written(word)) == both


def test_a_saved_comment_leaves_nothing_to_recover(opened: Callable[[Path], MainWindow], path: Path) -> None:
    window = opened(path)
    add(window)
    save(window)
    crashed(window)
    assert find_orphans(journals_folder()).orphans == ()


def test_a_crash_just_after_the_file_was_written_leaves_no_comment_twice(
    opened: Callable[[Path], MainWindow], path: Path
) -> None:
    """The file holds it, but the journal does not know that yet."""
    window = opened(path)
    add(window)
    documents = window.components.documents
    path.write_bytes(container_bytes(documents.session, TEXT, None, documents.comments.placed(TEXT)))
    crashed(window)
    offered, _ = find_unsaved(Event())
    assert offered == []
    assert find_orphans(journals_folder()).orphans == ()
    assert written(path) == [("plot", WHO)]


def restored(make: Make, qtbot: QtBot, *, said: str) -> MainWindow:
    """A window that has taken over the draft of one that crashed, in whose dialog this was ``said``."""
    window = make(None)
    qtbot.waitUntil(lambda: window.components.recovery.dialog is not None)
    dialog = window.components.recovery.dialog
    assert dialog is not None
    assert said in dialog.state.accessibleName()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    return window


def test_a_crash_does_not_forget_that_a_saved_comment_was_undone(
    opened: Callable[[Path], MainWindow], make: Make, qtbot: QtBot, path: Path
) -> None:
    """Also when the draft crashes again before it is saved, and when its text was edited before."""
    window = opened(path)
    replace_words(window, "A ", "🙂 This is a ")
    add(window, "legendary")
    add(window)
    save(window)
    both = [("legendary", PRAISE), ("plot", WHO)]
    assert written(path) == both
    window.ui.editor.undo()
    replace_words(window, "plan.", "plan, perhaps.")
    crashed(window)
    for _ in range(2):
        again = restored(make, qtbot, said="1 comment in the file was undone")
        assert written(path) == both, "nothing is written before it is saved"
        assert again.components.documents.modified
        crashed(again)
    last = restored(make, qtbot, said="1 comment in the file was undone")
    if path.suffix != ".html":
        qtbot.waitUntil(lambda: shown(last) == [("legendary", PRAISE)])
    save(last)
    assert written(path) == [("legendary", PRAISE)]
    assert open_document(path.read_bytes(), name=path.name).text == (
        f"🙂 This is a legendary plan, perhaps.\n{LINE}"
    )
    crashed(last)
    assert find_orphans(journals_folder()).orphans == ()


def test_after_an_undo_the_file_without_its_last_comment_is_as_before(
    opened: Callable[[Path], MainWindow], make: Make, qtbot: QtBot, path: Path
) -> None:
    window = undone_after_saving(opened(path))
    crashed(window)
    window = restored(make, qtbot, said="1 comment in the file was undone")
    assert shown(window) == []
    save(window)
    assert written(path) == []
    assert open_document(path.read_bytes(), name=path.name).text == TEXT
    if path.suffix == ".html":
        assert path.read_bytes() == FILES[path.name]


def test_an_undo_that_the_file_was_written_with_leaves_nothing_to_recover(
    opened: Callable[[Path], MainWindow], path: Path
) -> None:
    """The journal does not know yet that the file was written without the comment."""
    window = undone_after_saving(opened(path))
    path.write_bytes(container_bytes(window.components.documents.session, TEXT, None))
    crashed(window)
    assert find_unsaved(Event())[0] == []
    assert find_orphans(journals_folder()).orphans == ()


def test_redoing_a_saved_comment_leaves_nothing_to_recover(
    opened: Callable[[Path], MainWindow], path: Path
) -> None:
    window = undone_after_saving(opened(path))
    window.ui.editor.redo()
    crashed(window)
    assert find_orphans(journals_folder()).orphans == ()


def test_a_crash_does_not_lose_one_that_was_undone_and_added_again(
    opened: Callable[[Path], MainWindow], path: Path
) -> None:
    window = undone_after_saving(opened(path))
    add(window)
    crashed(window)
    offered, _ = find_unsaved(Event())
    for unsaved in offered:
        comments = placed_comments(unsaved)
        path.write_bytes(
            container_bytes(unsaved.session, TEXT, None, [one for one in comments if not one.is_undone])
        )
        unsaved.orphan.discard()
    assert written(path) == [("plot", WHO)]


def test_an_undone_comment_stays_in_a_file_that_another_program_has_written(
    opened: Callable[[Path], MainWindow], path: Path
) -> None:
    """Somebody may have answered it."""
    window = undone_after_saving(opened(path))
    other = open_document(path.read_bytes(), name=path.name).container
    assert other is not None
    path.write_bytes(other.save(other.text.replace("He", "She")))
    crashed(window)
    [unsaved], _ = find_unsaved(Event())
    assert unsaved.orphan.comments == ()
    unsaved.orphan.discard()
    assert written(path) == [("plot", WHO)]


def test_a_crash_does_not_lose_one_whose_words_an_undo_brought_back_after_a_save(
    opened: Callable[[Path], MainWindow], make: Make, qtbot: QtBot, path: Path
) -> None:
    window = opened(path)
    add(window)
    replace_words(window, " plot", "")
    save(window)
    assert written(path) == []
    window.ui.editor.undo()
    qtbot.wait(CHECK_MS + 500)
    crashed(window)
    window = restored(make, qtbot, said="1 comment was added to it")
    save(window)
    assert written(path) == [("plot", WHO)]


def test_one_that_stands_in_a_page_already_is_not_written_again(
    opened: Callable[[Path], MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    """The window does not show the comments of a page, so a person may add one again."""
    page = tmp_path / "page.html"
    page.write_bytes(FILES["page.html"])
    window = opened(page)
    add(window)
    save(window)
    once = page.read_bytes()
    assert window.components.documents.open(page)
    read(window, qtbot, WORDS)
    add(window)
    save(window)
    assert page.read_bytes() == once


def test_forgetting_the_draft_keeps_it_recoverable(opened: Callable[[Path], MainWindow], word: Path) -> None:
    window = opened(word)
    add(window)
    window.components.journal_writer.restart()
    assert shown(window) == [("plot", WHO)]
    crashed(window)
    [orphan] = find_orphans(journals_folder()).orphans
    assert [one.text for one in orphan.comments] == [WHO]
    orphan.release()


def died_with_comment(path: Path) -> None:
    session = open_session(path)
    journal = Journal(journals_folder(), journal_place(session), text=session.text)
    at = session.text.index("plot")
    stamp = stamp_now("Ann")
    journal.comments([DraftComment(at, at + 4, WHO, stamp.author, stamp.time)])
    journal.close(keep=True)


def test_a_copy_of_an_unsaved_draft_says_that_it_is_the_text_alone(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, word: Path
) -> None:
    died_with_comment(word)
    window = make(None)
    qtbot.waitUntil(lambda: window.components.recovery.dialog is not None)
    dialog = window.components.recovery.dialog
    assert dialog is not None
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "copy.txt"), ""))
    dialog.buttons["copy"].click()
    assert (tmp_path / "copy.txt").read_text(encoding="utf-8") == TEXT
    assert "restore the draft to keep its comments" in dialog.state.accessibleName()
    assert dialog.list.count() == 1
    dialog.reject()


def test_without_its_file_a_recovered_comment_is_told(make: Make, qtbot: QtBot, word: Path) -> None:
    died_with_comment(word)
    word.unlink()
    window = make(None)
    qtbot.waitUntil(lambda: window.components.recovery.dialog is not None)
    QTest.keyClick(window.components.recovery.dialog, Qt.Key.Key_Return)
    assert window.ui.editor.text() == TEXT
    assert f"“plot”: {WHO}" in window.ui.message_bar.text


def test_loading_what_another_program_wrote_keeps_it_where_its_words_are(
    opened: Callable[[Path], MainWindow], qtbot: QtBot, word: Path
) -> None:
    window = opened(word)
    add(window, "legendary")
    save(window)
    add(window)
    other = open_docx(word.read_bytes(), name="draft.docx")
    word.write_bytes(other.save(other.text.replace("He claims", "So he claims")))
    qtbot.waitUntil(lambda: "changed by another program" in window.ui.file_bar.text)
    window.ui.file_bar.buttons["load"].click()
    both = [("legendary", PRAISE), ("plot", WHO)]
    qtbot.waitUntil(lambda: shown(window) == both)
    assert window.components.documents.modified
    save(window)
    assert sorted(written(word)) == both
    assert "So he claims" in open_docx(word.read_bytes(), name="draft.docx").text


def test_one_whose_words_another_program_has_changed_is_told(
    opened: Callable[[Path], MainWindow], qtbot: QtBot, path: Path
) -> None:
    window = opened(path)
    add(window)
    other = open_document(path.read_bytes(), name=path.name).container
    assert other is not None
    path.write_bytes(other.save(other.text.replace("plot", "plan")))
    qtbot.waitUntil(lambda: "changed by another program" in window.ui.file_bar.text)
    window.ui.file_bar.buttons["load"].click()
    assert shown(window) == []
    assert "its words are no longer in the text" in window.ui.message_bar.text
    assert not window.components.documents.modified


def test_loading_a_file_that_holds_it_already_does_not_add_it_again(
    opened: Callable[[Path], MainWindow], qtbot: QtBot, path: Path
) -> None:
    """As after a save that was given up because the drive did not answer, and that ended later."""
    window = opened(path)
    add(window)
    documents = window.components.documents
    path.write_bytes(container_bytes(documents.session, TEXT, None, documents.comments.placed(TEXT)))
    qtbot.waitUntil(lambda: "changed by another program" in window.ui.file_bar.text)
    window.ui.file_bar.buttons["load"].click()
    assert not documents.modified
    if path.suffix != ".html":
        qtbot.waitUntil(lambda: shown(window) == [("plot", WHO)])
    replace_words(window, "He", "She")
    save(window)
    assert written(path) == [("plot", WHO)]


def test_a_crash_after_keeping_mine_does_not_lose_what_the_file_was_saved_with(
    opened: Callable[[Path], MainWindow], make: Make, qtbot: QtBot, path: Path
) -> None:
    """The file that was saved with the comment is no longer there."""
    window = opened(path)
    add(window)
    save(window)
    path.write_bytes(FILES[path.name])
    qtbot.waitUntil(lambda: "changed by another program" in window.ui.file_bar.text)
    window.ui.file_bar.buttons["keep"].click()
    assert shown(window) == [("plot", WHO)]
    crashed(window)
    window = restored(make, qtbot, said="1 comment was added to it")
    save(window)
    assert written(path) == [("plot", WHO)]


def test_keeping_mine_over_another_version_writes_it(
    opened: Callable[[Path], MainWindow], qtbot: QtBot, word: Path
) -> None:
    window = opened(word)
    add(window)
    word.write_bytes(docx(paragraph(run("Other words."))))
    qtbot.waitUntil(lambda: "changed by another program" in window.ui.file_bar.text)
    window.ui.file_bar.buttons["keep"].click()
    save(window)
    assert written(word) == [("plot", WHO)]


def test_saving_in_another_format_names_it_among_what_is_lost(
    opened: Callable[[Path], MainWindow], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, word: Path
) -> None:
    window = opened(word)
    add(window)
    asked = asking(monkeypatch, Button.Cancel)
    saving_to(monkeypatch, tmp_path / "draft.odt")
    window.ui.actions["save_as"].trigger()
    assert asked[0].startswith("1 comment cannot be converted")
    assert window.components.documents.modified
    assert shown(window) == [("plot", WHO)]
    asking(monkeypatch, Button.Save)
    window.ui.actions["save_as"].trigger()
    assert window.components.documents.session.name == "draft.odt"
    assert shown(window) == []
    assert not window.components.documents.modified


def test_saving_a_page_as_text_asks_first(
    opened: Callable[[Path], MainWindow], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(FILES["page.html"])
    window = opened(page)
    add(window)
    asked = asking(monkeypatch, Button.Cancel)
    saving_to(monkeypatch, tmp_path / "page.md")
    window.ui.actions["save_as"].trigger()
    assert "no place for the comment" in asked[0]
    assert not (tmp_path / "page.md").exists()
    assert shown(window) == [("plot", WHO)]
    asking(monkeypatch, Button.Save)
    window.ui.actions["save_as"].trigger()
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == TEXT
    assert shown(window) == []
    window.ui.editor.undo()
    assert shown(window) == []


def test_saving_under_another_name_takes_it_along(
    opened: Callable[[Path], MainWindow], monkeypatch: pytest.MonkeyPatch, path: Path
) -> None:
    window = opened(path)
    before = path.read_bytes()
    add(window)
    other = path.with_name(f"other{path.suffix}")
    saving_to(monkeypatch, other)
    window.ui.actions["save_as"].trigger()
    assert written(other) == [("plot", WHO)]
    assert path.read_bytes() == before
    assert not window.components.documents.modified


def test_a_reviewed_copy_has_it_beside_the_comments_on_findings(
    opened: Callable[[Path], MainWindow], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, word: Path
) -> None:
    window = opened(word)
    add(window)
    copy = word.with_name("copy.docx")
    saving_to(monkeypatch, copy)
    with qtbot.waitSignal(window.components.reviewed_copy.status_message):
        window.ui.actions["reviewed_copy"].trigger()
    assert written(copy) == [("plot", WHO)]
    assert copy.read_bytes().count(b"word/comments.xml") == 2
    assert window.components.documents.modified
    assert word.read_bytes() == FILES["draft.docx"]


def test_closing_asks_about_it(
    opened: Callable[[Path], MainWindow], monkeypatch: pytest.MonkeyPatch, path: Path
) -> None:
    window = opened(path)
    add(window)
    asked = asking(monkeypatch, Button.Cancel)
    assert not window.components.documents.confirm_close()
    assert asked
    asking(monkeypatch, Button.Save)
    assert window.components.documents.confirm_close()
    assert written(path) == [("plot", WHO)]


def test_comments_move_with_their_words() -> None:
    time = stamp_now("Ann").time
    one = DraftComment(2, 6, "a", "Ann", time)
    for before, after, place in (
        ("A plot.", "A plot.", (2, 6)),
        ("A plot.", "Not a plot.", (6, 10)),
        ("A plot.", "A secret plot.", (9, 13)),
        ("A plot.", "A plan.", (2, 6)),
        ("A plot.", "A.", None),
        ("A plot.", "", None),
    ):
        moved = move_comments([one], before, after)
        assert [(found.start, found.end) for found in moved] == ([place] if place else [])
