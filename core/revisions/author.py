"""Whose name tracked changes carry where none is given: that of the login."""

from __future__ import annotations

import getpass
import importlib
import os
import sys
from datetime import datetime
from typing import Any

from core.revisions.types import Stamp

MAX_NAME = 255
"""Word refuses longer names of authors."""
_UNKNOWN = "Author"
"""What Word itself writes where it knows no name."""
_DISPLAY_NAME = 3


def clean_name(name: str) -> str:
    """A name as a docx can hold it: on one line, without control characters, not too long; may be empty."""
    plain = "".join(character if character.isprintable() else " " for character in name)
    return " ".join(plain.split())[:MAX_NAME]


def login_name() -> str:
    """The full name of the person who is logged in, else the name of the login."""
    full = _windows_name() if sys.platform == "win32" else _unix_name()
    return clean_name(full) or clean_name(_short_name()) or _UNKNOWN


def _unix_name() -> str:
    """The first field of the comment of the login, where ``&`` stands for its name."""
    try:
        entry: Any = importlib.import_module("pwd").getpwuid(os.getuid())
    except (ImportError, KeyError):
        return ""
    name: str = entry.pw_gecos.partition(",")[0]
    return name.replace("&", entry.pw_name.capitalize())


def _windows_name() -> str:
    ctypes: Any = importlib.import_module("ctypes")
    size = ctypes.c_ulong(0)
    ask = ctypes.windll.secur32.GetUserNameExW
    ask(_DISPLAY_NAME, None, ctypes.byref(size))
    buffer = ctypes.create_unicode_buffer(size.value or 1)
    return str(buffer.value) if ask(_DISPLAY_NAME, buffer, ctypes.byref(size)) else ""


def _short_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def stamp_now(author: str) -> Stamp:
    """A stamp with this time; an empty name of an author becomes that of the login."""
    return Stamp(clean_name(author) or login_name(), datetime.now().astimezone())
