"""Protects the person's corrections: kept as they were made, taken back with what made them, gone with their draft
from every file, and written into no file that was not asked for.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from core.corrections import Correction, Verdict, chosen_corpus, corpus
from core.corrections.correction_store import CorrectionStore
from core.corrections.types import MAX_SENTENCE_LENGTH
from core.documents.types import Format
from core.storage.store import Store
from core.storage.tables import drafts
from core.storage.types import Ignore, StoreError
from core.types import Kind, fingerprint

SENTENCE = "The shameful 👍 record reveals it."
ACCEPTED = Correction(Verdict.ACCEPTED, Kind.FRAMING, SENTENCE, 4, 12, "The 👍 record reveals it.")
REJECTED = Correction(Verdict.REJECTED, Kind.EPISTEMOLOGICAL, SENTENCE, 22, 29)


def rejected(sentence: str, words: str, kind: Kind = Kind.FRAMING) -> Correction:
    at = sentence.index(words)
    return Correction(Verdict.REJECTED, kind, sentence, at, at + len(words))


def draft(store: Store, name: str = "Quagmire.md", path: Path | None = None) -> str:
    return store.open_draft(None, name=name, path=path).uid


def held(store: Store) -> list[Correction]:
    return [one.correction for one in CorrectionStore(store).list_all()]


def test_corrections_are_listed_newest_first_with_their_draft(store: Store) -> None:
    kept = CorrectionStore(store)
    assert kept.add(draft(store), ACCEPTED)
    assert kept.add(draft(store, "Other.txt"), REJECTED)
    listed = kept.list_all()
    assert [(one.draft, one.correction) for one in listed] == [
        ("Other.txt", REJECTED),
        ("Quagmire.md", ACCEPTED),
    ]
    assert abs(datetime.now(UTC) - listed[0].made_at) < timedelta(minutes=1)
    assert listed[1].correction.words == "shameful"


def test_the_same_correction_is_kept_once(store: Store) -> None:
    uid = draft(store)
    for _ in range(2):
        assert CorrectionStore(store).add(uid, ACCEPTED)
    assert held(store) == [ACCEPTED]


@pytest.mark.parametrize(
    "correction",
    [
        Correction(Verdict.ACCEPTED, Kind.FRAMING, SENTENCE, 4, 12, SENTENCE),
        Correction(Verdict.ACCEPTED, Kind.FRAMING, SENTENCE, 4, 12, " "),
        Correction(Verdict.REJECTED, Kind.FRAMING, SENTENCE, 4, 12, "x"),
        Correction(Verdict.REJECTED, Kind.FRAMING, SENTENCE, 12, 4),
        Correction(Verdict.REJECTED, Kind.FRAMING, SENTENCE, 4, 400),
        Correction(Verdict.REJECTED, Kind.FRAMING, SENTENCE, 3, 4),
        Correction(Verdict.REJECTED, Kind.FRAMING, "A \ud800 bad deal.", 4, 7),
        Correction(Verdict.REJECTED, Kind.FRAMING, "bad " * MAX_SENTENCE_LENGTH, 0, 3),
    ],
)
def test_what_teaches_nothing_is_not_kept(store: Store, correction: Correction) -> None:
    assert not CorrectionStore(store).add(draft(store), correction)
    assert held(store) == []


def test_a_draft_that_the_store_forgot_gets_nothing(store: Store) -> None:
    uid = draft(store)
    store.forget(uid)
    with pytest.raises(StoreError):
        CorrectionStore(store).add(uid, ACCEPTED)


def test_taking_back_leaves_the_others(store: Store) -> None:
    uid, other = draft(store), draft(store, "Other.txt")
    kept = CorrectionStore(store)
    for one, correction in ((uid, ACCEPTED), (uid, REJECTED), (other, ACCEPTED)):
        kept.add(one, correction)
    kept.discard(uid, ACCEPTED)
    kept.discard(uid, ACCEPTED)
    assert {(one.draft, one.correction) for one in kept.list_all()} == {
        ("Quagmire.md", REJECTED),
        ("Other.txt", ACCEPTED),
    }


def test_of_equal_words_the_one_that_is_marked_again_is_taken_back(store: Store) -> None:
    uid = draft(store)
    first, second = rejected("One shameful plan.", "shameful"), rejected("Another shameful end.", "shameful")
    other_kind = rejected("One shameful plan indeed.", "shameful", Kind.DEMOGRAPHIC)
    kept = CorrectionStore(store)
    for correction in (first, second, other_kind):
        kept.add(uid, correction)
    name = fingerprint(Kind.FRAMING, "shameful", "one", "plan")
    kept.undo_rejection(uid, Ignore("once", Kind.FRAMING, "shameful", f"{name}#2"))
    assert set(held(store)) == {second, other_kind}


def test_one_whose_neighbours_have_changed_is_known_by_its_words(store: Store) -> None:
    uid = draft(store)
    CorrectionStore(store).add(uid, rejected("One shameful plan.", "shameful"))
    CorrectionStore(store).undo_rejection(uid, Ignore("once", Kind.FRAMING, "shameful", "0" * 16))
    assert held(store) == []


def test_words_that_are_marked_again_take_back_all_of_the_draft(store: Store) -> None:
    uid, other = draft(store), draft(store, "Other.txt")
    kept = CorrectionStore(store)
    for one in (uid, other):
        for sentence in ("One Shameful plan.", "Another shameful end."):
            words = "Shameful" if "Shameful" in sentence else "shameful"
            kept.add(one, rejected(sentence, words))
        kept.add(one, ACCEPTED)
    kept.undo_rejection(uid, Ignore("words", Kind.FRAMING, "shameful", ""))
    assert [one.draft for one in kept.list_all()].count("Quagmire.md") == 1
    kept.undo_allowed("SHAMEFUL")
    assert held(store) == [ACCEPTED, ACCEPTED]


def test_two_drafts_that_become_one_keep_the_corrections_of_both(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    old = draft(store, "a.md", path)
    CorrectionStore(store).add(old, ACCEPTED)
    uid = draft(store, "b.md")
    CorrectionStore(store).add(uid, REJECTED)
    store.open_draft(uid, name="a.md", path=path)
    assert {(one.draft, one.correction) for one in CorrectionStore(store).list_all()} == {
        ("a.md", ACCEPTED),
        ("a.md", REJECTED),
    }


def test_a_draft_of_which_only_corrections_are_kept_stays(store: Store) -> None:
    CorrectionStore(store).add(draft(store), ACCEPTED)
    empty = draft(store, "Empty.txt")
    with store.writing() as connection:
        connection.execute(update(drafts).values(made_at=datetime.now(UTC) - timedelta(days=9)))
    store.prune(1)
    assert held(store) == [ACCEPTED]
    assert store.open_draft(None, name="x", path=None).uid != empty


SECRET = "A quixotic zebrafinch {number} reveals nothing."


def secrets(store: Store, uid: str) -> list[int]:
    """Many corrections, in turns with those of another draft, so that their rows share pages."""
    kept, other = CorrectionStore(store), draft(store, "Other.txt")
    for number in range(60):
        kept.add(uid, rejected(SECRET.format(number=number), "quixotic"))
        kept.add(other, rejected(f"A harmless sparrow {number} reveals all.", "harmless"))
    return [one.id for one in kept.list_all() if "zebrafinch" in one.correction.sentence]


def traces(folder: Path, word: bytes = b"zebrafinch") -> list[str]:
    return [file.name for file in sorted(folder.rglob("*")) if file.is_file() and word in file.read_bytes()]


def test_nothing_of_a_forgotten_draft_is_left_in_the_files(store: Store, place: Path) -> None:
    uid = draft(store)
    secrets(store, uid)
    assert traces(place.parent)
    assert store.forget(uid) == ()
    assert traces(place.parent) == []
    assert traces(place.parent, b"sparrow")
    assert len(held(store)) == 60


def test_nothing_of_what_was_removed_is_left_in_the_files(store: Store, place: Path) -> None:
    CorrectionStore(store).remove(secrets(store, draft(store)))
    assert traces(place.parent) == []
    assert len(held(store)) == 60


def test_no_file_is_written_until_the_person_asks(store: Store, tmp_path: Path) -> None:
    kept = CorrectionStore(store)
    ids = secrets(store, draft(store))
    assert chosen_corpus() is None
    assert [name for name in traces(tmp_path) if not name.startswith("evenhand.sqlite3")] == []
    assert kept.choose(ids[:5]) == 5
    assert chosen_corpus() is not None
    assert len(corpus.read(corpus.chosen_corpus_path())) == 5


def test_the_chosen_corpus_follows_what_is_taken_back_removed_and_forgotten(store: Store) -> None:
    uid, other = draft(store), draft(store, "Other.txt")
    kept = CorrectionStore(store)
    lasting = rejected("A legendary end.", "legendary")
    for correction in (ACCEPTED, REJECTED):
        kept.add(uid, correction)
    kept.add(other, lasting)
    kept.choose([one.id for one in kept.list_all()])
    assert corpus.read(corpus.chosen_corpus_path()) == [ACCEPTED, REJECTED, lasting]
    kept.discard(uid, ACCEPTED)
    assert corpus.read(corpus.chosen_corpus_path()) == [REJECTED, lasting]
    store.forget(uid)
    kept.update_chosen_corpus()
    assert corpus.read(corpus.chosen_corpus_path()) == [lasting]
    kept.remove([one.id for one in kept.list_all()])
    assert chosen_corpus() is None


def test_export_writes_the_chosen_ones_oldest_first(store: Store, tmp_path: Path) -> None:
    uid = draft(store)
    kept = CorrectionStore(store)
    for correction in (ACCEPTED, REJECTED, rejected("A legendary end.", "legendary")):
        kept.add(uid, correction)
    newest, *others = [one.id for one in kept.list_all()]
    target = tmp_path / "mine.jsonl"
    assert kept.export(target, others) == 2
    assert corpus.read(target) == [ACCEPTED, REJECTED]
    assert newest not in others


def test_versions_and_corrections_of_a_draft_live_side_by_side(store: Store) -> None:
    uid = draft(store)
    CorrectionStore(store).add(uid, ACCEPTED)
    store.save_version(uid, SENTENCE, format=Format.PLAIN, why="kept")
    assert store.check() == []
