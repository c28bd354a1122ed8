"""``evenhand models``: which models there are, which are in use, and the ways from one to another."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.bundle_files import ROLES, BundleError
from core.cli_streams import fail, say
from core.paths import data_folder
from core.shelf.describing import bundled
from core.shelf.model import BUNDLED, Installed, InUseError, ShelfError
from core.store.model import FILE, StoreError

if TYPE_CHECKING:
    from core.runs.model import Run
    from core.shelf.shelf import Shelf
    from core.store.store import Store

_FROM = {"bundled": "Evenhand", "run": "a run on this machine", "import": "a folder"}


def add_parser(commands: Any) -> None:
    """Add ``models`` and its actions to the commands."""
    models = commands.add_parser(
        "models",
        help="list, choose and import models",
        description="List the models, choose which are in use, and import others.",
        allow_abbrev=False,
    )
    actions = models.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="list all models and what is known of them", allow_abbrev=False)
    promoting = actions.add_parser("promote", help="use a model", allow_abbrev=False)
    promoting.add_argument(
        "model",
        metavar="RUN|BUNDLE",
        help="the beginning of a finished run's id, or of a model's id (see: evenhand models list)",
    )
    back = actions.add_parser("rollback", help="use the model that was in use before", allow_abbrev=False)
    back.add_argument(
        "role", nargs="?", choices=ROLES, default="reader", help="of which role (default: reader)"
    )
    importing = actions.add_parser("import", help="add a model from a folder", allow_abbrev=False)
    importing.add_argument(
        "folder", metavar="FOLDER", type=Path, help="the folder that holds its bundle.json"
    )
    importing.add_argument("--use", action="store_true", help="use it at once")


def run(arguments: argparse.Namespace) -> int:
    """Do what was asked and print the answer; returns the exit code."""
    try:
        match arguments.action:
            case "list":
                return list_models()
            case "promote":
                return promote(arguments.model)
            case "rollback":
                return roll_back(arguments.role)
        return import_folder(arguments.folder, use=arguments.use)
    except (BundleError, ShelfError, StoreError) as error:
        return fail(str(error))


def list_models() -> int:
    """Print all models; where the store cannot be opened, those that came with the program."""
    models = [bundled(role, active=True) for role in ROLES]
    if (data_folder() / FILE).is_file():
        try:
            with _store() as store:
                shelf = _shelf(store)
                models = [one for role in ROLES for one in shelf.installed(role)]
        except StoreError as error:
            say(str(error))
    for one in models:
        _show(one)
    return 0


def promote(model: str) -> int:
    """Use the model of a run, or one of the shelf. Raises ShelfError, BundleError and StoreError."""
    with _store() as store:
        shelf = _shelf(store)
        chosen = _meant(store, shelf, model)
        return _use(shelf, chosen)


def roll_back(role: str) -> int:
    """Use what was in use before. Raises ShelfError, BundleError and StoreError."""
    with _store() as store:
        print(f"{_shelf(store).go_back(role).title} is in use again.")
    return 0


def import_folder(folder: Path, *, use: bool) -> int:
    """Put a model on the shelf. Raises ShelfError, BundleError and StoreError."""
    with _store() as store:
        shelf = _shelf(store)
        added = shelf.add_folder(folder)
        print(f"{added.title} is on the shelf as {added.handle}.")
        return _use(shelf, added) if use else 0


def _use(shelf: Shelf, chosen: Installed) -> int:
    try:
        used = shelf.promote(chosen.id, chosen.role)
    except InUseError as error:
        print(error)
        return 0
    print(f"{used.title} is in use now. To go back: evenhand models rollback {used.role}")
    return 0


def _meant(store: Store, shelf: Shelf, wanted: str) -> Installed:
    """The model that a person names: on the shelf, or of a run, which then comes to the shelf."""
    if wanted in BUNDLED:
        return bundled(BUNDLED[wanted], active=False)
    models = [one for role in ROLES for one in shelf.installed(role) if one.id and one.id.startswith(wanted)]
    runs = _runs(store, wanted)
    exact = [one for one in models if one.id == wanted]
    if exact or (len(models) == 1 and not runs):
        return (exact or models)[0]
    if len(runs) == 1 and not models:
        return shelf.add_run(runs[0])
    if models or runs:
        names = ", ".join([*(one.handle for one in models), *(run.id for run in runs)])
        raise ShelfError(f"{wanted} may mean {names}. Write more of it.")
    raise ShelfError(
        f"There is no run and no model {wanted!r}. See: evenhand models list, evenhand train runs"
    )


def _runs(store: Store, wanted: str) -> list[Run]:
    from core.runs.runs import Runs

    return [run for run in Runs(store).listed() if wanted and run.id.startswith(wanted.lower())]


@contextmanager
def _store() -> Iterator[Store]:
    from core.store.store import Store

    store = Store.open()
    try:
        for note in store.notes:
            say(note)
        yield store
    finally:
        store.close()


def _shelf(store: Store) -> Shelf:
    from core.shelf.shelf import Shelf

    return Shelf(store)


def _show(one: Installed) -> None:
    print(one.title)
    rows: list[tuple[str, object]] = [
        ("role", one.role),
        ("in use", "yes" if one.active else "no"),
        ("id", one.handle),
        ("from", _FROM[one.source] + (f", {one.added_at:%Y-%m-%d}" if one.added_at else "")),
        ("run", one.run or "unknown"),
        ("folder", one.folder),
        ("card", one.card or "none"),
        *((f"{figure.value:.4g}", figure.name) for figure in one.figures),
    ]
    if one.problem:
        rows.append(("cannot be used", one.problem))
    for name, value in rows:
        print(f"  {name:<6}  {value}")
