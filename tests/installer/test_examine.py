"""Protects what the examiner says: what it lacks, in one line; what is a failure; where its Debian comes from."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from installer.examine import __main__ as command
from installer.examine import clean_root, machine, results, run
from installer.examine.clean_root import Root
from installer.examine.context import Context
from installer.examine.examinations import EXAMINATIONS, SKIPPED_WITHOUT
from installer.examine.results import CannotExamineError, FailedError, Result, check
from installer.examine.sandbox import Program, Sandbox

CHECKOUT = Path(__file__).parents[2]


def test_all_tools_that_are_missing_are_named_with_their_packages() -> None:
    with pytest.raises(CannotExamineError) as told:
        machine.check_machine(find=lambda tool: None if tool in {"Xvfb", "strace"} else tool, user=lambda: 0)
    assert str(told.value) == "This machine lacks Xvfb, strace. Run: sudo apt-get install -y xvfb strace"


def test_without_root_it_does_not_begin() -> None:
    with pytest.raises(CannotExamineError, match="sudo"):
        machine.check_machine(find=str, user=lambda: 1000)
    machine.check_machine(find=str, user=lambda: 0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing.deb", "--out", "out"], "There is no package nothing.deb."),
        (["nothing.deb"], "the following arguments are required: --out"),
        (["nothing.deb", "--out", "out", "--only", "everything"], "invalid choice: 'everything'"),
        ([__file__, "--out", "out", "--wheels", "nowhere"], "There is no folder nowhere."),
    ],
)
def test_a_wrong_call_gives_a_one_line_error(arguments: list[str], said: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "installer.examine", *arguments],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == command.CANNOT
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_mirror_is_the_one_of_the_suite() -> None:
    targets = (
        "https://a.example.org/tools/|stable|Packages\n"
        "http://b.example.org/debian/|bookworm|Translations\n"
        "http://b.example.org/debian/|bookworm|Packages\n"
        "http://c.example.org/security/|bookworm-security|Packages\n"
    )
    assert clean_root.mirror_in(targets) == "http://b.example.org/debian/"
    with pytest.raises(CannotExamineError, match="knows no mirror of Debian bookworm"):
        clean_root.mirror_in("http://c.example.org/security/|bookworm-security|Packages\n")


def test_a_python_in_the_root_is_seen_and_the_package_own_is_not(tmp_path: Path) -> None:
    for place in ("usr/bin/perl", "opt/evenhand/_internal/libpython3.11.so.1.0"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).touch()
    assert Root(tmp_path).pythons() == []
    (tmp_path / "usr/bin/python3").touch()
    assert Root(tmp_path).pythons() == ["usr/bin/python3"]


def test_what_bears_a_name_is_found_outside_the_homes(tmp_path: Path) -> None:
    for place in ("opt/evenhand/reader", "usr/share/doc/Evenhand/copyright", "home/writer/evenhand/mine"):
        (tmp_path / place).parent.mkdir(parents=True)
        (tmp_path / place).touch()
    assert Root(tmp_path).named("evenhand") == ["/opt/evenhand", "/usr/share/doc/Evenhand"]


def test_one_failure_is_a_failure(tmp_path: Path) -> None:
    good, bad = Result("starts", True, 1.25, "fine"), Result("word", False, 2, "nothing was underlined")
    assert results.verdict([good]) == ("all 1 passed", 0)
    assert results.verdict([good, bad]) == ("1 of 2 failed: word", 1)
    assert bad.line().split() == ["word", "FAILED", "2.0", "s", "nothing", "was", "underlined"]
    results.write_results([good, bad], tmp_path, "evenhand.deb")
    kept = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert [one["passed"] for one in kept["results"]] == [True, False]


class Looking:
    """A person whose screen is a file with a word in it."""

    def __init__(self) -> None:
        self.screen = self
        self.program: Program | None = None

    def save(self, path: Path) -> None:
        path.write_text("picture", encoding="utf-8")


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """A context without a display, on which `Program`s of this machine run."""
    user: Any = Looking()
    root = Root(tmp_path / "root")
    out = tmp_path / "out"
    out.mkdir()
    return Context(root, Sandbox(root, ":0"), user, tmp_path / "evenhand.deb", out, None)


def test_a_failed_examination_leaves_a_screenshot_and_says_what_it_saw(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_this_machine(monkeypatch)

    def fails(context: Context) -> str:
        with context.window("-c", "import time; time.sleep(600)", command=sys.executable):
            check(False, "the report lacks “shameful”")
        return ""

    monkeypatch.setitem(EXAMINATIONS, "word", fails)
    (context.out / "word-old.png").touch()
    result = run._examine(context, "word")
    assert (result.passed, result.summary) == (False, "the report lacks “shameful”")
    assert {path.name for path in context.out.iterdir()} == {"word-failed.png", "word-1.stderr.txt"}


def test_an_examination_without_what_it_needs_is_skipped_with_a_message(
    context: Context, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [name for name in EXAMINATIONS if not run._can_run(context, name)] == list(SKIPPED_WITHOUT)
    assert "skipped: there is no wheels" in capsys.readouterr().out
    context.package.with_name("evenhand-1.tar.zst").touch()
    assert run._can_run(context, "archive")


def of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands run outside of any root."""
    monkeypatch.setattr(Sandbox, "command", lambda _self, command, *_: list(command))


def test_a_window_that_prints_a_traceback_fails(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    of_this_machine(monkeypatch)
    context.name = "starts"
    with (
        pytest.raises(FailedError, match="traceback"),
        context.window("-c", "raise ValueError", command=sys.executable) as program,
    ):
        assert program.wait(60) == 1


def test_a_program_that_is_gone_says_why(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    of_this_machine(monkeypatch)
    context.name = "starts"

    def waits_for_a_window() -> None:
        with context.window("-c", "raise SystemExit('no display here')", command=sys.executable) as program:
            program.wait(60)
            raise FailedError("no window")

    with pytest.raises(FailedError, match="no window; it ended with 1: no display here"):
        waits_for_a_window()


def test_what_still_runs_at_the_end_is_killed(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    of_this_machine(monkeypatch)
    context.name = "starts"
    with context.window("-c", "import time; time.sleep(600)", command=sys.executable) as program:
        assert program.code is None
    assert program.code == -9
    assert context.user.program is None


def test_what_is_examined_runs_as_a_user_without_a_network(tmp_path: Path) -> None:
    command = Sandbox(Root(tmp_path), ":7").command(
        ("evenhand", "check"), {"LANG": "de_DE.UTF-8"}, ("strace",)
    )
    assert command[:3] == ["unshare", "--net", "strace"]
    assert command[3:6] == ["chroot", "--userspec=writer:writer", str(tmp_path)]
    assert {"DISPLAY=:7", "LANG=de_DE.UTF-8", "HOME=/home/writer"} <= set(command)
    assert command[-2:] == ["evenhand", "check"]
