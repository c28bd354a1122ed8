"""What the examination needs of the machine that it runs on."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable

from installer.examine.failing import CannotExamineError

TOOLS = {
    "debootstrap": "debootstrap",
    "unshare": "util-linux",
    "Xvfb": "xvfb",
    "openbox": "openbox",
    "xdotool": "xdotool",
    "strace": "strace",
    "zstd": "zstd",
}
"""Each program and the package of Debian that brings it."""


def check_machine(
    *, find: Callable[[str], str | None] = shutil.which, user: Callable[[], int] = os.geteuid
) -> None:
    """Raise CannotExamineError, in one line with what to do, where something is missing."""
    missing = [tool for tool in TOOLS if find(tool) is None]
    if missing:
        packages = " ".join(dict.fromkeys(TOOLS[tool] for tool in missing))
        raise CannotExamineError(
            f"This machine lacks {', '.join(missing)}. Run: sudo apt-get install -y {packages}"
        )
    if user() != 0:
        raise CannotExamineError(
            "Only root can make a clean root and install a package in it. Run it with sudo."
        )


def check_namespaces() -> None:
    """Raise CannotExamineError where the kernel gives root no namespaces, as in most containers."""
    tried = subprocess.run(
        [*ISOLATED, "unshare", "--net", "true"], capture_output=True, text=True, check=False
    )
    if tried.returncode != 0:
        raise CannotExamineError(
            f"No namespaces can be made here ({tried.stderr.strip()}). Run it on a machine or in a virtual "
            "machine of its own, or in a container with all privileges."
        )


ISOLATED = (
    *("unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--mount-proc"),
)
"""Mounts and processes of a command that begins so are gone when it ends, however it ends."""
