"""The ``evenhand`` command: the one door to the command line, to training and to the window.

Standard library only; the room that a call needs is imported when it is needed.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import stat
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

WRONG = 2
HELP = """\
evenhand: marks wording that is not neutral, says why, and keeps every word on your machine.

  evenhand [FILE ...]            open the window
  evenhand --new                 open a window with an empty draft
  evenhand check FILE|- ...      find wording that is not neutral in files (see: evenhand check --help)
  evenhand rewrite FILE|-        rewrite sentences neutrally, one per line (see: evenhand rewrite --help)
  evenhand lsp                   serve an editor over the Language Server Protocol
  evenhand serve                 act as a LanguageTool server on this computer (see: evenhand serve --help)
  evenhand style ...             list, check and import style packs (see: evenhand style --help)
  evenhand models ...            list, choose and import models (see: evenhand models --help)
  evenhand train ...             train a model (needs torch: evenhand train setup; see: evenhand train --help)
  evenhand --version
  evenhand --help
"""
QT_LIBRARIES = (
    "sudo apt-get install -y libegl1 libgl1 libglib2.0-0 libxkbcommon0 libfontconfig1 libdbus-1-3 libxcb-cursor0 "
    "libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxkbcommon-x11-0"
)


class NoWindowError(Exception):
    """The window cannot be shown here. The message says why and how to see it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0, 1 (``check`` found something) or 2 (something wrong)."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        return _run(arguments)
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        from core.failures import describe_failure

        return _fail(
            f"Evenhand has failed ({describe_failure(error)}). This is a bug in Evenhand: report it with this line."
        )


def _run(arguments: list[str]) -> int:
    match arguments[:1]:
        case ["check" | "rewrite" | "models" | "lsp" | "serve" | "style"]:
            return _core(arguments)
        case ["train"]:
            return _train(arguments[1:])
        case ["try-model"]:
            # The packaged program calls itself: a model from outside is tried out in a process of its own.
            from core.models.load_check_process import main as check_model_loads

            return check_model_loads(arguments[1:])
        case ["--version"]:
            return _say(f"evenhand {_version()}")
        case ["--help" | "-h" | "help"]:
            return _say(HELP)
        case ["--new"]:
            return _open([], empty=True)
        case ["--"]:
            return _open(arguments[1:])
        case [option] if option.startswith("-"):
            return _fail(f"unknown option {option} (see: evenhand --help)")
    return _open(arguments)


def _open(paths: list[str], *, empty: bool = False) -> int:
    """Open the window on ``paths``, or ``empty``; where there can be none, print the analysis instead."""
    for path in paths:
        try:
            is_folder = stat.S_ISDIR(Path(path).stat().st_mode)
        except FileNotFoundError:
            return _fail(f"{path}: There is no such file. Check the name.")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            return _fail(f"{path}: This cannot be opened ({reason}). Check the name and its permissions.")
        if is_folder:
            return _fail(f"{path}: This is a folder. Name a file in it.")
    try:
        _check_display()
        run = _window()
    except NoWindowError as error:
        return _print_analysis(paths, str(error))
    return run(paths, empty=True) if empty else run(paths)


def _check_display() -> None:
    """Raise NoWindowError on a Linux without a display, or with one where Qt would abort."""
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM"):
        return
    if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        raise NoWindowError(
            "There is no display here, so this is the analysis as text. To see it in the window, run the same "
            "command on a desktop, or over ssh -X."
        )
    if os.environ.get("WAYLAND_DISPLAY"):
        return
    plugin = _xcb_plugin()
    if plugin is None:
        return
    try:
        ctypes.CDLL(str(plugin))
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError as error:
        raise _missing_library(error) from error
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    broken = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    if broken:
        raise NoWindowError(
            f"The display {os.environ['DISPLAY']} does not answer, so this is the analysis as text. To see it "
            "in the window, set DISPLAY to a display that runs."
        )


def _xcb_plugin() -> Path | None:
    """The Qt plugin for X11, if it lies where the PySide6 wheels put it."""
    spec = importlib.util.find_spec("PySide6")
    folders = (spec.submodule_search_locations if spec else None) or []
    plugins = (Path(folder, "Qt", "plugins", "platforms", "libqxcb.so") for folder in folders)
    return next((plugin for plugin in plugins if plugin.is_file()), None)


def _window() -> Callable[..., int]:
    """The function that runs the window. Raises NoWindowError if Qt or a library of it is missing."""
    try:
        import PySide6.QtWidgets  # noqa: F401
    except ModuleNotFoundError as error:
        raise NoWindowError(
            "PySide6 is not installed, so this is the analysis as text. To see it in the window, run: "
            "python -m pip install -e ."
        ) from error
    except ImportError as error:
        raise _missing_library(error) from error
    from core.paths import NoHomeError, data_folder

    try:
        data_folder()
    except NoHomeError as error:
        raise NoWindowError(f"The window cannot start, so this is the analysis as text. {error}") from error
    from app.settings.interface_language import set_interface_language

    # Before everything else of the app: tables of words are looked up when their modules are imported.
    set_interface_language()
    from app.start import run

    return run


def _missing_library(error: Exception) -> NoWindowError:
    return NoWindowError(
        f"The window cannot start ({error}), so this is the analysis as text. Install the system libraries "
        f"that it needs with: {QT_LIBRARIES}"
    )


def _print_analysis(paths: list[str], reason: str) -> int:
    from resources import ROOT

    files = paths or [str(ROOT / "samples" / "sample.md")]
    code = _core(["check", "--", *files])
    return code if code > 1 else _say(reason)


def _core(arguments: list[str]) -> int:
    from core.cli.main import main as run

    return run(arguments)


def _train(arguments: list[str]) -> int:
    """Train with the Python that can; what needs no torch is done by this one."""
    if arguments[:1] == ["setup"]:
        from core.cli.training_setup import main as set_up

        return set_up(arguments[1:])
    from core.training_env import find_training_python, setup_advice

    here = find_training_python()
    lists_runs = arguments[:1] == ["runs"] and importlib.util.find_spec("training") is not None
    if not lists_runs and here is None:
        return _fail(setup_advice())
    if not lists_runs and here is not None and here.managed:
        return here.run(arguments)
    from training.cli.main import main as run

    return run(arguments)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("evenhand")
    except PackageNotFoundError:
        return "(not installed)"


def _say(message: str) -> int:
    """Print a message; who has closed the pipe does not want it."""
    try:
        print(message.rstrip(), flush=True)
    except OSError as error:
        _discard(sys.stdout)
        if not isinstance(error, BrokenPipeError):
            return _fail(f"The output cannot be written ({error.strerror or error}).")
    return 0


def _fail(message: str) -> int:
    try:
        print(f"evenhand: {message}", file=sys.stderr, flush=True)
    except OSError:
        _discard(sys.stderr)
    return WRONG


def _discard(stream: TextIO) -> None:
    """Send what is still unwritten nowhere, so that the interpreter does not try again at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    sys.exit(main())
