"""The plan of a training setup, shown before anything is done."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.i18n import tr
from core.paths import start_folder
from core.training_env import torch_builds
from core.training_env.folders import TrainingEnvironment, latest_environment, training_folder
from core.training_env.installers import Installer, find_installer
from core.training_env.interpreter import REQUIRED_MODULES
from core.training_env.project import package_name, this_project
from core.training_env.types import Project, SetupError, TorchBuild

MB = 1_000_000
_UNPACKED = 4
_TORCH = re.compile(r"torch-(\d[^-+]*)(?:\+([^-]+))?-.*\.whl", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SetupPlan:
    """What a setup will do. ``torch`` is its requirement; ``free`` is the free disk space in bytes.

    ``modules`` must be importable at the end. ``renews`` is an environment that only needs the present version of this
    project; ``replaces`` describes the one that is replaced.
    """

    build: TorchBuild
    why: str
    torch: str
    installer: Installer
    project: Project
    wheels: Path | None
    folder: Path
    free: int
    renews: TrainingEnvironment | None = None
    replaces: str = ""
    modules: Sequence[str] = REQUIRED_MODULES

    @property
    def needed_bytes(self) -> int:
        """An estimate of the disk space needed during the setup, in bytes."""
        if self.renews is not None:
            return _UNPACKED * self.project.source.stat().st_size if self.project.is_wheel else 0
        fetched = 0 if self.wheels else self.build.download_mb
        return (self.build.disk_mb + fetched) * MB

    @property
    def has_space(self) -> bool:
        """Whether there is enough free disk space."""
        return self.free >= self.needed_bytes

    def rows(self) -> list[tuple[str, str]]:
        """The plan as rows of (name, text), for a person."""
        if self.renews is not None:
            what = tr("this version of Evenhand, installed in the existing environment: {what}")
            return [
                (tr("What"), what.format(what=self.renews.description)),
                (tr("From"), tr("this computer; the network is not used")),
                (tr("Where"), str(self.renews.folder)),
            ]
        source = tr("{host} and the Python Package Index, over the network").format(
            host=torch_builds.INDEX_HOST
        )
        if self.wheels is not None:
            source = tr("the folder {folder}; the network is not used").format(folder=self.wheels)
        elif not self.build.index:
            source = tr("the Python Package Index, over the network")
        rows = [
            (tr("What"), self._what()),
            (tr("Why"), self.why),
            (tr("From"), source),
            (tr("With"), self.installer.description),
            (tr("Where"), str(self.folder)),
            (tr("Size"), self._size()),
        ]
        return [*rows, (tr("Instead of"), self.replaces)] if self.replaces else rows

    def no_space_message(self) -> str:
        """The message for too little disk space."""
        return tr(
            "Training needs about {needed} on the disk, but only {free} are free. Free some space and try again."
        ).format(needed=format_size(self.needed_bytes), free=format_size(self.free))

    def _what(self) -> str:
        return tr("torch, build for {build}, and {n} more packages").format(
            build=torch_builds.build_title(self.build), n=len(self.project.requirements) - 1
        )

    def _size(self) -> str:
        on_disk, free = format_size(self.build.disk_mb * MB), format_size(self.free)
        if self.wheels is not None:
            return tr("about {disk} on the disk (an estimate); {free} are free").format(
                disk=on_disk, free=free
            )
        return tr("about {fetched} to download, {disk} on the disk (estimates); {free} are free").format(
            fetched=format_size(self.build.download_mb * MB), disk=on_disk, free=free
        )


def make_plan(choice: str = "auto", *, wheels: Path | None = None) -> SetupPlan:
    """The plan for a build of torch (one of `torch_builds.CHOICES`). Raises SetupError.

    ``wheels`` is a folder to install from without a network. May take some seconds: it queries the GPU driver and the
    Pythons on the path.
    """
    build, why = torch_builds.choose_build(choice, torch_builds.find_gpus())
    if wheels is not None:
        wheels = _folder(wheels)
    project = this_project(wheels)
    made = latest_environment()
    renews = made if made is not None and _renewable(made, project, build) else None
    torch = next((one for one in project.requirements if package_name(one) == "torch"), "torch")
    if wheels is not None and renews is None:
        _refuse_missing(project, wheels)
        build, why, torch = _torch_of(wheels, choice, (build, why))
    installer = find_installer(offline=wheels is not None)
    return SetupPlan(
        build=build,
        why=why,
        torch=torch,
        installer=installer,
        project=project,
        wheels=wheels,
        folder=training_folder(),
        free=_free(training_folder()),
        renews=renews,
        replaces=made.description if made is not None else "",
    )


def format_size(count: float) -> str:
    """A number of bytes, as shown to a person: ``1.9 GB``, ``450 MB``."""
    if count < 1000 * MB:
        return tr("{n} MB").format(n=round(count / MB))
    return tr("{n} GB").format(n=f"{count / 1000 / MB:.1f}")


def _folder(wheels: Path) -> Path:
    # Where there is no home folder, ~ stays as it is.
    wheels = Path(os.path.expanduser(wheels)).absolute()  # noqa: PTH111
    if not wheels.is_dir():
        raise SetupError(tr("There is no folder {folder}. Check the name.").format(folder=wheels))
    return wheels


def _refuse_missing(project: Project, wheels: Path) -> None:
    """Raise SetupError where the folder lacks a wheel of a requirement."""
    try:
        there = {package_name(path.name.partition("-")[0]) for path in wheels.glob("*.whl")}
    except OSError as error:
        raise SetupError(
            tr("{folder} cannot be read. Check its permissions.").format(folder=wheels)
        ) from error
    missing = [
        name for one in project.requirements if (name := package_name(one)) not in there and ";" not in one
    ]
    if missing:
        raise SetupError(
            tr("The folder {folder} lacks wheels of: {packages}. Add them and try again.").format(
                folder=wheels, packages=", ".join(missing)
            )
        )


def _torch_of(wheels: Path, choice: str, chosen: tuple[TorchBuild, str]) -> tuple[TorchBuild, str, str]:
    """The build in a folder that is closest to the chosen one, why, and the requirement for it."""
    labels: dict[str, list[str]] = {}
    for path in wheels.glob("*.whl"):
        if found := _TORCH.fullmatch(path.name):
            labels.setdefault(found[2] or "", []).append(found[1])
    build, why = chosen
    known = {label: _build(label) for label in labels}
    # A wheel without a label may be any build, which is only known once it is installed.
    for wanted in (lambda label: label == build.name, lambda label: known[label].kind == build.kind):
        if fitting := sorted(label for label in labels if wanted(label)):
            label = fitting[-1]
            return known[label], why, _exactly(labels[label], label)
    if choice != "auto" and "" not in labels:
        raise SetupError(
            tr(
                "The folder holds torch for {there} only. Choose the automatic build, or add the wheel."
            ).format(there=", ".join(sorted(torch_builds.build_title(known[label]) for label in labels)))
        )
    label = "" if "" in labels else sorted(labels)[-1]
    return known[label], tr("This is the build in the folder."), _exactly(labels[label], label)


def _renewable(made: TrainingEnvironment, project: Project, build: TorchBuild) -> bool:
    """Whether the environment differs only in the version of this project."""
    same = made.requirements == project.requirements and _build(made.build).kind == build.kind
    return same and made.key != project.key


def _build(label: str) -> TorchBuild:
    everything = {one.name: one for one in (torch_builds.CPU, *torch_builds.CUDA)}
    if label in everything:
        return everything[label]
    if label.startswith("cu"):
        like = torch_builds.CUDA[-1]
        return TorchBuild(label, "cuda", "", like.download_mb, like.disk_mb)
    return torch_builds.DEFAULT


def _exactly(versions: list[str], label: str) -> str:
    newest = max(versions, key=lambda version: [int(part) for part in re.findall(r"\d+", version)])
    return f"torch=={newest}+{label}" if label else f"torch=={newest}"


def _free(folder: Path) -> int:
    there = next((path for path in (folder, *folder.parents) if path.exists()), start_folder())
    return shutil.disk_usage(there).free
