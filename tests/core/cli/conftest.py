"""The command line with the tiny models."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.cli import main


@pytest.fixture
def tiny_models(tiny_bundle: Path, tiny_rewriter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bundled models are the tiny ones."""
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: tiny_bundle)
    for module in ("core.rewriting.rewriter", "core.bundles.rewriter"):
        monkeypatch.setattr(f"{module}.bundled_rewriter", lambda: tiny_rewriter)


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the command line: code, output, errors."""

    def run(*argv: str) -> tuple[int, str, str]:
        code = main.main(argv)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return code, captured.out, captured.err

    return run
