"""What of the libraries goes into the frozen program and what stays out. Weighed with ``python -m installer.weigh``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.metadata import distribution
from pathlib import Path, PurePosixPath

Entry = tuple[str, str, str]
"""A file that PyInstaller found: its place in the program, where it lies now, its kind."""

EXCLUDED = (
    # Belongs to the machine that retrains.
    "training",
    "torch",
    "transformers",
    # Asked for only by what is not used: converters, downloads, drawing in three dimensions, terminals.
    "IPython",
    "OpenGL",
    "PIL",
    "anyio",
    "curses",
    "filelock",
    "fsspec",
    "google.protobuf",
    "hf_xet",
    "httpx2",
    "huggingface_hub",
    "matplotlib",
    "numpy.f2py",
    "numpy.testing",
    "onnxruntime.quantization",
    "onnxruntime.tools",
    "onnxruntime.transformers",
    "pip",
    "pyqtgraph.examples",
    "pyqtgraph.opengl",
    "scipy",
    "setuptools",
    "sqlalchemy.dialects.mssql",
    "sqlalchemy.dialects.mysql",
    "sqlalchemy.dialects.oracle",
    "sqlalchemy.dialects.postgresql",
    "sqlalchemy.testing",
    "tkinter",
    "tqdm",
    "yaml",
    # pyqtgraph does without these, and so does the window.
    "PySide6.QtDBus",
    "PySide6.QtNetwork",
    "PySide6.QtTest",
    # Under the GPL, and there is no prompt here.
    "readline",
)
"""Modules that are left out."""

HIDDEN = ("PySide6.QtOpenGL", "PySide6.QtOpenGLWidgets")
"""Modules that are imported by a name put together at run time: pyqtgraph asks for these."""

DISTRIBUTIONS = (
    "PySide6_Essentials",
    "shiboken6",
    "numpy",
    "onnxruntime",
    "tokenizers",
    "markdown-it-py",
    "mdurl",
    "ctranslate2",
    "SQLAlchemy",
    "typing_extensions",
    "pyqtgraph",
    "colorama",
)
"""The distributions whose code is inside; their metadata comes along (*Help ▸ Problems* tells their versions)."""

PLUGINS = {
    "platforms": {"xcb", "wayland", "offscreen", "windows", "cocoa"},
    "platformthemes": {"gtk3", "xdgdesktopportal"},
    "platforminputcontexts": {"composeplatforminputcontextplugin", "ibusplatforminputcontextplugin"},
    "styles": {"modernwindowsstyle", "macstyle"},
    "iconengines": {"svgicon"},
    "imageformats": {"svg"},
    "wayland-shell-integration": {"xdg-shell"},
    "wayland-decoration-client": {"adwaita", "bradient"},
}
"""The plugins of Qt that are taken, by folder. No TLS: only Python's own ssl goes to the network."""

FROM_SYSTEM = (
    # What the Python of the build needs, and the small xcb libraries that many desktops lack.
    r"libpython3",
    r"libssl\.",
    r"libcrypto\.",
    r"libsqlite3\.",
    r"libffi\.",
    r"libbz2\.",
    r"liblzma\.",
    r"libuuid\.",
    r"libxcb-(cursor|icccm|image|keysyms|render-util|util)\.",
)
"""Libraries of the build machine that are taken along. All others are the person's own system's (`installer.needs`)."""

_QT_LIBRARIES = {
    "Core",
    "DBus",
    "Gui",
    "OpenGL",
    "OpenGLWidgets",
    "Svg",
    "WaylandClient",
    "Widgets",
    "WlShellIntegration",
    "XcbQpa",
}
_QT_LIBRARY = re.compile(r"(?:lib)?Qt6?([A-Z]\w*?)(?:\.so.*|\.dll|\.framework)?$")
_PLUGIN = re.compile(r"PySide6/(?:Qt/)?plugins/([\w-]+)/(?:lib)?q?(\w[\w-]*?)\.(?:so|dll|dylib)$")
_TRANSLATION = re.compile(r"PySide6/(?:Qt/)?translations/")
_NOT_USED = re.compile(
    r"""
    PySide6/(?:Qt/)?(?:qml|resources|libexec)/ | PySide6/opengl32sw
    | .*\.(?:pyi|pxd|h|c|a|lib)$ | .*/py\.typed$
    | pyqtgraph/(?:examples|icons/peegee)/
    | evenhand[-.\w]*\.(?:egg|dist)-info
    """,
    re.VERBOSE,
)
_SOURCES = {".py", ".po", ".cfg"}
_SYSTEM_FOLDERS = ("/usr/lib", "/lib", "/usr/local/lib", "/opt/homebrew")
_PYTHONS_OWN = re.compile(r"/python3[.\d]*/")


def data(root: Path) -> list[tuple[str, str]]:
    """(file, folder in the program) of all that ``resources`` holds for the running program, and what is new in it."""
    files = (path for path in sorted((root / "resources").rglob("*")) if path.is_file())
    held = [path for path in files if path.suffix not in _SOURCES and "__pycache__" not in path.parts]
    return [(str(path), path.parent.relative_to(root).as_posix()) for path in (*held, root / "CHANGELOG.md")]


def metadata() -> list[tuple[str, str]]:
    """(file, folder in the program) of what each distribution inside says about itself."""
    found = []
    for name in DISTRIBUTIONS:
        path = Path(str(distribution(name).locate_file("")), _info_folder(name), "METADATA")
        found.append((str(path), path.parent.name))
    return found


def kept(entries: Iterable[Entry], languages: Iterable[str]) -> list[Entry]:
    """The entries that go into the program, sorted by place; ``languages`` are those that the window speaks."""
    spoken = tuple(languages)
    return sorted(entry for entry in entries if _is_kept(entry, spoken))


def _is_kept(entry: Entry, languages: tuple[str, ...]) -> bool:
    place, source, _kind = entry
    place = place.replace("\\", "/")
    if _NOT_USED.match(place):
        return False
    plugin = _PLUGIN.match(place)
    if plugin:
        return plugin[2] in PLUGINS.get(plugin[1], ())
    if _TRANSLATION.match(place):
        return PurePosixPath(place).stem in {f"qtbase_{language}" for language in languages}
    name = PurePosixPath(place).name
    library = _QT_LIBRARY.match(name)
    if library and not name.endswith(".abi3.so"):
        return library[1] in _QT_LIBRARIES
    return not _is_foreign(name, source)


def _info_folder(name: str) -> str:
    files = distribution(name).files or ()
    return next(file.parts[0] for file in files if file.name == "METADATA" and len(file.parts) == 2)


def is_of_system(source: str) -> bool:
    """Whether a file was taken from the build machine's system, and not from Python or a distribution."""
    return source.startswith(_SYSTEM_FOLDERS) and not _PYTHONS_OWN.search(source)


def _is_foreign(name: str, source: str) -> bool:
    """Whether it is a library of the build machine that the person's system has, too."""
    return is_of_system(source) and not any(re.match(pattern, name) for pattern in FROM_SYSTEM)
