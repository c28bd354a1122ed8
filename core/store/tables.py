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
"""The last row of a role names the model in use (no bundle: the one that came with the program); going back takes the
last row away.
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
"""Kept only where the owner asked for it: words marked in a sentence, and what was made of it ("" where rejected)."""
