"""Protects ``evenhand check`` on files of every format: what is read, in which text the offsets count, what is said."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.cli import main
from tests.core.formats.builders import docx_with_asides, note, note_mark, paragraph, run
from tests.core.formats.test_formats_loader import docx, odt

WORDS = "The chairman reveals a shameful record."
PAGE = f"<!doctype html><title>No</title><p>{WORDS.replace('shameful', '<b>shameful</b>')}</p>".encode()


@pytest.fixture(autouse=True)
def _tiny(tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: tiny_bundle)


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run ``evenhand check``: the code, what was printed, what was complained."""

    def run(*argv: str) -> tuple[int, str, str]:
        code = main.main(["check", *argv])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


Call = Callable[..., tuple[int, str, str]]


def entry(out: str) -> dict[str, Any]:
    """The entry of the only file of a JSON answer."""
    (found,) = json.loads(out)["files"]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(("data", "name"), [(PAGE, "a.html"), (docx(WORDS), "a.docx"), (odt(WORDS), "a.odt")])
def test_offsets_count_in_the_text_that_the_answer_carries(
    call: Call, tmp_path: Path, data: bytes, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    code, out, err = call(str(path), "--format", "json")
    found = entry(out)
    assert (code, err) == (1, "")
    assert found["format"] == name.partition(".")[2]
    assert found["text"] == WORDS
    assert found["characters"] == len(WORDS)
    assert [found["text"][one["start"] : one["end"]] for one in found["findings"]] == [
        "chairman",
        "reveals",
        "shameful",
    ]
    assert path.read_bytes() == data


def test_a_text_format_carries_no_second_text(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(WORDS, encoding="utf-8")
    assert "text" not in entry(call(str(path), "--format", "json")[1])


@pytest.mark.parametrize(
    ("data", "options", "form"),
    [
        (PAGE, (), "html"),
        (docx(WORDS), (), "docx"),
        (odt(WORDS), (), "odt"),
        (PAGE, ("--input-format", "plain"), "plain"),
        (b"<p>A shameful law.", ("--input-format", "html"), "html"),
        (docx(WORDS), ("--input-format", "docx"), "docx"),
    ],
)
def test_standard_input_is_bytes(
    call: Call, monkeypatch: pytest.MonkeyPatch, data: bytes, options: tuple[str, ...], form: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    code, out, _ = call("-", "--format", "json", *options)
    assert code == 1
    assert entry(out)["format"] == form


def test_a_file_that_is_not_what_it_says_is_one_clear_line(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(b"%PDF-1.7")
    code, out, err = call(str(path), "--format", "json")
    assert code == 2
    assert entry(out)["error"] == err.removeprefix(f"evenhand: {path}: ").strip()
    assert "is a PDF" in err


def test_markers_are_followed_and_wrong_ones_reported(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(f"<!-- evenhand off -->\n\n{WORDS}\n\n<!-- evenhand onn -->\n", encoding="utf-8")
    code, out, err = call(str(path), "--format", "json")
    assert (code, entry(out)["findings"], entry(out)["sentences"]) == (0, [], [])
    assert err.startswith(f"evenhand: {path}: line 5: “evenhand onn” is not a marker.")
    assert err.count("\n") == 1
    code, out, err = call(str(path))
    assert "line 5" in " ".join(out.split())
    assert err == ""


def test_a_page_with_the_report(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(PAGE)
    code, out, err = call(str(path), str(tmp_path / "missing.md"), "--format", "html")
    assert code == 2
    assert out.lower().startswith("<!doctype html>")
    assert out.rstrip().endswith("</html>")
    assert "shameful" in out
    assert f"<td>{len(WORDS.split())}</td>" in out
    assert "missing.md" in out
    assert err.count("\n") == 1


@pytest.mark.parametrize("output", ["text", "json", "sarif", "html"])
@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        (
            "a.wiki",
            "Text. {{Odd box|with so many words}} She{{efn|so it goes}} ran.",
            "Not read: 1 note, 1 template.",
        ),
        ("a.md", "---\nbio: so many words\n---\n\nText.", "Not read: 1 metadata field."),
        (
            "a.html",
            "<!doctype html><p>Text. <img alt='so many words'>",
            "Kept in the file but not shown or read here: 1 alternative text.",
        ),
    ],
)
def test_every_report_says_once_what_was_not_read(
    call: Call, tmp_path: Path, output: str, name: str, content: str, told: str
) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    code, out, err = call(str(path), "--format", output)
    assert code == 0
    assert " ".join((err if output == "json" else out).split()).count(told) == 1
    if output == "json":
        assert [part["kind"] for part in entry(out)["unread"]] == {
            "a.wiki": ["template", "note"], "a.md": ["metadata"], "a.html": ["alternative"]
        }[name]  # fmt: skip
        assert all(part["why"].endswith(".") for part in entry(out)["unread"])


def test_findings_in_notes_have_the_line_of_the_note_below_the_text(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    body = paragraph(run("The law is new."), note_mark(1)) + paragraph(run("It passed."))
    path.write_bytes(docx_with_asides(body, {"footnotes": note(1, run(f" {WORDS}"))}))
    code, out, err = call(str(path))
    assert (code, err) == (1, "")
    assert re.findall(r"(?m)^\s*(\d+:\d+)\s", out) == ["3:6", "3:15", "3:25"]
