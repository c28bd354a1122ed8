"""Builds of torch, graphics cards, this project and the progress of a setup, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


class SetupError(Exception):
    """The training environment cannot be created. The message says why and what to do."""


class SetupCancelledError(SetupError):
    """The setup was cancelled and undone."""


@dataclass(frozen=True, slots=True)
class TorchBuild:
    """A build of torch. ``kind`` is cpu, cuda or default; ``index`` is its package index, empty for the usual one.

    ``download_mb`` and ``disk_mb`` are estimates that include its dependencies. ``driver`` is the oldest major version
    of the NVIDIA driver; ``oldest`` and ``newest`` bound the compute capability of supported cards.
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
    """An NVIDIA card; ``memory_mib`` and ``capability`` are 0 where the driver does not report them."""

    name: str
    driver: str
    memory_mib: int
    capability: float


@dataclass(frozen=True, slots=True)
class Project:
    """This project as installed into an environment: a checkout or a wheel, and the requirements of training.

    ``key`` identifies its version.
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
    """The progress of a setup: ``stage`` is step ``step`` of ``steps``; ``line`` is output; ``written`` is in bytes."""

    stage: str
    step: int
    steps: int
    line: str
    written: int
