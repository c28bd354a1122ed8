"""The tables of the store for SQLAlchemy, and the mapping of their rows to data classes.

``core.storage.migrations`` creates them; a test compares both.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Column,
    ColumnElement,
    Connection,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Row,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    delete,
    insert,
    literal,
    select,
    update,
)

from core.documents.types import Format
from core.storage.types import Ignore, Scores, Version
from core.types import Kind, Leaning


class Moment(TypeDecorator[datetime]):
    """A time, stored as milliseconds since 1970 in UTC."""

    impl = Integer
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        """The time as a number."""
        return None if value is None else round(value.timestamp() * 1000)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """The number as a time."""
        return None if value is None else datetime.fromtimestamp(value / 1000, UTC)


METADATA = MetaData()

drafts = Table(
    "drafts",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("uid", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("path", Text, unique=True),
    Column("made_at", Moment, nullable=False),
)

versions = Table(
    "versions",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("draft", ForeignKey("drafts.id", ondelete="CASCADE"), nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("why", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("characters", Integer, nullable=False),
    Column("words", Integer, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("bias", Float),
    Column("biased_sentences", Integer),
    Column("sentences", Integer),
    Column("kinds", JSON(none_as_null=True)),
    Column("left", Float),
    Column("center", Float),
    Column("right", Float),
    Column("spread", Float),
    Column("text", LargeBinary, nullable=False),
    Index("versions_of_draft", "draft", "id"),
    sqlite_autoincrement=True,
)

ignores = Table(
    "ignores",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("draft", ForeignKey("drafts.id", ondelete="CASCADE"), nullable=False),
    Column("scope", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("words", Text, nullable=False),
    Column("fingerprint", Text, nullable=False),
    CheckConstraint("scope IN ('once', 'words')"),
    UniqueConstraint("draft", "scope", "kind", "words", "fingerprint"),
    sqlite_autoincrement=True,
)

allowed = Table(
    "allowed",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("words", Text, nullable=False),
)

runs = Table(
    "runs",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("recipe", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("folder", Text, nullable=False),
    Column("scale", Text, nullable=False),
    Column("base", Text, nullable=False),
    Column("device", Text, nullable=False),
    Column("seed", Integer, nullable=False),
    Column("code", Text, nullable=False),
    Column("settings", JSON, nullable=False),
    Column("data", JSON, nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Column("stage", Text, nullable=False),
    Column("step", Integer, nullable=False),
    Column("steps", Integer, nullable=False),
    Column("eta_s", Float, nullable=False),
    Column("message", Text, nullable=False),
    Column("result", JSON, nullable=False),
    Index("runs_by_time", "made_at"),
)

run_metrics = Table(
    "run_metrics",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("run", ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("stage", Text, nullable=False),
    Column("step", Integer, nullable=False),
    Column("event", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("value", Float, nullable=False),
    Index("metrics_of_run", "run", "id"),
)

run_artefacts = Table(
    "run_artefacts",
    METADATA,
    Column("run", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("path", Text, primary_key=True),
    Column("size", Integer, nullable=False),
    Column("sha256", Text, nullable=False),
)

bundles = Table(
    "bundles",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("run", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("added_at", Moment, nullable=False),
    CheckConstraint("source IN ('run', 'import')"),
)
"""Trained and imported models; ``id`` is the name of the folder."""

promotions = Table(
    "promotions",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("role", Text, nullable=False),
    Column("bundle", ForeignKey("bundles.id")),
    Column("promoted_at", Moment, nullable=False),
    Index("promotions_of_role", "role", "id"),
    sqlite_autoincrement=True,
)
"""The last row of a role names the model in use (no bundle: the bundled one); a rollback deletes the last row.
"""

corrections = Table(
    "corrections",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("draft", ForeignKey("drafts.id", ondelete="CASCADE"), nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("verdict", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("sentence", Text, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("rewritten", Text, nullable=False),
    CheckConstraint("verdict IN ('accepted', 'rejected')"),
    UniqueConstraint("draft", "verdict", "sentence", "start", "end", "rewritten"),
    Index("corrections_of_draft", "draft", "id"),
)
"""Stored only if the person agreed: words marked in a sentence, and the rewritten sentence ("" if rejected)."""


_IGNORE_COLUMNS = ("scope", "kind", "words", "fingerprint")


def storable(text: str) -> str:
    """``text`` with lone surrogates (from file names in an unknown encoding) escaped: they have no UTF-8 form."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def find_draft(connection: Connection, condition: ColumnElement[bool]) -> Row[Any] | None:
    """The row of a draft, or None."""
    return connection.execute(select(drafts).where(condition)).first()


def merge_drafts(connection: Connection, other: int, *, into: int) -> None:
    """Move all data of one draft to another, and delete it."""
    for table in (versions, ignores, corrections):
        # An ignored finding that both have stays with the deleted draft, and is deleted with it.
        statement = update(table).prefix_with("OR IGNORE")
        connection.execute(statement.where(table.c.draft == other).values(draft=into))
    connection.execute(delete(drafts).where(drafts.c.id == other))


def copy_draft(connection: Connection, draft: Row[Any]) -> None:
    """Create a second draft with the path and the history of ``draft``, which then may get another path.

    Corrections stay with their draft, so that each is learnt from once.
    """
    connection.execute(update(drafts).where(drafts.c.id == draft.id).values(path=None))
    made = insert(drafts).values(uid=str(uuid4()), name=draft.name, path=draft.path, made_at=draft.made_at)
    copy = connection.execute(made.returning(drafts.c.id)).scalar_one()
    for table in (versions, ignores):
        columns = [column for column in table.c if column.name not in ("id", "draft")]
        source = select(literal(copy), *columns).where(table.c.draft == draft.id).order_by(table.c.id)
        connection.execute(insert(table).from_select(["draft", *(column.name for column in columns)], source))


def add_version(connection: Connection, draft: int, version: Version, packed: bytes) -> Version:
    """Insert a version with its compressed text; returns it with its id."""
    scores = score_columns(version.scores) if version.scores is not None else {}
    made = insert(versions).values(
        draft=draft,
        made_at=version.made_at,
        why=version.why,
        format=version.format.value,
        characters=version.characters,
        words=version.words,
        sha256=version.sha256,
        text=packed,
        **scores,
    )
    number = connection.execute(made.returning(versions.c.id)).scalar_one()
    return replace(version, id=int(number))


def versions_of(connection: Connection, uid: str) -> list[Version]:
    """All versions of a draft, oldest first."""
    columns = [column for column in versions.c if column.name != "text"]
    found = connection.execute(
        select(*columns).join(drafts).where(drafts.c.uid == uid).order_by(versions.c.id)
    )
    return [_version(row) for row in found]


def score_columns(scores: Scores) -> dict[str, Any]:
    """The scores as columns of a version."""
    leaning = scores.leaning
    return {
        "bias": scores.bias,
        "biased_sentences": scores.biased_sentences,
        "sentences": scores.sentences,
        "kinds": {kind.value: count for kind, count in scores.kinds.items()},
        "left": leaning.left if leaning else None,
        "center": leaning.center if leaning else None,
        "right": leaning.right if leaning else None,
        "spread": leaning.spread if leaning else None,
    }


def ignore_columns(draft: int, what: Ignore) -> dict[str, Any]:
    """An ignored finding as columns."""
    return {"draft": draft} | {name: storable(str(getattr(what, name))) for name in _IGNORE_COLUMNS}


def find_ignore(connection: Connection, values: dict[str, Any]) -> Ignore:
    """The one row with these columns."""
    same = [ignores.c[name] == value for name, value in values.items()]
    return _ignore(connection.execute(select(ignores).where(*same)).one())


def ignores_of(connection: Connection, uid: str) -> list[Ignore]:
    """All ignored findings of a draft, oldest first."""
    found = connection.execute(
        select(*ignores.c).join(drafts).where(drafts.c.uid == uid).order_by(ignores.c.id)
    )
    return [_ignore(row) for row in found]


def _version(row: Row[Any]) -> Version:
    leaning = None if row.left is None else Leaning(row.left, row.center, row.right, row.spread)
    scores = None
    if row.bias is not None:
        kinds = {Kind(name): count for name, count in (row.kinds or {}).items()}
        scores = Scores(row.bias, row.biased_sentences, row.sentences, kinds, leaning)
    return Version(
        id=row.id,
        made_at=row.made_at,
        why=row.why,
        format=Format(row.format),
        characters=row.characters,
        words=row.words,
        sha256=row.sha256,
        scores=scores,
    )


def _ignore(row: Row[Any]) -> Ignore:
    return Ignore(row.scope, Kind(row.kind), row.words, row.fingerprint, row.id)
