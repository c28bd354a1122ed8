"""``evenhand lsp`` and ``evenhand serve``: Evenhand inside other editors."""

from __future__ import annotations

import argparse
import os
from threading import Thread
from typing import Any

from core.cli.streams import fail, print_message
from core.cli.version import program_version


def add_parsers(commands: Any) -> None:
    """Add the servers to the commands."""
    commands.add_parser(
        "lsp",
        help="serve an editor over the Language Server Protocol",
        description="Serve an editor over the Language Server Protocol, on standard input and output. An editor starts "
        "this command by itself; docs/editors.md says how to set it up.",
        allow_abbrev=False,
    ).add_argument("--stdio", action="store_true", help="ignored; some editors add it")
    serving = commands.add_parser(
        "serve",
        help="act as a LanguageTool server on this computer",
        description="Act as a LanguageTool server for the programs on this computer, until Ctrl+C. Enter its address "
        "where a program asks for a LanguageTool server; docs/editors.md says how.",
        allow_abbrev=False,
    )
    serving.add_argument(
        "--port", type=_port, default=8081, metavar="N", help="port (default: 8081; 0: a free one)"
    )
    serving.add_argument(
        "--token",
        default="",
        metavar="TOKEN",
        help="answer only requests with this token, as a bearer token or as apiKey",
    )
    serving.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        metavar="ORIGIN",
        help="a browser extension that may send requests, such as chrome-extension://ID (may be repeated)",
    )


def run_lsp() -> int:
    """Serve an editor until it ends; returns the exit code."""
    from core.server.language_server import serve_editor

    serve_editor(program_version())
    return 0


def run_serve(arguments: argparse.Namespace) -> int:
    """Answer programs until Ctrl+C; returns the exit code."""
    from core.server.http_server import HOST, LanguageToolApp, make_http_server
    from core.server.resident_engine import ResidentEngine

    resident = ResidentEngine(print_message)
    app = LanguageToolApp(
        resident,
        program_version(),
        token=arguments.token,
        origins=arguments.allow_origin,
    )
    try:
        server = make_http_server(app, arguments.port)
    except OSError as error:
        reason = error.strerror or os.strerror(error.errno or 0)
        return fail(f"Port {arguments.port} cannot be used ({reason}). Choose another one with --port.")
    print(f"Evenhand answers at http://{HOST}:{server.effective_port}/ (Ctrl+C ends it)", flush=True)
    Thread(target=resident.open_models, daemon=True).start()
    server.run()
    return 0


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 5 or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")
    return int(text)
