"""``evenhand check``, ``rewrite``, ``style``, ``models``, ``lsp`` and ``serve``: the engine on the command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from core.bundles.manifest import BundleError
from core.cli import models, servers, style
from core.cli.checker import FileChecker
from core.cli.file_selection import expand
from core.cli.fixer import render_diff
from core.cli.output import RENDERERS, OutputContext, render_as_text
from core.cli.streams import (
    USAGE_ERROR,
    CommandParser,
    discard,
    fail,
    keep_line_ends,
    open_streams,
    print_message,
    read_input,
)
from core.documents.format_specs import FORMATS, comment_formats, container_formats
from core.documents.unread import notes_with_unread
from core.engine.cue_classes import LexiconError
from core.engine.onnx_session import ReaderError
from core.failures import describe_failure, is_failure
from core.models.active import load_engine, load_suggester
from core.paths import NoHomeError
from core.reports import json_report
from core.reports.types import CheckedFile, FailedFile
from core.rewriting.lines import rewrite_lines
from core.rewriting.rewriter import RewriterError
from core.storage.data_version import NewerDataError, refuse_newer_data
from core.storage.files import FileError
from core.style.toml_source import StyleError
from core.types import ALL_KINDS, Kind

NOTHING_FOUND, FOUND = 0, 1
INTERRUPTED, CLOSED_PIPE = 130, 141
"""Exit codes of a command that Ctrl-C or a closed pipe has ended, as shells report them."""

MAX_SUGGESTIONS = 10
_REPORT = "This is a bug in Evenhand: report it with this line."


def main(argv: Sequence[str]) -> int:
    """Run the command line ``argv`` (without the program's name) and return its exit code."""
    open_streams()
    try:
        code = _run(argv)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        discard(sys.stdout)
        return CLOSED_PIPE
    except NoHomeError as error:
        return fail(str(error))
    except OSError as error:
        discard(sys.stdout)
        return fail(f"The output cannot be written ({error.strerror or error}).")
    except BaseException as error:
        if not is_failure(error):
            raise
        return fail(f"The command has failed ({describe_failure(error)}). {_REPORT}")
    return code


def _run(argv: Sequence[str]) -> int:
    try:
        parser = _parser()
        arguments = parser.parse_args(argv)
        if arguments.command == "check" and arguments.dry_run and not arguments.fix:
            parser.error("--dry-run works only with --fix: add --fix")
        if arguments.command == "check" and not arguments.fix and _says_how_to_track(arguments):
            parser.error("--track-changes and --author work only with --fix: add --fix")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else USAGE_ERROR
    try:
        if arguments.command != "models":
            _warn_of_newer_data()
        match arguments.command:
            case "check":
                return check(arguments)
            case "rewrite":
                return rewrite(arguments)
            case "lsp":
                return servers.run_lsp()
            case "serve":
                return servers.run_serve(arguments)
            case "style":
                return style.run(arguments)
        return models.run(arguments)
    except BundleError as error:
        return fail(f"{error} {models.HOW_TO_GET}")
    except LexiconError as error:
        return fail(str(error))


def check(arguments: argparse.Namespace) -> int:
    """Check the files and print the findings. Raises BundleError and LexiconError."""
    checker = FileChecker(arguments)
    files: list[CheckedFile | FailedFile] = []
    code = NOTHING_FOUND
    for path, failure in _files(arguments.files):
        if failure:
            code = fail(failure, path)
            files.append(FailedFile(path, failure))
            continue
        try:
            if arguments.fix:
                code = max(code, _fix(checker, path, dry_run=arguments.dry_run))
                if arguments.dry_run:
                    continue
            checked = checker.check(path)
        except (FileError, ReaderError, RewriterError, StyleError) as error:
            code = fail(str(error), path)
            files.append(FailedFile(path, str(error)))
            continue
        except BaseException as error:
            if not is_failure(error) or isinstance(error, BundleError | LexiconError):
                raise
            message = f"This file cannot be checked ({describe_failure(error)}). {_REPORT}"
            code = fail(message, path)
            files.append(FailedFile(path, message))
            continue
        if checked.report.findings:
            code = max(code, FOUND)
        if arguments.format == "text":
            print(render_as_text(checked, checker.engine, leaning=arguments.leaning))
            continue
        files.append(checked)
        for note in notes_with_unread(checked.report):
            print_message(note, path)
    if arguments.format != "text" and not arguments.dry_run:
        engine = checker.engine if any(isinstance(file, CheckedFile) for file in files) else None
        context = OutputContext(engine, arguments.include_quotes, code, arguments.leaning)
        print(RENDERERS[arguments.format](files, context))
    return code


def _files(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The files that the call names, each with why it cannot be checked, or nothing."""
    for argument in arguments:
        try:
            for path in expand(argument):
                yield path, ""
        except (FileError, StyleError) as error:
            yield argument, str(error)


def _fix(checker: FileChecker, path: str, *, dry_run: bool) -> int:
    """Apply the sure suggestions to a file and say how many, or print the diff; FOUND where that would change it."""
    fix = checker.fix(path)
    if dry_run:
        sys.stdout.write(render_diff(path, fix))
        return FOUND if fix.count else NOTHING_FOUND
    if fix.count:
        done = "1 place was changed" if fix.count == 1 else f"{fix.count} places were changed"
        print_message(f"{done}, as tracked changes." if fix.tracked else f"{done}.", path)
    return NOTHING_FOUND


def _says_how_to_track(arguments: argparse.Namespace) -> bool:
    return arguments.track_changes is not None or bool(arguments.author)


def rewrite(arguments: argparse.Namespace) -> int:
    """Rewrite the lines of a file neutrally and print them. Raises BundleError and LexiconError."""
    path = arguments.file
    rewrites: list[dict[str, Any]] = []
    try:
        file = read_input(path)
        if file.note:
            print_message(file.note, path)
        suggester = load_suggester(load_engine(print_message), print_message)
        keep_line_ends()
        for number, line in enumerate(rewrite_lines(suggester, file.text, n=arguments.n), 1):
            if line.note:
                print_message(f"line {number}: {line.note}", path)
            if arguments.format == "json":
                rewrites.append(json_report.line_entry(line))
            else:
                sys.stdout.write((line.rewrites[0].text if line.rewrites else line.source) + line.end)
    except (FileError, ReaderError, RewriterError) as error:
        return fail(str(error), path)
    if arguments.format == "json":
        print(json_report.dump_lines(rewrites))
    return NOTHING_FOUND


def _warn_of_newer_data() -> None:
    try:
        refuse_newer_data()
    except NewerDataError as error:
        print_message(f"{error} Until then the models that came with Evenhand are used.")


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(prog="evenhand", allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True)
    checking = commands.add_parser(
        "check",
        help="find wording that is not neutral",
        description="Find wording that is not neutral. Exit code: 0 no findings, 1 findings, "
        "2 an error in the command or in a file.",
        epilog="The comments <!-- evenhand off -->, <!-- evenhand on --> and <!-- evenhand ignore-next --> in "
        f"{comment_formats()} exclude text from checks, also for single kinds (<!-- evenhand off framing -->). Plain "
        f"text has no comments. Offsets in {container_formats()} refer to the text that is extracted from the file.",
        allow_abbrev=False,
    )
    checking.add_argument(
        "files", metavar="FILE", nargs="+", help="a file, a folder, a glob, or - for standard input"
    )
    checking.add_argument("--format", choices=("text", *RENDERERS), default="text", help="output format")
    checking.add_argument(
        "--input-format",
        choices=("auto", *(form.value for form in FORMATS)),
        default="auto",
        help="format of the files (default: from the name, then from the text)",
    )
    checking.add_argument(
        "--kinds",
        type=_kinds,
        default=None,
        metavar="KIND,…",
        help=f"only these kinds: {', '.join(ALL_KINDS)}",
    )
    checking.add_argument(
        "--min-confidence",
        type=_probability,
        default=0.0,
        metavar="P",
        help="only findings with at least this confidence, from 0 to 1",
    )
    checking.add_argument("--include-quotes", action="store_true", help="include findings inside quotations")
    checking.add_argument(
        "--leaning",
        action="store_true",
        help="with --format text or html: also print the political leaning, which is often wrong (JSON always has it)",
    )
    checking.add_argument(
        "--suggest", type=_count, default=0, metavar="N", help="up to N suggestions for each finding"
    )
    checking.add_argument(
        "--style",
        type=_packs,
        metavar="PACK,…",
        help="style packs to check with, by id or file, or none (default: those of the project file, else those that "
        "are on for the format of the file)",
    )
    checking.add_argument(
        "--changed-since",
        default="",
        metavar="REV",
        help="only findings on lines that differ from this Git revision",
    )
    checking.add_argument(
        "--fix",
        action="store_true",
        help="apply suggestions that score high enough to need no review, outside quotations, "
        "and report the other findings",
    )
    checking.add_argument(
        "--dry-run",
        action="store_true",
        help="with --fix: change nothing and print the diff; exit code 1 if there is any",
    )
    checking.add_argument(
        "--track-changes",
        action=argparse.BooleanOptionalAction,
        help="with --fix: write the changes of a .docx or .odt as tracked changes, with the reasons as comments "
        "(default: if Track Changes is on in the file)",
    )
    checking.add_argument(
        "--author",
        default="",
        metavar="NAME",
        help="with --fix: the author of tracked changes (default: the full name of your user account)",
    )
    rewriting = commands.add_parser(
        "rewrite",
        help="rewrite sentences neutrally, one per line",
        description="Print each line of a file with its sentences rewritten neutrally; a line without findings is "
        "unchanged. Exit code: 0, or 2 for an error in the command or in the file.",
        allow_abbrev=False,
    )
    rewriting.add_argument("file", metavar="FILE", help="a file, or - for standard input")
    rewriting.add_argument("--format", choices=("text", "json"), default="text", help="output format")
    rewriting.add_argument(
        "--n",
        type=_count,
        default=1,
        metavar="N",
        help="up to N rewrites of each line (text output shows the best)",
    )
    models.add_parser(commands)
    servers.add_parsers(commands)
    style.add_parser(commands)
    return parser


def _kinds(text: str) -> tuple[Kind, ...]:
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in tuple(ALL_KINDS)]
    if unknown or not names:
        what = f"unknown kind {', '.join(unknown)}" if unknown else "no kind given"
        raise argparse.ArgumentTypeError(f"{what}; choose from {', '.join(ALL_KINDS)}")
    return tuple(kind for kind in ALL_KINDS if kind.value in names)


def _packs(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if not names:
        raise argparse.ArgumentTypeError("no pack given; name a pack, or write none")
    return () if names == ("none",) else names


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MAX_SUGGESTIONS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MAX_SUGGESTIONS}")
    return int(text)


def _probability(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return value
