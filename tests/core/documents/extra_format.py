"""A format that does not exist, for the tests of what follows from a spec."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from core.documents.format_specs import FORMATS, FormatSpec
from core.documents.types import Format


def add_latex(monkeypatch: pytest.MonkeyPatch) -> FormatSpec:
    """Declare LaTeX, by its spec alone, until the test ends."""
    member = str.__new__(Format, "latex")
    member._name_, member._value_ = "LATEX", "latex"
    monkeypatch.setitem(Format._value2member_map_, "latex", member)  # type: ignore[arg-type]
    spec = replace(
        FORMATS[Format.WIKITEXT],
        format=member,
        name="LaTeX",
        group="Typesetting",
        suffixes=(".latex", ".ltx"),
        media_types=("application/x-latex",),
        apple_type="org.example.latex",
        markup=re.compile(r"\\begin\{document\}"),
    )
    monkeypatch.setitem(FORMATS, member, spec)
    return spec
