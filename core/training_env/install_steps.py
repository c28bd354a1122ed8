"""The steps of one attempt at a training environment, how far each is, and the one sentence that explains an
installer's failure.
"""

from __future__ import annotations

import json
import re
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import TextIO

from core.i18n import tr
from core.training_env import folders
from core.training_env.child_process import InstallerProcess, capture_output
from core.training_env.folders import TrainingEnvironment, python_in
from core.training_env.interpreter import TrainingPython, child_environment
from core.training_env.plan import SetupPlan
from core.training_env.project import package_name
from core.training_env.types import Progress, SetupCancelledError, SetupError

_DISK = re.compile(r"No space left on device|Errno 28\b|os error 28\b|not enough space|Disk quota exceeded")
_NETWORK = re.compile(
    r"Failed to establish a new connection|NewConnectionError|ConnectTimeoutError|ReadTimeoutError|NameResolutionError"
    r"|Temporary failure in name resolution|Network is unreachable|Connection refused|Connection broken"
    r"|error sending request|dns error|Failed to fetch|SSLError|ProxyError|Read timed out",
    re.IGNORECASE,
)
_MISSING = (
    re.compile(r"No matching distribution found for ([^\s;(]+)"),
    re.compile(r"[Bb]ecause (?:there (?:are|is) no versions? of )?([\w.-]+)[^ ]* (?:was|were) not found in"),
    re.compile(r"[Bb]ecause there (?:are|is) no versions? of ([\w.-]+)"),
    re.compile(r"[Bb]ecause only (?:the following versions? of )?([\w.-]+)"),
    re.compile(r"[Bb]ecause ([\w.-]+)(?:==\S+)? has no (?:usable )?wheels"),
)


def explain_failure(lines: Sequence[str], code: int | None, *, wheels: Path | None, python: str) -> str:
    """A message on why the installer failed and what to do. ``python`` is the version that the wheels must support."""
    output = "\n".join(lines)
    if _DISK.search(output):
        return tr("The disk is full. Free some space and try again.")
    if wheels is None and _NETWORK.search(output):
        return tr(
            "The packages that training needs could not be downloaded: the network or the package index does "
            "not respond. Try again later, or choose a folder with the wheels."
        )
    package = find_missing_package(lines)
    if package and wheels is not None:
        return tr(
            "The folder {folder} lacks a wheel of {package} for Python {python} on this system. Add it and try again."
        ).format(folder=wheels, package=package, python=python)
    if package:
        return tr("There is no {package} for Python {python} on this system.").format(
            package=package, python=python
        )
    last = next((line for line in reversed(lines) if line.strip()), "")
    return tr("The installer ended with code {code}: {line}").format(code=code, line=last.strip())


def find_missing_package(lines: Sequence[str]) -> str:
    """The package that could not be found, as the installer names it; empty for other failures."""
    # uv breaks its sentences into lines with a frame in front.
    output = " ".join(re.sub(r"^[\s│╰─▶×├|]+", "", line) for line in lines)
    for pattern in _MISSING:
        if found := pattern.search(output):
            return found[1].rstrip(".,")
    return ""


PATH_FILE = "evenhand.pth"
"""The file in an environment that adds this project to its import path."""

_INTERVAL_S = 0.2
_MEASURE_S = 2.0
_TIMEOUT_S = 300
_KEPT_LINES = 400
_PACKAGES = """
import importlib, importlib.metadata as metadata, json, sys
sys.stdout.reconfigure(encoding="utf-8")
found = {name: importlib.import_module(name) for name in sys.argv[1:]}
torch = found["torch"]
print(json.dumps({
    "python_version": ".".join(map(str, sys.version_info[:3])),
    "torch": torch.__version__,
    "cuda": torch.version.cuda or "",
    "packages": {one.name: one.version for one in metadata.distributions()},
}))
"""
_SITE = "import sysconfig; print(sysconfig.get_path('purelib'))"


@dataclass(slots=True)
class SetupAttempt:
    """One attempt in ``folder``. ``lines`` are the last lines of output of the present step."""

    plan: SetupPlan
    cancel: Event
    folder: Path
    log: TextIO
    stage: str = ""
    step: int = 0
    steps: int = 0
    written: int = 0
    measured_at: float = 0.0
    lines: list[str] = field(default_factory=list)

    def progress(self, line: str = "") -> Progress:
        """The present progress; ``line`` is also written to the log."""
        if time.monotonic() - self.measured_at > _MEASURE_S:
            self.written = folders.folder_size(self.folder) + folders.folder_size(
                self.plan.folder / folders.CACHE
            )
            self.measured_at = time.monotonic()
        if line:
            print(line, file=self.log)
        return Progress(self.stage, self.step, self.steps, line, self.written)

    def run(self, command: Sequence[str], variables: Mapping[str, str]) -> Iterator[Progress]:
        """Run a command. Raises SetupError where it fails, and SetupCancelledError."""
        self.lines.clear()
        try:
            child = InstallerProcess(command, variables=variables, folder=self.plan.folder)
        except OSError as error:
            raise SetupError(
                tr("{program} cannot be started ({error}).").format(program=command[0], error=error.strerror)
            ) from error
        with child:
            for line in child.lines(_INTERVAL_S):
                self.check_cancelled()
                if line:
                    self.lines = [*self.lines[1 - _KEPT_LINES :], line]
                yield self.progress(line)
        if child.code != 0:
            python = self.plan.installer.version
            raise SetupError(explain_failure(self.lines, child.code, wheels=self.plan.wheels, python=python))

    def check_cancelled(self) -> None:
        """Raise SetupCancelledError if the attempt was cancelled."""
        if self.cancel.is_set():
            raise SetupCancelledError(stopped_message())


def stopped_message() -> str:
    """The message after a cancellation."""
    return tr("Stopped. Nothing was changed; downloaded wheels are kept for the next attempt.")


def install_torch(attempt: SetupAttempt, variables: Mapping[str, str]) -> Iterator[Progress]:
    """Install torch first, from its own index: the Python Package Index has another build under the same name."""
    plan = attempt.plan
    index = ["--index-url", plan.build.index] if plan.build.index and plan.wheels is None else []
    command = plan.installer.install(attempt.folder, [*_folder_of_wheels(plan), *index, plan.torch])
    return attempt.run(command, variables)


def install_rest(attempt: SetupAttempt, variables: Mapping[str, str]) -> Iterator[Progress]:
    """Install the other requirements of the project."""
    plan = attempt.plan
    rest = [one for one in plan.project.requirements if package_name(one) != "torch"]
    command = plan.installer.install(attempt.folder, [*_folder_of_wheels(plan), plan.torch, *rest])
    return attempt.run(command, variables)


def path_file(folder: Path) -> Path:
    """The path of `PATH_FILE` in an environment. Raises SetupError if its Python does not start."""
    command = [str(python_in(folder)), "-I", "-X", "utf8", "-c", _SITE]
    output = capture_output(command, variables=child_environment(), timeout_s=_TIMEOUT_S)
    if output is None:
        raise SetupError(
            tr("The Python of the environment in {folder} does not start.").format(folder=folder)
        )
    return Path(output.strip(), PATH_FILE)


def install_project(attempt: SetupAttempt) -> Iterator[Progress]:
    """Add this project to the environment: a checkout by its path, as an editable install does; a wheel unpacked."""
    attempt.check_cancelled()
    project, names = attempt.plan.project, path_file(attempt.folder)
    source = project.source
    if project.is_wheel:
        source = attempt.folder / f"project-{time.time_ns()}"
        with zipfile.ZipFile(project.source) as archive:
            archive.extractall(source)
    # ASCII, because the encoding in which Python reads such files varies.
    names.write_text(f"import sys; sys.path.append({str(source)!a})\n", encoding="ascii")
    yield attempt.progress(str(source))


def verify(attempt: SetupAttempt) -> Iterator[Progress]:
    """Import what training needs, list the recipes, and then write the marker."""
    plan, folder = attempt.plan, attempt.folder
    python = str(python_in(folder))
    try:
        imports = [python, "-P", "-X", "utf8", "-c", _PACKAGES, *plan.modules]
        yield from _silent(attempt.run(imports, child_environment()))
        facts = json.loads(next(line for line in reversed(attempt.lines) if line.startswith("{")))
        command = TrainingPython((python, "-P", "-m", "app.entry"), "", managed=True).command(["list"])
        yield from _silent(attempt.run(command, child_environment()))
    except SetupCancelledError:
        raise
    except (SetupError, ValueError, StopIteration) as error:
        last = attempt.lines[-1] if attempt.lines else ""
        raise SetupError(
            tr(
                "The environment was installed but does not work: {line}. The full output is in {log}."
            ).format(line=last.rstrip("."), log=plan.folder / folders.LOG)
        ) from error
    environment = TrainingEnvironment(
        folder=folder,
        build=plan.renews.build if plan.renews is not None else plan.build.name,
        key=plan.project.key,
        requirements=plan.project.requirements,
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        **facts,
    )
    folders.write_marker(environment)
    yield attempt.progress(environment.description)


def _folder_of_wheels(plan: SetupPlan) -> list[str]:
    return ["--no-index", "--find-links", str(plan.wheels)] if plan.wheels is not None else []


def _silent(running: Iterator[Progress]) -> Iterator[Progress]:
    """Progress without output lines, which are in the log only."""
    return (replace(progress, line="") for progress in running)
