"""The store: drafts, their versions, what is ignored in them, and the words that are always allowed."""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import RLock
from uuid import uuid4

from sqlalchemy import Connection, Engine, delete, insert, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or

from core.documents import parse
from core.documents.prose_view import count_words
from core.documents.types import Format
from core.i18n import ntr, tr
from core.paths import NoHomeError, data_folder
from core.storage import tables
from core.storage.data_version import note_data_elsewhere, remove_backups, upgrade_data
from core.storage.database import (
    DATABASE_ERRORS,
    driver_connection,
    open_database,
    sibling_files,
    store_error,
)
from core.storage.disk import replace_file
from core.storage.tables import (
    allowed,
    corrections,
    draft_packs,
    drafts,
    ignored_spellings,
    ignores,
    versions,
)
from core.storage.types import FILE, Draft, Ignore, Scores, StoreError, Version, clean_version_name

MAX_PRUNED_PER_DAY = 100
"""The most versions that are pruned on a day."""


class Store:
    """One file, open. Every method may be called from any thread, and raises ``StoreError``.

    When a method returns, its changes are on the disk. ``notes`` are sentences for a person about the opening.
    """

    def __init__(self, path: Path, engine: Engine, notes: tuple[str, ...] = ()) -> None:
        self.path = path
        self.notes = notes
        self._engine = engine
        self._writer = engine.execution_options(writes=True)
        self._lock = RLock()

    @classmethod
    def open(cls, path: Path | None = None, *, settings: str = "") -> Store:
        """Open the store at ``path``, or the person's own; created if it does not exist.

        A damaged file is set aside and a new one created. A newer file or data folder is refused and left untouched.
        ``settings``: those of the window, for the backup before an upgrade of the data folder.
        """
        if path is not None:
            return cls._opened(path)
        try:
            folder = data_folder()
        except NoHomeError as error:
            raise StoreError(str(error)) from error
        with upgrade_data(folder, settings=settings):
            notes = note_data_elsewhere(folder)
            with suppress(OSError):
                if not folder.is_symlink():
                    folder.chmod(0o700)
            return cls._opened(folder / FILE, notes)

    @classmethod
    def _opened(cls, path: Path, notes: tuple[str, ...] = ()) -> Store:
        engine, found = open_database(path)
        store = cls(path, engine, (*notes, *found))
        # If they cannot be moved now, they are only left out.
        with suppress(StoreError):
            store.notes += store._put_rows_aside()
        return store

    def _put_rows_aside(self) -> tuple[str, ...]:
        """Move rows that cannot be read into a file beside the store; returns a note for a person about them."""
        with self.reading() as connection:
            if not tables.damaged_rows(connection):
                return ()
        aside = self.path.with_name(f"{self.path.stem}.damaged-{_now():%Y%m%d-%H%M%S-%f}.json")
        with self.writing() as connection:
            rows = tables.damaged_rows(connection)
            lines = [json.dumps({"table": table.name, **row}, default=repr) for table, row in rows]
            replace_file(aside, "".join(f"{line}\n" for line in lines).encode(), mode=0o600)
            for table, row in rows:
                connection.execute(delete(table).where(table.c.id == row["id"]))
        note = ntr(
            "{n} damaged entry in the history of your drafts was put aside as {path}. The others are not touched.",
            "{n} damaged entries in the history of your drafts were put aside as {path}. "
            "The others are not touched.",
            len(rows),
        )
        return (note.format(n=f"{len(rows):,}", path=aside),)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._engine.dispose()

    # Drafts

    def open_draft(self, uid: str | None, *, name: str, path: Path | None) -> Draft:
        """The draft with this ``uid``, else the one at ``path``, else a new one; use the uid that it has from then on.

        It gets the name and path given. If another draft was at that path, its history becomes part of this one. If
        the file at the old path still exists, a copy of the history stays with it ("Save as").
        """
        place = None if path is None else tables.storable(os.path.realpath(path))
        name = tables.storable(name)
        with self.writing() as connection:
            by_uid = tables.find_draft(connection, drafts.c.uid == uid) if uid is not None else None
            by_path = tables.find_draft(connection, drafts.c.path == place) if place is not None else None
            found = by_uid or by_path
            if found is None:
                made = str(uuid4()) if uid is None else uid
                connection.execute(insert(drafts).values(uid=made, name=name, path=place, made_at=_now()))
                return Draft(made, name, path)
            if by_uid is not None and by_path is not None and by_uid.id != by_path.id:
                tables.merge_drafts(connection, by_path.id, into=by_uid.id)
            elif place is not None and found.path not in (None, place) and Path(found.path).exists():
                tables.copy_draft(connection, found)
            values = {"name": name, "path": place or found.path}
            connection.execute(update(drafts).where(drafts.c.id == found.id).values(values))
        kept = path if path is not None or found.path is None else Path(found.path)
        return Draft(found.uid, name, kept)

    def draft_at(self, path: Path) -> Draft | None:
        """The draft that is kept at ``path``; None where the store has none."""
        place = tables.storable(os.path.realpath(path))
        with self.reading() as connection:
            found = tables.find_draft(connection, drafts.c.path == place)
        return None if found is None else Draft(found.uid, found.name, path)

    def forget(self, uid: str) -> tuple[Path, ...]:
        """Delete a draft, its versions and its ignored findings, and overwrite their places in the file.

        The backups are deleted too. Returns the files that may still hold parts of it: damaged files that were set
        aside, and the write-ahead log while another process is using it.
        """
        with self.writing() as connection:
            connection.execute(delete(drafts).where(drafts.c.uid == uid))
        with self._lock:
            for backup in sibling_files(self.path, "backup"):
                with self._translated_errors():
                    backup.unlink(missing_ok=True)
            with self._translated_errors():
                remove_backups(self.path.parent)
            return (*sibling_files(self.path, "damaged"), *self.vacuum())

    # Versions

    def save_version(
        self,
        uid: str,
        text: str,
        *,
        format: Format,
        why: str,
        scores: Scores | None = None,
        name: str = "",
    ) -> Version | None:
        """Save a text of a draft with its scores as a version; None if the newest version has the same text.

        ``name``: one line, or empty; of a longer one the beginning is kept.
        """
        data = text.encode("utf-8", "surrogatepass")
        digest = hashlib.sha256(data).hexdigest()
        with self.reading() as connection:
            if _newest_digest(connection, draft_id(connection, uid)) == digest:
                return None
        packed, words = zlib.compress(data), count_words(parse(text, format))
        with self.writing() as connection:
            draft = draft_id(connection, uid)
            if _newest_digest(connection, draft) == digest:
                return None
            version = Version(
                id=0,
                made_at=_now(),
                why=why,
                format=format,
                characters=len(text),
                words=words,
                sha256=digest,
                scores=scores,
                name=clean_version_name(tables.storable(name)),
            )
            return tables.add_version(connection, draft, version, packed)

    def score(self, version_id: int, scores: Scores) -> None:
        """Add the scores of a version that was saved without."""
        with self.writing() as connection:
            unread = update(versions).where(versions.c.id == version_id, versions.c.bias.is_(None))
            connection.execute(unread.values(tables.score_columns(scores)))

    def name_version(self, version_id: int, name: str) -> None:
        """Give a version another name, as for `save_version`; nothing is done where the version no longer exists."""
        with self.writing() as connection:
            named = update(versions).where(versions.c.id == version_id)
            connection.execute(named.values(name=clean_version_name(tables.storable(name))))

    def versions(self, uid: str) -> list[Version]:
        """The versions of a draft, oldest first, without their texts."""
        with self.reading() as connection:
            return tables.versions_of(connection, uid)

    def text_of(self, version_id: int) -> str:
        """The text of a version."""
        with self.reading() as connection:
            row = connection.execute(
                select(versions.c.text, versions.c.sha256).where(versions.c.id == version_id)
            ).first()
        if row is None:
            raise StoreError(tr("This version no longer exists."))
        try:
            data = zlib.decompress(row.text)
        except (zlib.error, TypeError):
            data = b""
        if hashlib.sha256(data).hexdigest() != row.sha256:
            raise StoreError(
                tr("This version is damaged and cannot be shown. The other versions are not touched.")
            )
        return data.decode("utf-8", "surrogatepass")

    def prune(self, days: int) -> int:
        """Delete versions older than ``days`` days of use, never the newest of a draft or one with a name.

        Returns how many were deleted.

        A clock that is wrong makes no version old: the days on which this is called are counted. 0 keeps all. A draft
        without any data is deleted too, after a day.
        """
        now = _now()
        with self.writing() as connection:
            gone = tables.prune_versions(
                connection, now.toordinal(), days=max(0, days), limit=MAX_PRUNED_PER_DAY
            )
            if days > 0:
                kept = select(versions.c.draft).union(
                    *(
                        select(table.c.draft)
                        for table in (ignores, corrections, draft_packs, ignored_spellings)
                    )
                )
                old = drafts.c.made_at < now - timedelta(days=1)
                connection.execute(delete(drafts).where(old, drafts.c.id.not_in(kept)))
        return gone

    # What is ignored, and what is allowed

    def ignore(self, uid: str, what: Ignore) -> Ignore:
        """Ignore a finding; returns the entry with its id, also if it existed already."""
        with self.writing() as connection:
            draft = draft_id(connection, uid)
            values = tables.ignore_columns(draft, what)
            connection.execute(insert_or(ignores).values(values).on_conflict_do_nothing())
            return tables.find_ignore(connection, values)

    def ignores(self, uid: str) -> list[Ignore]:
        """The ignored findings of a draft, oldest first."""
        with self.reading() as connection:
            return tables.ignores_of(connection, uid)

    def unignore(self, ignore_id: int) -> None:
        """Stop ignoring a finding."""
        with self.writing() as connection:
            connection.execute(delete(ignores).where(ignores.c.id == ignore_id))

    def allowed(self) -> list[str]:
        """The words that are never marked, as entered, in alphabetical order."""
        with self.reading() as connection:
            return list(connection.scalars(select(allowed.c.words).order_by(allowed.c.key)))

    def allow(self, words: str | Iterable[str]) -> None:
        """Never mark these words; case and runs of white space are ignored, and empty words are left out."""
        values = [{"key": key, "words": one} for one in _each(words) if (key := _key(one))]
        if values:
            with self.writing() as connection:
                connection.execute(insert_or(allowed).on_conflict_do_nothing(), values)

    def disallow(self, words: str | Iterable[str]) -> None:
        """Mark these words again."""
        keys = [_key(one) for one in _each(words)]
        with self.writing() as connection:
            connection.execute(delete(allowed).where(allowed.c.key.in_(keys)))

    # The style packs of a draft

    def draft_packs(self, uid: str) -> dict[str, bool]:
        """The style packs that were chosen for one draft, by id: whether they are on."""
        with self.reading() as connection:
            found = select(draft_packs.c.pack, draft_packs.c.is_on).join(drafts).where(drafts.c.uid == uid)
            return {str(row.pack): row.is_on == 1 for row in connection.execute(found)}

    def choose_pack(self, uid: str, pack: str, on: bool | None) -> None:
        """Switch a style pack on or off in one draft; None removes the choice."""
        with self.writing() as connection:
            draft = draft_id(connection, uid)
            pack = tables.storable(pack)
            connection.execute(
                delete(draft_packs).where(draft_packs.c.draft == draft, draft_packs.c.pack == pack)
            )
            if on is not None:
                connection.execute(insert(draft_packs).values(draft=draft, pack=pack, is_on=int(on)))

    # The words whose spelling is ignored in a draft

    def ignored_spellings(self, uid: str) -> list[str]:
        """The words whose spelling is ignored in a draft, oldest first."""
        with self.reading() as connection:
            found = select(ignored_spellings.c.word).join(drafts).where(drafts.c.uid == uid)
            return [str(word) for word in connection.scalars(found.order_by(ignored_spellings.c.id))]

    def ignore_spelling(self, uid: str, word: str) -> None:
        """Ignore the spelling of a word in a draft."""
        with self.writing() as connection:
            values = {"draft": draft_id(connection, uid), "word": tables.storable(word)}
            connection.execute(insert_or(ignored_spellings).values(values).on_conflict_do_nothing())

    def unignore_spelling(self, uid: str, word: str) -> None:
        """Check the spelling of a word in a draft again."""
        with self.writing() as connection:
            draft, row = draft_id(connection, uid), ignored_spellings.c
            same = (row.draft == draft, row.word == tables.storable(word))
            connection.execute(delete(ignored_spellings).where(*same))

    # The file

    def check(self) -> list[str]:
        """Check the whole file; returns what is wrong with it, nothing if it is intact."""
        with self._lock, self._translated_errors():
            raw = driver_connection(self._engine)
            found = [str(row[0]) for row in raw.execute("PRAGMA integrity_check")]
            lost = [f"a row of {row[0]} without its draft" for row in raw.execute("PRAGMA foreign_key_check")]
        return [line for line in found if line != "ok"] + lost

    def vacuum(self) -> list[Path]:
        """Rewrite the file without deleted data, and empty the write-ahead log; returns the log if it is in use.

        Deleted data is overwritten anyway; only a rewritten file has no old copies of moved rows.
        """
        with self._lock, self._translated_errors():
            raw = driver_connection(self._engine)
            with suppress(*DATABASE_ERRORS):
                raw.execute("VACUUM")
            in_use = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        return [Path(f"{self.path}-wal")] if in_use else []

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection to read with, for modules with tables of their own in the store."""
        with self._lock, self._translated_errors(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection to write with, in one transaction. Raises ``StoreError``."""
        with self._lock, self._translated_errors(), self._writer.begin() as connection:
            yield connection

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except DATABASE_ERRORS as error:
            raise store_error(error, self.path) from error


def draft_id(connection: Connection, uid: str) -> int:
    """The number of a draft. Raises StoreError where its history was removed."""
    found = connection.scalar(select(drafts.c.id).where(drafts.c.uid == uid))
    if found is None:
        raise StoreError(tr("The history of this draft was removed. Save the draft to begin a new one."))
    return int(found)


def _now() -> datetime:
    """The present time, in the store's precision."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


def _newest_digest(connection: Connection, draft: int) -> str | None:
    """The SHA-256 of the newest version of a draft; None where it has none."""
    newest = select(versions.c.sha256).where(versions.c.draft == draft).order_by(versions.c.id.desc())
    return connection.scalar(newest.limit(1))


def _each(words: str | Iterable[str]) -> list[str]:
    return [" ".join(tables.storable(one).split()) for one in ([words] if isinstance(words, str) else words)]


def _key(words: str) -> str:
    return words.casefold()
