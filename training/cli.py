"""``evenhand train``: list and run recipes, print tables, look after corpora."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.bundle import BundleError
from core.paths import data_folder
from training.corpora import ALL, OPTIONAL
from training.corpora.base import CorpusError, checksum, published_checksums

if TYPE_CHECKING:
    import torch

RECIPES = {
    "reader": "the reader: span tags over three kinds, sentence bias, leaning; ends in a bundle",
    "rewriter": "the rewriter: a BART that puts neutral words in the place of flagged ones; ends in a bundle",
}
TABLES = {
    "babe-folds": "BABE SG2, sentence label, five stratified folds, three seeds (beside BABE's Table 5)",
    "leaning-folds": "leaning over five outlet-grouped folds, head on the frozen base encoder",
    "rewriting": "neutral wordings of WNC's dev pairs by every generator (beside WIKIBIAS's Table 8)",
    "injection": "how natural injected bias reads: perplexity beside real biased sentences",
    "sensitivity": "what a reader's marks are worth at other thresholds than its own, on WNC's dev pairs",
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
    run.add_argument("--rate", type=float, help="learning rate (default: the recipe's)")
    run.add_argument("--resume", default="", metavar="RUN", help="go on with this run")
    run.add_argument("--teacher", default="", help="reader: 12×768 encoder for --scale full")
    run.add_argument(
        "--injected", type=Path, metavar="FILE", help="the file of `data inject` (reader: its spans, too)"
    )
    run.add_argument("--start", type=Path, metavar="BUNDLE", help="reader: go on from this one")
    run.add_argument(
        "--reader", type=Path, metavar="BUNDLE", help="rewriter: take the encoder's weights from it"
    )
    run.set_defaults(act=_run)
    table = commands.add_parser("table", help="print a table; goes on where it stopped")
    table.add_argument("name", choices=TABLES)
    _common(table)
    table.add_argument("--related", type=Path, help="related.safetensors of a reader run (babe-folds)")
    table.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3], help="babe-folds: its seeds")
    table.add_argument(
        "--injected", type=Path, metavar="FILE", help="rewriting, injection: the file of `data inject`"
    )
    table.add_argument(
        "--rewriter", type=Path, metavar="BUNDLE", help="rewriting: another than the bundled one"
    )
    table.add_argument("--detector-base", default="", help="rewriting: encoder of MODULAR's detector")
    table.add_argument(
        "--scale", choices=("smoke", "cpu", "full"), default="cpu", help="rewriting: its generators'"
    )
    table.add_argument(
        "--lm", default="", help="injection: causal language model by name, folder or GGUF file"
    )
    table.add_argument(
        "--reader", type=Path, metavar="BUNDLE", help="sensitivity: another than the bundled one"
    )
    table.add_argument("--write", action="store_true", help="sensitivity: keep it in the bundle and its card")
    table.set_defaults(act=_table)
    data = commands.add_parser(
        "data", help="the corpora: where they are at home, whether they are here, more of them"
    )
    data.add_argument("act_on_data", choices=("list", "check", "inject"))
    data.add_argument("--data", type=Path, default=None)
    data.add_argument(
        "--out", type=Path, metavar="FILE", help="inject: write the pairs here (.jsonl or .jsonl.xz)"
    )
    data.add_argument(
        "--spacy", default="en_core_web_sm", help="inject: English spaCy model by name or folder"
    )
    data.add_argument("--seed", type=int, default=42)
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


def _show(options: argparse.Namespace) -> int:
    from training.recipes import reader, rewriter

    recipe = rewriter if options.recipe == "rewriter" else reader
    print((recipe.__doc__ or "").strip())
    for name, scale in recipe.SCALES.items():
        print(f"  {name:8}{scale}")
    print(f"  base {recipe.SMALL_BASE}")
    if recipe is reader:
        print(f"  teacher (scale full) {reader.TEACHER_BASE}")
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

    _threads(options)
    try:
        (_run_rewriter if options.recipe == "rewriter" else _run_reader)(options)
    except (BundleError, ParityError, TrainingError, ValueError) as error:
        return _fail(str(error))
    return 0


def _run_reader(options: argparse.Namespace) -> None:
    from training.recipes import reader

    asked = reader.Request(
        data=_data_folder(options),
        runs=options.out or data_folder() / "runs",
        base=options.base or reader.SMALL_BASE,
        teacher=options.teacher or reader.TEACHER_BASE,
        device=options.device,
        scale=options.scale,
        seed=options.seed,
        resume=options.resume,
        injected=options.injected,
        start=options.start,
    )
    reader.run(asked if options.rate is None else replace(asked, rate=options.rate))


def _run_rewriter(options: argparse.Namespace) -> None:
    from training.recipes import rewriter

    asked = rewriter.Request(
        data=_data_folder(options),
        runs=options.out or data_folder() / "runs",
        injected=_injected(options),
        base=options.base or rewriter.SMALL_BASE,
        reader=options.reader,
        device=options.device,
        scale=options.scale,
        seed=options.seed,
        resume=options.resume,
    )
    rewriter.run(asked if options.rate is None else replace(asked, rate=options.rate))


def _injected(options: argparse.Namespace) -> Path:
    if options.injected is None:
        raise CorpusError(
            "No injected pairs were named. Make them with `evenhand train data inject --out FILE`, "
            "then say --injected FILE."
        )
    return Path(options.injected)


def _table(options: argparse.Namespace) -> int:
    from training.loop import TrainingError, choose_device

    _threads(options)
    data = _data_folder(options)
    folder = options.out or data_folder() / "tables"
    try:
        print(_TABLES[options.name](data, folder, choose_device(options.device), options))
    except (BundleError, TrainingError) as error:
        return _fail(str(error))
    return 0


def _babe_folds(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> str:
    from training.recipes.reader import SMALL_BASE
    from training.tables import babe_folds

    plan = babe_folds.Plan(
        base=options.base or SMALL_BASE, related=options.related, seeds=tuple(options.seeds)
    )
    return babe_folds.run(data, plan, folder, device=device)


def _leaning_folds(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> str:
    from training.recipes.reader import SMALL_BASE
    from training.tables import leaning_folds

    return leaning_folds.run(data, options.base or SMALL_BASE, folder, device=device)


def _rewriting(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> str:
    from training.generators.base import DETECTOR_BASE
    from training.judge import JUDGE_BASE
    from training.tables import rewriting

    plan = rewriting.Plan(
        judge_base=options.base or JUDGE_BASE,
        detector_base=options.detector_base or DETECTOR_BASE,
        injected=options.injected,
        rewriter=options.rewriter,
        scale=options.scale,
    )
    return rewriting.run(data, plan, folder, device=str(device))


def _injection(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    from training.tables import injection

    if not options.lm:
        raise CorpusError("No language model was named. Say which with --lm NAME, a folder or a GGUF file.")
    return injection.run(data, _injected(options), lm=options.lm)


def _sensitivity(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    from core.engine import bundled_reader
    from training import sensitivity

    return sensitivity.run(data, options.reader or bundled_reader(), write=options.write)


_TABLES = {
    "babe-folds": _babe_folds,
    "leaning-folds": _leaning_folds,
    "rewriting": _rewriting,
    "injection": _injection,
    "sensitivity": _sensitivity,
}


def _threads(options: argparse.Namespace) -> None:
    if options.threads:
        import torch

        torch.set_num_threads(options.threads)


def _data(options: argparse.Namespace) -> int:
    if options.act_on_data == "inject":
        return _inject(options)
    if options.act_on_data == "list":
        for facts in (*ALL, *OPTIONAL):
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
    for facts in OPTIONAL:
        here = sum((folder / name).is_file() for name in facts.files)
        print(f"{'here' if here else 'not here':14}{facts.name} (optional)")
    return 2 if wrong else 0


def _inject(options: argparse.Namespace) -> int:
    from training.injection.prepare import prepare

    if options.out is None:
        raise CorpusError("No file was named. Say where the pairs go with --out FILE.")
    data = _data_folder(options)
    prepare(data, options.out, spacy=options.spacy, seed=options.seed, limit=None, say=print)
    return 0


if __name__ == "__main__":
    sys.exit(main())
