"""The frozen program's first module: what must be in order before the ``evenhand`` command begins.

Standard library only until then. A program without a console (Windows, a double click) has no streams: what it says
goes into ``data_folder()/logs/evenhand.log``, an answer that would hold a draft's words nowhere.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import MutableMapping
from pathlib import Path
from types import TracebackType
from typing import TextIO

LOG = "evenhand.log"
LARGEST_LOG = 256 * 1024
"""Bytes; a larger log is put aside as ``evenhand.log.1`` when the program starts."""

CERTIFICATES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)
"""Where Debian, Fedora, openSUSE, and macOS, Alpine and Arch keep the certificates that the machine trusts."""


def main() -> int:
    """Run the command and return its exit code."""
    multiprocessing.freeze_support()
    restore_library_paths(os.environ)
    trust_the_machine(os.environ)
    if sys.stderr is None:
        from core.paths import data_folder

        sys.stderr = open_log(data_folder() / "logs")
        sys.excepthook = tell_without_words
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    from app.entry import main as run

    return run()


def restore_library_paths(variables: MutableMapping[str, str]) -> None:
    """Undo what the boot loader set for this process: a browser that it starts must find its own libraries."""
    for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
        before = variables.get(f"{name}_ORIG")
        if before is not None:
            variables[name] = before
        else:
            variables.pop(name, None)


def trust_the_machine(variables: MutableMapping[str, str]) -> None:
    """Name the machine's certificates: the ssl that came along may look for them where another system keeps them."""
    if {"SSL_CERT_FILE", "SSL_CERT_DIR"} & set(variables):
        return
    found = next((path for path in CERTIFICATES if Path(path).is_file()), None)
    if found is not None:
        variables["SSL_CERT_FILE"] = found


def open_log(folder: Path) -> TextIO:
    """The log in ``folder``, to be written to by this person only; nothing is kept where it cannot be opened."""
    path = folder / LOG
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > LARGEST_LOG:
            path.replace(path.with_name(f"{LOG}.1"))
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return os.fdopen(descriptor, "a", buffering=1, encoding="utf-8", errors="backslashreplace")
    except OSError:
        return Path(os.devnull).open("w", encoding="utf-8")


def tell_without_words(kind: type[BaseException], _error: BaseException, trace: TracebackType | None) -> None:
    """Write an error's type and frames; its message could quote a draft."""
    import traceback

    print(kind.__name__, file=sys.stderr)
    for frame in traceback.extract_tb(trace):
        print(f"  {Path(frame.filename).name}:{frame.lineno} in {frame.name}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
