"""The forms in which ``evenhand check`` answers: text file by file; JSON, SARIF and a page when all are read."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType

from core.engine.cues import Lexicon
from core.engine.engine import Engine
from core.formats.loader import CONTAINERS
from core.reports import json_report, terminal
from core.reports.types import Checked, Failed


@dataclass(frozen=True, slots=True)
class Call:
    """What an answer says of the call. ``engine`` is None where no file could be read."""

    engine: Engine | None
    include_quotes: bool
    exit_code: int

    @property
    def lexicon(self) -> Lexicon:
        """The engine's lexicon, or one of its own. Raises LexiconError."""
        return self.engine.lexicon if self.engine else Lexicon.load()


def as_text(checked: Checked, engine: Engine) -> str:
    """One file for a person at a terminal."""
    return terminal.render(
        checked.report,
        checked.opened.text,
        lexicon=engine.lexicon,
        suggestions=checked.suggestions,
        on_word=checked.on_word,
        width=shutil.get_terminal_size().columns,
        colour=terminal.wants_colour(sys.stdout),
    )


def _as_json(files: Sequence[Checked | Failed], _call: Call) -> str:
    return json_report.dump(
        [
            json_report.error_entry(file.path, file.message)
            if isinstance(file, Failed)
            else json_report.file_entry(
                file.report,
                file.suggestions,
                text=file.opened.text if file.opened.format in CONTAINERS else None,
            )
            for file in files
        ]
    )


def _as_sarif(files: Sequence[Checked | Failed], call: Call) -> str:
    from core.reports import sarif

    reader = call.engine.name if call.engine else ""
    return json_report.as_json(
        sarif.log(files, lexicon=call.lexicon, version=_version(), reader=reader, exit_code=call.exit_code)
    )


def _as_page(files: Sequence[Checked | Failed], call: Call) -> str:
    from core.models.active import bundle_in_use
    from core.reports.html_report import Entry, Setting, page
    from core.reports.model_notes import model_note

    entries = [
        Entry(file.path, error=file.message)
        if isinstance(file, Failed)
        else Entry(
            file.report.path,
            report=file.report,
            source=file.opened.text,
            suggestions=file.suggestions,
            include_quotes=call.include_quotes,
        )
        for file in files
    ]
    models = [model_note(call.engine.bundle)] if call.engine else []
    if any(isinstance(file, Checked) and file.suggestions for file in files):
        models.append(model_note(bundle_in_use("rewriter")))
    return page(entries, Setting(datetime.now(UTC), _version(), tuple(models)), lexicon=call.lexicon).rstrip(
        "\n"
    )


ANSWERS: Mapping[str, Callable[[Sequence[Checked | Failed], Call], str]] = MappingProxyType(
    {"json": _as_json, "sarif": _as_sarif, "html": _as_page}
)


def _version() -> str:
    try:
        return version("evenhand")
    except PackageNotFoundError:
        return "0"
