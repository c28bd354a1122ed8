"""Running commands in a root as an ordinary user, without a network."""

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
from installer.examine.results import FailedError

HOME = f"/home/{USER}"
NO_VARIABLES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class CommandResult:
    """Exit code and output of a command."""

    code: int
    out: str
    err: str


class Program:
    """A running program; ``output`` is the file with its standard output and error."""

    def __init__(self, command: list[str], output: Path) -> None:
        self.output = output
        self.begun_at = time.monotonic()
        with output.open("wb") as stream:
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

    def wait(self, timeout_s: float) -> int:
        """Wait until it ends. Raises FailedError after a timeout."""
        try:
            return self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            raise FailedError(f"It has not ended after {timeout_s:.0f} seconds.") from None

    def kill(self) -> None:
        """Kill it, as a power cut would. Does nothing where it has ended."""
        if self.code is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


@dataclass(frozen=True, slots=True)
class Sandbox:
    """Runs commands in ``root``, on ``display``, in a network namespace without a network."""

    root: Root
    display: str

    def command(
        self, command: tuple[str, ...], variables: Mapping[str, str], tracer: tuple[str, ...] = ()
    ) -> list[str]:
        """The full command. ``tracer`` is a tracing program of this machine."""
        environment = {
            "HOME": HOME,
            "USER": USER,
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "DISPLAY": self.display,
            **variables,
        }
        return [
            *("unshare", "--net", *tracer, "chroot", f"--userspec={USER}:{USER}", str(self.root.path)),
            *(
                "/usr/bin/env",
                "-i",
                f"--chdir={HOME}",
                *(f"{name}={value}" for name, value in environment.items()),
            ),
            *command,
        ]

    def run(
        self, *command: str, timeout_s: float = 180, variables: Mapping[str, str] = NO_VARIABLES
    ) -> CommandResult:
        """Run a command. Raises FailedError after a timeout."""
        try:
            done = subprocess.run(
                self.command(command, variables),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=timeout_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise FailedError(f"{' '.join(command)} has not ended after {timeout_s:.0f} seconds.") from None
        return CommandResult(done.returncode, done.stdout, done.stderr)

    def start(
        self,
        *command: str,
        output: Path,
        tracer: tuple[str, ...] = (),
        variables: Mapping[str, str] = NO_VARIABLES,
    ) -> Program:
        """Start a command and leave it running."""
        return Program(self.command(command, variables, tracer), output)
