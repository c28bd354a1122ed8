"""``evenhand lsp``: the Language Server Protocol on standard input and output."""

from __future__ import annotations

import asyncio
import io
import logging
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from core.bundles.manifest import BundleError
from core.engine.cue_classes import LexiconError
from core.engine.onnx_session import ReaderError
from core.engine.reader import Cancelled
from core.failures import describe_failure
from core.reports.finding_notes import FindingNote, describe_finding
from core.rewriting.rewriter import RewriterError
from core.server.client_settings import read_settings
from core.server.messages import MessageInput, MessageProtocol
from core.server.open_draft import CheckedVersion, OpenDraft
from core.server.personal_words import ignore_once
from core.server.positions import Encoding, TextPositions
from core.server.resident_engine import CheckOptions, ResidentEngine
from core.storage.files import FileError
from core.storage.types import StoreError
from core.style.toml_source import StyleError
from core.types import Finding, Suggestion

T = TypeVar("T")

SOURCE = "Evenhand"
SECTION = "evenhand"
"""The section of a client's settings."""

IGNORE, ALLOW = "evenhand.ignoreOnce", "evenhand.allow"
PAUSE_S = 0.15
"""How long nobody types before a text is checked."""

MAX_KEPT_NOTES = 10_000

MAX_REWORDED = 3
"""Suggestions are made for so many findings of a selection."""

_ENCODINGS: dict[str, Encoding] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "suggestion": types.DiagnosticSeverity.Information,
}
_FAILURES = (BundleError, LexiconError, ReaderError, RewriterError, FileError, StoreError, StyleError)


class EvenhandServer(LanguageServer):
    """The open texts of one editor, and a thread that does the work of the models."""

    def __init__(self, version: str) -> None:
        super().__init__("evenhand", version, protocol_cls=MessageProtocol)
        self.resident = ResidentEngine(self.tell)
        self.options = CheckOptions()
        self.drafts: dict[str, OpenDraft] = {}
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="models")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._told: set[str] = set()
        self._notes: dict[tuple[object, ...], FindingNote] = {}

    def tell(self, message: str) -> None:
        """Show the person a message, once. Any thread may call it."""
        if message in self._told or self._loop is None:
            return
        self._told.add(message)
        shown = types.ShowMessageParams(types.MessageType.Warning, message)
        self._loop.call_soon_threadsafe(self.window_show_message, shown)

    def shutdown(self) -> None:
        """Stop all work and end."""
        for draft in self.drafts.values():
            draft.stop.set()
        self._worker.shutdown(wait=True, cancel_futures=True)
        super().shutdown()  # type: ignore[no-untyped-call]

    def set_options(self, settings: object) -> None:
        """Take over the client's settings and check all texts again; a wrong value is reported and ignored."""
        self.options, wrong = read_settings(settings)
        for message in wrong:
            self.tell(message)
        for draft in self.drafts.values():
            self.schedule(draft)

    def schedule(self, draft: OpenDraft, *, pause: float = 0.0) -> None:
        """Check a text after a pause; the check of an earlier version is cancelled."""
        self._loop = asyncio.get_running_loop()
        draft.cancel()
        draft.task = asyncio.ensure_future(self._check(draft, pause))

    def close(self, draft: OpenDraft) -> None:
        """Forget a text and take its diagnostics away."""
        draft.cancel()
        del self.drafts[draft.uri]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(draft.uri, []))

    async def work(self, task: Callable[..., T], *arguments: Any) -> T | None:
        """What ``task`` returns in the thread of the models; None, and a message for the person, where it fails."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._worker, task, *arguments)
        except Cancelled:
            return None
        except _FAILURES as error:
            self.tell(str(error))
            return None
        except Exception as error:
            self.tell(f"Evenhand has failed ({describe_failure(error)}). Report it with this line.")
            return None

    async def _check(self, draft: OpenDraft, pause: float) -> None:
        await asyncio.sleep(pause)
        if draft.format is None:
            return
        version, stop = draft.version, draft.stop
        checked = await self.work(self._read, draft, draft.text, version, self.options, stop.is_set)
        if checked is None or stop.is_set() or self.drafts.get(draft.uri) is not draft:
            return
        draft.checked = checked
        found = [self.diagnostic(checked, number) for number in range(len(checked.findings))]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(draft.uri, found, version))

    def _read(
        self,
        draft: OpenDraft,
        text: str,
        version: int,
        options: CheckOptions,
        cancelled: Callable[[], bool],
    ) -> CheckedVersion:
        format = draft.format
        assert format is not None
        if cancelled():
            raise Cancelled
        served = draft.reader.read(text, format)
        kept = [] if draft.path is None else self.resident.words.ignored(draft.path)
        findings = self.resident.check(
            served.document, options, path=draft.path, ignored=[*kept, *draft.ignored], cancelled=cancelled
        )
        spans = tuple(served.span(one.start, one.end) for one in findings)
        return CheckedVersion(version, served, TextPositions(text, draft.encoding), findings, spans)

    def note_of(self, finding: Finding) -> FindingNote:
        """What is said of a finding. After each key all of a text are asked for, so it is kept."""
        key = (finding.shown, finding.kind, finding.why, finding.guide_class, finding.style)
        if key not in self._notes:
            if len(self._notes) >= MAX_KEPT_NOTES:
                self._notes.clear()
            self._notes[key] = describe_finding(finding, self.resident.engine.lexicon)
        return self._notes[key]

    def diagnostic(self, checked: CheckedVersion, number: int) -> types.Diagnostic:
        """One finding as a diagnostic."""
        finding = checked.findings[number]
        note = self.note_of(finding)
        return types.Diagnostic(
            checked.range(*checked.spans[number]),
            note.message,
            severity=types.DiagnosticSeverity.Information
            if finding.quoted
            else _SEVERITIES[finding.style.severity if finding.style else "warning"],
            code=note.rule,
            code_description=types.CodeDescription(note.url) if note.url else None,
            source=f"{SOURCE} ({finding.kind.value})",
            data={"fingerprint": finding.fingerprint, "confidence": round(finding.confidence, 3)},
        )

    async def actions(self, draft: OpenDraft, params: types.CodeActionParams) -> list[types.CodeAction]:
        """What can be done about the findings of a range. Suggestions only where a person asked for the actions."""
        checked = draft.checked
        if checked is None or checked.version != draft.version:
            return []
        asked = params.context.trigger_kind is not types.CodeActionTriggerKind.Automatic
        found: list[types.CodeAction] = []
        numbers = checked.findings_at(params.range)
        for number in numbers[: MAX_REWORDED if asked else 0]:
            found += await self._suggestions(draft, checked, number)
        for number in numbers:
            found += self._ignoring(draft, checked, number)
        return found

    async def _suggestions(
        self, draft: OpenDraft, checked: CheckedVersion, number: int
    ) -> list[types.CodeAction]:
        finding, changed, stop = checked.findings[number], draft.stop, threading.Event()
        document = checked.served.document

        def cancelled() -> bool:
            return changed.is_set() or stop.is_set()

        def ask() -> tuple[tuple[Suggestion, ...], tuple[Suggestion, ...]]:
            own = self.resident.suggest(document, finding, cancelled=cancelled).items
            return own, self.resident.reword(document, finding, cancelled=cancelled).items

        try:
            answer = await self.work(ask)
        except asyncio.CancelledError:
            stop.set()
            raise
        if answer is None or draft.version != checked.version:
            return []
        own, whole = answer
        known = {one.edits for one in own}
        titled = [(_title(document.source, one), one) for one in own]
        titled += [
            (f"Reword the sentence: {one.sentence.strip()}", one) for one in whole if one.edits not in known
        ]
        actions: list[types.CodeAction] = []
        for title, suggestion in titled:
            edit = self._workspace_edit(draft, checked, suggestion)
            if edit is not None:
                actions.append(
                    types.CodeAction(
                        title,
                        kind=types.CodeActionKind.QuickFix,
                        diagnostics=[self.diagnostic(checked, number)],
                        is_preferred=not actions,
                        edit=edit,
                    )
                )
        return actions

    def _workspace_edit(
        self, draft: OpenDraft, checked: CheckedVersion, suggestion: Suggestion
    ) -> types.WorkspaceEdit | None:
        """The edits of a suggestion as one change; None where markup of a page stands in the way."""
        edits = checked.served.edits(suggestion.edits)
        if edits is None:
            return None
        changes = [types.TextEdit(checked.range(one.start, one.end), one.text) for one in edits]
        workspace = self.client_capabilities.workspace
        if workspace and workspace.workspace_edit and workspace.workspace_edit.document_changes:
            text = types.OptionalVersionedTextDocumentIdentifier(draft.uri, checked.version)
            return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(text, list(changes))])
        return types.WorkspaceEdit(changes={draft.uri: changes})

    def _ignoring(self, draft: OpenDraft, checked: CheckedVersion, number: int) -> list[types.CodeAction]:
        finding = checked.findings[number]
        diagnostics = [self.diagnostic(checked, number)]
        words = " ".join(finding.shown.split())
        choices = (
            (f"Ignore “{words}” here", IGNORE, [draft.uri, checked.version, number]),
            (f"Always allow “{words}”", ALLOW, [words]),
        )
        return [
            types.CodeAction(
                title,
                kind=types.CodeActionKind.QuickFix,
                diagnostics=diagnostics,
                command=types.Command(title, command, arguments=arguments),
            )
            for title, command, arguments in choices
        ]

    async def ignore(self, uri: str, version: int, number: int) -> None:
        """Ignore one finding of a checked version of a text."""
        draft = self.drafts.get(uri)
        checked = draft.checked if draft is not None else None
        if draft is None or checked is None or checked.version != version:
            self.tell("The text has changed in the meantime. Choose it again.")
            return
        finding: Finding = checked.findings[number]
        skipped = sum(other.fingerprint == finding.fingerprint for other in checked.findings[:number])
        if draft.path is None:
            draft.ignored.append(ignore_once(finding, draft.ignored, skipped=skipped))
        else:
            await self.work(partial(self.resident.words.ignore, draft.path, finding, skipped=skipped))
        self.schedule(draft)

    async def allow(self, words: str) -> None:
        """Always allow these words, in every text."""
        await self.work(self.resident.words.allow, words)
        for draft in self.drafts.values():
            self.schedule(draft)


def make_server(version: str) -> EvenhandServer:
    """A language server; ``start_io()`` serves a client on standard input and output until it ends."""
    server = EvenhandServer(version)

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.options, _ = read_settings(params.initialization_options)

    @server.feature(types.INITIALIZED)
    async def initialized(_params: types.InitializedParams) -> None:
        workspace = server.client_capabilities.workspace
        if workspace and workspace.configuration:
            await pull_settings()

    async def pull_settings() -> None:
        items = [types.ConfigurationItem(section=SECTION)]
        try:
            answer = await server.workspace_configuration_async(types.ConfigurationParams(items))
        except Exception:
            return
        if answer and isinstance(answer[0], dict) and answer[0]:
            server.set_options(answer[0])

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configuration(params: types.DidChangeConfigurationParams) -> None:
        workspace = server.client_capabilities.workspace
        if params.settings:
            server.set_options(params.settings)
        elif workspace and workspace.configuration:
            await pull_settings()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        known = server.drafts.get(item.uri)
        if known is not None:
            known.cancel()
        # An enumeration or a text: pygls has the one for a client that names none, the other for one that does.
        encoding = _ENCODINGS[
            types.PositionEncodingKind(server.workspace.position_encoding or "utf-16").value
        ]
        draft = OpenDraft(item.uri, item.language_id, item.version, item.text, encoding)
        server.drafts[item.uri] = draft
        server.schedule(draft)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        draft = server.drafts.get(params.text_document.uri)
        if draft is not None:
            draft.change(list(params.content_changes), params.text_document.version)
            server.schedule(draft, pause=PAUSE_S)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        draft = server.drafts.get(params.text_document.uri)
        if draft is not None:
            server.close(draft)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        draft = server.drafts.get(params.text_document.uri)
        checked = draft.checked if draft is not None else None
        if draft is None or checked is None or checked.version != draft.version:
            return None
        numbers = checked.findings_at(types.Range(params.position, params.position))
        if not numbers:
            return None
        notes = [describe_finding(checked.findings[one], server.resident.engine.lexicon) for one in numbers]
        texts = [one.message + (f"\n\n{one.url}" if one.url else "") for one in notes]
        content = types.MarkupContent(types.MarkupKind.PlainText, "\n\n".join(texts))
        return types.Hover(content, checked.range(*checked.spans[numbers[0]]))

    kinds = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        draft = server.drafts.get(params.text_document.uri)
        only = params.context.only
        if draft is None or (only and not any(_includes(one, types.CodeActionKind.QuickFix) for one in only)):
            return []
        return await server.actions(draft, params)

    @server.command(IGNORE)
    async def ignore(uri: str, version: int, number: int) -> None:
        await server.ignore(uri, version, number)

    @server.command(ALLOW)
    async def allow(words: str) -> None:
        await server.allow(words)

    return server


def serve_editor(version: str) -> None:
    """Serve the editor on standard input and output until it ends."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    # pygls closes what it writes to; what else is printed must not get between its messages.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as output:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        make_server(version).start_io(MessageInput(io.FileIO(sys.stdin.fileno(), closefd=False)), output)


def _includes(kind: str, other: str) -> bool:
    return other == kind or other.startswith(f"{kind}.") or not kind


def _title(source: str, suggestion: Suggestion) -> str:
    """A suggestion as the title of an action: the words before and after."""
    start, end = suggestion.edits[0].start, suggestion.edits[-1].end
    parts, at = [], start
    for edit in suggestion.edits:
        parts += [source[at : edit.start], edit.text]
        at = edit.end
    before, after = " ".join(source[start:end].split()), " ".join("".join(parts).split())
    return f"“{before}” → “{after}”" if after else f"Delete “{before}”"
