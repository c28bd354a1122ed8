"""Judges suggestions: lists those of a bundle for the items left for the ranking, and adds verdicts on them.

    python -m training.rewriter.judging list SHEET --data DIR [--bundle BUNDLE]
    python -m training.rewriter.judging add FIRST SECOND --data DIR [--bundle BUNDLE]

``list`` writes a sheet: for each item its key, the sentence with the finding in double brackets, and the sentence with
each suggestion that was not judged yet, under a letter. Two annotators judge it independently, a line an item: the key,
a bar, and ``a=g b=u`` (see `training.rewriter.judged_suggestions` for the verdicts). ``add`` writes the verdicts of
both into the file. The same bundle must be named, as the letters follow from it.
"""

from __future__ import annotations

import argparse
import json
import lzma
import string
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from core.bundles.rewriter import bundled_rewriter
from core.engine.engine import bundled_reader
from core.rewriting.scoring import RankedCandidate
from core.rewriting.suggester import Suggester
from training.corpora.annotated_sentences import text_key
from training.corpora.files import read_lines
from training.rewriter import judged_suggestions
from training.rewriter.judged_suggestions import FILE, VERDICTS, JudgedItem
from training.rewriter.ranking import open_unfiltered, rank_item

MAX_SUGGESTIONS = 4
"""Suggestions of an item that are judged at a time, the likeliest."""


def unjudged(suggester: Suggester, item: JudgedItem) -> list[RankedCandidate]:
    """The likeliest candidates for an item's finding without a verdict."""
    known = {one.text for one in item.suggestions}
    found = rank_item(suggester, item)
    return sorted(
        (one for one in found if one.candidate.text not in known),
        key=lambda one: -one.candidate.origin.likely,
    )[:MAX_SUGGESTIONS]


def sheet(suggester: Suggester, items: Iterable[JudgedItem]) -> Iterator[str]:
    """The lines of a sheet; an item without a suggestion to judge is left out."""
    for item in items:
        if found := unjudged(suggester, item):
            start, end = item.start, item.end
            yield f"#{text_key(item.text)}"
            yield f"{item.text[:start]}[[{item.text[start:end]}]]{item.text[end:]}"
            yield from (
                f"  {letter}: {one.candidate.text}"
                for letter, one in zip(string.ascii_lowercase, found, strict=False)
            )


def read_verdicts(path: Path) -> dict[str, dict[str, str]]:
    """The verdicts of an annotator by key and letter; other lines are left out."""
    found: dict[str, dict[str, str]] = {}
    for line in read_lines(path):
        key, bar, rest = line.strip().lstrip("#").partition("|")
        given = (pair.split("=") for pair in rest.split("|")[0].split() if pair.count("=") == 1)
        if bar:
            found[key.strip()] = {letter: verdict for letter, verdict in given if verdict in VERDICTS}
    return found


def add(
    suggester: Suggester, items: Sequence[JudgedItem], passes: Sequence[dict[str, dict[str, str]]]
) -> dict[str, list[dict[str, object]]]:
    """The newly judged suggestions by the key of their item, as rows of the file; those that all annotators judged."""
    rows: dict[str, list[dict[str, object]]] = {}
    for item in items:
        key = text_key(item.text)
        if not all(key in verdicts for verdicts in passes):
            continue
        for letter, one in zip(string.ascii_lowercase, unjudged(suggester, item), strict=False):
            given = [verdicts[key][letter] for verdicts in passes if letter in verdicts[key]]
            if len(given) == len(passes):
                edits = [[edit.start, edit.end, edit.text] for edit in one.candidate.changes]
                rows.setdefault(key, []).append({"edits": edits, "verdicts": given})
    return rows


def _write(added: dict[str, list[dict[str, object]]]) -> None:
    lines = [json.loads(line) for line in read_lines(FILE)]
    for row in lines:
        if more := added.get(row["text"]):
            row["suggestions"] = [*row.get("suggestions", ()), *more]
    with lzma.open(FILE, "wt", preset=9, encoding="utf-8") as file:
        for row in lines:
            file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")


def main() -> None:
    """List suggestions, or add verdicts."""
    parser = argparse.ArgumentParser(description="Suggestions to judge, and verdicts on them.")
    commands = parser.add_subparsers(dest="command", required=True)
    listing, adding = commands.add_parser("list"), commands.add_parser("add")
    listing.add_argument("sheet", type=Path)
    adding.add_argument("verdicts", type=Path, nargs="+")
    for command in (listing, adding):
        command.add_argument("--data", type=Path, required=True, help="folder of the corpora")
        command.add_argument("--bundle", type=Path, default=bundled_rewriter(), help="folder of the rewriter")
    options = parser.parse_args()
    suggester = open_unfiltered(bundled_reader(), options.bundle)
    items = [item for item in judged_suggestions.load(options.data) if item.is_for_ranking]
    if options.command == "list":
        options.sheet.write_text("\n".join(sheet(suggester, items)) + "\n", encoding="utf-8")
    else:
        added = add(suggester, items, [read_verdicts(path) for path in options.verdicts])
        _write(added)
        print(f"{sum(map(len, added.values()))} suggestions of {len(added)} items added")


if __name__ == "__main__":
    main()
