"""``evenhand models``: which models there are, which are in use, and the ways from one to another."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.bundles.manifest import ROLES, BundleError
from core.cli.streams import ProgressPrinter, fail, print_message
from core.models.descriptions import bundled_model
from core.models.types import BUNDLED_HANDLES, InstalledModel, InUseError, ModelError
from core.paths import data_folder
from core.storage.types import FILE, StoreError

if TYPE_CHECKING:
    from core.models.registry import ModelRegistry
    from core.runs.types import Run
    from core.storage.store import Store

HOW_TO_GET = (
    "To get one: evenhand models get ADDRESS --use (the address stands with the release), or "
    "evenhand models import FOLDER --use."
)
_FROM = {"bundled": "Evenhand", "run": "a run on this machine", "import": "elsewhere"}


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
    importing = actions.add_parser(
        "import", help="add models from a folder or an archive", allow_abbrev=False
    )
    importing.add_argument(
        "path",
        metavar="FOLDER|ARCHIVE",
        type=Path,
        help="the folder that holds its bundle.json, or a zip archive",
    )
    getting = actions.add_parser(
        "get",
        help="download an archive of models and add them",
        description="Download a zip archive of models and add them. The address and the checksum stand with the "
        "release of Evenhand. A download that broke off goes on with the same command.",
        allow_abbrev=False,
    )
    getting.add_argument("address", metavar="ADDRESS", help="where the archive lies (https only)")
    for adding in (importing, getting):
        adding.add_argument("--sha256", metavar="HEX", default="", help="the checksum of the archive")
        adding.add_argument("--use", action="store_true", help="use them at once")


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
            case "get":
                return get_archive(arguments.address, sha256=arguments.sha256, use=arguments.use)
        return import_models(arguments.path, sha256=arguments.sha256, use=arguments.use)
    except (BundleError, ModelError, StoreError) as error:
        return fail(str(error))


def list_models() -> int:
    """Print all models; where the store cannot be opened, those that came with the program."""
    models = [bundled_model(role, active=True) for role in ROLES]
    if (data_folder() / FILE).is_file():
        try:
            with _store() as store:
                shelf = _shelf(store)
                models = [one for role in ROLES for one in shelf.installed(role)]
        except StoreError as error:
            print_message(str(error))
    for one in models:
        _show(one)
    return 0


def promote(model: str) -> int:
    """Use the model of a run, or one of the shelf. Raises ShelfError, BundleError and StoreError."""
    with _store() as store:
        shelf = _shelf(store)
        chosen = _meant(store, shelf, model)
        _use(shelf, chosen)
    return 0


def roll_back(role: str) -> int:
    """Use what was in use before. Raises ShelfError, BundleError and StoreError."""
    with _store() as store:
        print(f"{_shelf(store).roll_back(role).title} is in use again.")
    return 0


def import_models(path: Path, *, sha256: str, use: bool) -> int:
    """Put the models in a folder or an archive on the shelf. Raises ShelfError, BundleError and StoreError."""
    from core.models.model_import import import_models

    with _store() as store:
        shelf = _shelf(store)
        return _brought(shelf, import_models(shelf, path, sha256=sha256), use=use)


def get_archive(address: str, *, sha256: str, use: bool) -> int:
    """Download models and put them on the shelf. Raises ShelfError, BundleError and StoreError."""
    from core.models.model_import import download_models

    meter, name = ProgressPrinter(), address.rpartition("/")[2] or address
    with _store() as store:
        shelf = _shelf(store)
        try:
            brought = download_models(
                shelf, address, sha256=sha256, told=lambda done, total: meter.told(name, done, total)
            )
        except KeyboardInterrupt:
            return fail("Stopped. What came is kept: the same command goes on there.")
        return _brought(shelf, brought, use=use)


def _brought(shelf: ModelRegistry, brought: Sequence[InstalledModel], *, use: bool) -> int:
    for added in brought:
        print(f"{added.title} is on the shelf as {added.handle}.")
        if use:
            _use(shelf, added)
    return 0


def _use(shelf: ModelRegistry, chosen: InstalledModel) -> None:
    try:
        used = shelf.promote(chosen.id, chosen.role)
    except InUseError as error:
        print(error)
        return
    print(f"{used.title} is in use now. To go back: evenhand models rollback {used.role}")


def _meant(store: Store, shelf: ModelRegistry, wanted: str) -> InstalledModel:
    """The model that a person names: on the shelf, or of a run, which then comes to the shelf."""
    if wanted in BUNDLED_HANDLES:
        return bundled_model(BUNDLED_HANDLES[wanted], active=False)
    models = [one for role in ROLES for one in shelf.installed(role) if one.id and one.id.startswith(wanted)]
    runs = _runs(store, wanted)
    exact = [one for one in models if one.id == wanted]
    if exact or (len(models) == 1 and not runs):
        return (exact or models)[0]
    if len(runs) == 1 and not models:
        return shelf.add_run(runs[0])
    if models or runs:
        names = ", ".join([*(one.handle for one in models), *(run.id for run in runs)])
        raise ModelError(f"{wanted} may mean {names}. Write more of it.")
    raise ModelError(
        f"There is no run and no model {wanted!r}. See: evenhand models list, evenhand train runs"
    )


def _runs(store: Store, wanted: str) -> list[Run]:
    from core.runs.run_store import RunStore

    return [run for run in RunStore(store).list_runs() if wanted and run.id.startswith(wanted.lower())]


@contextmanager
def _store() -> Iterator[Store]:
    from core.storage.store import Store

    store = Store.open()
    try:
        for note in store.notes:
            print_message(note)
        yield store
    finally:
        store.close()


def _shelf(store: Store) -> ModelRegistry:
    from core.models.registry import ModelRegistry

    return ModelRegistry(store)


def _show(one: InstalledModel) -> None:
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
