"""What every examination is given: the root with the package in it, somebody before a screen, a place for findings."""

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
from installer.examine.failing import FailedError, check
from installer.examine.inside import HOME, NOTHING, Inside, Program
from installer.examine.person import Person

CHECKOUT = Path(__file__).resolve().parents[2]
COMMAND = "evenhand"
_LEAVING_S, _BEAT_S = 20.0, 0.1


@dataclass(slots=True)
class Stage:
    """``package`` is the .deb, ``out`` takes screenshots and outputs, ``wheels`` may be a folder of wheels."""

    root: Root
    inside: Inside
    person: Person
    package: Path
    out: Path
    wheels: Path | None
    name: str = ""

    @property
    def archive(self) -> Path | None:
        """The archive that lies beside the package."""
        return next(iter(sorted(self.package.parent.glob(f"{COMMAND}*.tar.zst"))), None)

    def put(self, name: str, content: bytes) -> str:
        """Put a file into the home of the user; returns its path as the user sees it."""
        path = self.root.home / name
        path.write_bytes(content)
        os.chown(path, USER_ID, USER_ID)
        return f"{HOME}/{name}"

    def got(self, name: str) -> bytes:
        """The bytes of a file in the home of the user. Raises FailedError where there is none."""
        try:
            return (self.root.home / name).read_bytes()
        except FileNotFoundError:
            raise FailedError(f"There is no file {HOME}/{name}.") from None

    def await_file(self, name: str, patience_s: float = 60) -> None:
        """Wait until a file of that name or pattern lies in the home of the user. Raises FailedError."""
        end = time.monotonic() + patience_s
        while not any(self.root.home.glob(name)):
            check(time.monotonic() < end, f"There is no file {HOME}/{name} after {patience_s:.0f} s")
            time.sleep(_BEAT_S)

    def picture(self, what: str) -> None:
        """Keep what the screen shows now."""
        self.person.screen.save(self.out / f"{self.name}-{what}.png")

    @contextmanager
    def window(
        self,
        *arguments: str,
        command: str = COMMAND,
        tracer: tuple[str, ...] = (),
        variables: Mapping[str, str] = NOTHING,
    ) -> Iterator[Program]:
        """The program with a window, as long as this lasts; what is still there at the end is killed.

        Raises FailedError where it told a traceback.
        """
        count = len(list(self.out.glob(f"{self.name}-*.stderr.txt"))) + 1
        said = self.out / f"{self.name}-{count}.stderr.txt"
        program = self.inside.start(command, *arguments, said=said, tracer=tracer, variables=variables)
        self.person.program = program
        try:
            yield program
        except FailedError as error:
            self.picture("failed")
            if program.code is not None:
                raise FailedError(f"{error}; it ended with {program.code}: {_last_line(said)}") from error
            raise
        finally:
            program.kill()
            self.person.program = None
        check("Traceback" not in said.read_text(errors="replace"), f"It told a traceback ({said.name})")

    def leave(self, program: Program) -> None:
        """Close the window by its key, and see it end with 0 and without a word on its streams."""
        self.person.press("ctrl+q")
        code = program.wait(_LEAVING_S)
        check(code == 0, f"It ended with {code} after Ctrl+Q: {_last_line(program.said)}")
        check(program.said.stat().st_size == 0, f"It said while it ran: {_last_line(program.said)}")

    def by_checkout(self, *arguments: str) -> str:
        """What the checkout's own command prints, with a data folder of its own."""
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


def _last_line(said: Path) -> str:
    lines = said.read_text(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"
