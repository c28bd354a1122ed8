"""Protects what was typed and not saved: the journal tells it back exactly, torn, cut or damaged as it may be."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.types import Format
from core.storage import journal as journal_module
from core.storage.draft_comments import DraftComment
from core.storage.file_lock import FileLock, draft_lock_path
from core.storage.journal import Journal, find_orphans
from core.storage.journal_format import (
    FIRST_LINE,
    NOT_SAVED,
    DraftLocation,
    JournalError,
    change_record,
    place_record,
    replay_journal,
    text_digest,
    text_record,
    to_utf16_bytes,
)

PLACE = DraftLocation(
    "1b4e28ba", "draft.md", format=Format.MARKDOWN, sha256="ab", stamp=(1, 2), since="2026-01-01"
)
TEXTS = st.text(
    st.one_of(st.sampled_from("ab \n\u00a0é👍\ud83d\udc4d\u2029"), st.characters(codec=None)), max_size=12
)
STEPS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 8), TEXTS), max_size=12)


def typed(start: str, steps: list[tuple[int, int, str]]) -> tuple[bytes, list[str], list[int]]:
    """A journal of these edits, the text after each, and where each record ends."""
    text = bytearray(to_utf16_bytes(start))
    place = DraftLocation("u", "n", digest=text_digest(text))
    data = FIRST_LINE + place_record(place) + text_record(text)
    texts, ends = [bytes(text)], [len(data)]
    for at, removed, inserted in steps:
        at = min(at, len(text) // 2)
        removed = min(removed, len(text) // 2 - at)
        text[2 * at : 2 * (at + removed)] = to_utf16_bytes(inserted)
        data += change_record(at, removed, to_utf16_bytes(inserted))
        texts.append(bytes(text))
        ends.append(len(data))
    return data, [text.decode("utf-16-le", "surrogatepass") for text in texts], ends


@settings(max_examples=80)
@given(TEXTS, STEPS)
def test_a_replay_is_exact_also_with_lone_halves_of_pairs(
    start: str, steps: list[tuple[int, int, str]]
) -> None:
    data, texts, _ = typed(start, steps)
    said = replay_journal(data)
    assert (said.text, said.damaged) == (texts[-1], False)
    assert said.unsaved is (to_utf16_bytes(texts[-1]) != to_utf16_bytes(texts[0]))


def test_comments_are_kept_with_the_text_they_are_on_until_they_are_saved(tmp_path: Path) -> None:
    """Also when the journal is written anew, and when another window takes the draft over after a crash."""
    time = datetime(2026, 3, 4, 5, 6, 7)
    comment = DraftComment(2, 6, "Who says this?", "Ann", time)
    journal = Journal(tmp_path, PLACE, text="A 👍 plot.")
    journal.comments([comment])
    assert journal.wait(journal.edit(0, 0, "So: "))
    said = replay_journal(journal.path.read_bytes())
    assert (said.comments, said.commented_text, said.text) == ((comment,), "A 👍 plot.", "So: A 👍 plot.")
    assert said.unsaved
    journal.path.unlink()
    assert journal.wait(journal.edit(0, 4, ""))
    said = replay_journal(journal.path.read_bytes())
    assert (said.comments, said.commented_text, said.text) == ((comment,), "A 👍 plot.", "A 👍 plot.")
    assert said.unsaved, "the text is the saved one, but not the comments"
    journal.saved(replace(PLACE, digest=NOT_SAVED))
    assert journal.wait(journal.edit(0, 0, "x"))
    assert replay_journal(journal.path.read_bytes()).comments == (comment,)
    journal.edit(0, 1, "")
    assert journal.wait(journal.saved(PLACE))
    said = replay_journal(journal.path.read_bytes())
    assert (said.comments, said.unsaved) == ((), False)
    journal.path.unlink()
    assert journal.wait(journal.edit(0, 0, "y"))
    assert replay_journal(journal.path.read_bytes()).comments == ()
    journal.comments([comment])
    journal.close(keep=True)
    [orphan] = find_orphans(tmp_path).orphans
    assert (orphan.comments, orphan.commented_text) == ((comment,), "yA 👍 plot.")
    orphan.release()


def test_without_comments_nothing_is_written(tmp_path: Path) -> None:
    journal = Journal(tmp_path, PLACE, text="A plot.")
    assert journal.wait(journal.comments([]))
    assert not journal.path.exists()
    journal.close()


@settings(max_examples=60)
@given(TEXTS, STEPS, st.integers(0, 400))
def test_a_torn_tail_costs_only_what_was_torn(
    start: str, steps: list[tuple[int, int, str]], cut: int
) -> None:
    data, texts, ends = typed(start, steps)
    length = max(ends[0], len(data) - cut)
    whole = sum(end <= length for end in ends)
    said = replay_journal(data[:length])
    assert (said.text, said.damaged) == (texts[whole - 1], False)


def test_a_tail_of_zeros_is_a_torn_one() -> None:
    data = typed("one", [(3, 0, " two")])[0]
    assert replay_journal(data + b"\0" * 4096) == replay_journal(data)


def test_damage_in_the_middle_stops_there_and_says_so() -> None:
    data, texts, ends = typed("one", [(3, 0, " two"), (7, 0, " three"), (0, 0, "zero ")])
    broken = bytearray(data)
    broken[ends[1] + 20] ^= 1
    said = replay_journal(bytes(broken))
    assert (said.text, said.damaged) == (texts[1], True)
    later = replay_journal(
        bytes(broken) + text_record(to_utf16_bytes("all of it")) + change_record(0, 3, to_utf16_bytes("some"))
    )
    assert (later.text, later.damaged) == ("some of it", True), "a whole text makes good what was lost"


@settings(max_examples=60)
@given(st.data())
def test_no_damage_is_taken_for_another_text(data: st.DataObject) -> None:
    good, texts, _ = typed("start 👍", [(5, 1, "é\n"), (0, 0, "x"), (3, 2, "")])
    broken = bytearray(good)
    for _ in range(data.draw(st.integers(1, 3))):
        broken[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    try:
        said = replay_journal(bytes(broken))
    except JournalError:
        return
    assert said.text in texts


@pytest.mark.parametrize("data", [b"", b"{}", FIRST_LINE, FIRST_LINE + text_record(b"a\0")[:-1]])
def test_what_tells_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(JournalError):
        replay_journal(data)
    with pytest.raises(JournalError) as later:
        replay_journal(b"evenhand journal 2\nsomething")
    assert later.value.newer


def test_the_place_comes_back_whole(tmp_path: Path) -> None:
    place = DraftLocation(
        "u", "é.md", tmp_path / "é.md", Format.DOCX, "utf-16-le", "ab" * 32, (12, 34), "d" * 64, "now"
    )
    assert replay_journal(FIRST_LINE + place_record(place) + text_record(b"")).place == place


def test_nothing_is_written_before_the_first_edit(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journals", PLACE, text="one")
    journal.close()
    assert not (tmp_path / "journals").exists()


def test_edits_saves_and_whole_texts_are_on_the_disk_when_they_are_acknowledged(tmp_path: Path) -> None:
    journal = Journal(tmp_path, PLACE, text="one")
    try:
        assert journal.wait(journal.edit(3, 0, " 👍"))
        assert replay_journal(journal.path.read_bytes()).text == "one 👍"
        assert replay_journal(journal.path.read_bytes()).unsaved
        journal.saved(PLACE)
        assert journal.wait(journal.revision)
        assert not replay_journal(journal.path.read_bytes()).unsaved
        journal.edit(0, 3, "")
        assert journal.wait(journal.whole("something else"))
        said = replay_journal(journal.path.read_bytes())
        assert (said.text, said.place.name, said.unsaved) == ("something else", "draft.md", True)
        assert journal.written_revision == journal.revision
    finally:
        journal.close(keep=True)
    assert replay_journal(journal.path.read_bytes()).text == "something else"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_journals_are_for_their_owner_only(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journals", PLACE)
    journal.wait(journal.edit(0, 0, "secret"))
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (journal.path.parent, journal.path)]
    journal.close()
    assert modes == [0o700, 0o600]
    assert list((tmp_path / "journals").iterdir()) == []


def test_it_is_made_short_when_it_has_grown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "LARGE_JOURNAL", 2_000)
    journal = Journal(tmp_path, PLACE)
    sizes = []
    for number in range(40):
        journal.wait(journal.edit(0, 1 if number else 0, "abcdefghij"[number % 10] * 30))
        journal.edit(0, 29, "")
        journal.wait(journal.revision)
        sizes.append(journal.path.stat().st_size)
    assert max(sizes) <= 2_200
    assert replay_journal(journal.path.read_bytes()).text == "j"
    journal.close()


def test_a_disk_that_is_full_is_told_once_and_made_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "_AGAIN_S", 0.01)
    told: list[str] = []
    good = threading.Event()

    def report(message: str) -> None:
        told.append(message)
        if not message:
            good.set()

    journal = Journal(tmp_path, PLACE, on_error=report)
    journal.wait(journal.edit(0, 0, "one"))
    written = os.write
    with monkeypatch.context() as patch:

        def full(descriptor: int, data: bytes) -> int:
            written(descriptor, bytes(data[:5]))
            raise OSError(errno.ENOSPC, "full")

        patch.setattr(os, "write", full)
        assert not journal.wait(journal.edit(3, 0, " two"), timeout=0.1)
        assert not journal.wait(journal.edit(0, 1, "O"), timeout=0.1)
        assert replay_journal(journal.path.read_bytes()).text == "one", "what was there stays sound"
        assert journal.written_revision == 1
    assert good.wait(10)
    assert journal.wait(journal.revision, timeout=10)
    assert replay_journal(journal.path.read_bytes()).text == "One two"
    journal.close()
    assert len(told) == 2
    assert "disk is full" in told[0]


def test_a_journal_that_was_taken_away_is_written_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path, PLACE)
    journal.wait(journal.edit(0, 0, "one"))
    journal.path.unlink()
    journal.wait(journal.edit(3, 0, " two"))
    assert replay_journal(journal.path.read_bytes()).text == "one two"
    journal.close()


def test_only_journals_without_a_window_are_orphans_and_stay_until_discarded(tmp_path: Path) -> None:
    alive, saved = Journal(tmp_path, PLACE), Journal(tmp_path, PLACE, text="x")
    died = Journal(tmp_path, PLACE, text="it was")
    for journal in (alive, saved, died):
        journal.wait(journal.edit(0, 0, "new "))
    saved.saved(PLACE)
    saved.close(keep=True)
    died.close(keep=True)
    (tmp_path / "broken.journal").write_bytes(b"no journal at all")
    (tmp_path / "later.journal").write_bytes(b"evenhand journal 9\n")
    found = find_orphans(tmp_path)
    assert [orphan.text for orphan in found.orphans] == ["new it was"]
    assert [path.name for path in found.unreadable] == ["broken.damaged"]
    assert not saved.path.exists()
    assert (tmp_path / "later.journal").exists()
    assert find_orphans(tmp_path).orphans == (), "it is held while it is looked at"
    found.orphans[0].release()
    again = find_orphans(tmp_path).orphans
    assert [orphan.text for orphan in again] == ["new it was"]
    again[0].discard()
    assert find_orphans(tmp_path).orphans == ()
    alive.close()


def test_a_lock_is_told_by_every_name_of_a_file_and_freed_by_death(tmp_path: Path) -> None:
    path = tmp_path / "draft.md"
    path.write_text("x", encoding="utf-8")
    other = tmp_path / "folder" / ".." / "draft.md"
    (tmp_path / "folder").mkdir()
    assert draft_lock_path(tmp_path, path) == draft_lock_path(tmp_path, other)
    program = (
        "import sys, time; from pathlib import Path; from core.storage.file_lock import FileLock;"
        "lock = FileLock.acquire(Path(sys.argv[1])); print('held' if lock else 'free', flush=True); time.sleep(60)"
    )
    place = draft_lock_path(tmp_path / "locks", path)
    command = [sys.executable, "-c", program, str(place)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        assert FileLock.acquire(place) is None
        child.kill()
    mine = FileLock.acquire(place)
    assert mine is not None
    assert FileLock.acquire(place) is None, "another window of this process is another holder"
    mine.release()
    mine.release()
    assert not place.exists()
