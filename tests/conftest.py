"""What every test gets: no real display, no real settings, and a failure for what it leaves behind."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from pytestqt.qtbot import QtBot

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
# What is misspelled must not depend on the dictionaries of this computer.
os.environ.setdefault("EVENHAND_DICTIONARIES", str(Path(__file__).parent / "no-dictionaries"))
# Tests run side by side: torch would keep a thread for every core in each of them.
os.environ.setdefault("OMP_NUM_THREADS", "1")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Begun in a shell's background, where Ctrl+C is ignored by all children too: tests of it would wait for ever.
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "evenhand",
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
    # New cases are sought on the desk; in CI the same code has the same answer twice.
    derandomize=os.environ.get("CI") == "true",
)
settings.load_profile("evenhand")

HARMLESS = (
    # Said by the offscreen platform on machines that lack what a desktop has; says nothing about the app.
    "This plugin does not support",
    "propagateSizeHints",
    "QFontDatabase: Cannot find font directory",
    "XDG_RUNTIME_DIR not set",
    "Failed to create platform integration",
)
GRACE_S = 5.0
"""How long a thread that is ending may take to end; a test waits for it no longer than it needs."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Fail every test that makes Qt warn."""
    for item in items:
        item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
        item.add_marker(pytest.mark.qt_log_ignore(*HARMLESS, extend=True))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say how to have this order again: a quiet run has no header that would."""
    if (seed := config.getoption("randomly_seed", None)) is not None:
        terminalreporter.write_line(f"order: --randomly-seed={seed}")


@pytest.fixture(scope="session")
def tiny_bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a reader bundle that opens in a moment. Copy it before changing it."""
    from tests.tiny import make_bundle

    return make_bundle(tmp_path_factory.mktemp("bundle") / "reader")


@pytest.fixture(scope="session")
def tiny_rewriter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a rewriter bundle with known answers. Copy it before changing it."""
    from tests.tiny_rewriter import make_rewriter

    return make_rewriter(tmp_path_factory.mktemp("rewriter") / "rewriter")


@pytest.fixture(scope="session")
def class_bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As `tiny_bundle`, with a graph that tells the guide's classes."""
    from tests.tiny import make_bundle

    return make_bundle(tmp_path_factory.mktemp("class-bundle") / "reader", classes=True)


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings, data and caches lie in the test's own folder."""
    home = tmp_path / "home"
    places = {
        "HOME": home,
        "USERPROFILE": home,
        "APPDATA": home / "roaming",
        "LOCALAPPDATA": home / "local",
        "XDG_CONFIG_HOME": home / "config",
        "XDG_DATA_HOME": home / "data",
        "XDG_CACHE_HOME": home / "cache",
        "XDG_STATE_HOME": home / "state",
    }
    for name, folder in places.items():
        monkeypatch.setenv(name, str(folder))
    core = sys.modules.get("PySide6.QtCore")
    if core is not None:
        core.QStandardPaths.setTestModeEnabled(True)
        for form in (core.QSettings.Format.NativeFormat, core.QSettings.Format.IniFormat):
            core.QSettings.setPath(form, core.QSettings.Scope.UserScope, str(home / "config"))


PATIENCE_MS = 60_000
"""How long what a test of a window waits for may take on a busy computer; none waits longer than it needs."""


class PatientBot(QtBot):
    """Waits as long as a busy computer needs; five seconds are the plugin's own."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE_MS) -> None:
        """As the plugin's."""
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE_MS, **options: Any) -> Any:
        """As the plugin's."""
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitExposed(self, widget: Any, *, timeout: int = PATIENCE_MS) -> Any:
        """As the plugin's."""
        return super().waitExposed(widget, timeout=timeout)


@pytest.fixture
def qtbot(qapp: object, request: pytest.FixtureRequest) -> QtBot:
    """The plugin's, with more patience."""
    return PatientBot(request)


@pytest.fixture(autouse=True)
def _dressed(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every test of a window begins with the theme that the app starts with, and with no modifier key held down,
    whatever the tests before it left: ``QTest.keyClick`` leaves its modifiers set, and lists select by them.
    """
    if not {"qapp", "qtbot"} & set(request.fixturenames):
        yield
        return
    from PySide6.QtCore import QEvent, QLocale, Qt
    from PySide6.QtGui import QAccessible
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QWidget

    from app.widgets.theme import apply_theme

    app = request.getfixturevalue("qapp")
    if app.keyboardModifiers() != Qt.KeyboardModifier.NoModifier:
        QTest.keyRelease(QWidget(), Qt.Key.Key_Control)
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    apply_theme(app, "system")
    font, locale, heard = app.font(), QLocale(), QAccessible.isActive()
    yield
    app.setFont(font)
    QLocale.setDefault(locale)
    QAccessible.setActive(heard)
    app.clipboard().clear()
    while app.overrideCursor() is not None:
        app.restoreOverrideCursor()


@pytest.fixture(autouse=True)
def _searched_here() -> None:
    """Have Python look for garbage between tests only, in this thread.

    A window that was closed is garbage. A search that begins in a thread of the next test would destroy its widgets
    there, while Qt walks over them here. The app itself takes care of that (``app.main_window.garbage_collection``).
    """
    gc.disable()
    gc.collect(0)


@pytest.fixture(autouse=True, scope="module")
def _searched_whole() -> Iterator[None]:
    """What outlived its own test goes with its module."""
    yield
    gc.collect()


@pytest.fixture(autouse=True)
def _no_threads_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a Python thread, a Qt thread or work in Qt's pool behind."""
    before = set(threading.enumerate())
    yield
    left = [thread for thread in threading.enumerate() if thread not in before and not _is_foreign(thread)]
    for thread in left:
        thread.join(GRACE_S)
    names = [thread.name for thread in left if thread.is_alive()]
    if "PySide6.QtCore" in sys.modules and {"qapp", "qtbot"} & set(request.fixturenames):
        names += _qt_threads()
    assert not names, f"threads left behind: {', '.join(names)}"


def _is_foreign(thread: threading.Thread) -> bool:
    """Whether it is none of ours: Python only met it and did not start it, or it watches a library's progress bars."""
    return isinstance(thread, threading._DummyThread) or thread.name == "tqdm_monitor"


def _qt_threads() -> list[str]:
    from PySide6.QtCore import QThread, QThreadPool
    from shiboken6 import isValid

    names = []
    if not QThreadPool.globalInstance().waitForDone(int(GRACE_S * 1000)):
        names.append("Qt's global pool")
    main = QThread.currentThread()
    for thing in gc.get_objects():
        if issubclass(type(thing), QThread) and isValid(thing) and thing != main and thing.isRunning():
            thing.wait(int(GRACE_S * 1000))
            if thing.isRunning():
                names.append(thing.objectName() or type(thing).__name__)
    return names
