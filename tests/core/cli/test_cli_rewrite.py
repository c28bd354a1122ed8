"""Protects the commands that propose suggestions: JSON, text, exit codes, one clear line for what is wrong."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

BIASED = "The senator said this shameful policy."
Call = Callable[..., tuple[int, str, str]]

pytestmark = pytest.mark.usefixtures("tiny_models")


@pytest.fixture
def no_rewriter(tiny_models: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no rewriter."""
    for module in ("core.rewriting.rewriter", "core.bundles.rewriter"):
        monkeypatch.setattr(f"{module}.bundled_rewriter", lambda: tmp_path / "gone")


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    """A draft of three lines."""
    path = tmp_path / "draft.txt"
    path.write_bytes(f"The law is new.\r\n\r\n{BIASED}\n".encode())
    return path


def test_rewrite_prints_a_line_for_a_line(call: Call, draft: Path) -> None:
    assert call("rewrite", str(draft)) == (0, "The law is new.\r\n\r\nThe senator said this policy.\n", "")


def test_rewrite_reads_standard_input(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BIASED.encode())))
    assert call("rewrite", "-") == (0, "The senator said this policy.", "")


def test_the_json_of_rewrite_is_the_contract(call: Call, draft: Path) -> None:
    code, out, _ = call("rewrite", str(draft), "--format", "json", "--n", "2")
    lines = json.loads(out)
    assert code == 0
    assert [line["source"] for line in lines] == ["The law is new.", "", BIASED]
    assert [len(line["rewrites"]) for line in lines] == [0, 0, 2]
    best = lines[2]["rewrites"][0]
    assert list(best) == ["text", "score", "bias_before", "bias_after"]
    assert best["text"] == "The senator said this policy."
    assert best["bias_after"] < best["bias_before"]


def test_a_long_line_is_reported_with_its_number(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("The law.\n" + "The shameful people said " * 41 + "this.\n")
    code, out, err = call("rewrite", str(path))
    assert (code, out) == (0, path.read_text())
    assert err == f"evenhand: {path}: line 2: This sentence is too long to rewrite.\n"


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("rewrite",), "FILE"),
        (("rewrite", "nowhere.txt"), "nowhere.txt"),
        (("rewrite", "a", "b"), "unrecognized"),
        (("rewrite", "a", "--n", "0"), "'0' is not a number from 1 to 10"),
        (("rewrite", "a", "--n", "²"), "is not a number"),
        (("rewrite", "a", "--format", "xml"), "xml"),
        (("check", "a", "--suggest", "many"), "'many' is not a number"),
    ],
)
def test_a_wrong_call_is_one_clear_line(call: Call, argv: tuple[str, ...], said: str) -> None:
    code, out, err = call(*argv)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_check_suggests(call: Call, draft: Path) -> None:
    code, out, _ = call("check", str(draft), "--format", "json", "--suggest", "2")
    (finding,) = json.loads(out)["files"][0]["findings"]
    assert code == 1
    assert len(finding["suggestions"]) == 2
    first = finding["suggestions"][0]
    assert list(first) == ["edits", "sentence", "score", "bias_before", "bias_after"]
    assert first["edits"] == [{"start": 41, "end": 50, "replacement": ""}]
    assert first["sentence"] == "The senator said this policy."


def test_check_shows_suggestions_under_their_finding(call: Call, draft: Path) -> None:
    _, out, _ = call("check", str(draft), "--suggest", "1")
    (line,) = [line.strip() for line in out.splitlines() if "→ “" in line]
    assert line.startswith("→ “this policy”")
    assert line.count("→") == 2
    assert "→ “" not in call("check", str(draft))[1]


@pytest.mark.usefixtures("no_rewriter")
def test_without_a_rewriter_findings_go_on_working(call: Call, draft: Path) -> None:
    assert call("check", str(draft))[0] == 1
    for argv in (("check", str(draft), "--suggest", "1"), ("rewrite", str(draft))):
        code, out, err = call(*argv)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "There is no rewriter in " in err
    code, out, _ = call("models", "list")
    assert code == 0
    assert "reader tiny 0.1" in out
    assert "There is no rewriter in " in out


def test_models_list_shows_both(call: Call, tiny_rewriter: Path) -> None:
    code, out, _ = call("models", "list")
    assert code == 0
    assert "reader tiny 0.1\n" in out
    assert "rewriter tiny 0.1\n  role    rewriter\n" in out
    assert str(tiny_rewriter / "README.md") in out
