"""``evenhand train RECIPE``, ``show`` and ``devices``: a subcommand for each recipe, built from its request."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.bundles.manifest import BundleError
from core.runs.folder import runs_folder
from core.runs.recipes import (
    RECIPES,
    RENAMED_RECIPES,
    Control,
    Option,
    Recipe,
    Request,
    current_arguments,
)
from training.cli.common import corpora_folder, fail, prepare_torch
from training.types import CorpusError

if TYPE_CHECKING:
    from training.loop.runs import RunModule

_PARSERS: dict[Control, Any] = {
    Control.FOLDER: Path,
    Control.FILE: Path,
    Control.COUNT: int,
    Control.NUMBER: float,
}


def add(commands: Any) -> None:
    """Register the commands."""
    for recipe in RECIPES.values():
        _add_recipe(commands, recipe)
    show = commands.add_parser("show", help="describe a recipe")
    show.add_argument(
        "recipe", choices=(*RECIPES, *RENAMED_RECIPES), metavar="RECIPE", help=", ".join(RECIPES)
    )
    show.set_defaults(act=_show)
    devices = commands.add_parser("devices", help="list the devices that a run can use on this computer")
    devices.add_argument("--json", action="store_true", help="print one JSON object")
    devices.set_defaults(act=_devices)


def _add_recipe(commands: Any, recipe: Recipe) -> None:
    parser = commands.add_parser(
        recipe.name,
        help=recipe.help,
        description=f"{recipe.help} Progress is printed as JSON lines.",
        allow_abbrev=False,
    )
    for option in recipe.options.values():
        _add_option(parser, option)
    call = parser.add_argument_group("run control")
    call.add_argument("--threads", type=int, default=0, help="CPU threads (default: all)")
    call.add_argument("--out", type=Path, help="folder of the runs (default: in Evenhand's data folder)")
    call.add_argument(
        "--resume", default="", metavar="RUN", help="resume this run with the options it was started with"
    )
    call.add_argument(
        "--run-id", default="", metavar="UUID", help="id of the new run (default: a random one)"
    )
    call.add_argument("--detached", action="store_true", help="keep running when the calling program ends")
    call.add_argument("--dry-run", action="store_true", help="only estimate time, memory and disk")
    parser.set_defaults(act=_run, recipe=recipe, parser=parser)


def _add_option(parser: argparse.ArgumentParser, option: Option) -> None:
    facts: dict[str, Any] = {"dest": option.name, "default": None, "help": option.help}
    if option.metavar:
        facts["metavar"] = option.metavar
    if option.control is Control.LIST:
        # Choices are checked by the recipe: argparse would print them where the help names the option.
        facts["nargs"] = "*"
        if option.choices:
            facts["metavar"], facts["help"] = "NAME", f"{', '.join(option.choices)} ({option.help})"
    elif option.choices:
        facts["choices"] = option.choices
    if option.control in _PARSERS:
        facts["type"] = _PARSERS[option.control]
    parser.add_argument(option.flag, **facts)


def expand_arguments(arguments: Sequence[str]) -> list[str]:
    """Arguments of ``evenhand train`` in the spelling of this version: earlier ones had ``run RECIPE …``.

    Raises CorpusError for ``run`` without a recipe, and for a run to resume whose command cannot be read.
    """
    names = {*RECIPES, *RENAMED_RECIPES}
    if arguments[:1] != ["run"]:
        return current_arguments(arguments) if arguments and arguments[0] in names else list(arguments)
    rest = list(arguments[1:])
    places = [at for at, word in enumerate(rest) if word in names]
    # A word behind an option is its value: `--base reader` names a folder.
    place = next((at for at in places if at == 0 or not rest[at - 1].startswith("--")), None)
    if place is None and places:
        place = places[-1]
    if place is not None:
        return current_arguments([rest[place], *rest[:place], *rest[place + 1 :]])
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--resume", default="")
    parser.add_argument("--out", type=Path)
    options, _ = parser.parse_known_args(rest)
    if not options.resume:
        raise CorpusError(f"No recipe was named. Name one of {', '.join(RECIPES)}, or a run with --resume.")
    saved = _saved_command(options.out or runs_folder(), options.resume)
    return current_arguments([saved[0], *rest])


def _saved_command(folder: Path, run: str) -> list[str]:
    """The arguments with which a run was started. Raises CorpusError where they cannot be read."""
    from training.loop.runs import COMMAND

    path = folder / run / COMMAND
    try:
        command = [str(part) for part in json.loads(path.read_text(encoding="utf-8"))]
    except (OSError, ValueError) as error:
        raise CorpusError(
            f"The run {run} cannot be resumed: {path} is missing or damaged. Start a new run."
        ) from error
    return expand_arguments(["run", *command])


def _show(options: argparse.Namespace) -> int:
    recipe = RECIPES[RENAMED_RECIPES.get(options.recipe, options.recipe)]
    module = import_module(recipe.module)
    print(f"{recipe.title}: {recipe.help}\n\n{(module.__doc__ or '').strip()}")
    for name, scale in module.SCALES.items():
        print(f"  {name:8}{scale}")
    for option in recipe.options.values():
        print(f"  {option.flag:22}{option.help}")
    return 0


def _devices(options: argparse.Namespace) -> int:
    from training.loop.devices import devices

    found = devices()
    if options.json:
        print(json.dumps(found))
    else:
        for device in found["devices"]:
            print(f"{device['name']:8}{device['title']}, {device['memory_mib'] / 1024:.1f} GiB")
        print(f"torch {found['torch']}")
    return 0


def _run(options: argparse.Namespace) -> int:
    from training.loop.events import StoppedError
    from training.loop.runs import open_run
    from training.loop.training_loop import TrainingError
    from training.reader.quality_checks import ParityError

    folder = Path(options.out or runs_folder())
    try:
        if options.resume:
            options = _resumed(options, folder)
        recipe: Recipe = options.recipe
        prepare_torch(options)
        request = _request(options)
        module: RunModule = import_module(recipe.module)
        module.check(request)
        if options.dry_run:
            _dry_run(request, module)
            return 0
        with open_run(
            recipe.name,
            request,
            folder,
            run_id=options.run_id,
            resume=options.resume,
            detached=options.detached,
            command=[
                *recipe.arguments(request),
                *(("--threads", str(options.threads)) if options.threads else ()),
            ],
        ) as context:
            module.run(request, context)
    except StoppedError as stopped:
        print(f"evenhand train: {stopped}", file=sys.stderr)
    except (BundleError, ParityError, TrainingError, ValueError) as error:
        return fail(str(error))
    return 0


def _request(options: argparse.Namespace) -> Request:
    """The request that the options describe. Raises CorpusError for corpora that are not there."""
    recipe: Recipe = options.recipe
    given = {name: value for name in recipe.options if (value := getattr(options, name)) not in (None, "")}
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    given["data"] = corpora_folder(options)
    return recipe.request(**given)


def _resumed(options: argparse.Namespace, folder: Path) -> argparse.Namespace:
    """The options with which the run was started; device, threads and corpora may be given again.

    Raises CorpusError where its command cannot be read.
    """
    saved = _saved_command(folder, options.resume)
    parser = argparse.ArgumentParser(prog="evenhand train")
    _add_recipe(parser.add_subparsers(), RECIPES[saved[0]])
    started, gone = parser.parse_known_args(saved)
    if gone:
        raise CorpusError(
            f"The run {options.resume} was started with {gone[0]}, an option that this version does not have. Start a "
            "new run."
        )
    for name in ("resume", "detached", "dry_run"):
        setattr(started, name, getattr(options, name))
    if options.device not in (None, "auto"):
        started.device = options.device
    started.threads = options.threads or started.threads
    started.data = options.data or started.data
    return started


def _dry_run(request: Request, module: RunModule) -> None:
    from training.loop.dry_run import estimate
    from training.loop.events import Events

    events = Events("dry run", stage="dry run")
    metrics = estimate(request, module.run, on_warning=lambda message: events.emit("warning", message))
    minutes = max(1, round(metrics["estimated_s"] / 60))
    events.emit("end", f"about {minutes} min; export and its checks are not included", metrics=metrics)
