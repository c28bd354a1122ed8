"""The tables of the store as the program sees them; ``core.store.migrations`` makes them, and a test compares both."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Column,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)


class Moment(TypeDecorator[datetime]):
    """A moment, kept as milliseconds since 1970 in UTC."""

    impl = Integer
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        """The moment as a number."""
        return None if value is None else round(value.timestamp() * 1000)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """The number as a moment."""
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
