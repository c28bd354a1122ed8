"""The context of an examination: the root with the package, a simulated user, and a folder for results."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from installer.examine.clean_root import USER_ID, Root
from installer.examine.results import FailedError, check
from installer.examine.sandbox import HOME, NO_VARIABLES, Program, Sandbox
from installer.examine.user import User

CHECKOUT = Path(__file__).resolve().parents[2]
COMMAND = "evenhand"
_EXIT_TIMEOUT_S, _INTERVAL_S = 20.0, 0.1


@dataclass(slots=True)
class Context:
    """``package`` is the .deb, ``out`` takes screenshots and outputs, ``wheels`` may be a folder of wheels."""

    root: Root
    sandbox: Sandbox
    user: User
    package: Path
    out: Path
    wheels: Path | None
    name: str = ""

    @property
    def archive(self) -> Path | None:
        """The portable archive next to the package."""
        return next(iter(sorted(self.package.parent.glob(f"{COMMAND}*.tar.zst"))), None)

    def write(self, name: str, content: bytes) -> str:
        """Write a file into the user's home; returns its path inside the root."""
        path = self.root.home / name
        path.write_bytes(content)
        os.chown(path, USER_ID, USER_ID)
        return f"{HOME}/{name}"

    def read(self, name: str) -> bytes:
        """The content of a file in the user's home. Raises FailedError where it does not exist."""
        try:
            return (self.root.home / name).read_bytes()
        except FileNotFoundError:
            raise FailedError(f"There is no file {HOME}/{name}.") from None

    def await_file(self, name: str, timeout_s: float = 60) -> None:
        """Wait until a file with this name or pattern is in the user's home. Raises FailedError."""
        end = time.monotonic() + timeout_s
        while not any(self.root.home.glob(name)):
            check(time.monotonic() < end, f"There is no file {HOME}/{name} after {timeout_s:.0f} s")
            time.sleep(_INTERVAL_S)

    def screenshot(self, what: str) -> None:
        """Save a screenshot."""
        self.user.screen.save(self.out / f"{self.name}-{what}.png")

    @contextmanager
    def window(
        self,
        *arguments: str,
        command: str = COMMAND,
        tracer: tuple[str, ...] = (),
        variables: Mapping[str, str] = NO_VARIABLES,
    ) -> Iterator[Program]:
        """The running program inside the ``with`` block; it is killed at the end if it is still running.

        Raises FailedError where it printed a traceback.
        """
        count = len(list(self.out.glob(f"{self.name}-*.stderr.txt"))) + 1
        output = self.out / f"{self.name}-{count}.stderr.txt"
        program = self.sandbox.start(command, *arguments, output=output, tracer=tracer, variables=variables)
        self.user.program = program
        try:
            yield program
        except FailedError as error:
            self.screenshot("failed")
            if program.code is not None:
                raise FailedError(f"{error}; it ended with {program.code}: {_last_line(output)}") from error
            raise
        finally:
            program.kill()
            self.user.program = None
        check(
            "Traceback" not in output.read_text(errors="replace"), f"It printed a traceback ({output.name})"
        )

    def quit(self, program: Program) -> None:
        """Close the window with Ctrl+Q. Raises FailedError unless it exits with 0 and has printed nothing."""
        self.user.press("ctrl+q")
        code = program.wait(_EXIT_TIMEOUT_S)
        check(code == 0, f"It ended with {code} after Ctrl+Q: {_last_line(program.output)}")
        check(program.output.stat().st_size == 0, f"It printed while it ran: {_last_line(program.output)}")

    def by_checkout(self, *arguments: str) -> str:
        """The output of the checkout's command, with a data folder of its own."""
        variables = {**os.environ, "EVENHAND_HOME": str(self.out / "checkout-home")}
        done = subprocess.run(
            [sys.executable, "-m", "app.entry", *arguments],
            cwd=CHECKOUT,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout


def _last_line(output: Path) -> str:
    lines = output.read_text(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it printed nothing"
