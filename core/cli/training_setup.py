"""``evenhand train setup``: creates the training environment where this Python cannot train. Works without torch."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from core.cli.streams import USAGE_ERROR, CommandParser, fail, open_streams, print_message
from core.paths import NoHomeError
from core.training_env import find_training_python
from core.training_env.folders import latest_environment
from core.training_env.install_steps import stopped_message
from core.training_env.plan import SetupPlan, format_size, make_plan
from core.training_env.setup import remove_environment, set_up
from core.training_env.torch_builds import CHOICES
from core.training_env.types import Progress, SetupError

INTERRUPTED = 130
_QUIET_S = 15.0


def main(argv: Sequence[str]) -> int:
    """Run ``evenhand train setup`` with these arguments; returns 0, or 2 after an error message of one line."""
    open_streams()
    try:
        arguments = _parser().parse_args(argv)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else USAGE_ERROR
    try:
        if arguments.remove:
            print(
                "The training environment was removed."
                if remove_environment()
                else "There is no training environment."
            )
            return 0
        with _signals_as_interrupt():
            return _set_up(arguments)
    except (NoHomeError, SetupError) as error:
        return fail(str(error))
    except KeyboardInterrupt:
        print_message(stopped_message())
        return INTERRUPTED


@contextmanager
def _signals_as_interrupt() -> Iterator[None]:
    """Treat SIGTERM and SIGHUP as Ctrl-C: the installer runs in a process group of its own and must be ended."""
    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), _interrupt) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def _set_up(arguments: argparse.Namespace) -> int:
    plan = make_plan(arguments.build, wheels=arguments.wheels)
    print(format_plan(plan), flush=True)
    if not plan.has_space:
        return fail(plan.no_space_message())
    if arguments.dry_run:
        return 0
    if not arguments.yes and not _confirm():
        return USAGE_ERROR
    stage, printed_at = "", time.monotonic()
    for progress in set_up(plan):
        if progress.stage != stage:
            stage = progress.stage
            print(f"[{progress.step}/{progress.steps}] {stage} …", flush=True)
        now = time.monotonic()
        if progress.line or now - printed_at > _QUIET_S:
            print(f"  {progress.line or _progress_note(progress)}", flush=True)
            printed_at = now
    environment = latest_environment()
    description = (
        "the environment has been removed in the meantime" if environment is None else environment.description
    )
    print(f"Training is set up: {description}.")
    return 0


def format_plan(plan: SetupPlan) -> str:
    """A setup plan as lines of text."""
    python = find_training_python()
    first = "Setting up training would do this:"
    if python is not None:
        kind = (
            "There is already a training environment"
            if python.managed
            else "This Python already has what training needs"
        )
        first = f"{kind} ({python.description}). {first}"
    rows = plan.rows()
    wide = max(len(name) for name, _ in rows)
    return "\n".join([first, "", *(f"  {name:<{wide}}  {words}" for name, words in rows), ""])


def _confirm() -> bool:
    """Ask at the terminal; False where the answer is no, or where there is no terminal (a message says what to do)."""
    if sys.stdin is None or not sys.stdin.isatty():
        print_message("Nothing was done. Add --yes to go ahead.")
        return False
    print("Go ahead? [y/N] ", end="", flush=True)
    if sys.stdin.readline().strip().lower() in {"y", "yes"}:
        return True
    print_message("Nothing was done.")
    return False


def _progress_note(progress: Progress) -> str:
    return f"… {format_size(progress.written)} so far"


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        prog="evenhand train setup",
        description="Create an environment with torch and everything else that training needs, in Evenhand's data "
        "folder. Prints the plan and asks first. Uses the network unless a folder of wheels is given.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--build",
        choices=CHOICES,
        default="auto",
        help="build of torch (default: the one that fits this computer)",
    )
    parser.add_argument(
        "--wheels",
        type=Path,
        metavar="DIR",
        help="install from this folder of wheels, without network access",
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--dry-run", action="store_true", help="print the plan and do nothing")
    parser.add_argument("--remove", action="store_true", help="remove the environment")
    return parser
