"""The output formats of ``evenhand check``: text file by file; the others once all files are read."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType

from core.cli.version import program_version
from core.engine.cues import Lexicon
from core.engine.engine import Engine
from core.reports import json_report, terminal
from core.reports.types import CheckedFile, FailedFile


@dataclass(frozen=True, slots=True)
class OutputContext:
    """What an output says about the context. ``engine`` is None where no file could be read."""

    engine: Engine | None
    include_quotes: bool
    exit_code: int
    leaning: bool

    @property
    def lexicon(self) -> Lexicon:
        """The engine's lexicon, or a newly loaded one. Raises LexiconError."""
        return self.engine.lexicon if self.engine else Lexicon.load()


def render_as_text(checked: CheckedFile, engine: Engine, *, leaning: bool) -> str:
    """One file as text for a terminal."""
    return terminal.render_text(
        checked.report,
        checked.opened.text,
        lexicon=engine.lexicon,
        suggestions=checked.suggestions,
        term_dependent=checked.term_dependent,
        width=shutil.get_terminal_size().columns,
        colour=terminal.supports_colour(sys.stdout),
        leaning=leaning,
    )


def _as_json(files: Sequence[CheckedFile | FailedFile], context: OutputContext) -> str:
    return json_report.dump(
        [
            json_report.error_entry(file.path, file.message)
            if isinstance(file, FailedFile)
            else json_report.file_entry(
                file.report,
                file.suggestions,
                lexicon=context.lexicon,
                text=file.opened.text if file.opened.container is not None else None,
            )
            for file in files
        ]
    )


def _as_sarif(files: Sequence[CheckedFile | FailedFile], context: OutputContext) -> str:
    from core.reports import sarif

    reader = context.engine.name if context.engine else ""
    return json_report.as_json(
        sarif.build_log(
            files,
            lexicon=context.lexicon,
            version=program_version(),
            reader=reader,
            exit_code=context.exit_code,
        )
    )


def _as_html(files: Sequence[CheckedFile | FailedFile], context: OutputContext) -> str:
    from core.models.active import active_bundle
    from core.reports.html_report import ReportContext, render_page
    from core.reports.html_tables import ReportEntry
    from core.reports.model_notes import summarise_model

    entries = [
        ReportEntry(file.path, error=file.message)
        if isinstance(file, FailedFile)
        else ReportEntry(
            file.report.path,
            report=file.report,
            source=file.opened.text,
            words=file.words,
            suggestions=file.suggestions,
            include_quotes=context.include_quotes,
            leaning=context.leaning,
        )
        for file in files
    ]
    models = [summarise_model(context.engine.bundle)] if context.engine else []
    if any(isinstance(file, CheckedFile) and file.suggestions for file in files):
        models.append(summarise_model(active_bundle("rewriter")))
    return render_page(
        entries, ReportContext(datetime.now(UTC), program_version(), tuple(models)), lexicon=context.lexicon
    ).rstrip("\n")


def _as_annotations(files: Sequence[CheckedFile | FailedFile], context: OutputContext) -> str:
    from core.reports.github import annotation_lines

    return "\n".join(annotation_lines(files, context.lexicon))


RENDERERS: Mapping[str, Callable[[Sequence[CheckedFile | FailedFile], OutputContext], str]] = (
    MappingProxyType({"json": _as_json, "sarif": _as_sarif, "html": _as_html, "github": _as_annotations})
)
