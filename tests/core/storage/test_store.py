"""Protects what the store remembers: versions with their scores, what is ignored and allowed, which draft is which."""

from __future__ import annotations

import sqlite3
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.types import Format
from core.storage import store as store_module
from core.storage.store import Store
from core.storage.types import Ignore, Scores, StoreError
from core.types import Kind, Leaning, Summary

SCORES = Scores(0.25, 2, 9, {Kind.FRAMING: 3, Kind.DEMOGRAPHIC: 1}, Leaning(0.2, 0.5, 0.3, 0.1))


def new(store: Store, name: str = "Draft", path: Path | None = None) -> str:
    return store.open_draft(None, name=name, path=path).uid


def keep(store: Store, uid: str, *texts: str) -> None:
    for text in texts:
        assert store.save_version(uid, text, format=Format.PLAIN, why="kept") is not None


def texts(store: Store, uid: str) -> list[str]:
    return [store.text_of(version.id) for version in store.versions(uid)]


# Versions


def test_a_version_comes_back_whole_after_a_restart(store: Store, place: Path) -> None:
    uid = new(store)
    text = "Ein 👍🏽 Entwurf\n\r\n\0 mit \ud800 allem\n"
    kept = store.save_version(uid, text, format=Format.MARKDOWN, why="saved", scores=SCORES)
    assert kept is not None
    store.close()
    again = Store.open(place)
    assert again.notes == ()
    assert again.versions(uid) == [kept]
    assert again.text_of(kept.id) == text
    assert kept.characters == len(text)
    assert kept.words == 7
    assert kept.scores == SCORES
    assert kept.made_at.tzinfo is UTC
    again.close()


@pytest.mark.parametrize("scores", [None, Scores(0.0, 0, 0), Scores(1.0, 4, 4, {}, Leaning(1, 0, 0))])
def test_scores_come_back_as_they_were(store: Store, scores: Scores | None) -> None:
    uid = new(store)
    store.save_version(uid, "a", format=Format.PLAIN, why="kept", scores=scores)
    assert store.versions(uid)[0].scores == scores


def test_scores_of_a_summary() -> None:
    summary = Summary(9, 2, 0.25, SCORES.leaning, dict(SCORES.kinds))
    assert Scores.of(summary) == SCORES


def test_the_same_text_again_is_no_new_version(store: Store) -> None:
    uid = new(store)
    keep(store, uid, "one", "two")
    assert store.save_version(uid, "two", format=Format.PLAIN, why="saved") is None
    keep(store, uid, "one")
    assert texts(store, uid) == ["one", "two", "one"]


def test_a_version_without_scores_gets_those_that_come_later(store: Store) -> None:
    """A draft is kept when it is opened, and read a moment later."""
    uid = new(store)
    keep(store, uid, "one", "two")
    store.score(store.versions(uid)[0].id, SCORES)
    assert [version.scores for version in store.versions(uid)] == [SCORES, None]
    store.score(store.versions(uid)[0].id, Scores(0.9, 1, 1))
    assert store.versions(uid)[0].scores == SCORES
    store.score(99, SCORES)


def test_a_version_has_a_name_that_can_be_changed(store: Store, place: Path) -> None:
    uid = new(store)
    named = store.save_version(
        uid, "one", format=Format.PLAIN, why="kept", name=" For\nAnna \ud800" + "x" * 120
    )
    keep(store, uid, "two")
    assert named is not None
    assert named.name == ("For Anna \\ud800" + "x" * 120)[:100]
    assert [version.name for version in store.versions(uid)] == [named.name, ""]
    store.name_version(named.id, "Final")
    store.name_version(99, "Nobody's")
    store.close()
    again = Store.open(place)
    assert [version.name for version in again.versions(uid)] == ["Final", ""]
    again.name_version(named.id, "")
    assert [version.name for version in again.versions(uid)] == ["", ""]
    again.close()


def test_drafts_do_not_see_each_other(store: Store) -> None:
    one, other = new(store), new(store)
    keep(store, one, "mine")
    store.ignore(one, Ignore("words", Kind.FRAMING, "x", ""))
    assert store.versions(other) == []
    assert store.ignores(other) == []


def test_the_style_packs_of_a_draft_are_kept_and_taken_back(store: Store) -> None:
    one, other = new(store), new(store)
    store.choose_pack(one, "immigration", True)
    store.choose_pack(one, "words-to-watch", True)
    store.choose_pack(one, "words-to-watch", False)
    assert store.draft_packs(one) == {"immigration": True, "words-to-watch": False}
    assert store.draft_packs(other) == {}
    store.choose_pack(one, "immigration", None)
    assert store.draft_packs(one) == {"words-to-watch": False}
    store.forget(one)
    assert store.draft_packs(one) == {}
    with pytest.raises(StoreError, match="was removed"):
        store.choose_pack(one, "immigration", True)


def test_the_style_packs_go_with_a_draft_that_is_saved_as_another(store: Store, tmp_path: Path) -> None:
    first, second = tmp_path / "a.md", tmp_path / "b.md"
    first.write_text("x", encoding="utf-8")
    uid = store.open_draft(None, name="a.md", path=first).uid
    store.choose_pack(uid, "immigration", True)
    store.open_draft(uid, name="b.md", path=second)
    assert store.draft_packs(uid) == {"immigration": True}
    kept = store.draft_at(first)
    assert kept is not None
    assert kept.uid != uid
    assert store.draft_packs(kept.uid) == {"immigration": True}


def test_ignored_spellings_belong_to_a_draft_and_its_copies(store: Store, tmp_path: Path) -> None:
    first, second = tmp_path / "a.md", tmp_path / "b.md"
    first.write_text("x", encoding="utf-8")
    uid, other = store.open_draft(None, name="a.md", path=first).uid, new(store)
    for word in ("wrod", "Xyzzi", "wrod"):
        store.ignore_spelling(uid, word)
    assert store.ignored_spellings(uid) == ["wrod", "Xyzzi"]
    assert store.ignored_spellings(other) == []
    store.open_draft(uid, name="b.md", path=second)
    kept = store.draft_at(first)
    assert kept is not None
    assert store.ignored_spellings(kept.uid) == ["wrod", "Xyzzi"]
    store.unignore_spelling(uid, "wrod")
    assert store.ignored_spellings(uid) == ["Xyzzi"]
    assert store.ignored_spellings(kept.uid) == ["wrod", "Xyzzi"]
    store.forget(uid)
    assert store.ignored_spellings(uid) == []
    with pytest.raises(StoreError, match="was removed"):
        store.ignore_spelling(uid, "wrod")


def test_what_is_not_there_is_said(store: Store) -> None:
    with pytest.raises(StoreError, match="version no longer exists"):
        store.text_of(7)
    with pytest.raises(StoreError, match="was removed"):
        store.save_version("nobody", "x", format=Format.PLAIN, why="kept")
    with pytest.raises(StoreError, match="was removed"):
        store.ignore("nobody", Ignore("once", Kind.FRAMING, "x", "y"))
    assert store.versions("nobody") == []
    assert store.forget("nobody") == ()


def test_numbers_of_versions_are_never_used_again(store: Store) -> None:
    """A window that still shows a forgotten version must not get the text of another one for it."""
    uid = new(store)
    keep(store, uid, "one")
    number = store.versions(uid)[0].id
    store.forget(uid)
    uid = new(store)
    keep(store, uid, "two")
    assert store.versions(uid)[0].id > number


START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def set_clock(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    monkeypatch.setattr(store_module, "_now", lambda: moment)


def test_prune_leaves_the_young_and_the_newest_of_each_draft(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, young = new(store), new(store)
    gone = []
    for day in range(40):
        set_clock(monkeypatch, START + timedelta(days=day))
        gone.append(store.prune(30))
        for at, uid, text in (
            (0, old, "a"),
            (2, old, "b"),
            (0, young, "c"),
            (20, young, "d"),
            (39, young, "e"),
        ):
            if at == day:
                keep(store, uid, text)
    assert [(day, number) for day, number in enumerate(gone) if number] == [(31, 2)]
    assert texts(store, old) == ["b"]
    assert texts(store, young) == ["d", "e"]
    assert store.prune(7) == 1
    assert texts(store, young) == ["e"]


def test_prune_leaves_what_has_a_name_until_it_has_none(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person kept it by name: only the person takes it away."""
    uid = new(store)
    set_clock(monkeypatch, START)
    store.prune(7)
    for text, name in (("a", ""), ("b", "Sent to the desk"), ("c", ""), ("d", "")):
        store.save_version(uid, text, format=Format.PLAIN, why="kept", name=name)
    unnamed, named = store.versions(uid)[0].id, store.versions(uid)[1].id
    store.name_version(unnamed, "Before the cuts")
    for day in range(1, 20):
        set_clock(monkeypatch, START + timedelta(days=day))
        store.prune(7)
    assert texts(store, uid) == ["a", "b", "d"]
    store.name_version(named, "")
    set_clock(monkeypatch, START + timedelta(days=20))
    assert store.prune(7) == 1
    assert texts(store, uid) == ["a", "d"]
    store.forget(uid)
    assert store.versions(uid) == []


@pytest.mark.parametrize("years", [-11, 5])
def test_one_start_with_a_wrong_clock_removes_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch, years: int
) -> None:
    """Versions of a wrong day, and versions that were there on it, are as old as the days on which it was used."""
    uid = new(store)
    set_clock(monkeypatch, START)
    store.prune(365)
    keep(store, uid, *"abcde")
    set_clock(monkeypatch, START + timedelta(days=365 * years))
    assert store.prune(365) == 0
    keep(store, uid, *"fghij")
    for day in range(1, 4):
        set_clock(monkeypatch, START + timedelta(days=day))
        assert store.prune(365) == 0
    assert texts(store, uid) == [*"abcdefghij"]


def test_a_store_whose_clock_was_wrong_from_the_start_keeps_its_versions(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = new(store)
    set_clock(monkeypatch, START - timedelta(days=4000))
    store.prune(7)
    keep(store, uid, *"abcdefghij")
    set_clock(monkeypatch, START)
    assert store.prune(7) == 0
    assert len(texts(store, uid)) == 10


def test_nothing_is_pruned_while_the_clock_goes_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    uid = new(store)
    keep(store, uid, "a", "b")
    for day in range(3):
        set_clock(monkeypatch, START + timedelta(days=day))
        store.prune(365)
    set_clock(monkeypatch, START)
    assert [store.prune(1), store.prune(1)] == [0, 0]
    set_clock(monkeypatch, START + timedelta(days=1))
    assert store.prune(1) == 1


def test_a_limited_number_is_pruned_a_day_oldest_first(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "MAX_PRUNED_PER_DAY", 3)
    uid = new(store)
    keep(store, uid, *"abcdefgh")
    gone = []
    for day in range(5):
        set_clock(monkeypatch, START + timedelta(days=day))
        gone += [store.prune(1), store.prune(1)]
        assert texts(store, uid) == [*"abcdefgh"][sum(gone) :]
    assert gone == [0, 0, 3, 0, 3, 0, 1, 0, 0, 0]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-6000, 6000), max_size=12), st.sampled_from([7, 30, 365]))
def test_no_sequence_of_clocks_prunes_before_so_many_days_of_use(clocks: list[int], days: int) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        store = Store.open(Path(folder) / "evenhand.sqlite3")
        uid = new(store)
        keep(store, uid, "first")
        for number, day in enumerate(clocks):
            set_clock(patch, START + timedelta(days=day))
            gone = store.prune(days)
            assert gone == 0 or number >= days
            keep(store, uid, str(number))
        missing = 1 + len(clocks) - len(store.versions(uid))
        assert missing <= max(0, len(clocks) - days)
        store.close()


def test_a_history_without_an_end_is_not_pruned(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    uid = new(store)
    keep(store, uid, "a", "b")
    for day in range(10):
        set_clock(monkeypatch, START + timedelta(days=day))
        assert store.prune(0) == 0
    assert texts(store, uid) == ["a", "b"]
    assert store.prune(7) == 1


def test_prune_takes_away_drafts_of_which_nothing_is_kept(
    store: Store, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every window that was opened and closed without a word would leave a row."""
    moment = datetime.now(UTC) - timedelta(days=2)
    monkeypatch.setattr(store_module, "_now", lambda: moment)
    ignoring = new(store)
    store.ignore(ignoring, Ignore("words", Kind.FRAMING, "x", "f"))
    keep(store, new(store), "a")
    new(store)
    monkeypatch.undo()
    new(store)
    store.prune(30)
    raw = sqlite3.connect(place)
    assert raw.execute("SELECT count(*) FROM drafts").fetchone() == (3,)
    raw.close()


# Which draft is which


def test_a_draft_is_found_by_uid_then_by_path(store: Store, tmp_path: Path) -> None:
    made = store.open_draft("u1", name="a.md", path=tmp_path / "a.md")
    assert made.uid == "u1"
    assert store.open_draft("u1", name="a.md", path=tmp_path / "a.md") == made
    assert store.open_draft("u2", name="a.md", path=tmp_path / "a.md").uid == "u1"
    assert store.open_draft(None, name="a.md", path=tmp_path / "b" / ".." / "a.md").uid == "u1"
    assert store.open_draft(None, name="other", path=None).uid not in (
        "u1",
        store.open_draft(None, name="x", path=None).uid,
    )


def test_an_untitled_draft_keeps_its_history_when_it_gets_a_place(store: Store, tmp_path: Path) -> None:
    uid = new(store, "Untitled")
    keep(store, uid, "one")
    assert store.open_draft(uid, name="a.md", path=tmp_path / "a.md").path == tmp_path / "a.md"
    assert store.open_draft(None, name="a.md", path=tmp_path / "a.md").uid == uid
    assert store.open_draft(uid, name="a.md", path=None).path == tmp_path / "a.md"


def test_a_draft_saved_over_a_file_takes_on_the_history_of_the_file(store: Store, tmp_path: Path) -> None:
    same = Ignore("words", Kind.FRAMING, "iconic", "f")
    there = new(store, path=tmp_path / "a.md")
    keep(store, there, "old")
    store.ignore(there, same)
    mine = new(store)
    keep(store, mine, "mine")
    store.ignore(mine, same)
    store.open_draft(mine, name="a.md", path=tmp_path / "a.md")
    assert texts(store, mine) == ["old", "mine"]
    assert len(store.ignores(mine)) == 1
    assert store.open_draft(None, name="a.md", path=tmp_path / "a.md").uid == mine
    assert store.versions(there) == []


def test_save_as_leaves_the_history_with_the_old_file_too(store: Store, tmp_path: Path) -> None:
    old = tmp_path / "a.md"
    old.write_text("x")
    uid = new(store, path=old)
    keep(store, uid, "one", "two")
    store.ignore(uid, Ignore("words", Kind.FRAMING, "iconic", "f"))
    store.open_draft(uid, name="b.md", path=tmp_path / "b.md")
    again = store.open_draft(None, name="a.md", path=old).uid
    assert again != uid
    assert texts(store, again) == texts(store, uid) == ["one", "two"]
    assert [one.words for one in store.ignores(again)] == ["iconic"]
    store.open_draft(uid, name="b.md", path=tmp_path / "b.md")
    assert texts(store, uid) == ["one", "two"]


def test_a_file_that_was_moved_takes_its_history_with_it(store: Store, tmp_path: Path) -> None:
    uid = new(store, path=tmp_path / "gone.md")
    keep(store, uid, "one")
    store.open_draft(uid, name="b.md", path=tmp_path / "b.md")
    assert store.versions(store.open_draft(None, name="gone.md", path=tmp_path / "gone.md").uid) == []
    assert texts(store, uid) == ["one"]


def test_a_name_in_no_known_encoding_is_kept_readable(store: Store) -> None:
    path = Path("caf\udce9.md")
    uid = new(store, path.name, path)
    assert store.open_draft(None, name=path.name, path=path).uid == uid


# What is ignored and what is allowed


def test_what_is_ignored_is_listed_once_and_can_be_taken_back(store: Store) -> None:
    uid = new(store)
    once = store.ignore(uid, Ignore("once", Kind.FRAMING, "iconic", "f1"))
    words = store.ignore(uid, Ignore("words", Kind.DEMOGRAPHIC, "chairman", "f2"))
    assert store.ignore(uid, Ignore("once", Kind.FRAMING, "iconic", "f1")) == once
    assert store.ignores(uid) == [once, words]
    assert once.id != words.id
    store.unignore(once.id)
    store.unignore(once.id)
    assert store.ignores(uid) == [words]


def test_allowed_words_know_no_case_and_no_doubles(store: Store) -> None:
    store.allow("Kung  fu")
    store.allow(["kung fu", "Ärger", " ", "niger"])
    assert store.allowed() == ["Kung fu", "niger", "Ärger"]
    store.disallow("KUNG FU")
    store.disallow([])
    assert store.allowed() == ["niger", "Ärger"]


def test_sql_in_words_is_only_words(store: Store) -> None:
    uid = new(store, "'; DROP TABLE drafts; --")
    store.allow("x'); DELETE FROM allowed; --")
    keep(store, uid, "%s ? :a '")
    assert store.allowed() == ["x'); DELETE FROM allowed; --"]
    assert texts(store, uid) == ["%s ? :a '"]


def test_many_threads_write_at_once(store: Store) -> None:
    uid = new(store)
    errors: list[Exception] = []

    def work(number: int) -> None:
        try:
            for turn in range(10):
                keep(store, uid, f"{number}/{turn}")
                store.versions(uid)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert sorted(texts(store, uid)) == sorted(
        f"{number}/{turn}" for number in range(6) for turn in range(10)
    )
    assert store.check() == []
