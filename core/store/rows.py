"""Between the tables of the store and its data: one function for each reading or writing of a row."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, Row, delete, insert, literal, select, update

from core.documents.model import Format
from core.findings import Kind
from core.report import Leaning
from core.store.model import Ignore, Scores, Version
from core.store.tables import corrections, drafts, ignores, versions

_IGNORE_COLUMNS = ("scope", "kind", "words", "fingerprint")


def storable(text: str) -> str:
    """``text`` without what has no UTF-8 form: a lone surrogate (of a name in no known encoding) becomes an escape."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def draft_by(connection: Connection, condition: ColumnElement[bool]) -> Row[Any] | None:
    """The row of a draft, or None."""
    return connection.execute(select(drafts).where(condition)).first()


def merge(connection: Connection, other: int, *, into: int) -> None:
    """Give one draft all that another one has, and remove that one."""
    for table in (versions, ignores, corrections):
        # An ignored finding that both have stays with the other draft, and goes with it.
        statement = update(table).prefix_with("OR IGNORE")
        connection.execute(statement.where(table.c.draft == other).values(draft=into))
    connection.execute(delete(drafts).where(drafts.c.id == other))


def leave_copy(connection: Connection, draft: Row[Any]) -> None:
    """A second draft with the path and the history of ``draft``, which then may take another path.

    Corrections stay with the draft in which they were made: each is to be learnt from once.
    """
    connection.execute(update(drafts).where(drafts.c.id == draft.id).values(path=None))
    made = insert(drafts).values(uid=str(uuid4()), name=draft.name, path=draft.path, made_at=draft.made_at)
    copy = connection.execute(made.returning(drafts.c.id)).scalar_one()
    for table in (versions, ignores):
        columns = [column for column in table.c if column.name not in ("id", "draft")]
        source = select(literal(copy), *columns).where(table.c.draft == draft.id).order_by(table.c.id)
        connection.execute(insert(table).from_select(["draft", *(column.name for column in columns)], source))


def add_version(connection: Connection, draft: int, version: Version, packed: bytes) -> Version:
    """Write a version, its text packed; returns it with its id."""
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
    """What is ignored as columns."""
    return {"draft": draft} | {name: storable(str(getattr(what, name))) for name in _IGNORE_COLUMNS}


def ignore_like(connection: Connection, values: dict[str, Any]) -> Ignore:
    """The one row with these columns."""
    same = [ignores.c[name] == value for name, value in values.items()]
    return _ignore(connection.execute(select(ignores).where(*same)).one())


def ignores_of(connection: Connection, uid: str) -> list[Ignore]:
    """All that is ignored in a draft, in the order of writing."""
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
