"""The author of tracked changes: the given name, else that of the user account."""

from __future__ import annotations

import getpass
import os
import sys
from datetime import datetime

from core.revisions.types import Stamp

MAX_NAME = 255
"""Word refuses longer names of authors."""
_UNKNOWN = "Author"
"""What Word itself writes if it knows no name."""
_DISPLAY_NAME = 3
"""``NameDisplay`` of Windows."""


def clean_name(name: str) -> str:
    """A name as a docx can hold it: on one line, without control characters, not too long; may be empty."""
    plain = "".join(character if character.isprintable() else " " for character in name)
    return " ".join(plain.split())[:MAX_NAME]


def login_name() -> str:
    """The full name of the person who is logged in, else the name of the user account."""
    return clean_name(_full_name()) or clean_name(_short_name()) or _UNKNOWN


def _full_name() -> str:
    """The name that the system shows for the user account; empty if it has none."""
    if sys.platform == "win32":
        import ctypes

        size = ctypes.c_ulong(0)
        ask = ctypes.windll.secur32.GetUserNameExW
        ask(_DISPLAY_NAME, None, ctypes.byref(size))
        buffer = ctypes.create_unicode_buffer(size.value or 1)
        return buffer.value if ask(_DISPLAY_NAME, buffer, ctypes.byref(size)) else ""
    import pwd

    try:
        entry = pwd.getpwuid(os.getuid())
    except KeyError:
        return ""
    # The first field of the comment; ``&`` in it stands for the name of the login.
    return entry.pw_gecos.partition(",")[0].replace("&", entry.pw_name.capitalize())


def _short_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def stamp_now(author: str) -> Stamp:
    """A stamp with the present time; an empty ``author`` becomes the name of the user account."""
    return Stamp(clean_name(author) or login_name(), datetime.now().astimezone())
