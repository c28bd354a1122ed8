"""Protects that a format is declared once: a new spec appears wherever formats are opened, listed or announced."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.cli import main as cli
from core.documents import parse
from core.documents.format_specs import (
    FORMATS,
    FormatSpec,
    comment_formats,
    container_formats,
    detect_format,
    extracts_text,
)
from core.documents.incremental import IncrementalParser
from core.documents.types import Format
from core.formats.loader import open_document, read_opened
from installer.macos import document_types
from resources import ROOT
from tests.core.documents.extra_format import add_latex


@pytest.fixture
def latex(monkeypatch: pytest.MonkeyPatch) -> FormatSpec:
    return add_latex(monkeypatch)


def test_every_format_has_one_spec_and_no_suffix_has_two() -> None:
    assert list(FORMATS) == list(Format)
    assert all(spec.format is format for format, spec in FORMATS.items())
    suffixes = [suffix for spec in FORMATS.values() for suffix in spec.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    assert all(re.fullmatch(r"\.[a-z]+", suffix) for suffix in suffixes)
    assert all(spec.media_types and spec.suffixes and spec.name and spec.group for spec in FORMATS.values())


def test_every_parser_and_opener_can_be_imported() -> None:
    for spec in FORMATS.values():
        layout = spec.parser.lay_out("One law.\n\nTwo laws.")
        assert layout.blocks
        assert "".join(spec.parser.split("One law.\n\nTwo laws.")) == "One law.\n\nTwo laws."
        if spec.extracts_text:
            with pytest.raises(Exception, match="draft"):
                spec.open_container(b"PK\x03\x04" if spec.signature else b"\0\0", name="draft")


def test_a_new_format_is_opened_and_parsed(latex: FormatSpec) -> None:
    data = b"\\begin{document} The ''new'' law."
    for opened in (open_document(data, name="law.ltx"), open_document(data, name="law")):
        assert opened.format is latex.format
        assert read_opened(opened).non_prose == parse(opened.text, Format.WIKITEXT).non_prose
    assert detect_format("LAW.LATEX", "") is latex.format
    assert not extracts_text(latex.format)
    text = data.decode()
    assert IncrementalParser().parse(text, latex.format) == parse(text, latex.format)


def test_a_new_format_can_be_chosen_on_the_command_line(
    latex: FormatSpec, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["check", "--help"]) == 0
    shown = capsys.readouterr().out
    assert f",{latex.format}" in shown
    assert f"{latex.format} exclude text" in " ".join(shown.split())


def test_a_new_format_is_announced_to_macos(latex: FormatSpec) -> None:
    entry = document_types.plist()["CFBundleDocumentTypes"][-1]
    assert entry["CFBundleTypeName"] == latex.name
    assert entry["CFBundleTypeExtensions"] == ["latex", "ltx"]


def test_sentences_about_formats_name_them() -> None:
    assert comment_formats() == "markdown, wikitext and html"
    assert container_formats() == "html, docx and odt"


def test_the_pre_commit_hook_runs_on_all_text_formats_and_pages() -> None:
    hook = (Path(ROOT).parent / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    found = re.search(r"files: (.+)", hook)
    assert found is not None
    files = re.compile(found[1])
    for spec in FORMATS.values():
        for suffix in spec.suffixes:
            assert bool(files.search(f"draft{suffix}")) is not bool(spec.signature)
