"""Corrections in the store: added, undone, listed, deleted and saved as a corpus."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Row, bindparam, delete, select
from sqlalchemy.dialects.sqlite import insert

from core.corrections import corpus
from core.corrections.types import MAX_SENTENCE_LENGTH, Correction, StoredCorrection, Verdict
from core.documents.suppression import normalize_phrase
from core.storage.store import Store, draft_id
from core.storage.tables import corrections, drafts, storable
from core.storage.types import Ignore
from core.text.tokens import WORD
from core.types import Kind, fingerprint


class CorrectionStore:
    """The corrections of all drafts. Every method raises ``StoreError``, and may be called from any thread.

    Deleted corrections are removed from the corpus of the next retraining too, which may raise ``FileError``.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, uid: str, correction: Correction) -> bool:
        """Add a correction of a draft; returns whether it is stored now.

        Invalid corrections, and those with text that has no UTF-8 form, are not stored.
        """
        texts = (correction.sentence, correction.rewritten)
        if not correction.is_valid or any(
            len(text) > MAX_SENTENCE_LENGTH or storable(text) != text for text in texts
        ):
            return False
        with self._store.writing() as connection:
            values = {**asdict(correction), "draft": draft_id(connection, uid), "made_at": datetime.now(UTC)}
            connection.execute(insert(corrections).values(values).on_conflict_do_nothing())
        return True

    def discard(self, uid: str, correction: Correction) -> None:
        """Delete a correction of a draft, if it is stored."""
        same = [corrections.c[name] == value for name, value in asdict(correction).items()]
        draft = select(drafts.c.id).where(drafts.c.uid == uid).scalar_subquery()
        with self._store.writing() as connection:
            connection.execute(delete(corrections).where(corrections.c.draft == draft, *same))
        self.update_chosen_corpus()

    def undo_rejection(self, uid: str, entry: Ignore) -> None:
        """Delete the rejection of the words of ``entry``, which is no longer ignored in this draft.

        For a single finding that is the correction with the same neighbours, else the newest with the same words.
        """
        found = self._rejecting(entry.words, uid)
        if entry.scope == "once":
            found = [one for one in found if one.correction.kind is entry.kind]
            name = entry.fingerprint.partition("#")[0]
            same = [one for one in found if _fingerprint(one.correction) == name]
            found = same or found[:1]
        self._delete([one.id for one in found])

    def undo_allowed(self, phrase: str) -> None:
        """Delete all rejections of these words, which are no longer allowed."""
        self._delete([one.id for one in self._rejecting(phrase)])

    def list_all(self) -> list[StoredCorrection]:
        """All corrections, newest first."""
        return self._found()

    def remove(self, ids: Collection[int]) -> None:
        """Delete corrections, and overwrite their places in the file."""
        self._delete(ids)
        self._store.vacuum()

    def export(self, path: Path, ids: Collection[int]) -> int:
        """Write corrections as a corpus, oldest first; returns how many. Raises FileError too."""
        chosen = self._chosen(ids)
        corpus.write(path, chosen)
        return len(chosen)

    def choose(self, ids: Collection[int]) -> int:
        """Write corrections as the corpus of the next retraining; returns how many. Raises FileError too."""
        chosen = self._chosen(ids)
        corpus.choose(chosen)
        return len(chosen)

    def update_chosen_corpus(self) -> None:
        """Remove from the corpus of the next retraining what is no longer stored. Raises FileError too."""
        if corpus.chosen_corpus() is not None:
            corpus.prune_chosen([one.correction for one in self._found()])

    def _delete(self, ids: Collection[int]) -> None:
        if ids:
            with self._store.writing() as connection:
                one = delete(corrections).where(corrections.c.id == bindparam("number"))
                connection.execute(one, [{"number": number} for number in ids])
            self.update_chosen_corpus()

    def _chosen(self, ids: Collection[int]) -> list[Correction]:
        wanted = set(ids)
        return [one.correction for one in reversed(self._found()) if one.id in wanted]

    def _rejecting(self, words: str, uid: str | None = None) -> list[StoredCorrection]:
        """Rejections of exactly these words, newest first, without regard to case and white space."""
        wanted = normalize_phrase(words)
        return [
            one
            for one in self._found(uid)
            if one.correction.verdict is Verdict.REJECTED and normalize_phrase(one.correction.words) == wanted
        ]

    def _found(self, uid: str | None = None) -> list[StoredCorrection]:
        columns = [*(column for column in corrections.c if column.name != "draft"), drafts.c.name]
        query = select(*columns).join(drafts)
        if uid is not None:
            query = query.where(drafts.c.uid == uid)
        newest = (corrections.c.made_at.desc(), corrections.c.id.desc())
        with self._store.reading() as connection:
            found = [_stored_correction(row) for row in connection.execute(query.order_by(*newest))]
        return [one for one in found if one is not None]


def _stored_correction(row: Row[Any]) -> StoredCorrection | None:
    """The correction in a row; None where the row is damaged."""
    try:
        verdict, kind = Verdict(row.verdict), Kind(row.kind)
    except ValueError:
        return None
    if not (isinstance(row.start, int) and isinstance(row.end, int) and isinstance(row.sentence, str)):
        return None
    made = Correction(verdict, kind, row.sentence, row.start, row.end, str(row.rewritten))
    return StoredCorrection(row.id, str(row.name), row.made_at, made)


def _fingerprint(correction: Correction) -> str:
    """The fingerprint of the corrected finding."""
    before = [word.group() for word in WORD.finditer(correction.sentence[: correction.start])]
    after = [word.group() for word in WORD.finditer(correction.sentence[correction.end :])]
    return fingerprint(correction.kind, correction.words, "".join(before[-1:]), "".join(after[:1]))
