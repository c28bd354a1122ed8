"""Where things lie: a person's data (never inside the program's own folder), and the models that come along."""

from __future__ import annotations

import os
import sys
from pathlib import Path

MODELS = "EVENHAND_MODELS"
"""The environment variable that tells another Python, whose copy of this program has no models, where they lie."""


def models_folder() -> Path:
    """The folder of the models that come with the program."""
    from resources import ROOT

    named = os.environ.get(MODELS)
    return Path(named) if named else ROOT / "models"


def data_folder() -> Path:
    """Evenhand's folder in the person's data folder, by the habits of each system. It may not exist yet.

    ``EVENHAND_HOME`` names another.
    """
    named = os.environ.get("EVENHAND_HOME")
    return Path(named) if named else default_data_folder()


def default_data_folder() -> Path:
    """Evenhand's folder where the system wants it, whatever ``EVENHAND_HOME`` says."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "evenhand"
