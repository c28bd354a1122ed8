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

# From the many lines of an installer that failed to the one sentence that a person needs.


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
    """Why the installer failed, and what to do. ``python`` is the version that the wheels must be for."""
    said = "\n".join(lines)
    if _DISK.search(said):
        return tr("The disk is full. Free some space and try again.")
    if wheels is None and _NETWORK.search(said):
        return tr(
            "What training needs could not be fetched: the network or the package index does not answer. Try again "
            "later, or name a folder with the wheels."
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
    """The package that could not be found, as the installer names it; empty if it was something else."""
    # uv breaks its sentences into lines that begin with a frame.
    said = " ".join(re.sub(r"^[\s│╰─▶×├|]+", "", line) for line in lines)
    for pattern in _MISSING:
        if found := pattern.search(said):
            return found[1].rstrip(".,")
    return ""


# One try at a training environment: what each step runs, and how far it is.


PATH_FILE = "evenhand.pth"
"""The file in an environment that names where our code lies."""

_BEAT_S = 0.2
_MEASURE_S = 2.0
_PATIENCE_S = 300
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
    """One try in ``folder``. ``lines`` are the last that the present step said."""

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

    def told(self, line: str = "") -> Progress:
        """How far it is now; the line goes into the log, too."""
        if time.monotonic() - self.measured_at > _MEASURE_S:
            self.written = folders.folder_size(self.folder) + folders.folder_size(
                self.plan.folder / folders.CACHE
            )
            self.measured_at = time.monotonic()
        if line:
            print(line, file=self.log)
        return Progress(self.stage, self.step, self.steps, line, self.written)

    def run(self, command: Sequence[str], variables: Mapping[str, str]) -> Iterator[Progress]:
        """Run a command to its end. Raises SetupError where it fails and SetupCancelledError."""
        self.lines.clear()
        try:
            child = InstallerProcess(command, variables=variables, folder=self.plan.folder)
        except OSError as error:
            raise SetupError(
                tr("{program} cannot be started ({error}).").format(program=command[0], error=error.strerror)
            ) from error
        with child:
            for line in child.lines(_BEAT_S):
                self.check_cancelled()
                if line:
                    self.lines = [*self.lines[1 - _KEPT_LINES :], line]
                yield self.told(line)
        if child.code != 0:
            python = self.plan.installer.version
            raise SetupError(explain_failure(self.lines, child.code, wheels=self.plan.wheels, python=python))

    def check_cancelled(self) -> None:
        """Raise SetupCancelledError if it was cancelled."""
        if self.cancel.is_set():
            raise SetupCancelledError(stopped_message())


def stopped_message() -> str:
    """What a person is told who stopped it."""
    return tr("Stopped. Nothing was changed; wheels that were fetched are kept for the next try.")


def install_torch(making: SetupAttempt, variables: Mapping[str, str]) -> Iterator[Progress]:
    """torch comes first and from its own index: the usual one has another build under the same name."""
    plan = making.plan
    index = ["--index-url", plan.build.index] if plan.build.index and plan.wheels is None else []
    command = plan.installer.install(making.folder, [*_folder_of_wheels(plan), *index, plan.torch])
    return making.run(command, variables)


def install_rest(making: SetupAttempt, variables: Mapping[str, str]) -> Iterator[Progress]:
    """All else that the project asks for, beside the torch that is there."""
    plan = making.plan
    rest = [one for one in plan.project.requirements if package_name(one) != "torch"]
    command = plan.installer.install(making.folder, [*_folder_of_wheels(plan), plan.torch, *rest])
    return making.run(command, variables)


def path_file(folder: Path) -> Path:
    """The file in the environment in ``folder`` that names our code. Raises SetupError if its Python does not start."""
    command = [str(python_in(folder)), "-I", "-X", "utf8", "-c", _SITE]
    said = capture_output(command, variables=child_environment(), patience_s=_PATIENCE_S)
    if said is None:
        raise SetupError(
            tr("The Python of the environment in {folder} does not start.").format(folder=folder)
        )
    return Path(said.strip(), PATH_FILE)


def install_project(making: SetupAttempt) -> Iterator[Progress]:
    """A checkout is named to the environment where it is, as an editable install does; a wheel is unpacked in it."""
    making.check_cancelled()
    project, names = making.plan.project, path_file(making.folder)
    source = project.source
    if project.is_wheel:
        source = making.folder / f"project-{time.time_ns()}"
        with zipfile.ZipFile(project.source) as archive:
            archive.extractall(source)
    # A line of ASCII, whatever the encoding in which this Python reads such files.
    names.write_text(f"import sys; sys.path.append({str(source)!a})\n", encoding="ascii")
    yield making.told(str(source))


def verify(making: SetupAttempt) -> Iterator[Progress]:
    """Import what training needs, list the recipes, and only then write the marker."""
    plan, folder = making.plan, making.folder
    python = str(python_in(folder))
    try:
        imports = [python, "-P", "-X", "utf8", "-c", _PACKAGES, *plan.modules]
        yield from _silent(making.run(imports, child_environment()))
        facts = json.loads(next(line for line in reversed(making.lines) if line.startswith("{")))
        command = TrainingPython((python, "-P", "-m", "app.entry"), "", managed=True).command(["list"])
        yield from _silent(making.run(command, child_environment()))
    except SetupCancelledError:
        raise
    except (SetupError, ValueError, StopIteration) as error:
        last = making.lines[-1] if making.lines else ""
        raise SetupError(
            tr("It was installed but does not work: {line}. All that was said is in {log}.").format(
                line=last.rstrip("."), log=plan.folder / folders.LOG
            )
        ) from error
    made = TrainingEnvironment(
        folder=folder,
        build=plan.renews.build if plan.renews is not None else plan.build.name,
        key=plan.project.key,
        requirements=plan.project.requirements,
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        **facts,
    )
    folders.write_marker(made)
    yield making.told(made.description)


def _folder_of_wheels(plan: SetupPlan) -> list[str]:
    return ["--no-index", "--find-links", str(plan.wheels)] if plan.wheels is not None else []


def _silent(running: Iterator[Progress]) -> Iterator[Progress]:
    """What is tried out has its words in the log only."""
    return (replace(progress, line="") for progress in running)
