"""What is known of a training environment before it is made, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


class SetupError(Exception):
    """The training environment cannot be made; the text says for a person why, and what to do."""


class SetupCancelledError(SetupError):
    """A person stopped it. Nothing of it is left."""


@dataclass(frozen=True, slots=True)
class TorchBuild:
    """A build of torch. ``kind`` is cpu, cuda or default; ``index`` is where its wheels lie, empty: the usual index.

    ``download_mb`` and ``disk_mb`` are estimates of all that is installed with it. ``driver`` is the least NVIDIA
    driver (its first number); ``oldest`` and ``newest`` bound the compute capability of the cards that it serves.
    """

    name: str
    kind: str
    index: str
    download_mb: int
    disk_mb: int
    driver: int = 0
    oldest: float = 0.0
    newest: float = 0.0


@dataclass(frozen=True, slots=True)
class Gpu:
    """An NVIDIA card as its driver tells it; ``memory_mib`` and ``capability`` are 0 where it does not."""

    name: str
    driver: str
    memory_mib: int
    capability: float


@dataclass(frozen=True, slots=True)
class Project:
    """This project as it is put into an environment: a checkout's folder or a wheel, and what training needs.

    ``key`` tells one state of it from another.
    """

    version: str
    source: Path
    requirements: tuple[str, ...]
    key: str

    @property
    def is_wheel(self) -> bool:
        """Whether it is a wheel."""
        return self.source.suffix == ".whl"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it is: ``stage`` is the ``step`` of ``steps``, ``line`` the installer's, ``written`` bytes so far."""

    stage: str
    step: int
    steps: int
    line: str
    written: int
