"""``evenhand models``: list the models, choose which are in use, import others."""

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
from core.paths import NoHomeError, data_folder
from core.storage.types import FILE, StoreError

if TYPE_CHECKING:
    from core.models.registry import ModelRegistry
    from core.runs.types import Run
    from core.storage.store import Store

HOW_TO_GET = (
    "To get one: evenhand models get ADDRESS --use (the release notes have the address), or "
    "evenhand models import FOLDER --use."
)
_SOURCES = {"bundled": "Evenhand", "run": "a training run", "import": "an import"}


def add_parser(commands: Any) -> None:
    """Add ``models`` and its actions to the commands."""
    models = commands.add_parser(
        "models",
        help="list, choose and import models",
        description="List the models, choose which are in use, and import others.",
        allow_abbrev=False,
    )
    actions = models.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="list all models with their main scores", allow_abbrev=False)
    promoting = actions.add_parser("promote", help="use a model", allow_abbrev=False)
    promoting.add_argument(
        "model",
        metavar="RUN|BUNDLE",
        help="the beginning of a finished run's id, or of a model's id (see: evenhand models list)",
    )
    back = actions.add_parser(
        "rollback", help="go back to the model that was in use before", allow_abbrev=False
    )
    back.add_argument("role", nargs="?", choices=ROLES, default="reader", help="role (default: reader)")
    importing = actions.add_parser(
        "import", help="add models from a folder or an archive", allow_abbrev=False
    )
    importing.add_argument(
        "path",
        metavar="FOLDER|ARCHIVE",
        type=Path,
        help="a folder with a bundle.json, or a zip archive",
    )
    getting = actions.add_parser(
        "get",
        help="download an archive of models and add them",
        description="Download a zip archive of models and add them. The release notes of Evenhand have its address "
        "and checksum. Run the same command again to resume an interrupted download.",
        allow_abbrev=False,
    )
    getting.add_argument("address", metavar="ADDRESS", help="address of the archive (https only)")
    for adding in (importing, getting):
        adding.add_argument("--sha256", metavar="HEX", default="", help="the checksum of the archive")
        adding.add_argument("--use", action="store_true", help="use the models at once")


def run(arguments: argparse.Namespace) -> int:
    """Run the action, print its result and return the exit code."""
    try:
        match arguments.action:
            case "list":
                return list_models()
            case "promote":
                return promote(arguments.model)
            case "rollback":
                return roll_back(arguments.role)
            case "get":
                return download(arguments.address, sha256=arguments.sha256, use=arguments.use)
        return import_models(arguments.path, sha256=arguments.sha256, use=arguments.use)
    except (BundleError, ModelError, StoreError) as error:
        return fail(str(error))


def list_models() -> int:
    """Print all models; where the store cannot be opened, the bundled ones."""
    models = [bundled_model(role, active=True) for role in ROLES]
    if _has_store():
        try:
            with _store() as store:
                registry = _registry(store)
                models = [one for role in ROLES for one in registry.installed(role)]
        except StoreError as error:
            print_message(str(error))
    for one in models:
        _print_model(one)
    return 0


def _has_store() -> bool:
    try:
        return (data_folder() / FILE).is_file()
    except NoHomeError:
        return False


def promote(model: str) -> int:
    """Use the model of a run, or one from the registry. Raises ModelError, BundleError and StoreError."""
    with _store() as store:
        registry = _registry(store)
        chosen = _find_model(store, registry, model)
        _use(registry, chosen)
    return 0


def roll_back(role: str) -> int:
    """Use the model that was in use before. Raises ModelError, BundleError and StoreError."""
    with _store() as store:
        print(f"{_registry(store).roll_back(role).title} is in use again.")
    return 0


def import_models(path: Path, *, sha256: str, use: bool) -> int:
    """Add the models in a folder or an archive. Raises ModelError, BundleError and StoreError."""
    from core.models.model_import import import_models

    with _store() as store:
        registry = _registry(store)
        return _report_added(registry, import_models(registry, path, sha256=sha256), use=use)


def download(address: str, *, sha256: str, use: bool) -> int:
    """Download models and add them. Raises ModelError, BundleError and StoreError."""
    from core.models.model_import import download_models

    meter, name = ProgressPrinter(), address.rpartition("/")[2] or address
    with _store() as store:
        registry = _registry(store)
        try:
            added_models = download_models(
                registry,
                address,
                sha256=sha256,
                on_progress=lambda done, total: meter.update(name, done, total),
            )
        except KeyboardInterrupt:
            return fail("Stopped. Run the same command again to resume the download.")
        return _report_added(registry, added_models, use=use)


def _report_added(registry: ModelRegistry, added_models: Sequence[InstalledModel], *, use: bool) -> int:
    for added in added_models:
        print(f"{added.title} was added as {added.handle}.")
        if use:
            _use(registry, added)
    return 0


def _use(registry: ModelRegistry, chosen: InstalledModel) -> None:
    try:
        used = registry.promote(chosen.id, chosen.role)
    except InUseError as error:
        print(error)
        return
    print(f"{used.title} is in use now. To go back: evenhand models rollback {used.role}")


def _find_model(store: Store, registry: ModelRegistry, wanted: str) -> InstalledModel:
    """The model that ``wanted`` names: one of the registry, or that of a run, which is then added."""
    if wanted in BUNDLED_HANDLES:
        return bundled_model(BUNDLED_HANDLES[wanted], active=False)
    models = [
        one for role in ROLES for one in registry.installed(role) if one.id and one.id.startswith(wanted)
    ]
    runs = _runs(store, wanted)
    exact = [one for one in models if one.id == wanted]
    if exact or (len(models) == 1 and not runs):
        return (exact or models)[0]
    if len(runs) == 1 and not models:
        return registry.add_run(runs[0])
    if models or runs:
        names = ", ".join([*(one.handle for one in models), *(run.id for run in runs)])
        raise ModelError(f"{wanted} matches {names}. Give more of the id.")
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


def _registry(store: Store) -> ModelRegistry:
    from core.models.registry import ModelRegistry

    return ModelRegistry(store)


def _print_model(one: InstalledModel) -> None:
    print(one.title)
    rows: list[tuple[str, object]] = [
        ("role", one.role),
        ("in use", "yes" if one.active else "no"),
        ("id", one.handle),
        ("from", _SOURCES[one.source] + (f", {one.added_at:%Y-%m-%d}" if one.added_at else "")),
        ("run", one.run or "unknown"),
        ("folder", one.folder),
        ("card", one.card or "none"),
        *((f"{metric.value:.4g}", metric.name) for metric in one.main_metrics),
    ]
    if one.problem:
        rows.append(("cannot be used", one.problem))
    for name, value in rows:
        print(f"  {name:<6}  {value}")
