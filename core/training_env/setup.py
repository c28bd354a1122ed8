"""Creating the training environment; the present attempt is kept until the new attempt is complete."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import TextIO

from core.i18n import tr
from core.runs.folder import runs_folder
from core.runs.types import TRAINING_LOCK
from core.storage.data_version import NewerDataError, refuse_newer_data
from core.storage.disk import make_private_folder
from core.storage.file_lock import FileLock
from core.storage.files import FileError, describe_os_error
from core.training_env import folders, install_steps
from core.training_env.folders import TrainingEnvironment
from core.training_env.install_steps import SetupAttempt
from core.training_env.installers import installer_environment
from core.training_env.plan import SetupPlan
from core.training_env.types import Progress, SetupError

Step = tuple[str, Callable[[], Iterator[Progress]]]


def set_up(plan: SetupPlan, cancel: Event | None = None) -> Iterator[Progress]:
    """Carry out the plan, yielding its progress; afterwards `find_training_python` returns the new environment.

    An incomplete environment is never used. Of a failed or cancelled attempt only downloaded wheels are kept.
    ``cancel`` may be set from another thread. Raises SetupError.
    """
    try:
        refuse_newer_data()
        make_private_folder(plan.folder)
        lock = FileLock.acquire(plan.folder / folders.LOCK)
    except NewerDataError as error:
        raise SetupError(str(error)) from error
    except OSError as error:
        raise SetupError(_cannot_write(plan.folder, error)) from error
    if lock is None:
        raise SetupError(
            tr("Another window or command is already setting up training. Wait until it is finished.")
        )
    try:
        # Processes of a killed attempt may still write into its folder, so the new attempt has another number.
        folder = folders.next_environment_folder()
        remove_leftovers()
        if not plan.has_space:
            raise SetupError(plan.no_space_message())
        with (plan.folder / folders.LOG).open("w", encoding="utf-8", buffering=1) as log:
            if plan.renews is not None:
                yield from _renew(plan, cancel or Event(), plan.renews, log=log)
            else:
                yield from _make(plan, cancel or Event(), folder, log=log)
        remove_leftovers()
    except (OSError, FileError) as error:
        raise SetupError(_cannot_write(plan.folder, error)) from error
    finally:
        lock.release()


def remove_leftovers(*, all_of_it: bool = False) -> None:
    """Remove interrupted attempts and replaced environments, or everything.

    An environment that a running training may use stays until the next time. Raises OSError.
    """
    latest = folders.latest_environment()
    keep = None if all_of_it or latest is None else latest.folder
    with _no_training() as idle:
        for folder in folders.environment_folders():
            if folder != keep and (idle or not (folder / folders.MARKER).exists()):
                folders.remove_folder(folder)
    cache = folders.training_folder() / folders.CACHE
    shutil.rmtree(cache if all_of_it else cache / "tmp", ignore_errors=True)


def remove_environment() -> bool:
    """Remove the training environment and its downloads; False if there is none. Raises SetupError."""
    there = bool(folders.environment_folders())
    try:
        with _no_training() as idle:
            if not idle:
                raise SetupError(
                    tr("A training run is in progress. Wait until it is finished, or cancel it first.")
                )
        remove_leftovers(all_of_it=True)
    except OSError as error:
        raise SetupError(_cannot_write(folders.training_folder(), error)) from error
    return there


def _make(plan: SetupPlan, cancel: Event, folder: Path, *, log: TextIO) -> Iterator[Progress]:
    """Create a new environment in ``folder``."""
    cache = plan.folder / folders.CACHE
    scratch = cache / "tmp"
    attempt = SetupAttempt(plan, cancel, folder, log)
    variables = installer_environment(scratch, cache, offline=plan.wheels is not None)
    try:
        make_private_folder(scratch)
        yield from _steps(
            attempt,
            [
                (tr("Creating the environment"), lambda: attempt.run(plan.installer.make(folder), variables)),
                (tr("Installing torch"), lambda: install_steps.install_torch(attempt, variables)),
                (
                    tr("Installing what training needs"),
                    lambda: install_steps.install_rest(attempt, variables),
                ),
                (tr("Installing Evenhand"), lambda: install_steps.install_project(attempt)),
                (tr("Testing the environment"), lambda: install_steps.verify(attempt)),
            ],
        )
    except BaseException:
        with contextlib.suppress(OSError):
            folders.remove_folder(folder)
        shutil.rmtree(scratch, ignore_errors=True)
        raise
    shutil.rmtree(cache, ignore_errors=True)


def _renew(plan: SetupPlan, cancel: Event, made: TrainingEnvironment, *, log: TextIO) -> Iterator[Progress]:
    """Put the present version of this project into the existing environment."""
    attempt = SetupAttempt(plan, cancel, made.folder, log)
    names = install_steps.path_file(made.folder)
    before = names.read_bytes()
    try:
        yield from _steps(
            attempt,
            [
                (tr("Installing Evenhand"), lambda: install_steps.install_project(attempt)),
                (tr("Testing the environment"), lambda: install_steps.verify(attempt)),
            ],
        )
    except BaseException:
        names.write_bytes(before)
        raise
    used = names.read_text(encoding="ascii")
    for folder in made.folder.glob("project-*"):
        if folder.name not in used:
            shutil.rmtree(folder, ignore_errors=True)


def _steps(attempt: SetupAttempt, steps: list[Step]) -> Iterator[Progress]:
    attempt.steps = len(steps)
    for attempt.step, (attempt.stage, act) in enumerate(steps, 1):
        attempt.check_cancelled()
        yield attempt.progress()
        yield from act()


@contextlib.contextmanager
def _no_training() -> Iterator[bool]:
    """Whether no training is running; if so, none can start inside the ``with`` block."""
    folder = runs_folder()
    lock = FileLock.acquire(folder / TRAINING_LOCK) if folder.is_dir() else None
    try:
        yield lock is not None or not folder.is_dir()
    finally:
        if lock is not None:
            lock.release()


def _cannot_write(folder: Path, error: Exception) -> str:
    return tr("{folder} cannot be written: {cause}.").format(folder=folder, cause=describe_os_error(error))
