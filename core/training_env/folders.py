"""The folders of training environments: numbered, and only used if they have their marker.

An environment cannot be moved once it is created, so it is created in place. ``complete.json`` is written last and
atomically; a folder without it is left over from an interrupted setup.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from core.i18n import tr
from core.paths import data_folder
from core.storage.files import write_bytes
from core.training_env import project

MARKER = "complete.json"
LOCK = "setup.lock"
LOG = "setup.log"
CACHE = "cache"
_NUMBERED = re.compile(r"environment-(\d+)")


@dataclass(frozen=True, slots=True)
class TrainingEnvironment:
    """A complete environment, from its marker. ``build`` is the name of the chosen build of torch.

    ``key`` identifies the version of this project in it; ``packages`` has the version of each package.
    """

    folder: Path
    python_version: str
    torch: str
    cuda: str
    build: str
    key: str
    requirements: tuple[str, ...]
    packages: dict[str, str]
    made_at: str

    @property
    def python(self) -> Path:
        """Its Python executable."""
        return python_in(self.folder)

    @property
    def description(self) -> str:
        """Python, torch and device, as shown to a person."""
        return describe_python(self.python_version, self.torch, self.cuda)


def python_in(folder: Path) -> Path:
    """The Python executable of the environment in ``folder``."""
    return folder / "Scripts" / "python.exe" if sys.platform == "win32" else folder / "bin" / "python"


def describe_python(python: str, torch: str, cuda: str) -> str:
    """``Python 3.11.7 · torch 2.9.1 · CUDA 13.0``, or ``CPU`` where torch is built without CUDA."""
    device = f"CUDA {cuda}" if cuda else tr("CPU")
    return f"Python {python} · torch {torch.partition('+')[0]} · {device}"


def training_folder() -> Path:
    """The folder of all environments. It may not exist yet."""
    return data_folder() / "training"


def current_environment() -> TrainingEnvironment | None:
    """The newest environment, if it holds the version of the project that runs here."""
    made = latest_environment()
    key = project.current_project_key()
    return made if made is not None and (not key or made.key == key) else None


def latest_environment() -> TrainingEnvironment | None:
    """The newest complete environment whose Python still exists."""
    return next(
        (made for folder in reversed(environment_folders()) if (made := _read(folder)) is not None), None
    )


def environment_folders() -> list[Path]:
    """All environment folders, complete or not, oldest first."""
    try:
        names = [path.name for path in training_folder().iterdir()]
    except OSError:
        return []
    found = sorted(int(match[1]) for name in names if (match := _NUMBERED.fullmatch(name)))
    return [training_folder() / f"environment-{number}" for number in found]


def next_environment_folder() -> Path:
    """A folder with an unused number."""
    last = environment_folders()
    number = int(last[-1].name.rpartition("-")[2]) + 1 if last else 1
    return training_folder() / f"environment-{number}"


def write_marker(environment: TrainingEnvironment) -> None:
    """Write the marker, which makes the environment usable. Raises FileError."""
    row = asdict(environment) | {"folder": environment.folder.name}
    text = json.dumps(row, indent=1, ensure_ascii=False, sort_keys=True)
    write_bytes(environment.folder / MARKER, text.encode())


def remove_folder(folder: Path) -> None:
    """Remove an environment, its marker first, so that a partly removed one is never used. Raises OSError."""
    (folder / MARKER).unlink(missing_ok=True)
    if folder.exists():
        shutil.rmtree(folder)


def folder_size(folder: Path) -> int:
    """Bytes of all files in a folder; files that vanish meanwhile are left out."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += Path(parent, name).lstat().st_size
    return total


def _read(folder: Path) -> TrainingEnvironment | None:
    try:
        row = json.loads((folder / MARKER).read_text(encoding="utf-8"))
        row |= {"folder": folder, "requirements": tuple(row["requirements"])}
        made = TrainingEnvironment(**row)
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return made if made.python.exists() else None
