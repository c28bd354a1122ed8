"""Checking files one by one, independent of the output format."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from core.bundles.reader import threshold_at
from core.cli.file_selection import ChangedLines, on_lines
from core.cli.fixer import Fix, find_fix, is_tracked, write_fix
from core.cli.streams import input_bytes, input_name, print_message
from core.documents.prose_view import count_words
from core.documents.types import Document, Format
from core.engine.engine import Engine
from core.formats.loader import open_document, read_opened
from core.models.active import load_engine, load_suggester
from core.reports.types import CheckedFile
from core.rewriting.suggester import Suggester
from core.stereotypes.term_dependence import find_term_dependent
from core.storage.files import FileError
from core.style.library import DraftStyle, StyleLibrary
from core.types import ALL_KINDS, STANDARD_INPUT, Finding, Kind, Report, Suggestions, with_findings


class FileChecker:
    """Checks files one by one; the engine is opened for the first of them."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._arguments = arguments
        self._library = StyleLibrary()
        self._changed = ChangedLines(arguments.changed_since) if arguments.changed_since else None
        self._engine: Engine | None = None
        self._suggester: Suggester | None = None
        self._input_taken = False
        self._printed: set[str] = set()

    @property
    def engine(self) -> Engine:
        """The engine. Raises BundleError and LexiconError."""
        if self._engine is None:
            self._engine = load_engine(print_message)
        return self._engine

    @property
    def suggester(self) -> Suggester:
        """The engine with the rewriter. Raises BundleError and LexiconError."""
        if self._suggester is None:
            self._suggester = load_suggester(self.engine, print_message)
        return self._suggester

    def fix(self, path: str) -> Fix:
        """Apply the sure suggestions to one file, unless ``--dry-run`` was given. Raises as ``check`` does."""
        data = self._read(path)
        checked = self._analyse(path, data)
        tracked = is_tracked(checked, self._arguments.track_changes)
        found = replace(find_fix(self.suggester, checked, self.engine.lexicon), tracked=tracked)
        if found.count and not self._arguments.dry_run:
            write_fix(path, checked, found, data=data, author=self._arguments.author)
        return found

    def check(self, path: str) -> CheckedFile:
        """Analyse one file. Raises FileError, ReaderError, RewriterError, BundleError and LexiconError."""
        checked = self._analyse(path, self._read(path))
        document, report = read_opened(checked.opened), checked.report
        return replace(
            checked,
            suggestions=self._suggestions(document, report),
            term_dependent=self._term_dependent(document, report),
        )

    def _analyse(self, path: str, data: bytes) -> CheckedFile:
        input_format = self._arguments.input_format
        opened = open_document(
            data, name=input_name(path), format=None if input_format == "auto" else Format(input_format)
        )
        document = read_opened(opened)
        style = self._style(None if path == STANDARD_INPUT else Path(path), opened.format)
        options = style.options
        kinds = self._arguments.kinds or options.kinds or ALL_KINDS
        include_quotes = self._arguments.include_quotes or bool(options.quotations)
        report = self.engine.analyse(
            document,
            path=path,
            kinds=kinds,
            min_confidence=self._arguments.min_confidence,
            include_quotes=include_quotes,
            threshold=threshold_at(self.engine.sensitivity, options.sensitivity or 0),
        )
        report = style.complete(report, document, kinds=kinds, include_quotes=include_quotes)
        if self._changed is not None and path != STANDARD_INPUT:
            lines = self._changed.of(path)
            is_text = opened.container is None
            found = report.findings
            kept = on_lines(found, document.source, lines) if is_text else found if lines else ()
            report = with_findings(report, kept)
        return CheckedFile(
            replace(report, notes=(*opened.notes, *report.notes)), opened, words=count_words(document)
        )

    def _style(self, path: Path | None, form: Format) -> DraftStyle:
        """The rules for a file: named in the call, by its project, or those of its format. Raises StyleError."""
        style = self._library.for_draft(path, form, packs=self._arguments.style)
        for problem in style.problems:
            if problem not in self._printed:
                print_message(problem)
        self._printed.update(style.problems)
        return style

    def _term_dependent(self, document: Document, report: Report) -> frozenset[Finding]:
        if self._arguments.format != "text":
            return frozenset()
        found = [finding for finding in report.findings if finding.kind is not Kind.STYLE]
        answers = find_term_dependent(self.engine.reader, document, found, lexicon=self.engine.lexicon)
        return frozenset(finding for finding, dependent in zip(found, answers, strict=True) if dependent)

    def _suggestions(self, document: Document, report: Report) -> dict[Finding, Suggestions]:
        count = self._arguments.suggest
        if not count:
            return {}
        return {finding: self.suggester.suggest(document, finding, n=count) for finding in report.findings}

    def _read(self, path: str) -> bytes:
        if path == STANDARD_INPUT and self._input_taken:
            raise FileError("Standard input can be read only once. Name it once.")
        self._input_taken |= path == STANDARD_INPUT
        return input_bytes(path)
