"""`evenhand train list | show | run | devices`.

The recipes, their requests from the options, and one run of one of them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.bundles.manifest import BundleError
from core.runs.folder import runs_folder
from training.cli.common import add_common, corpora_folder, fail, injected_file, use_threads
from training.cli.table import add_bases

if TYPE_CHECKING:
    from training.loop.runs import Running


# What ``evenhand train run`` asks of each recipe: its ``Request`` from the options, and its ``run``.


def _reader(options: argparse.Namespace) -> tuple[Any, Callable[..., object]]:
    from training.reader import recipe

    request = recipe.Request(
        data=corpora_folder(options),
        base=options.base or recipe.SMALL_BASE,
        teacher=options.teacher or recipe.TEACHER_BASE,
        device=options.device,
        scale=options.scale,
        seed=options.seed,
        injected=options.injected,
        corrections=options.corrections,
        pairs=options.pairs,
        start=options.start,
        trainings=options.trainings,
        head=options.head,
    )
    return request if options.rate is None else replace(request, rate=options.rate), recipe.run


def _rewriter(options: argparse.Namespace) -> tuple[Any, Callable[..., object]]:
    from training.rewriter import recipe

    request = recipe.Request(
        data=corpora_folder(options),
        injected=injected_file(options.injected),
        base=options.base or recipe.SMALL_BASE,
        reader=options.reader,
        corrections=options.corrections,
        pairs=options.pairs,
        device=options.device,
        scale=options.scale,
        seed=options.seed,
    )
    return request if options.rate is None else replace(request, rate=options.rate), recipe.run


def _audit(options: argparse.Namespace) -> tuple[Any, Callable[..., object]]:
    from training.auditing.generator_bias import recipe

    _refuse_rate(options)
    request = recipe.Request(
        data=corpora_folder(options),
        base=options.base,
        attributes=tuple(dict.fromkeys(options.attribute)),
        modes=tuple(options.modes),
        judge=options.judge,
        device=options.device,
        scale=options.scale,
        seed=options.seed,
    )
    return request, recipe.run


def _judge(options: argparse.Namespace) -> tuple[Any, Callable[..., object]]:
    from training.auditing.ideology_classifiers import recipe

    request = recipe.Request(
        data=corpora_folder(options),
        sides=options.sides,
        base=options.base or recipe.SMALL_BASE,
        reader=options.reader,
        device=options.device,
        scale=options.scale,
        seed=options.seed,
    )
    return request if options.rate is None else replace(request, rate=options.rate), recipe.run


def _plant(options: argparse.Namespace) -> tuple[Any, Callable[..., object]]:
    from training.auditing.generator_bias import known_bias_recipe

    _refuse_rate(options)
    return known_bias_recipe.Request(
        data=corpora_folder(options),
        base=options.base,
        attribute=" and ".join(dict.fromkeys(options.attribute)),
        strength=options.strength,
        device=options.device,
        scale=options.scale,
        seed=options.seed,
    ), known_bias_recipe.run


def _compass(options: argparse.Namespace) -> tuple[Any, Callable[..., object]]:
    from training.auditing.compass import recipe

    _refuse_rate(options)
    request = recipe.Request(
        data=corpora_folder(options),
        models=options.models,
        stance=options.stance,
        detectors=tuple(options.detectors),
        device=options.device,
        scale=options.scale,
        seed=options.seed,
    )
    return request, recipe.run


def _refuse_rate(options: argparse.Namespace) -> None:
    """Of a recipe that has no learning rate of its own to change."""
    from training.loop.training_loop import TrainingError

    if options.rate is not None:
        raise TrainingError(f"The recipe {options.recipe} takes no learning rate. Leave --rate out.")


REQUESTS: dict[str, Callable[[argparse.Namespace], tuple[Any, Callable[..., object]]]] = {
    "reader": _reader,
    "rewriter": _rewriter,
    "audit": _audit,
    "judge": _judge,
    "compass": _compass,
    "plant": _plant,
}


# ``evenhand train list | show | run | devices``: the recipes, what they do, one run of one of them.


RECIPES = {
    "reader": "the reader: span tags over three kinds, sentence bias, leaning; ends in a bundle",
    "rewriter": "the rewriter: a BART that puts neutral words in the place of flagged ones; ends in a bundle",
    "judge": "a judge of ideology from articles, of two sides or three; ends in what `--judge RUN` of a table names",
    "audit": "an audit: how a generator leans by gender, place and topic, before and after calibration",
    "compass": "the political compass: where language models stand on it, and how sure that is",
    "plant": "a control for audits: a generator that leans by an option of a prompt, known and on purpose",
}
_STANCE = (
    "how a generator's side is told: log-probability (default), direct, or the hub name or folder of a classifier of "
    "natural-language inference (the paper's: facebook/bart-large-mnli)"
)
_DETECTORS = "train a detector of these on every model: hatexplain, liar, hate-identity, hate-demographic"
SCALES = ("smoke", "cpu", "full")
_OF_THIS_CALL = {"--resume", "--run-id", "--detached", "--dry-run"}


def add(commands: Any) -> None:
    """Register the commands."""
    show = commands.add_parser("show", help="what a recipe does")
    show.add_argument("recipe", choices=RECIPES)
    show.set_defaults(act=_show)
    devices = commands.add_parser("devices", help="what a run could train on here")
    devices.add_argument("--json", action="store_true", help="as one JSON object")
    devices.set_defaults(act=_devices)
    run = commands.add_parser(
        "run", help="run a recipe; progress comes as JSON lines", conflict_handler="resolve"
    )
    run.add_argument("recipe", choices=RECIPES, nargs="?")
    add_common(run)
    add_bases(run)
    run.add_argument("--scale", choices=SCALES, default="cpu")
    run.add_argument("--seed", type=int, default=42)
    run.add_argument("--rate", type=float, help="learning rate (default: the recipe's)")
    run.add_argument("--resume", default="", metavar="RUN", help="go on with this run, as it was begun")
    run.add_argument("--run-id", default="", metavar="UUID", help="the id of the new run (default: made up)")
    run.add_argument("--detached", action="store_true", help="go on when the calling program ends")
    run.add_argument("--dry-run", action="store_true", help="only estimate time, memory and disk")
    run.add_argument("--teacher", default="", help="reader: 12×768 encoder for --scale full")
    run.add_argument(
        "--injected", type=Path, metavar="FILE", help="the file of `data inject` (reader: its spans, too)"
    )
    run.add_argument(
        "--corrections", type=Path, metavar="FILE", help="a person's own corrections, saved in the window"
    )
    run.add_argument(
        "--pairs", type=Path, metavar="FILE", help="a person's own pairs: a sentence before, a tab, and after"
    )
    run.add_argument("--start", type=Path, metavar="BUNDLE", help="reader: go on from this one")
    run.add_argument(
        "--trainings",
        type=int,
        metavar="N",
        help="reader, with --start: how many; 0 fits one head alone",
    )
    run.add_argument(
        "--head",
        choices=("bias", "leaning"),
        default="bias",
        help="reader, with --trainings 0: which (default: bias)",
    )
    run.add_argument(
        "--reader",
        type=Path,
        metavar="BUNDLE",
        help="rewriter, judge: take the encoder's weights from it",
    )
    run.add_argument(
        "--sides", choices=("two", "three"), default="two", help="judge: liberal or not, or AllSides' three"
    )
    _add_audits(run)
    run.set_defaults(act=_run, parser=run)


def _add_audits(run: argparse.ArgumentParser) -> None:
    """The options of the recipes that look at models and make none."""
    audit = run.add_argument_group("audit", "--base names the generator: a causal language model")
    audit.add_argument(
        "--attribute",
        nargs="+",
        default=[],
        metavar="NAME",
        help="gender, location, topic (audit: all by default; plant: one)",
    )
    audit.add_argument(
        "--modes",
        nargs="*",
        default=["emb", "cls", "emb-token", "token"],
        metavar="MODE",
        help="how it is calibrated: emb, cls, emb-token, token (default: all; none measures it as it is)",
    )
    audit.add_argument(
        "--judge",
        default="words",
        metavar="NAME",
        help="who scores the texts: words (default), tfidf, or a run of the recipe judge",
    )
    plant = run.add_argument_group("plant", "--base names the generator, --attribute one attribute")
    plant.add_argument(
        "--strength",
        type=float,
        default=1.0,
        metavar="P",
        help="share of the texts that tell the side of their option, 0 to 1 (default: 1; 0 is the negative control)",
    )
    compass = run.add_argument_group("compass", "--base names one or more models, masked or causal")
    compass.add_argument("--stance", default="log-probability", metavar="NAME", help=_STANCE)
    compass.add_argument(
        "--detectors", nargs="+", default=[], metavar="TASK", help=f"{_DETECTORS} (default: none)"
    )


def _show(options: argparse.Namespace) -> int:
    from training.auditing.compass import recipe as compass_recipe
    from training.auditing.generator_bias import known_bias_recipe as plant_recipe
    from training.auditing.generator_bias import recipe as audit_recipe
    from training.auditing.ideology_classifiers import recipe as judge_recipe
    from training.reader import recipe as reader_recipe
    from training.rewriter import recipe as rewriter_recipe

    recipes = {
        "reader": reader_recipe,
        "rewriter": rewriter_recipe,
        "audit": audit_recipe,
        "judge": judge_recipe,
        "compass": compass_recipe,
        "plant": plant_recipe,
    }
    recipe: Any = recipes[options.recipe]
    print((recipe.__doc__ or "").strip())
    for name, scale in recipe.SCALES.items():
        print(f"  {name:8}{scale}")
    if recipe in (audit_recipe, compass_recipe, plant_recipe):
        print(
            f"  no base comes with it: name a {'model' if recipe is compass_recipe else 'generator'} with --base"
        )
        return 0
    print(f"  base {recipe.SMALL_BASE}")
    if recipe is reader_recipe:
        print(f"  teacher (scale full) {reader_recipe.TEACHER_BASE}")
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
    _take_recipe(options)
    command = _command(options)
    try:
        if options.resume:
            options, command = _as_begun(options, folder)
        if options.recipe is None:
            return fail(f"No recipe was named. Name one of {', '.join(RECIPES)}, or a run with --resume.")
        if len(options.models) > 1 and options.recipe != "compass":
            return fail(f"The recipe {options.recipe} has one --base. Name one alone.")
        use_threads(options)
        request, run = REQUESTS[options.recipe](options)
        if options.dry_run:
            _try_out(request, run)
            return 0
        with open_run(
            options.recipe,
            request,
            folder,
            run_id=options.run_id,
            resume=options.resume,
            detached=options.detached,
            command=command,
        ) as running:
            run(request, running)
    except StoppedError as stopped:
        print(f"evenhand train: {stopped}", file=sys.stderr)
    except (BundleError, ParityError, TrainingError, ValueError) as error:
        return fail(str(error))
    return 0


def _take_recipe(options: argparse.Namespace) -> None:
    """A recipe that was said last of all, behind options that take several words, is no word of theirs."""
    if options.recipe is None and len(options.models) > 1 and options.models[-1] in RECIPES:
        *models, options.recipe = options.models
        options.models = tuple(models)


def _command(options: argparse.Namespace) -> list[str]:
    """The arguments that begin this run, without those that only count for this call."""
    told = []
    for action in options.parser._actions:
        value = getattr(options, action.dest, None)
        # By identity: 0 is a number that was said, and equals False.
        unsaid = value is None or value is False or value in ("", action.default)
        if unsaid or action.dest in ("help", "recipe"):
            continue
        name = action.option_strings[0]
        if name not in _OF_THIS_CALL:
            several = {"base": list(options.models)}.get(action.dest, value)
            values = several if isinstance(several, list) else [several]
            told += [name, *(str(one.resolve() if isinstance(one, Path) else one) for one in values)]
    if options.data is None and options.recipe is not None and not options.resume:
        told += ["--data", str(corpora_folder(options).resolve())]
    return [options.recipe, *told] if options.recipe else told


def _as_begun(options: argparse.Namespace, folder: Path) -> tuple[argparse.Namespace, list[str]]:
    """The options with which the run to resume was begun; where to run is said anew."""
    from training.loop.runs import COMMAND
    from training.loop.training_loop import TrainingError

    path = folder / options.resume / COMMAND
    try:
        command = [str(part) for part in json.loads(path.read_text(encoding="utf-8"))]
    except (OSError, ValueError) as error:
        raise TrainingError(
            f"The run {options.resume} cannot go on: {path} is missing or damaged. Begin a new run."
        ) from error
    begun = options.parser.parse_args(command)
    begun.resume, begun.detached, begun.dry_run = options.resume, options.detached, options.dry_run
    begun.parser = options.parser
    if options.device != "auto":
        begun.device = options.device
    if options.threads:
        begun.threads = options.threads
    if options.data is not None:
        begun.data = options.data
    return begun, command


def _try_out(request: Any, run: Callable[[Any, Running], object]) -> None:
    from training.loop.dry_run import estimate
    from training.loop.events import Events

    events = Events("dry run", stage="dry run")
    metrics = estimate(request, run, warned=lambda said: events.say("warning", said))
    minutes = max(1, round(metrics["estimated_s"] / 60))
    events.say("end", f"about {minutes} min; export and its checks come on top", metrics=metrics)
