"""Protects the list of parts: a checkout shows what is installed for it, a packaged program what was packed."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.packaging.licences import INDEX, load_parts, read_distribution


def test_a_checkout_shows_what_the_program_needs_and_nothing_of_the_tests() -> None:
    found = {part.name.lower(): part for part in load_parts()}
    assert next(iter(found)) == "evenhand"
    assert {"python", "numpy", "onnxruntime", "ctranslate2", "sqlalchemy"} <= set(found)
    assert {"pytest", "ruff"} & set(found) == set()
    assert "BSD" in found["numpy"].licence
    assert "Redistribution" in found["numpy"].text
    assert "Apache License" in found["evenhand"].text


def test_a_notice_beside_the_code_is_a_text_too() -> None:
    assert "THIRD PARTY SOFTWARE NOTICES" in read_distribution("onnxruntime").text


@pytest.mark.parametrize("index", ["", "[]x", '[{"name": 1}]'])
def test_a_damaged_list_falls_back_to_what_is_installed(tmp_path: Path, index: str) -> None:
    (tmp_path / INDEX).write_text(index)
    assert "numpy" in {part.name for part in load_parts(tmp_path)}


def test_a_text_that_is_gone_leaves_the_rest(tmp_path: Path) -> None:
    row = '{"name": "%s", "version": "1", "licence": "MIT", "file": "../%s.txt"}'
    (tmp_path / INDEX).write_text(f"[{row % ('A', 'a')}, {row % ('B', 'b')}]")
    (tmp_path / "a.txt").write_text("TEXT")
    assert [(part.name, part.text) for part in load_parts(tmp_path)] == [("A", "TEXT"), ("B", "")]
