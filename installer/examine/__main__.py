"""``python -m installer.examine DEB --out FOLDER``: see the package's own words."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from installer.examine import clean_root, machine
from installer.examine.context import CHECKOUT
from installer.examine.examinations import EXAMINATIONS
from installer.examine.results import CannotExamineError

CANNOT = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Examine a package; returns 0 if all passed, 1 if one failed, 2 after an error message if it could not start."""
    arguments = _parser().parse_args(argv)
    # SIGTERM must clean up like Ctrl+C: the root is removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(CANNOT))
    try:
        _check_files(arguments.package, arguments.wheels)
        machine.check_machine()
        machine.check_namespaces()
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "evenhand-examine"
        archive = clean_root.get_archive(cache)
    except CannotExamineError as error:
        print(f"examine: {error}", file=sys.stderr)
        return CANNOT
    arguments.out.mkdir(parents=True, exist_ok=True)
    root = cache / f"root-{os.getpid()}"
    try:
        clean_root.unpack(archive, root)
        wheels = str(arguments.wheels.resolve()) if arguments.wheels else ""
        given = (str(root), str(arguments.package.resolve()), str(arguments.out.resolve()), wheels)
        command = [*machine.ISOLATED, sys.executable, "-m", "installer.examine.run", *given]
        names = [name for name in EXAMINATIONS if name in (arguments.only or EXAMINATIONS)]
        return subprocess.run([*command, *names], cwd=CHECKOUT, check=False).returncode
    finally:
        # Mounts exist only in the namespace of the other process: these are the root's own files.
        shutil.rmtree(root, ignore_errors=True)


def _check_files(package: Path, wheels: Path | None) -> None:
    if not package.is_file():
        raise CannotExamineError(f"There is no package {package}. Build it first, or check the name.")
    if wheels is not None and not wheels.is_dir():
        raise CannotExamineError(f"There is no folder {wheels}. Check the name.")


class _Parser(argparse.ArgumentParser):
    """Prints what is wrong with a call in one line."""

    def error(self, message: str) -> NoReturn:
        print(f"examine: {message} (see: python -m installer.examine --help)", file=sys.stderr)
        sys.exit(CANNOT)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m installer.examine",
        description="Install a package in a clean root without Python and use it like a user, without a network.",
        allow_abbrev=False,
    )
    parser.add_argument("package", type=Path, metavar="DEB", help="the package to examine")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FOLDER", help="takes screenshots and results"
    )
    parser.add_argument(
        "--wheels", type=Path, metavar="FOLDER", help="wheels to set up training from, offline"
    )
    parser.add_argument(
        "--only",
        nargs="+",
        choices=tuple(EXAMINATIONS),
        metavar="NAME",
        help=f"only some of: {', '.join(EXAMINATIONS)}",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
