"""Requirements on the machine that runs the examination."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable

from installer.examine.results import CannotExamineError

TOOLS = {
    "debootstrap": "debootstrap",
    "unshare": "util-linux",
    "Xvfb": "xvfb",
    "openbox": "openbox",
    "xdotool": "xdotool",
    "strace": "strace",
    "zstd": "zstd",
}
"""Required programs and their Debian packages."""


def check_machine(
    *, find: Callable[[str], str | None] = shutil.which, user: Callable[[], int] = os.geteuid
) -> None:
    """Raise CannotExamineError where a program is missing or the user is not root."""
    missing = [tool for tool in TOOLS if find(tool) is None]
    if missing:
        packages = " ".join(dict.fromkeys(TOOLS[tool] for tool in missing))
        raise CannotExamineError(
            f"This machine lacks {', '.join(missing)}. Run: sudo apt-get install -y {packages}"
        )
    if user() != 0:
        raise CannotExamineError(
            "Only root can create a clean root and install a package in it. Run it with sudo."
        )


def check_namespaces() -> None:
    """Raise CannotExamineError where namespaces cannot be created, as in most containers."""
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
"""A prefix for commands: their mounts and processes are gone when they end, however they end."""
