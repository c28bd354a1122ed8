"""Wheels of a few lines that stand in for torch and the others, and a program that brings its own wheel."""

from __future__ import annotations

import base64
import hashlib
import sys
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

TORCH = '__version__ = "2.9.1+cpu"\n\n\nclass version:\n    cuda = None\n'
ENTRY = """
import sys

print("entry", *sys.argv[1:])
sys.exit(0 if sys.argv[1:] == ["train", "list"] else 7)
"""
NEEDS = (
    "numpy>=1",
    "PySide6-Essentials>=6.8",
    'torch<3,>=2.6; extra == "train"',
    'transformers; extra == "train"',
    'safetensors; python_version >= "3.11" and extra == "train"',
    'scikit-learn>=1; extra == "train"',
    'pytest; extra == "dev"',
)


def write_wheel(
    folder: Path, name: str, version: str, *, files: Mapping[str, str], needs: Sequence[str] = ()
) -> Path:
    """A wheel for every Python with these files in it."""
    plain = name.replace("-", "_")
    facts = f"{plain}-{version}.dist-info"
    metadata = [
        "Metadata-Version: 2.1",
        f"Name: {name}",
        f"Version: {version}",
        *(f"Requires-Dist: {one}" for one in needs),
    ]
    kept = dict(files) | {
        f"{facts}/METADATA": "\n".join(metadata) + "\n",
        f"{facts}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    rows = [f"{place},sha256={_digest(text)},{len(text.encode())}" for place, text in kept.items()]
    kept[f"{facts}/RECORD"] = "\n".join([*rows, f"{facts}/RECORD,,"]) + "\n"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{plain}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for place, text in kept.items():
            archive.writestr(place, text)
    return path


def write_wheels(folder: Path) -> Path:
    """A folder with all that the tiny program needs to train."""
    write_wheel(folder, "torch", "2.9.1+cpu", files={"torch/__init__.py": TORCH}, needs=["filelock"])
    write_wheel(folder, "filelock", "3.0", files={"filelock.py": ""})
    write_wheel(folder, "numpy", "1.0", files={"numpy.py": ""})
    write_wheel(folder, "transformers", "5.0", files={"transformers.py": ""})
    write_wheel(folder, "safetensors", "1.0", files={"safetensors.py": ""})
    write_wheel(folder, "scikit-learn", "1.5", files={"sklearn.py": ""})
    return folder


def write_program(folder: Path, monkeypatch: pytest.MonkeyPatch, *, version: str = "9.9") -> Path:
    """Make this process look like a frozen program in ``folder`` that brings its wheel. A Python is on the path."""
    files = {"app/__init__.py": "", "app/entry.py": ENTRY}
    write_wheel(folder / "wheels", "evenhand", version, files=files, needs=NEEDS)
    path = folder / "path"
    path.mkdir(exist_ok=True)
    python = path / "python3"
    if not python.exists():
        python.symlink_to(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(folder / "evenhand"))
    monkeypatch.setenv("PATH", f"{path}:/usr/bin:/bin")
    return folder


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
