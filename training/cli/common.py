"""What the commands of ``evenhand train`` share: options, the folder of the corpora, and error messages."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from training.types import CorpusError


def fail(message: str) -> int:
    """Print one line on what went wrong; returns the exit code for it."""
    print(f"evenhand train: {' '.join(message.split())}", file=sys.stderr)
    return 2


def add_common(parser: argparse.ArgumentParser) -> None:
    """The options that runs and tables share."""
    parser.add_argument("--data", type=Path, default=None, help="folder of the corpora (or EVENHAND_DATA)")
    parser.add_argument("--base", default="", help="encoder by hub name or folder")
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda, cuda:1 …")
    parser.add_argument("--threads", type=int, default=0, help="CPU threads (default: all)")
    parser.add_argument("--out", type=Path, default=None, help="folder for runs or finished cells")


def corpora_folder(options: argparse.Namespace) -> Path:
    """The folder that ``--data`` or EVENHAND_DATA names. Raises CorpusError where there is none."""
    named = options.data or os.environ.get("EVENHAND_DATA")
    if not named:
        raise CorpusError("No corpora were named. Name their folder with --data DIR or EVENHAND_DATA.")
    folder = Path(named)
    if not folder.is_dir():
        raise CorpusError(f"{folder} is not a folder. Name the folder of the corpora with --data DIR.")
    return folder


def injected_file(path: Path | None) -> Path:
    """The file that ``--injected`` names. Raises CorpusError where none was named."""
    if path is None:
        raise CorpusError(
            "No injected pairs were named. Make them with `evenhand train data inject --out FILE`, "
            "then add --injected FILE."
        )
    return path


def prepare_torch(options: argparse.Namespace) -> None:
    """Let torch use as many threads as ``--threads`` says, and keep the memory of freed tensors."""
    import torch

    from training.loop.devices import keep_freed_memory

    keep_freed_memory()
    if options.threads:
        torch.set_num_threads(options.threads)
