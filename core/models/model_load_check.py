"""A model is first loaded and driven in a child process, over many texts and with limits. A crash ends that only."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from core.bundles.manifest import BundleError, refused_error
from core.bundles.reader import ReaderBundle
from core.bundles.rewriter import RewriterBundle
from core.i18n import current_language, tr
from core.models.installation import cancelled_error, load_bundle
from core.models.load_check_process import STEP
from core.training_env.child_process import InstallerProcess

COMMAND = "try-model"
"""What the packaged program is called with instead of the module's name."""

MAX_SILENT_S, MAX_CHECK_S = 120.0, 1_800.0
"""How long a step may take, and all of them."""

_POLL_S = 0.1
_ROOT = Path(__file__).resolve().parents[2]


def check_model_loads(
    role: str, folder: Path, *, cancelled: Callable[[], bool] = lambda: False
) -> ReaderBundle | RewriterBundle:
    """The bundle in ``folder``, which was loaded in a child process and has read texts of every kind there.

    Raises BundleError where it is refused, and ModelError once ``cancelled()`` is true.
    """
    bundle = load_bundle(folder, role)
    refusal: str | None = None
    try:
        with InstallerProcess(
            _command(role, folder), variables=_environment(), folder=Path(tempfile.gettempdir())
        ) as child:
            begin = heard = time.monotonic()
            for line in child.lines(_POLL_S):
                now = time.monotonic()
                if line.startswith(STEP):
                    heard = now
                    refusal = json.loads(line.removeprefix(STEP)).get("refusal")
                if cancelled():
                    raise cancelled_error()
                if now - heard > MAX_SILENT_S or now - begin > MAX_CHECK_S:
                    raise refused_error(folder, tr("it takes too long to read some texts"))
    except OSError as error:
        message = tr("The model in {folder} cannot be tried out ({error}). Try again.")
        raise BundleError(message.format(folder=folder, error=error.strerror or error)) from error
    if refusal:
        raise BundleError(refusal)
    if refusal is None or child.code:
        raise refused_error(folder, tr("it crashed the program that tested it"))
    return bundle


def _command(role: str, folder: Path) -> list[str]:
    arguments = [role, str(folder.absolute()), current_language()]
    if getattr(sys, "frozen", False):
        return [sys.executable, COMMAND, *arguments]
    # -P: a folder named core where the person happens to be must not be taken for ours.
    return [sys.executable, "-P", "-m", "core.models.load_check_process", *arguments]


def _environment() -> dict[str, str]:
    if getattr(sys, "frozen", False):
        return dict(os.environ)
    path = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))
    return os.environ | {"PYTHONPATH": path}
