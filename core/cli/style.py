"""``evenhand style``: the packs at hand, the check of a pack with its own sentences, and the import of Vale styles."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from core.cli.streams import CommandParser, fail, print_message
from core.storage.files import FileError, write_bytes
from core.style.library import find_pack, pack_paths
from core.style.matcher import StyleMatcher
from core.style.packs import StylePack, load_pack
from core.style.toml_source import StyleError
from core.style.vale import import_vale

CHECKED, WRONG = 0, 1


def add_parser(commands: Any) -> None:
    """Add the command and its subcommands."""
    parser: CommandParser = commands.add_parser(
        "style",
        help="list, check and import style packs",
        description="A style pack is a list of rules from a newsroom or a wiki.",
        allow_abbrev=False,
    )
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("list", help="list the style packs", allow_abbrev=False)
    check = actions.add_parser(
        "check",
        help="check style packs, and test their rules on the example sentences in them",
        description="Exit code: 0 for no problems, 1 for problems, 2 for a pack that cannot be read.",
        allow_abbrev=False,
    )
    check.add_argument("packs", metavar="PACK", nargs="+", help="the id of a pack, or its file")
    vale = actions.add_parser(
        "import", help="make a style pack from a folder of Vale rules (YAML)", allow_abbrev=False
    )
    vale.add_argument("folder", metavar="FOLDER", help="the folder of one Vale style")
    vale.add_argument("--out", metavar="FILE", required=True, help="the new pack, a .toml file")


def run(arguments: argparse.Namespace) -> int:
    """Run the subcommand and return its exit code."""
    match arguments.action:
        case "list":
            return _list()
        case "check":
            return max([_check(name) for name in arguments.packs])
    return _import(arguments.folder, Path(arguments.out))


def _list() -> int:
    for pack_id, path in pack_paths().items():
        try:
            pack = load_pack(path, find=pack_paths().get)
        except StyleError as error:
            print_message(str(error))
            continue
        on = f" (on in {', '.join(pack.formats)})" if pack.formats else ""
        print(f"{pack_id}: {pack.name}, {len(pack.rules)} rules{on}")
    return CHECKED


def _check(name: str) -> int:
    path = find_pack(name, Path())
    if path is None:
        return fail(
            "There is no such style pack. Name its file, or an id that “evenhand style list” shows.", name
        )
    try:
        pack = load_pack(path, find=pack_paths().get)
    except StyleError as error:
        return fail(str(error))
    problems = [*pack.problems, *sentence_problems(pack)]
    for problem in problems:
        print_message(problem)
    sentences = sum(len(rule.must_match) + len(rule.must_pass) for rule in pack.rules)
    print(f"{pack.name}: {len(pack.rules)} rules, {sentences} sentences, {len(problems)} problems")
    return WRONG if problems else CHECKED


def sentence_problems(pack: StylePack) -> list[str]:
    """What is wrong with the sentences of a pack: those that a rule must match and does not, and the reverse."""
    problems = []
    for rule in pack.rules:
        matcher = StyleMatcher([StylePack(pack.id, pack.path, pack.name, rules=(rule,))])
        problems += [
            f"{rule.key} does not match: {sentence}"
            for sentence in rule.must_match
            if not matcher.matches(sentence)
        ]
        problems += [
            f"{rule.key} matches “{sentence[found[0].start : found[0].end]}” in: {sentence}"
            for sentence in rule.must_pass
            if (found := matcher.matches(sentence))
        ]
    return problems


def _import(folder: str, out: Path) -> int:
    try:
        text, left_out = import_vale(Path(folder))
        write_bytes(out, text.encode())
    except (StyleError, FileError) as error:
        return fail(str(error))
    for message in left_out:
        print_message(message)
    return _check(str(out))
