"""Running what is installed in a root as an ordinary user does, without a network."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from installer.examine.clean_root import USER, Root
from installer.examine.failing import FailedError

HOME = f"/home/{USER}"
NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Said:
    """The end of a command."""

    code: int
    out: str
    err: str


class Program:
    """A program that runs; ``said`` is the file that holds what it writes to its streams."""

    def __init__(self, command: list[str], said: Path) -> None:
        self.said = said
        self.begun_at = time.monotonic()
        with said.open("wb") as stream:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                start_new_session=True,
            )

    @property
    def code(self) -> int | None:
        """Its exit code, or None while it runs."""
        return self._process.poll()

    def wait(self, patience_s: float) -> int:
        """Wait for its end. Raises FailedError where it does not come."""
        try:
            return self._process.wait(patience_s)
        except subprocess.TimeoutExpired:
            raise FailedError(f"It has not ended after {patience_s:.0f} seconds.") from None

    def kill(self) -> None:
        """End it at once, as a power cut does. Nothing where it has ended."""
        if self.code is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


@dataclass(frozen=True, slots=True)
class Inside:
    """Where commands run: in ``root``, before ``display``, in a network namespace without a network."""

    root: Root
    display: str

    def command(
        self, command: tuple[str, ...], variables: Mapping[str, str], tracer: tuple[str, ...] = ()
    ) -> list[str]:
        """The whole command. ``tracer`` is a program of the machine that watches it."""
        told = {
            "HOME": HOME,
            "USER": USER,
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "DISPLAY": self.display,
            **variables,
        }
        return [
            *("unshare", "--net", *tracer, "chroot", f"--userspec={USER}:{USER}", str(self.root.path)),
            *("/usr/bin/env", "-i", f"--chdir={HOME}", *(f"{name}={value}" for name, value in told.items())),
            *command,
        ]

    def run(self, *command: str, patience_s: float = 180, variables: Mapping[str, str] = NOTHING) -> Said:
        """Run a command to its end. Raises FailedError where that does not come."""
        try:
            done = subprocess.run(
                self.command(command, variables),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=patience_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise FailedError(f"{' '.join(command)} has not ended after {patience_s:.0f} seconds.") from None
        return Said(done.returncode, done.stdout, done.stderr)

    def start(
        self,
        *command: str,
        said: Path,
        tracer: tuple[str, ...] = (),
        variables: Mapping[str, str] = NOTHING,
    ) -> Program:
        """Start a command and leave it running."""
        return Program(self.command(command, variables, tracer), said)
