"""Protects the exit codes: whatever fails is one line and 2, never a traceback and 1, which means *findings*."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app import entry
from core.cli import main as cli
from core.engine.engine import Engine
from core.engine.onnx_session import ReaderError, ReaderSession
from core.failures import describe_failure, is_failure
from core.rewriting.rewriter import RewriterError
from core.rewriting.suggester import Suggester


class PanicException(BaseException):
    """As the bindings of Rust raise it: no Exception, and a class that nobody can import."""


ERRORS = pytest.mark.parametrize(
    "error",
    [
        PanicException("in a draft"),
        MemoryError(),
        RecursionError(),
        ValueError("a\nb"),
        ReaderError("x"),
        RewriterError("x"),
    ],
    ids=lambda error: type(error).__name__,
)
SECRET = "The shameful record of a secret."


@pytest.fixture(autouse=True)
def _tiny(tiny_bundle: Path, tiny_rewriter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: tiny_bundle)
    monkeypatch.setattr("core.rewriting.rewriter.bundled_rewriter", lambda: tiny_rewriter)


@pytest.fixture
def drafts(tmp_path: Path) -> list[str]:
    """Two drafts; the first is the one that fails."""
    paths = [tmp_path / "first.txt", tmp_path / "second.txt"]
    paths[0].write_text(f"{SECRET} It fails.\n")
    paths[1].write_text("The senator said that the law is shameful.\n")
    return [str(path) for path in paths]


def fail_on_the_first(method: Callable[..., Any], error: BaseException) -> Callable[..., Any]:
    def run(self: object, document: Any, *given: object, **named: Any) -> Any:
        if "It fails" in document.source:
            raise error
        return method(self, document, *given, **named)

    return run


@ERRORS
@pytest.mark.parametrize("part", ["reading", "suggesting"])
def test_a_file_that_fails_is_one_line_and_the_others_are_checked(
    part: str,
    error: BaseException,
    drafts: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kind, name = (Engine, "analyse") if part == "reading" else (Suggester, "suggest")
    monkeypatch.setattr(kind, name, fail_on_the_first(getattr(kind, name), error))
    assert entry.main(["check", "--suggest", "1", "--format", "json", *drafts]) == 2
    answer = capsys.readouterr()
    (line,) = answer.err.splitlines()
    assert line.startswith(f"evenhand: {drafts[0]}: ")
    assert SECRET not in line
    first, second = json.loads(answer.out)["files"]
    assert "error" in first
    assert second["findings"]


@ERRORS
@pytest.mark.parametrize(
    "arguments",
    [["check", "FILE"], ["rewrite", "FILE"], ["models", "list"], ["check", "--format", "sarif", "FILE"]],
)
def test_a_command_that_fails_is_one_line_and_exit_code_2(
    arguments: list[str],
    error: BaseException,
    drafts: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_given: object, **_named: object) -> None:
        raise error

    for place in (
        "core.cli.checker.load_engine",
        "core.cli.main.load_engine",
        "core.cli.models.bundled_model",
    ):
        monkeypatch.setattr(place, fail)
    assert entry.main([drafts[0] if one == "FILE" else one for one in arguments]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("evenhand: ")


@ERRORS
@pytest.mark.parametrize("arguments", [["check", "x"], ["train", "list"], ["--version"], ["models", "list"]])
def test_even_a_failure_around_the_commands_is_one_line(
    arguments: list[str],
    error: BaseException,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_given: object) -> int:
        raise error

    for place in ("_core", "_train", "_version"):
        monkeypatch.setattr(entry, place, fail)
    assert entry.main(arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"evenhand: Evenhand has failed ({type(error).__name__} in tests/core/cli/")


def test_a_model_that_fails_on_a_text_is_named(
    drafts: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ReaderSession.run
    calls = iter([PanicException("once")])

    def once(self: ReaderSession, *given: Any) -> Any:
        for error in calls:
            raise error
        return run(self, *given)

    monkeypatch.setattr(ReaderSession, "run", once)
    assert cli.main(["check", *drafts]) == 2
    answer = capsys.readouterr()
    (line,) = answer.err.splitlines()
    assert "cannot read this text. Reinstall Evenhand" in line
    assert "second.txt" in answer.out


def test_only_what_nobody_asked_for_is_a_failure() -> None:
    for asked in (KeyboardInterrupt(), SystemExit(1), GeneratorExit()):
        assert not is_failure(asked)
    assert is_failure(PanicException())
    assert describe_failure(ValueError("never raised")) == "ValueError"
