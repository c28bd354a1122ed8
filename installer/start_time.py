"""How long a packaged program takes to start: ``python -m installer.start_time PROGRAM`` (Linux, Xvfb and xdotool).

Prints, for each start and for the median, the seconds from the start of the process until its window is shown, and
until a typed letter has changed the draft, as seen in the title. The program is unmodified. A first start, which fills
the disk cache, does not count.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

RUNS = 5
_TIMEOUT_S = 60
_NAME = "draft.txt"


def main() -> None:
    """Measure and print."""
    program = Path(sys.argv[1]).resolve()
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read) as pipe:
            display = f":{pipe.readline().strip()}"
        rows = [_measure(program, display) for _ in range(RUNS + 1)][1:]
    finally:
        server.terminate()
        server.wait()
    print("           window    typed letter")
    for number, row in enumerate(rows, start=1):
        print(f"start {number}  {row[0]:6.2f} s  {row[1]:10.2f} s")
    shown, typed = (statistics.median(row[at] for row in rows) for at in (0, 1))
    print(f"median   {shown:6.2f} s  {typed:10.2f} s")


def _measure(program: Path, display: str) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        draft = Path(folder, _NAME)
        draft.write_text("The chairman reveals a shameful record.\n", encoding="utf-8")
        own = {"HOME": folder, "EVENHAND_HOME": f"{folder}/data", "XDG_CONFIG_HOME": f"{folder}/config"}
        environment = {**os.environ, **own, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "LC_ALL": "C.UTF-8"}
        began = time.monotonic()
        child = subprocess.Popen([program, draft], env=environment, stderr=subprocess.DEVNULL)
        try:
            window = _wait(environment, "search", "--onlyvisible", "--name", _NAME).split()[-1]
            shown = time.monotonic() - began
            before = _ask(environment, "getwindowname", window)
            while _ask(environment, "getwindowname", window) == before:
                _ask(environment, "windowfocus", window, "key", "x")
                if time.monotonic() - began > _TIMEOUT_S:
                    raise SystemExit(f"{program} shows a window, but no letter can be typed.")
            return shown, time.monotonic() - began
        finally:
            child.kill()
            child.wait()


def _wait(environment: Mapping[str, str], *asked: str) -> str:
    until = time.monotonic() + _TIMEOUT_S
    while time.monotonic() < until:
        if output := _ask(environment, *asked):
            return output
    raise SystemExit("No window came. Start the program by hand to see why.")


def _ask(environment: Mapping[str, str], *asked: str) -> str:
    done = subprocess.run(["xdotool", *asked], env=environment, capture_output=True, text=True, check=False)
    return done.stdout.strip()


if __name__ == "__main__":
    main()
