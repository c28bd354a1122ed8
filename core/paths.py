"""The folders of a person's data and of the bundled models."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from core.i18n import tr

MODELS = "EVENHAND_MODELS"
"""The environment variable that names the models' folder for an interpreter whose copy of the program has no models."""


class NoHomeError(OSError):
    """The system names no home folder for this user, so there is no place for data. The message says what to do."""


def models_folder() -> Path:
    """The folder of the bundled models."""
    from resources import ROOT

    named = os.environ.get(MODELS)
    return Path(named) if named else ROOT / "models"


def data_folder() -> Path:
    """The folder of the person's data, at the place that each system has for it. It may not exist yet.

    The environment variable ``EVENHAND_HOME`` overrides it. Raises NoHomeError.
    """
    named = os.environ.get("EVENHAND_HOME")
    return Path(named).absolute() if named else default_data_folder()


def default_data_folder() -> Path:
    """The same without regard to ``EVENHAND_HOME``. Raises NoHomeError."""
    if sys.platform == "win32":
        base = _absolute("LOCALAPPDATA") or _home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = _home() / "Library" / "Application Support"
    else:
        base = _absolute("XDG_DATA_HOME") or _home() / ".local" / "share"
    return base / "evenhand"


def start_folder() -> Path:
    """The folder in which file dialogs begin: the person's home folder, or that of the data where there is none."""
    try:
        return _home()
    except NoHomeError:
        return data_folder()


def _absolute(variable: str) -> Path | None:
    """The folder that a variable names. A relative one is ignored, as the XDG Base Directory Specification wants."""
    path = Path(os.environ.get(variable, ""))
    return path if path.is_absolute() else None


def _home() -> Path:
    try:
        home = Path.home()
        if not home.is_absolute():
            raise RuntimeError("a relative home folder")
        return home
    except RuntimeError as error:
        said = tr(
            "Your user account has no home folder, so there is no place for your data. Set EVENHAND_HOME to a "
            "folder that you can write to."
        )
        raise NoHomeError(said) from error
