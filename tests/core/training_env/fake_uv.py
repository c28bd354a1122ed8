"""A stand-in for uv that is quick: an environment without pip, and wheels unpacked from the folder that is named.

Beside it, a file ``act`` says what it does instead: ``hang`` (with a child of its own; both write their number into
``pids``), or ``say …`` and fail. It writes its calls into ``calls``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

SCRIPT = """#!{python}
import json, os, pathlib, subprocess, sys, time, zipfile

here = pathlib.Path(__file__).parent
arguments = sys.argv[1:]
with (here / "calls").open("a") as calls:
    print(json.dumps([arguments, {{name: os.environ.get(name) for name in ("TMPDIR", "PIP_INDEX_URL", "UV_OFFLINE")}}]),
          file=calls)
if arguments[0] == "venv":
    subprocess.run([arguments[arguments.index("--python") + 1], "-I", "-m", "venv", "--without-pip", arguments[-1]],
                   check=True)
    sys.exit()
act = (here / "act").read_text() if (here / "act").exists() else ""
if act == "hang":
    child = subprocess.Popen(["sleep", "600"])
    (here / "pids.tmp").write_text(f"{{os.getpid()}} {{child.pid}}")
    (here / "pids.tmp").rename(here / "pids")
    print("Downloading torch", flush=True)
    time.sleep(600)
if act.startswith("say "):
    sys.exit(act[4:])
python = pathlib.Path(arguments[arguments.index("--python") + 1])
site = next(python.parent.parent.glob("lib/python*/site-packages"))
folder = pathlib.Path(arguments[arguments.index("--find-links") + 1])
for wanted in arguments[arguments.index("--find-links") + 2:]:
    name = wanted.split(";")[0].split(">")[0].split("=")[0].split("<")[0].strip().replace("-", "_")
    for wheel in folder.glob(f"{{name}}-*.whl"):
        print(f" + {{wheel.name}}")
        zipfile.ZipFile(wheel).extractall(site)
"""


def write_uv(folder: Path) -> Path:
    """Put it into a folder of the path."""
    program = folder / "uv"
    program.write_text(SCRIPT.format(python=Path(getattr(sys, "_base_executable", sys.executable)).resolve()))
    program.chmod(0o755)
    return program


def still_running(folder: Path) -> list[int]:
    """Which of the two processes of a ``hang`` live; one that only waits to be reaped does not."""
    pids = [int(pid) for pid in (folder / "pids").read_text().split()]
    return [pid for pid in pids if _lives(pid)]


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        status = Path(f"/proc/{pid}/stat")
        return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
