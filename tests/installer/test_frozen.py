"""Protects the frozen program's start: streams that are not there, a log without a draft's words, others' libraries."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from installer import frozen
from installer.project import ROOT

SECRET = "the senator's infamous unpublished words"
WINDOWED = """
import sys, runpy
sys.stdout = sys.stderr = None
sys.argv = ["evenhand", *sys.argv[1:]]
sys.exit(runpy.run_path("installer/frozen.py", run_name="frozen")["main"]())
"""


def windowed(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The frozen entry as Windows starts it by a double click: without streams."""
    environment = os.environ | {"EVENHAND_HOME": str(home), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", WINDOWED, *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_what_goes_wrong_without_a_console_is_in_the_log(tmp_path: Path) -> None:
    done = windowed(tmp_path, "--nonsense")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")
    log = tmp_path / "logs" / frozen.LOG
    assert "unknown option --nonsense" in log.read_text()
    if os.name == "posix":
        assert log.stat().st_mode & 0o777 == 0o600
        assert log.parent.stat().st_mode & 0o777 == 0o700


def test_output_without_a_console_is_discarded(tmp_path: Path) -> None:
    done = windowed(tmp_path, "--version")
    assert done.returncode == 0
    assert (tmp_path / "logs" / frozen.LOG).read_text() == ""


def test_a_large_log_is_put_aside(tmp_path: Path) -> None:
    path = tmp_path / frozen.LOG
    path.write_text("x" * (frozen.LARGEST_LOG + 1))
    with frozen.open_log(tmp_path) as log:
        print("new", file=log)
    with frozen.open_log(tmp_path) as log:
        print("newer", file=log)
    assert path.read_text() == "new\nnewer\n"
    assert (tmp_path / f"{frozen.LOG}.1").stat().st_size == frozen.LARGEST_LOG + 1


def test_a_log_that_cannot_be_opened_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file where the folder should be")
    with frozen.open_log(tmp_path / "logs") as log:
        print("lost", file=log)


def test_an_error_is_logged_without_its_message(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        raise ValueError(SECRET)
    except ValueError as error:
        frozen.log_without_message(type(error), error, error.__traceback__)
    said = capsys.readouterr().err
    assert "ValueError" in said
    assert "test_frozen.py" in said
    assert SECRET not in said


def test_a_browser_finds_its_own_libraries_and_a_training_too(monkeypatch: pytest.MonkeyPatch) -> None:
    set_by_loader = {"LD_LIBRARY_PATH": "/opt/evenhand/_internal", "LD_LIBRARY_PATH_ORIG": "/mine"}
    frozen.restore_library_paths(set_by_loader)
    # The second stays: it tells `child_variables` what the person had.
    assert set_by_loader == {"LD_LIBRARY_PATH": "/mine", "LD_LIBRARY_PATH_ORIG": "/mine"}
    alone = {"LD_LIBRARY_PATH": "/opt/evenhand/_internal", "HOME": "/home/x"}
    frozen.restore_library_paths(alone)
    assert alone == {"HOME": "/home/x"}


def test_the_machines_certificates_are_trusted_unless_others_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = tmp_path / "certificates.pem"
    bundle.touch()
    monkeypatch.setattr(frozen, "CERTIFICATES", (str(tmp_path / "missing.pem"), str(bundle)))
    variables: dict[str, str] = {}
    frozen.use_system_certificates(variables)
    assert variables == {"SSL_CERT_FILE": str(bundle)}
    named = {"SSL_CERT_FILE": "/company.pem"}
    frozen.use_system_certificates(named)
    assert named == {"SSL_CERT_FILE": "/company.pem"}


def test_nothing_heavy_is_imported_before_children_are_sent_their_way() -> None:
    code = "import sys, installer.frozen; print({'numpy', 'PySide6', 'core', 'app'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
    said = (ROOT / "installer" / "frozen.py").read_text(encoding="utf-8")
    body = said.partition("def main() -> int:")[2].splitlines()
    assert body[2].strip() == "multiprocessing.freeze_support()"
