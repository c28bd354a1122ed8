"""The folders of a person's data and of the bundled models."""

from __future__ import annotations

import os
import sys
from pathlib import Path

MODELS = "EVENHAND_MODELS"
"""The environment variable that names the models' folder for an interpreter whose copy of the program has no models."""


def models_folder() -> Path:
    """The folder of the bundled models."""
    from resources import ROOT

    named = os.environ.get(MODELS)
    return Path(named) if named else ROOT / "models"


def data_folder() -> Path:
    """The folder of the person's data, at the place that each system has for it. It may not exist yet.

    The environment variable ``EVENHAND_HOME`` overrides it.
    """
    named = os.environ.get("EVENHAND_HOME")
    return Path(named) if named else default_data_folder()


def default_data_folder() -> Path:
    """The same without regard to ``EVENHAND_HOME``."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "evenhand"
