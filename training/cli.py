"""``evenhand train``: list and run recipes, print tables, look after corpora."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from core.paths import data_folder
from training.corpora import ALL
from training.corpora.base import CorpusError, checksum, published_checksums

RECIPES = {"reader": "the reader: span tags over three kinds, sentence bias, leaning; ends in a bundle"}
TABLES = {
    "babe-folds": "BABE SG2, sentence label, five stratified folds, three seeds (beside BABE's Table 5)",
    "leaning-folds": "leaning over five outlet-grouped folds, head on the frozen base encoder",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it worked, 2 when the call, a corpus or the training went wrong (one clear line)."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.act(options))
    except CorpusError as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(f"{error}. Check the path, the space on the disk, or the name of the base model.")
    except KeyboardInterrupt:
        return _fail("stopped; go on with --resume")


def _fail(message: str) -> int:
    print(f"evenhand train: {' '.join(message.split())}", file=sys.stderr)
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="evenhand train", description="Train Evenhand's models on this machine."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    commands.add_parser("list", help="the recipes and tables").set_defaults(act=_list)
    show = commands.add_parser("show", help="what a recipe does")
    show.add_argument("recipe", choices=RECIPES)
    show.set_defaults(act=_show)
    run = commands.add_parser("run", help="run a recipe; progress comes as JSON lines")
    run.add_argument("recipe", choices=RECIPES)
    _common(run)
    run.add_argument("--scale", choices=("smoke", "cpu", "full"), default="cpu")
    run.add_argument("--seed", type=int, default=42)
    run.add_argument("--rate", type=float, default=5e-5, help="learning rate of the encoder")
    run.add_argument("--resume", default="", metavar="RUN", help="go on with this run")
    run.add_argument("--teacher", default="", help="12×768 encoder for --scale full")
    run.set_defaults(act=_run)
    table = commands.add_parser("table", help="print a table; goes on where it stopped")
    table.add_argument("name", choices=TABLES)
    _common(table)
    table.add_argument("--related", type=Path, help="related.safetensors of a reader run (babe-folds)")
    table.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    table.set_defaults(act=_table)
    data = commands.add_parser("data", help="the corpora: where they are at home, and whether they are here")
    data.add_argument("act_on_data", choices=("list", "check"))
    data.add_argument("--data", type=Path, default=None)
    data.set_defaults(act=_data)
    return parser


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, default=None, help="folder of the corpora (or EVENHAND_DATA)")
    parser.add_argument("--base", default="", help="encoder by hub name or folder")
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda, cuda:1 …")
    parser.add_argument("--threads", type=int, default=0, help="CPU threads (default: all)")
    parser.add_argument("--out", type=Path, default=None, help="folder for runs or finished cells")


def _list(_: argparse.Namespace) -> int:
    for title, entries in (("recipes", RECIPES), ("tables", TABLES)):
        print(title)
        for name, what in entries.items():
            print(f"  {name:16}{what}")
    return 0


def _show(_: argparse.Namespace) -> int:
    from training.recipes import reader

    print((reader.__doc__ or "").strip())
    for name, scale in reader.SCALES.items():
        print(f"  {name:8}{scale}")
    print(f"  base {reader.SMALL_BASE}; teacher (scale full) {reader.TEACHER_BASE}")
    return 0


def _data_folder(options: argparse.Namespace) -> Path:
    named = options.data or os.environ.get("EVENHAND_DATA")
    if not named:
        raise CorpusError("No corpora were named. Say where they are with --data DIR or EVENHAND_DATA.")
    folder = Path(named)
    if not folder.is_dir():
        raise CorpusError(f"{folder} is not a folder. Say where the corpora are with --data DIR.")
    return folder


def _run(options: argparse.Namespace) -> int:
    from training.loop import TrainingError
    from training.parity import ParityError
    from training.recipes import reader

    _threads(options)
    request = reader.Request(
        data=_data_folder(options),
        runs=options.out or data_folder() / "runs",
        base=options.base or reader.SMALL_BASE,
        teacher=options.teacher or reader.TEACHER_BASE,
        device=options.device,
        scale=options.scale,
        seed=options.seed,
        rate=options.rate,
        resume=options.resume,
    )
    try:
        reader.run(request)
    except (TrainingError, ParityError) as error:
        return _fail(str(error))
    return 0


def _table(options: argparse.Namespace) -> int:
    from training.loop import TrainingError, choose_device
    from training.recipes.reader import SMALL_BASE
    from training.tables import babe_folds, leaning_folds

    _threads(options)
    data, base = _data_folder(options), options.base or SMALL_BASE
    folder = options.out or data_folder() / "tables"
    try:
        device = choose_device(options.device)
        if options.name == "babe-folds":
            plan = babe_folds.Plan(base=base, related=options.related, seeds=tuple(options.seeds))
            print(babe_folds.run(data, plan, folder, device=device))
        else:
            print(leaning_folds.run(data, base, folder, device=device))
    except TrainingError as error:
        return _fail(str(error))
    return 0


def _threads(options: argparse.Namespace) -> None:
    if options.threads:
        import torch

        torch.set_num_threads(options.threads)


def _data(options: argparse.Namespace) -> int:
    if options.act_on_data == "list":
        for facts in ALL:
            print(
                f"{facts.name}\n  {facts.home}\n  terms: {facts.licence}\n  files: {', '.join(sorted(facts.files))}"
            )
        return 0
    folder = _data_folder(options)
    wrong, known = 0, published_checksums()
    for facts in ALL:
        for name in sorted(facts.files):
            path = folder / name
            matches = path.is_file() and checksum(path) == known[name]
            state = "as published" if matches else "differs" if path.is_file() else "missing"
            wrong += state != "as published"
            print(f"{state:14}{name}")
    return 2 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
