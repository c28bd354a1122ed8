"""Protects the language server, end to end, with the client of pygls: what editors see, and that it ends with them."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Union

import pytest
from cattrs import Converter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lsprotocol import types
from pygls.lsp.client import LanguageClient
from pygls.protocol import default_converter

from core.documents import Format, parse
from core.engine.engine import Engine
from core.reports.finding_notes import describe_finding
from core.server.language_server import EvenhandServer
from core.storage.store import Store

PATIENCE_S = 60
BIASED = "The chairman reveals a shameful record."


def make_converter() -> Converter:
    """The converter of pygls; lsprotocol's own takes every code action that has a command for a command."""

    def read(one: Any, _type: object) -> types.Command | types.CodeAction:
        kind: type[Any] = types.Command if isinstance(one.get("command"), str) else types.CodeAction
        return converter.structure(one, kind)  # type: ignore[no-any-return]

    converter = default_converter()
    converter.register_structure_hook(Union[types.Command, types.CodeAction], read)  # noqa: UP007
    return converter


class Editor:
    """A client, and the diagnostics that it has received."""

    def __init__(self) -> None:
        self.client = LanguageClient("editor", "1", converter_factory=make_converter)
        self.shown: dict[str, list[types.Diagnostic]] = {}
        self.messages: list[str] = []
        self.versions: dict[str, int | None] = {}
        self._news = asyncio.Event()

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.shown[params.uri] = list(params.diagnostics)
            self.versions[params.uri] = params.version
            self._news.set()

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)
        def told(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)
            self._news.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds that news can bring about."""
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                self._news.clear()
                await self._news.wait()

    def open(self, text: str, *, uri: str = "untitled:1", language: str = "plaintext") -> None:
        """Open a text."""
        item = types.TextDocumentItem(uri, language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(
        self,
        where: tuple[int, int, int, int],
        text: str,
        *,
        version: int,
        uri: str = "untitled:1",
    ) -> None:
        """Replace a range."""
        place = types.Range(types.Position(*where[:2]), types.Position(*where[2:]))
        change = types.TextDocumentContentChangePartial(place, text)
        named = types.VersionedTextDocumentIdentifier(version, uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(named, [change]))

    async def findings(self, *, uri: str = "untitled:1", version: int = 1) -> list[types.Diagnostic]:
        """The diagnostics of a version of a text."""
        await self.until(lambda: self.versions.get(uri) == version)
        return self.shown[uri]

    async def actions(
        self, where: types.Range, *, uri: str = "untitled:1", automatic: bool = False
    ) -> list[types.CodeAction]:
        """The code actions at a range."""
        kind = types.CodeActionTriggerKind.Automatic if automatic else types.CodeActionTriggerKind.Invoked
        context = types.CodeActionContext([], trigger_kind=kind)
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), where, context)
        found = await self.client.text_document_code_action_async(params)
        assert all(isinstance(one, types.CodeAction) for one in found or [])
        return [one for one in found or [] if isinstance(one, types.CodeAction)]

    async def run(self, action: types.CodeAction) -> None:
        """Run the command of an action."""
        assert action.command is not None
        params = types.ExecuteCommandParams(action.command.command, arguments=action.command.arguments)
        await self.client.workspace_execute_command_async(params)


@asynccontextmanager
async def editor(
    command: list[str], *, encoding: str | None = "utf-16", options: dict[str, Any] | None = None
) -> AsyncIterator[Editor]:
    """An editor with a server, both ended at the end. Without an ``encoding`` it names none, as older editors do."""
    here = Editor()
    await here.client.start_io(*command, "lsp")
    encodings = [types.PositionEncodingKind(encoding)] if encoding else None
    capabilities = types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=encodings) if encodings else None,
        workspace=types.WorkspaceClientCapabilities(
            workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True)
        ),
    )
    params = types.InitializeParams(capabilities, initialization_options=options)
    answer = await here.client.initialize_async(params)
    assert answer.capabilities.position_encoding == (encoding or "utf-16")
    here.client.initialized(types.InitializedParams())
    try:
        yield here
    finally:
        await here.client.shutdown_async(None)
        here.client.exit(None)
        await here.client.stop()


def words(text: str, found: types.Diagnostic, encoding: str = "utf-16-le") -> str:
    """The words that a diagnostic stands on, by the standard library."""
    size = 2 if encoding == "utf-16-le" else 1
    lines = [line.encode(encoding) for line in text.replace("\r\n", "\n").split("\n")]
    assert found.range.start.line == found.range.end.line
    line = lines[found.range.start.line]
    return line[size * found.range.start.character : size * found.range.end.character].decode(encoding)


def act(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a scene."""
    asyncio.run(scene())


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8", None])
def test_diagnostics_stand_on_the_right_words(command: list[str], encoding: str | None) -> None:
    text = "😀 The chairman said.\r\n\r\nשלום 😀😀 the law reveals.\r\n\r\nA shameful record."

    async def scene() -> None:
        async with editor(command, encoding=encoding) as here:
            here.open(text)
            found = await here.findings()
            codec = "utf-8" if encoding == "utf-8" else "utf-16-le"
            assert [words(text, one, codec) for one in found] == ["chairman", "reveals", "shameful"]
            assert [one.source for one in found] == [
                "Evenhand (demographic)",
                "Evenhand (epistemological)",
                "Evenhand (framing)",
            ]
            assert all(one.code and one.message and one.code_description for one in found)

    act(scene)


def test_what_is_typed_is_checked_from_where_it_stands(command: list[str]) -> None:
    async def scene() -> None:
        async with editor(command) as here:
            here.open("The 😀 law.\r\n\r\nA new record.")
            assert await here.findings() == []
            here.change((0, 4, 0, 6), "shameful", version=2)
            here.change((2, 2, 2, 5), "disastrous", version=3)
            found = await here.findings(version=3)
            text = "The shameful law.\n\nA disastrous record."
            assert [words(text, one) for one in found] == ["shameful", "disastrous"]
            here.client.text_document_did_close(
                types.DidCloseTextDocumentParams(types.TextDocumentIdentifier("untitled:1"))
            )
            await here.until(lambda: not here.shown["untitled:1"])

    act(scene)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("markdown", "`shameful` is *shameful* code."),
        ("mediawiki", "{{shameful}} The [[x|shameful]] law."),
        ("html", "<p title='shameful'>The &eacute; <b>shameful</b> law.</p>"),
    ],
)
def test_markup_is_not_read(command: list[str], language: str, text: str) -> None:
    async def scene() -> None:
        async with editor(command) as here:
            here.open(text, language=language)
            (found,) = await here.findings()
            assert words(text, found) == "shameful"
            assert found.range.start.character > text.index("shameful") + 8

    act(scene)


def test_a_program_is_not_read(command: list[str]) -> None:
    async def scene() -> None:
        async with editor(command) as here:
            here.open("shameful = 1", uri="file:///a.py", language="python")
            here.open(BIASED)
            assert await here.findings()
            assert "file:///a.py" not in here.shown

    act(scene)


def test_hover_gives_the_reason_and_actions_the_suggestions(command: list[str]) -> None:
    async def scene() -> None:
        async with editor(command) as here:
            here.open(BIASED)
            found = await here.findings()
            place = types.TextDocumentIdentifier("untitled:1")
            hover = await here.client.text_document_hover_async(
                types.HoverParams(place, types.Position(0, 26))
            )
            assert hover is not None
            assert "shameful" in str(hover.contents)
            nothing = types.HoverParams(place, types.Position(0, 1))
            assert await here.client.text_document_hover_async(nothing) is None
            actions = await here.actions(found[-1].range)
            edits = [one.edit for one in actions if one.edit is not None]
            assert edits
            assert all(len(one.document_changes or []) == 1 and one.changes is None for one in edits)
            automatic = await here.actions(found[-1].range, automatic=True)
            assert [one.title for one in automatic] == ["Ignore “shameful” here", "Always allow “shameful”"]

    act(scene)


def test_ignored_and_allowed_words_are_those_of_the_window(command: list[str], tmp_path: Path) -> None:
    path = tmp_path / "draft.txt"
    path.write_text(BIASED, encoding="utf-8")

    async def scene() -> None:
        async with editor(command) as here:
            here.open(BIASED, uri=path.as_uri())
            found = await here.findings(uri=path.as_uri())
            assert len(found) == 3
            ignore, _ = await here.actions(found[0].range, uri=path.as_uri(), automatic=True)
            await here.run(ignore)
            await here.until(lambda: len(here.shown[path.as_uri()]) == 2)
            (*_, allow) = await here.actions(found[2].range, uri=path.as_uri(), automatic=True)
            await here.run(allow)
            await here.until(lambda: len(here.shown[path.as_uri()]) == 1)

    act(scene)
    store = Store.open()
    draft = store.draft_at(path)
    assert draft is not None
    assert [one.words for one in store.ignores(draft.uid)] == ["chairman"]
    assert store.allowed() == ["shameful"]
    store.close()


@pytest.mark.parametrize("saved", [True, False])
def test_of_equal_findings_the_very_one_is_ignored(command: list[str], tmp_path: Path, saved: bool) -> None:
    """In a file, where the window is to ignore the same one, and in a text without a file."""
    path = tmp_path / "draft.txt"
    uri = path.as_uri() if saved else "untitled:1"
    text = "A shameful record. " * 3

    async def scene() -> None:
        async with editor(command) as here:
            here.open(text, uri=uri)
            found = await here.findings(uri=uri)
            assert len(found) == 3
            ignore, _ = await here.actions(found[1].range, uri=uri, automatic=True)
            await here.run(ignore)
            await here.until(lambda: len(here.shown[uri]) == 2)
            assert [one.range for one in here.shown[uri]] == [found[0].range, found[2].range]
            ignore, _ = await here.actions(found[2].range, uri=uri, automatic=True)
            await here.run(ignore)
            await here.until(lambda: len(here.shown[uri]) == 1)
            assert [one.range for one in here.shown[uri]] == [found[0].range]

    act(scene)


def test_settings_say_what_is_marked(command: list[str]) -> None:
    async def scene() -> None:
        async with editor(command, options={"kinds": ["framing"]}) as here:
            here.open(f"{BIASED} “A shameful record.”")
            assert len(await here.findings()) == 1
            settings = {"evenhand": {"quotations": True, "sensitivity": "high"}}
            here.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
            await here.until(lambda: len(here.shown["untitled:1"]) == 4 and bool(here.messages))
            assert here.messages == ["evenhand.sensitivity must be a whole number from -12 to 12."]

    act(scene)


def test_the_client_chooses_the_style_packs(command: list[str]) -> None:
    text = f"{BIASED} All mankind saw it."

    async def scene() -> None:
        async with editor(command, options={"packs": ["gender-neutral"], "kinds": ["style"]}) as here:
            here.open(text)
            _, mankind = await here.findings()
            assert words(text, mankind) == "All mankind"
            assert (mankind.source, mankind.code) == ("Evenhand (style)", "style/gender-neutral/mankind")
            assert mankind.code_description is not None
            actions = await here.actions(mankind.range)
            assert actions[0].title == "“All mankind” → “Humanity”"
            none = {"evenhand": {"packs": [], "kinds": ["style"]}}
            here.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(none))
            await here.until(lambda: not here.shown["untitled:1"])
            unknown = {"evenhand": {"packs": ["none-such"], "kinds": ["style"]}}
            here.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(unknown))
            await here.until(lambda: bool(here.messages))
            assert here.messages == ["There is no style pack “none-such”."]

    act(scene)


def test_a_project_file_next_to_the_text_says_what_is_marked(command: list[str], tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "house.toml").write_text(
        'name = "House"\nversion = "1"\n[[rule]]\nid = "record"\nmessage = "No “{match}”."\nterms = ["record"]\n'
    )
    said = project / ".evenhand.toml"
    said.write_text(
        'packs = ["house.toml"]\nkinds = ["framing", "demographic", "style"]\nignore_words = ["shameful"]\n'
    )
    uri = (project / "draft.md").as_uri()

    async def scene() -> None:
        async with editor(command) as here:
            here.open(BIASED, uri=uri, language="markdown")
            assert [words(BIASED, one) for one in await here.findings(uri=uri)] == ["chairman", "record"]
            settings = {"evenhand": {"kinds": ["epistemological"]}}
            here.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
            await here.until(lambda: [words(BIASED, one) for one in here.shown[uri]] == ["reveals"])
            said.write_text("packs = 1\n")
            here.change((0, 0, 0, 0), "So: ", version=2, uri=uri)
            await here.until(lambda: bool(here.messages))
            assert str(said) in here.messages[0]
            said.unlink()
            here.change((0, 0, 0, 4), "", version=3, uri=uri)
            assert [words(BIASED, one) for one in await here.findings(uri=uri, version=3)] == ["reveals"]

    act(scene)


def test_fifty_thousand_words(command: list[str]) -> None:
    lines = [f"Law {number} 😀 is new and the people said so in a record." for number in range(4_200)]
    lines[4_000] = "The 😀 chairman said."
    text = "\n\n".join(lines)

    async def scene() -> None:
        async with editor(command) as here:
            here.open(text, language="markdown")
            (found,) = await here.findings()
            assert words(text, found) == "chairman"
            here.change((0, 0, 0, 0), "A shameful thing.\n\n", version=2)
            first, second = await here.findings(version=2)
            assert words(f"A shameful thing.\n\n{text}", first) == "shameful"
            assert second.range.start.line == found.range.start.line + 2

    act(scene)


def test_it_ends_when_the_client_dies(command: list[str]) -> None:
    process = subprocess.Popen([*command, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(
        framed({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}})
    )
    process.stdin.flush()
    process.stdin.close()
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(PATIENCE_S) is not None


def framed(message: object) -> bytes:
    """A message as it is sent."""
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


_KEYS = [
    "textDocument",
    "uri",
    "version",
    "contentChanges",
    "range",
    "text",
    "position",
    "context",
    "settings",
]
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_KEYS), inner, max_size=4),
    max_leaves=8,
)
_METHODS = st.sampled_from(
    [
        types.TEXT_DOCUMENT_DID_OPEN,
        types.TEXT_DOCUMENT_DID_CHANGE,
        types.TEXT_DOCUMENT_DID_CLOSE,
        types.TEXT_DOCUMENT_HOVER,
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.WORKSPACE_EXECUTE_COMMAND,
        types.WORKSPACE_DID_CHANGE_CONFIGURATION,
        "$/cancelRequest",
        "no/such",
    ]
)


@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(messages=st.lists(st.tuples(_METHODS, _VALUES, st.booleans()), min_size=10, max_size=40))
def test_broken_messages_do_not_end_it(command: list[str], messages: list[tuple[str, Any, bool]]) -> None:
    sent = [framed({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}})]
    for number, (method, params, asks) in enumerate(messages, 10):
        sent.append(
            framed({"jsonrpc": "2.0", "method": method, "params": params} | ({"id": number} if asks else {}))
        )
    sent.append(framed({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}))
    sent.append(framed({"jsonrpc": "2.0", "method": "exit"}))
    done = subprocess.run(
        [*command, "lsp"], input=b"".join(sent), capture_output=True, timeout=PATIENCE_S, check=False
    )
    assert b'"id":2' in done.stdout.replace(b" ", b"")
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


def test_what_is_said_of_equal_findings_is_made_once_and_is_right(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.server.resident_engine.load_engine", lambda _: engine)
    monkeypatch.setattr("core.server.language_server.MAX_KEPT_NOTES", 2)
    server = EvenhandServer("1")
    text = "A shameful law. A shameful law. The chairman reveals."
    findings = engine.analyse(parse(text, Format.PLAIN)).findings
    notes = [server.note_of(finding) for finding in findings]
    assert notes == [describe_finding(finding, engine.lexicon) for finding in findings]
    assert notes[0] is notes[1]
    assert [server.note_of(finding) for finding in findings] == notes, "also after some were dropped"
