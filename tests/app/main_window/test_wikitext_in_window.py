"""Protects what the window reads of wikitext, with the engine itself on a reader that marks given words."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot
from windows import Make, read

from app.main_window.window import MainWindow
from core.engine.cues import Lexicon
from core.engine.engine import Engine
from core.engine.reader import Reader, Reading
from core.engine.spans import Span
from core.types import Kind

PAGE = """{{Infobox person
| name = Ann Lee
| caption = The shameful box
}}
[[File:Ann.jpg|thumb|The shameful caption.]]
'''Ann Lee''' is shameful.<ref>A shameful book.</ref>{{efn|A shameful note.}}
She met [http://example.org/y the shameful site] once.
<ref group="n">A shameful remark.</ref>

{| class="wikitable"
! Name !! The shameful head
|-
| Ann || The shameful cell
|}

== See also ==
* [[A shameful page]]

== Legacy ==
Her shameful legacy.

=== Notes ===
A shameful note of hers.

== References ==
* A shameful entry.

=== Sources ===
* [http://example.org A shameful source]

[[Category:Poets of a shameful age]]
"""


class MarkingEngine(Engine):
    """The engine, whose reader marks every stretch that a pattern finds, and nothing else."""

    def __init__(self, folder: Path, pattern: str) -> None:
        super().__init__(Reader.load(folder, threads=1), Lexicon.load())
        read = self.reader.read

        def marked(texts: list[str], **options: Any) -> list[Reading]:
            return [
                replace(
                    reading,
                    spans=tuple(
                        Span(*found.span(), Kind.FRAMING, 0.9) for found in re.finditer(pattern, text)
                    ),
                )
                for text, reading in zip(texts, read(texts, **options), strict=True)
            ]

        self.reader.read = marked  # type: ignore[method-assign, assignment]


def opened(make: Make, path: Path, text: str, engine: Engine) -> MainWindow:
    path.write_text(text, encoding="utf-8")
    window = make(None, load=lambda: engine)
    assert window.components.documents.open(path)
    return window


def test_captions_cells_and_notes_are_read_labels_categories_and_references_are_not(
    make: Make, qtbot: QtBot, tmp_path: Path, tiny_bundle: Path
) -> None:
    window = opened(make, tmp_path / "page.wiki", PAGE, MarkingEngine(tiny_bundle, r"shameful \w+|shameful"))
    read(
        window,
        qtbot,
        [
            *("shameful box", "shameful caption", "shameful", "shameful note", "shameful remark"),
            *("shameful head", "shameful cell", "shameful legacy"),
        ],
    )
    result = window.components.last_result
    assert result is not None
    assert result.report is not None
    assert [part.kind.value for part in result.report.unread] == [
        *("reference", "link label", "section", "section", "section")
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.wiki", "A '''renowned''' and ''brilliant'' poet.\n"),
        ("a.md", "A **renowned** and *brilliant* poet.\n"),
        ("a.md", "A renowned [and brilliant](https://a.b) poet.\n"),
        ("a.wiki", "A [[fame|renowned and]] brilliant poet.\n"),
    ],
)
def test_mark_up_makes_no_finding_of_a_conjunction(
    make: Make, qtbot: QtBot, tmp_path: Path, tiny_bundle: Path, name: str, text: str
) -> None:
    window = opened(make, tmp_path / name, text, MarkingEngine(tiny_bundle, "renowned and brilliant"))
    read(window, qtbot, ["renowned", "brilliant"])
