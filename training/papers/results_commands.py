"""``evenhand train results``: writes docs/results.md from the results that the repository keeps."""

from __future__ import annotations

import argparse
import json
from importlib import import_module
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import TYPE_CHECKING, Any

from core.bundles.manifest import Evaluation, read_manifest
from core.paths import models_folder
from training.cli import table as table_command
from training.evaluation.results_table import Block, Table, pipe_table

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "results.md"
BENCHMARKS = ROOT / ".github" / "bench.json"
COMMAND = "evenhand train results"
_BASE = "all-MiniLM-L6-v2-news-center-2ep"
_PARTISAN = ("news-left", "news-right", "speech-left", "speech-right")
_DETECTORS = ("--base", _BASE, *(f"{_BASE}-{side}-2ep" for side in _PARTISAN))
OPTIONS = {"compass-3": _DETECTORS, "compass-6": _DETECTORS}
"""Further options of a table beside ``--show``: the base model first, then the partisan ones."""
TOO_LONG = ("calibration-5", "calibration-7", "compass-4", "compass-12")
"""Tables of details, which the page names without printing them."""
_NOT_RUN = "not run here"
_SCORES_HEADER = ("score", "split", "n", "value", "95%")
_INTRO = f"""# Results

This page is written by `{COMMAND}` from the saved results: the evaluation of the bundled models (`bundle.json`), the
benchmarks (`.github/bench.json`) and the papers' cells (`training/papers/*/results`). Do not edit it. `evenhand train
table NAME --show` prints a table with all its rows; without `--show` it computes what is missing. What each
reproduction shows, and how it deviates from its paper, is in the README of its folder.
"""


def add(commands: Commands) -> None:
    """Register ``results``."""
    results = commands.add_parser("results", help="write docs/results.md from the saved results")
    results.add_argument(
        "--out", type=Path, default=PAGE, metavar="FILE", help="file to write (default: docs/results.md)"
    )
    results.set_defaults(act=_write)


def _write(options: argparse.Namespace) -> int:
    options.out.write_text(page(), encoding="utf-8")
    print(f"Written: {options.out}")
    return 0


def page() -> str:
    """The whole page as Markdown."""
    parts = [_INTRO, "## Contents\n"]
    sections = [("Bundled models", _models()), ("Speed", _speed()), *map(_paper, _papers())]
    parts[-1] += "\n".join(["", *(f"- [{title}](#{_anchor(title)})" for title, _ in sections), ""])
    parts += [f"## {title}\n\n{text}" for title, text in sections]
    return "\n".join(part.rstrip() + "\n" for part in parts)


def _anchor(title: str) -> str:
    kept = "".join(letter for letter in title.lower() if letter.isalnum() or letter in " -_")
    return kept.replace(" ", "-")


def _models() -> str:
    parts = []
    for role in ("reader", "rewriter"):
        fields = read_manifest(models_folder() / role)
        rows = tuple(map(_evaluation, fields.evaluation()))
        block = Block(f"{fields.text('name')} {fields.text('version')}", _SCORES_HEADER, rows)
        parts += [block.markdown(3), f"More in its [card](../resources/models/{role}/README.md).\n"]
    return "\n".join(parts)


def _evaluation(entry: Evaluation) -> tuple[str, ...]:
    bounds = "" if entry.lower is None or entry.upper is None else f"[{entry.lower:.3f}, {entry.upper:.3f}]"
    return entry.name, entry.split, "" if entry.n is None else f"{entry.n:,}", f"{entry.value:.3f}", bounds


def _speed() -> str:
    bench: dict[str, Any] = json.loads(BENCHMARKS.read_text(encoding="utf-8"))
    machine = bench["machine"]
    rates = [
        *(("reading", "sentences/s", one) for one in bench["reading"]),
        *(("rewriting", "requests/s", one) for one in bench["rewriting"]),
    ]
    rows = [
        (f"{part}: {one['name']}", f"{one['count'] / median(one['seconds']):,.0f} {unit}", _memory(one))
        for part, unit, one in rates
    ]
    for one in bench["training"]:
        rate = median(told["rate"] for told in one["told"])
        rows.append((f"training: {one['name']}", f"{rate:,.0f} tokens/s", _memory(one)))
    for part in ("windows", "commands"):
        rows += [(f"{part}: {name}", f"{median(found):.2f} s", "") for name, found in bench[part].items()]
    return "\n".join(
        (
            f"Medians on {machine['processor']}, {machine['cores']} cores, {machine['system']}, {machine['day']}. "
            "Every contender runs in a process of its own, warm, on the same text. The checkers look for other things "
            "than the reader does. `make bench` measures again; details are in [bench.md](../.github/bench.md).",
            "",
            *pipe_table(("what", "median", "peak memory"), rows),
            "",
        )
    )


def _memory(one: dict[str, Any]) -> str:
    return f"{one['peak'] / 1e6:,.0f} MB"


def _papers() -> list[tuple[str, ModuleType]]:
    """The name of each paper's folder, and its module ``cli``."""
    names = sorted(path.parent.name for path in table_command.PAPERS.glob("*/cli.py"))
    return [(name, import_module(f"training.papers.{name}.cli")) for name in names]


def _paper(paper: tuple[str, ModuleType]) -> tuple[str, str]:
    name, module = paper
    package = import_module(module.__package__ or "")
    title = (package.__doc__ or name).partition(":")[0]
    parts = []
    if (table_command.PAPERS / name / "README.md").is_file():
        parts.append(
            f"What was reproduced, and what was not: [README](../training/papers/{name}/README.md).\n"
        )
    others = []
    for table, found in module.TABLES.items():
        if found.has_cells and not found.shows_corpus and table not in TOO_LONG:
            parts.append(_shorten(_shown(table)).markdown(3))
        elif found.has_cells:
            others.append(f"- `evenhand train table {table} --show`: {found.help}")
    if others:
        parts.append("\n".join(["Saved as well, and printed by their commands:", "", *others, ""]))
    return title, "\n".join(parts)


def _shown(name: str) -> Table:
    """A table as ``evenhand train table NAME --show`` prints it where nothing else was computed on this machine."""
    import torch

    parser = argparse.ArgumentParser()
    table_command.add(parser.add_subparsers())
    options = parser.parse_args(["table", name, "--show", *OPTIONS.get(name, ())])
    with TemporaryDirectory() as folder:
        found: Table = options.table.run(Path(), Path(folder), torch.device("cpu"), options)
    return found


def _shorten(table: Table) -> Table:
    """The table without the rows and blocks that were not run, which a note names."""
    blocks, missing = [], []
    for block in table.blocks:
        rows = tuple(row for row in block.rows if _NOT_RUN not in row)
        missing += [row[0] for row in block.rows if _NOT_RUN in row]
        if rows:
            blocks.append(Block(block.title, block.header, rows))
    shown = {row[0] for block in blocks for row in block.rows}
    never = [name for name in dict.fromkeys(missing) if name not in shown]
    notes = (f"Not run: {', '.join(never)}.",) if never else ()
    return Table(table.title, tuple(blocks), (*table.notes, *notes))
