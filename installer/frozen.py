"""The entry point of the frozen program: prepares environment and streams, then runs the ``evenhand`` command.

Standard library only until then. A program without a console (Windows, a double click) has no streams: its messages go
to ``data_folder()/logs/evenhand.log``; output that could hold words of a draft is discarded.
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
"""Bytes; a larger log is renamed to ``evenhand.log.1`` when the program starts."""

CERTIFICATES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)
"""The certificate bundles of Debian, Fedora, openSUSE, and of macOS, Alpine and Arch."""


def main() -> int:
    """Run the command and return its exit code."""
    multiprocessing.freeze_support()
    restore_library_paths(os.environ)
    use_system_certificates(os.environ)
    if sys.stderr is None:
        from core.paths import data_folder

        sys.stderr = open_log(data_folder() / "logs")
        sys.excepthook = log_without_message
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    from app.entry import main as run

    return run()


def restore_library_paths(variables: MutableMapping[str, str]) -> None:
    """Undo the boot loader's changes to the library path: a browser that is started must find its own libraries."""
    for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
        before = variables.get(f"{name}_ORIG")
        if before is not None:
            variables[name] = before
        else:
            variables.pop(name, None)


def use_system_certificates(variables: MutableMapping[str, str]) -> None:
    """Set the path of the system's certificates, which the bundled ssl may look for elsewhere."""
    if {"SSL_CERT_FILE", "SSL_CERT_DIR"} & set(variables):
        return
    found = next((path for path in CERTIFICATES if Path(path).is_file()), None)
    if found is not None:
        variables["SSL_CERT_FILE"] = found


def open_log(folder: Path) -> TextIO:
    """The log in ``folder``, writable by the user only; a discarding stream where it cannot be opened."""
    path = folder / LOG
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > LARGEST_LOG:
            path.replace(path.with_name(f"{LOG}.1"))
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return os.fdopen(descriptor, "a", buffering=1, encoding="utf-8", errors="backslashreplace")
    except OSError:
        return Path(os.devnull).open("w", encoding="utf-8")


def log_without_message(
    kind: type[BaseException], _error: BaseException, trace: TracebackType | None
) -> None:
    """Log the type and frames of an error, without its message, which could quote a draft."""
    import traceback

    print(kind.__name__, file=sys.stderr)
    for frame in traceback.extract_tb(trace):
        print(f"  {Path(frame.filename).name}:{frame.lineno} in {frame.name}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
