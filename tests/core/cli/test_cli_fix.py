"""Protects files that ``check --fix`` changes: only sure suggestions outside quotations, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.cli import fixer
from core.cli.checker import FileChecker
from core.formats.docx import open_docx
from core.revisions.resolve import reject_all
from tests.core.formats.builders import docx, paragraph, run
from tests.core.formats.checks import part

BIASED = "The senator said this shameful policy."
FIXED = "The senator said this policy."
Call = Callable[..., tuple[int, str, str]]

pytestmark = pytest.mark.usefixtures("tiny_models")


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    """A draft of three lines, with the line ends of Windows."""
    path = tmp_path / "draft.md"
    path.write_bytes(f"The law is new.\r\n\r\n{BIASED}\r\n".encode())
    return path


def test_a_sure_suggestion_is_written_and_the_rest_stays_byte_for_byte(call: Call, draft: Path) -> None:
    before = draft.read_bytes()
    code, _, err = call("check", "--fix", str(draft))
    assert draft.read_bytes() == before.replace(BIASED.encode(), FIXED.encode())
    assert code == 0
    assert err == f"evenhand: {draft}: 1 place was changed.\n"


def test_a_dry_run_prints_the_diff_and_changes_nothing(call: Call, draft: Path) -> None:
    before = draft.read_bytes()
    code, out, err = call("check", "--fix", "--dry-run", str(draft))
    assert (code, err) == (1, "")
    assert f"-{BIASED}" in out
    assert f"+{FIXED}" in out
    assert draft.read_bytes() == before


def test_a_dry_run_of_a_plain_draft_prints_nothing(call: Call, draft: Path) -> None:
    draft.write_text("The law is new.\n", encoding="utf-8")
    assert call("check", "--fix", "--dry-run", str(draft)) == (0, "", "")


@pytest.mark.parametrize(
    "text",
    [
        'He said: "The senator said this shameful policy."',
        f"<!-- evenhand off -->\n\n{BIASED}\n",
        f"<!-- evenhand ignore-next -->\n{BIASED}\n",
    ],
)
def test_quotations_and_what_is_not_checked_stay(call: Call, draft: Path, text: str) -> None:
    draft.write_text(text, encoding="utf-8")
    call("check", "--fix", str(draft))
    assert draft.read_text(encoding="utf-8") == text


def test_kinds_that_are_not_asked_for_stay(call: Call, draft: Path) -> None:
    before = draft.read_bytes()
    code, _, err = call("check", "--fix", "--kinds", "demographic", str(draft))
    assert (code, err) == (0, "")
    assert draft.read_bytes() == before


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may write anywhere"
)
def test_a_file_in_a_folder_without_permission_is_left_and_said(call: Call, draft: Path) -> None:
    before = draft.read_bytes()
    draft.parent.chmod(0o500)
    try:
        code, _, err = call("check", "--fix", str(draft))
    finally:
        draft.parent.chmod(0o700)
    assert code == 2
    assert "you have no permission" in err
    assert draft.read_bytes() == before


def test_a_file_that_changed_meanwhile_is_left_and_said(
    call: Call, draft: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = fixer.find_fix

    def slow(*arguments: Any) -> fixer.Fix:
        draft.write_text("Something else.", encoding="utf-8")
        return found(*arguments)

    monkeypatch.setattr("core.cli.checker.find_fix", slow)
    code, _, err = call("check", "--fix", str(draft))
    assert code == 2
    assert fixer.CHANGED in err
    assert draft.read_text(encoding="utf-8") == "Something else."


def test_bytes_that_cannot_be_decoded_are_left_and_said(call: Call, tmp_path: Path) -> None:
    draft = tmp_path / "draft.txt"
    data = BIASED.encode() + b"\n\n" + "naïve café".encode() * 9 + b"\xff\n"
    draft.write_bytes(data)
    code, _, err = call("check", "--fix", str(draft))
    assert draft.read_bytes() == data
    assert code == 2
    assert fixer.NOT_EDITABLE in err


def test_standard_input_is_refused(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FileChecker, "_read", lambda *_: BIASED.encode())
    code, out, err = call("check", "--fix", "-")
    assert (code, out) == (2, "")
    assert fixer.NO_INPUT in err


def test_dry_run_without_fix_is_a_wrong_call(call: Call, draft: Path) -> None:
    code, _, err = call("check", "--dry-run", str(draft))
    assert code == 2
    assert "--fix" in err


def tracked_draft(tmp_path: Path, *, settings: str = "") -> Path:
    path = tmp_path / "draft.docx"
    path.write_bytes(docx(paragraph(run(BIASED)), settings=settings))
    return path


def test_fixes_of_a_word_document_are_tracked_where_asked_for(call: Call, tmp_path: Path) -> None:
    path = tracked_draft(tmp_path)
    code, _, err = call("check", "--fix", "--track-changes", "--author", "Ann  Example", str(path))
    assert code == 0
    assert err == f"evenhand: {path}: 1 place was changed, as tracked changes.\n"
    document = open_docx(path.read_bytes(), name="draft.docx")
    assert document.text == FIXED
    assert open_docx(reject_all(document), name="draft.docx").text == BIASED
    assert 'w:author="Ann Example"' in part(path.read_bytes(), "word/document.xml")
    assert "“shameful” reads as" in part(path.read_bytes(), "word/comments.xml")


@pytest.mark.parametrize(
    ("settings", "arguments", "tracked"),
    [
        ("<w:trackRevisions/>", [], True),
        ("<w:trackRevisions/>", ["--no-track-changes"], False),
        ('<w:trackRevisions w:val="0"/>', [], False),
        ("", [], False),
    ],
)
def test_the_setting_of_the_file_decides_where_nothing_is_said(
    call: Call, tmp_path: Path, settings: str, arguments: list[str], tracked: bool
) -> None:
    path = tracked_draft(tmp_path, settings=settings)
    call("check", "--fix", *arguments, str(path))
    document = open_docx(path.read_bytes(), name="draft.docx")
    assert document.text == FIXED
    assert ("<w:del " in part(path.read_bytes(), "word/document.xml")) is tracked


def test_tracked_changes_of_another_format_are_refused_in_one_sentence(call: Call, draft: Path) -> None:
    before = draft.read_bytes()
    code, _, err = call("check", "--fix", "--track-changes", str(draft))
    assert code == 2
    assert err.splitlines()[0] == f"evenhand: {draft}: {fixer.NOT_TRACKED}"
    assert draft.read_bytes() == before


@pytest.mark.parametrize("options", [["--track-changes"], ["--author", "Ann"]])
def test_how_to_track_is_said_with_fix_only(call: Call, draft: Path, options: list[str]) -> None:
    code, _, err = call("check", *options, str(draft))
    assert code == 2
    assert "add --fix" in err
