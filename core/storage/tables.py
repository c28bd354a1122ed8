"""The tables of the store for SQLAlchemy, and the mapping of their rows to data classes.

``core.storage.migrations`` describes and creates them.
"""

from __future__ import annotations

import json
import math
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
    String,
    Table,
    Text,
    TypeDecorator,
    create_engine,
    delete,
    event,
    func,
    insert,
    literal,
    or_,
    select,
    type_coerce,
    update,
)
from sqlalchemy.types import NullType

from core.documents.types import Format
from core.storage.migrations import STEPS
from core.storage.types import UNKNOWN_TIME, Ignore, Scores, Version, clean_version_name
from core.types import Kind, Leaning

_LAST_MS = 250_000_000_000_000
"""Some time in the year 9892: later ones cannot be converted to every time zone."""


class Moment(TypeDecorator[datetime]):
    """A time, stored as milliseconds since 1970 in UTC; a damaged one is read as ``UNKNOWN_TIME``."""

    impl = Integer
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        """The time as a number."""
        return None if value is None else round(value.timestamp() * 1000)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """The number as a time."""
        if value is None:
            return None
        if not isinstance(value, int) or not 0 <= value <= _LAST_MS:
            return UNKNOWN_TIME
        return datetime.fromtimestamp(value / 1000, UTC)


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
days_of_use, draft_packs = TABLES["days_of_use"], TABLES["draft_packs"]
ignored_spellings = TABLES["ignored_spellings"]
"""``bundles`` are trained and imported models; ``id`` is the name of the folder. The last row of a role in
``promotions`` names the model in use (no bundle: the bundled one); a rollback deletes it. ``corrections`` are stored
only if the person agreed: words marked in a sentence, and the rewritten sentence ("" if rejected). ``days_of_use`` has
a row for each day on which versions could be pruned, in order: the number of the day by the clock, the newest version
at its start, and how many versions were pruned on it. ``draft_packs`` are the style packs that are on (1) or off (0) in
one draft, ``ignored_spellings`` the words whose spelling is not checked in one."""


_IGNORE_COLUMNS = ("scope", "kind", "words", "fingerprint")


def storable(text: str) -> str:
    """``text`` with lone surrogates (from file names in an unknown encoding) escaped: they have no UTF-8 form."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def find_draft(connection: Connection, condition: ColumnElement[bool]) -> Row[Any] | None:
    """The row of a draft, or None."""
    return connection.execute(select(drafts).where(condition)).first()


def merge_drafts(connection: Connection, other: int, *, into: int) -> None:
    """Move all data of one draft to another, and delete it."""
    for table in (versions, ignores, corrections, draft_packs, ignored_spellings):
        # An ignored finding that both have stays with the deleted draft, and is deleted with it.
        statement = update(table).prefix_with("OR IGNORE")
        connection.execute(statement.where(table.c.draft == other).values(draft=into))
    connection.execute(delete(drafts).where(drafts.c.id == other))


def copy_draft(connection: Connection, draft: Row[Any]) -> None:
    """Create a second draft with the path and the history of ``draft``, which then may get another path.

    Corrections stay with their draft, so that each is learned from once.
    """
    connection.execute(update(drafts).where(drafts.c.id == draft.id).values(path=None))
    made = insert(drafts).values(uid=str(uuid4()), name=draft.name, path=draft.path, made_at=draft.made_at)
    copy = connection.execute(made.returning(drafts.c.id)).scalar_one()
    for table in (versions, ignores, draft_packs, ignored_spellings):
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
        name=version.name,
        text=packed,
        **scores,
    )
    number = connection.execute(made.returning(versions.c.id)).scalar_one()
    return replace(version, id=int(number))


def versions_of(connection: Connection, uid: str) -> list[Version]:
    """All versions of a draft, oldest first."""
    # The kinds are read as text, so that a damaged row does not hide the others.
    columns = [
        type_coerce(column, Text).label(column.name) if column.name == "kinds" else column
        for column in versions.c
        if column.name != "text"
    ]
    found = connection.execute(
        select(*columns).join(drafts).where(drafts.c.uid == uid).order_by(versions.c.id)
    )
    return [_version(row) for row in found]


def prune_versions(connection: Connection, today: int, *, days: int, limit: int) -> int:
    """Delete the versions that were there ``days`` days of use ago, oldest first, at most ``limit`` on a day.

    The newest version of each draft stays, as does each with a name; with 0 days all do. ``today`` is the number
    of the day by the clock: a later one than the last counts as one day, however much later it is. If it is earlier,
    nothing is deleted until the next day.
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
        old = select(versions.c.id).where(
            versions.c.id <= before.last_version, versions.c.id.not_in(kept), versions.c.name == ""
        )
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
    return [_ignore(row) for row in found if row.kind in _KINDS]


def damaged_rows(connection: Connection) -> list[tuple[Table, dict[str, Any]]]:
    """The rows of ignored findings and of corrections that cannot be read, as they are stored."""
    found = []
    for table, allowed_values in ((ignores, _IGNORE_VALUES), (corrections, _CORRECTION_VALUES)):
        raw = [type_coerce(column, NullType()).label(column.name) for column in table.c]
        texts = [column for column in table.c if isinstance(column.type, Text | String)]
        numbers = [column for column in table.c if isinstance(column.type, Integer)]
        damage = or_(
            *(column.not_in(values) for column, values in allowed_values.items()),
            *(func.typeof(column) != "text" for column in texts),
            *(func.typeof(column) != "integer" for column in numbers),
        )
        found += [(table, dict(row._mapping)) for row in connection.execute(select(*raw).where(damage))]
    return found


def _version(row: Row[Any]) -> Version:
    """The version in a row. What is damaged in it is replaced, and does not hide the rest: the text may be whole."""
    scores, scores_whole = _scores(row)
    format, made_at = _FORMATS.get(row.format), row.made_at or UNKNOWN_TIME
    characters, words = (value if _is_count(value) else 0 for value in (row.characters, row.words))
    name = row.name if isinstance(row.name, str) else ""
    whole = (format, characters, words, name) == (row.format, row.characters, row.words, row.name)
    return Version(
        id=row.id,
        made_at=made_at,
        why=str(row.why),
        format=format or Format.PLAIN,
        characters=characters,
        words=words,
        sha256=str(row.sha256),
        scores=scores,
        damaged=not (whole and scores_whole and made_at != UNKNOWN_TIME),
        name=clean_version_name(name),
    )


def _scores(row: Row[Any]) -> tuple[Scores | None, bool]:
    """The scores in a row, and whether they are whole: damaged ones count as none."""
    if row.bias is None:
        return None, True
    parts = (row.left, row.center, row.right, row.spread)
    leaning = None if row.left is None else Leaning(*parts)
    kinds = _kinds(row.kinds)
    if (
        kinds is None
        or not (_is_share(row.bias) and _is_count(row.biased_sentences) and _is_count(row.sentences))
        or not (leaning is None or all(_is_share(part) for part in parts))
    ):
        return None, False
    return Scores(row.bias, row.biased_sentences, row.sentences, kinds, leaning), True


def _kinds(text: str | None) -> dict[Kind, int] | None:
    """The numbers of findings by kind; None if they are damaged."""
    try:
        found = json.loads(text or "{}")
        kinds = {Kind(name): count for name, count in found.items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
    return kinds if all(map(_is_count, kinds.values())) else None


def _is_count(value: object) -> bool:
    return isinstance(value, int) and 0 <= value < 1 << 53


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value) and -_ROUNDING <= value <= 1 + _ROUNDING


def _ignore(row: Row[Any]) -> Ignore:
    return Ignore(row.scope, Kind(row.kind), row.words, row.fingerprint, row.id)


_ROUNDING = 1e-3
_KINDS = {kind.value for kind in Kind}
_IGNORE_VALUES = {ignores.c.kind: _KINDS, ignores.c.scope: {"once", "words"}}
_CORRECTION_VALUES = {corrections.c.kind: _KINDS, corrections.c.verdict: {"accepted", "rejected"}}
_FORMATS = {format.value: format for format in Format}
