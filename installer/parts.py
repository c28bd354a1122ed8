"""Which files of the libraries go into the frozen program. See ``python -m installer.sizes`` for their sizes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.metadata import distribution
from pathlib import Path, PurePosixPath

Entry = tuple[str, str, str]
"""A file that PyInstaller found: its path in the program, its present path, its type."""

EXCLUDED = (
    # Only needed for training.
    "training",
    "torch",
    "transformers",
    # Imported only by unused features: converters, downloads, 3D graphics, terminals.
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
    # Optional for pyqtgraph and not used by the window.
    "PySide6.QtDBus",
    "PySide6.QtNetwork",
    "PySide6.QtTest",
    # Licensed under the GPL and not used.
    "readline",
)
"""Modules that are left out."""

HIDDEN = ("PySide6.QtOpenGL", "PySide6.QtOpenGLWidgets")
"""Modules that pyqtgraph imports by a name composed at run time."""

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
    "py3langid",
    "pygls",
    "lsprotocol",
    "attrs",
    "cattrs",
    "waitress",
    "google-re2",
    "PyYAML",
    "mdit-py-plugins",
    "python-docx",
    "lxml",
    "odfpy",
    "spylls",
    "defusedxml",
)
"""The bundled distributions; their metadata is included, since *Help ▸ Problems* shows their versions."""

WITH_DATA = ("py3langid", "docx")
"""Modules that need the data files beside them."""

PLUGINS = {
    "platforms": {"xcb", "wayland", "offscreen", "windows", "cocoa"},
    "platformthemes": {"gtk3", "xdgdesktopportal"},
    "platforminputcontexts": {"composeplatforminputcontextplugin", "ibusplatforminputcontextplugin"},
    "styles": {"modernwindowsstyle", "macstyle"},
    "iconengines": {"svgicon"},
    "printsupport": {"cupsprintersupport"},
    "imageformats": {"svg"},
    "wayland-shell-integration": {"xdg-shell"},
    "wayland-decoration-client": {"adwaita", "bradient"},
}
"""The Qt plugins to include, by folder. No TLS: network access uses Python's ssl."""

FROM_SYSTEM = (
    # Needed by the Python of the build, and small xcb libraries that many desktops lack.
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
"""Libraries of the build machine to include. All others come from the user's system (`installer.dependencies`)."""

_QT_LIBRARIES = {
    "Core",
    "DBus",
    "Gui",
    "OpenGL",
    "OpenGLWidgets",
    "PrintSupport",
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
_PYTHON_FOLDER = re.compile(r"/python3[.\d]*/")


def data(root: Path) -> list[tuple[str, str]]:
    """(file, folder in the program) of what is needed of ``resources``, the changelog, and the guide with pictures."""
    files = (path for path in sorted((root / "resources").rglob("*")) if path.is_file())
    needed = [path for path in files if path.suffix not in _SOURCES and "__pycache__" not in path.parts]
    pictures = sorted((root / "docs" / "pictures").glob("*.png"))
    shown = (root / "CHANGELOG.md", root / "docs" / "usage.md", *pictures)
    return [(str(path), path.parent.relative_to(root).as_posix()) for path in (*needed, *shown)]


def metadata() -> list[tuple[str, str]]:
    """(file, folder in the program) of the metadata of each bundled distribution."""
    found = []
    for name in DISTRIBUTIONS:
        path = Path(str(distribution(name).locate_file("")), _info_folder(name), "METADATA")
        found.append((str(path), path.parent.name))
    return found


def select_entries(entries: Iterable[Entry], languages: Iterable[str]) -> list[Entry]:
    """The entries to include, sorted by path; ``languages`` are those of the interface."""
    wanted_languages = tuple(languages)
    return sorted(entry for entry in entries if _is_included(entry, wanted_languages))


def _is_included(entry: Entry, languages: tuple[str, ...]) -> bool:
    path_in_program, source, _kind = entry
    path_in_program = path_in_program.replace("\\", "/")
    if _NOT_USED.match(path_in_program):
        return False
    plugin = _PLUGIN.match(path_in_program)
    if plugin:
        return plugin[2] in PLUGINS.get(plugin[1], ())
    if _TRANSLATION.match(path_in_program):
        return PurePosixPath(path_in_program).stem in {f"qtbase_{language}" for language in languages}
    name = PurePosixPath(path_in_program).name
    library = _QT_LIBRARY.match(name)
    if library and not name.endswith(".abi3.so"):
        return library[1] in _QT_LIBRARIES
    return not _is_foreign(name, source)


def _info_folder(name: str) -> str:
    files = distribution(name).files or ()
    return next(file.parts[0] for file in files if file.name == "METADATA" and len(file.parts) == 2)


def is_of_system(source: str) -> bool:
    """Whether a file comes from the build machine's system, not from Python or a distribution."""
    return source.startswith(_SYSTEM_FOLDERS) and not _PYTHON_FOLDER.search(source)


def _is_foreign(name: str, source: str) -> bool:
    """Whether it is a library of the build machine that is not to be included."""
    return is_of_system(source) and not any(re.match(pattern, name) for pattern in FROM_SYSTEM)
