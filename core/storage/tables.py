"""The tables of the store for SQLAlchemy, and the mapping of their rows to data classes.

``core.storage.migrations`` describes and creates them.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain
from typing import Any
from uuid import uuid4

from sqlalchemy import (
    JSON,
    ColumnElement,
    Connection,
    Dialect,
    Integer,
    MetaData,
    Row,
    Table,
    TypeDecorator,
    create_engine,
    delete,
    event,
    func,
    insert,
    literal,
    select,
    update,
)

from core.documents.types import Format
from core.storage.migrations import STEPS
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


def _tables() -> MetaData:
    """The tables as the migrations make them in an empty store."""
    found = MetaData()

    @event.listens_for(found, "column_reflect")
    def reflected(_inspector: object, _table: Table, column: dict[str, Any]) -> None:
        if column["name"].endswith("_at"):
            column["type"] = Moment()
        elif column["name"] == "kinds":
            column["type"] = JSON(none_as_null=True)

    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        for statement in chain.from_iterable(STEPS):
            connection.exec_driver_sql(statement)
        found.reflect(connection)
    engine.dispose()
    return found


TABLES = _tables().tables
drafts, versions, ignores, allowed = (TABLES[name] for name in ("drafts", "versions", "ignores", "allowed"))
runs, run_metrics, run_artefacts = (TABLES[name] for name in ("runs", "run_metrics", "run_artefacts"))
bundles, promotions, corrections = (TABLES[name] for name in ("bundles", "promotions", "corrections"))
days_of_use = TABLES["days_of_use"]
"""``bundles`` are trained and imported models; ``id`` is the name of the folder. The last row of a role in
``promotions`` names the model in use (no bundle: the bundled one); a rollback deletes it. ``corrections`` are stored
only if the person agreed: words marked in a sentence, and the rewritten sentence ("" if rejected). ``days_of_use`` has
a row for each day on which versions could be pruned, in order: the number of the day by the clock, the newest version
at its start, and how many versions were pruned on it."""


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


def prune_versions(connection: Connection, today: int, *, days: int, limit: int) -> int:
    """Delete the versions that were there ``days`` days of use ago, oldest first, at most ``limit`` on a day.

    The newest version of each draft stays; with 0 days all do. ``today`` is the number of the day by the clock: a later
    one than the last counts as one day, however much later it is. If it is earlier, nothing is deleted until the next
    day.
    """
    newest = select(func.coalesce(func.max(versions.c.id), 0)).scalar_subquery()
    by_order = select(days_of_use).order_by(days_of_use.c.id.desc())
    last = connection.execute(by_order.limit(1)).first()
    if last is None or today > last.day:
        connection.execute(insert(days_of_use).values(day=today, last_version=newest, pruned=0))
        pruned = 0
    else:
        pruned = last.pruned if today == last.day else limit
    before = connection.execute(by_order.limit(1).offset(days)).first() if days > 0 else None
    gone = 0
    if before is not None:
        kept = select(func.max(versions.c.id)).group_by(versions.c.draft)
        old = select(versions.c.id).where(versions.c.id <= before.last_version, versions.c.id.not_in(kept))
        old = old.order_by(versions.c.id).limit(max(0, limit - pruned))
        gone = connection.execute(delete(versions).where(versions.c.id.in_(old))).rowcount
    this_day = days_of_use.c.id == select(func.max(days_of_use.c.id)).scalar_subquery()
    connection.execute(update(days_of_use).where(this_day).values(day=today, pruned=pruned + gone))
    return gone


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
