"""Findings as SARIF 2.1.0 (OASIS), which code hosts and editors read.

Offsets count code points (``columnKind``). In HTML a finding is located in the source of the page; in docx and odt,
which have no text lines, it has the number of its paragraph in place of a region. Addresses are relative to the Git
repository, as code hosts expect them, and absolute outside it; standard input has none.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import quote

from core.documents.format_specs import FORMATS
from core.documents.unread import notes_with_unread
from core.engine.cue_classes import guide_url
from core.engine.cues import Lexicon
from core.reports.finding_notes import describe_finding, guide_rule_id, style_rule_id
from core.reports.terminal import line_columns, printable
from core.reports.types import CheckedFile, FailedFile
from core.types import KINDS, STANDARD_INPUT, Finding, Kind, Suggestion

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "evenhandFinding/v1"

_Json = dict[str, Any]
_LEVELS = {"error": "error", "warning": "warning", "suggestion": "note"}


def build_log(
    files: Sequence[CheckedFile | FailedFile], *, lexicon: Lexicon, version: str, reader: str, exit_code: int
) -> _Json:
    """A SARIF log with one run over ``files``. ``reader`` names the model; empty where none was needed."""
    rules = list(_rules(lexicon))
    if any(
        one.guide_class for file in files if isinstance(file, CheckedFile) for one in file.report.findings
    ):
        rules += _guide_rules(lexicon)
    rules += _style_rules(files)
    numbers = {rule["id"]: number for number, rule in enumerate(rules)}
    driver: _Json = {"name": "Evenhand", "version": version, "rules": rules}
    if reader:
        driver["properties"] = {"reader": reader}
    root = _root()
    paths = [file.path if isinstance(file, FailedFile) else file.report.path for file in files]
    uris = ["" if path == STANDARD_INPUT else path_to_uri(path, root) for path in paths]
    indices = {one: index for index, one in enumerate(dict.fromkeys(uris))}
    places = [{"uri": one, "index": indices[one]} if one else {"index": indices[one]} for one in uris]
    run = {
        "tool": {"driver": driver},
        "invocations": [
            {
                "executionSuccessful": not any(isinstance(file, FailedFile) for file in files),
                "exitCode": exit_code,
                "toolExecutionNotifications": list(_notifications(files, places)),
            }
        ],
        "artifacts": list(
            {one: _artifact(file, one) for one, file in zip(uris, files, strict=True)}.values()
        ),
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "results": [
            result
            for file, place in zip(files, places, strict=True)
            if isinstance(file, CheckedFile)
            for result in _results(file, place, numbers, lexicon)
        ],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def path_to_uri(path: str, root: Path) -> str:
    """A path as a URI: relative to the folder ``root`` where it is inside it, else absolute."""
    place = Path(os.path.normpath(Path.cwd() / path))
    if not place.is_relative_to(root):
        return place.as_uri()
    return quote(os.fsencode(place.relative_to(root).as_posix()))


def _root() -> Path:
    """The folder of the Git repository in which the working folder is, else the working folder.

    Services and editors take relative addresses as those of a repository.
    """
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)


def _rules(lexicon: Lexicon) -> Iterator[_Json]:
    """A rule for each kind (findings without a cue) and for each cue class."""
    for kind in KINDS:
        note = lexicon.kinds[kind]
        yield _rule(kind.value, note.label, note.explanation, guide=note.guide, tag=kind.value)
    for key, one in lexicon.classes.items():
        text = f"{one.label[:1].upper()}{one.label[1:]}: {one.explanation}. {one.caveat}".rstrip()
        yield _rule(key, one.label, text, guide=one.guide, tag=one.kind.value)


def _guide_rules(lexicon: Lexicon) -> Iterator[_Json]:
    """A rule for each class of the guide. Its id begins with the kind: a cue class may have the same name."""
    for one in lexicon.guide_classes.values():
        guide = next((guide for guide in one.guides if guide_url(guide)), "")
        yield _rule(guide_rule_id(one), one.title, one.text, guide=guide, tag=one.kind.value)


def _style_rules(files: Sequence[CheckedFile | FailedFile]) -> list[_Json]:
    """A rule for each rule of a style pack that has found something, with the pack as a tag."""
    notes = {
        one.style.rule: one.style
        for file in files
        if isinstance(file, CheckedFile)
        for one in file.report.findings
        if one.kind is Kind.STYLE and one.style
    }
    rules = []
    for key, note in sorted(notes.items()):
        rule = _rule(
            style_rule_id(key), note.pack, note.reason or note.message, guide="", tag=Kind.STYLE.value
        )
        rule["properties"]["tags"].append(key.partition("/")[0])
        rule["defaultConfiguration"] = {"level": _LEVELS[note.severity]}
        if note.address:
            rule["helpUri"] = note.address
        rules.append(rule)
    return rules


def _rule(key: str, label: str, text: str, *, guide: str, tag: str) -> _Json:
    rule: _Json = {
        "id": key,
        "shortDescription": {"text": label},
        "fullDescription": {"text": text},
        "defaultConfiguration": {"level": "warning"},
        "properties": {"tags": [tag]},
    }
    address = guide_url(guide)
    if address:
        rule["helpUri"] = address
        rule["help"] = {"text": f"{text} See {guide}: {address}"}
    return rule


def _artifact(file: CheckedFile | FailedFile, address: str) -> _Json:
    artifact: _Json = {"roles": ["analysisTarget"]}
    artifact |= {"location": {"uri": address}} if address else {"description": {"text": "standard input"}}
    if isinstance(file, CheckedFile):
        artifact["mimeType"] = FORMATS[file.opened.format].media_types[0]
    return artifact


def _notifications(files: Sequence[CheckedFile | FailedFile], places: Sequence[_Json]) -> Iterator[_Json]:
    for file, place in zip(files, places, strict=True):
        messages = (
            [("error", file.message)]
            if isinstance(file, FailedFile)
            else [("note", note) for note in notes_with_unread(file.report)]
        )
        for level, message in messages:
            yield {
                "level": level,
                "message": {"text": message},
                "locations": [{"physicalLocation": {"artifactLocation": place}}],
            }


def _results(file: CheckedFile, place: _Json, numbers: dict[str, int], lexicon: Lexicon) -> Iterator[_Json]:
    findings = file.report.findings
    for finding, where in zip(findings, _locations(file, place), strict=True):
        note = describe_finding(finding, lexicon)
        result: _Json = {
            "ruleId": note.rule,
            "ruleIndex": numbers[note.rule],
            "level": "note"
            if finding.quoted
            else _LEVELS[finding.style.severity if finding.style else "warning"],
            "rank": round(100 * finding.confidence, 1),
            "message": {"text": note.message},
            "locations": [where],
            "partialFingerprints": {FINGERPRINT: finding.fingerprint},
            "suppressions": [],
            "properties": {
                "kind": finding.kind.value,
                "confidence": finding.confidence,
                "quoted": finding.quoted,
            },
        }
        fixes = list(_fixes(file, finding, place))
        if fixes:
            result["fixes"] = fixes
        yield result


def _locations(file: CheckedFile, place: _Json) -> Iterator[_Json]:
    """The location of each finding, in order."""
    findings, container = file.report.findings, file.opened.container
    if container is not None and container.source is not None:
        spans = [container.source_span(finding.start, finding.end) for finding in findings]
        for region in _regions(container.source, spans):
            yield {"physicalLocation": {"artifactLocation": place, "region": region}}
    elif container is not None:
        lines = line_columns(file.opened.text, [finding.start for finding in findings])
        for finding, (line, _) in zip(findings, lines, strict=True):
            yield {
                "physicalLocation": {"artifactLocation": place},
                "logicalLocations": [{"fullyQualifiedName": f"paragraph {line}"}],
                "properties": {"textOffset": finding.start, "textLength": finding.end - finding.start},
            }
    else:
        for region in _regions(file.opened.text, [(finding.start, finding.end) for finding in findings]):
            yield {"physicalLocation": {"artifactLocation": place, "region": region}}


def _regions(source: str, spans: Sequence[tuple[int, int]]) -> list[_Json]:
    """The region of each span: lines and columns from 1, the end column after the last character."""
    places = line_columns(source, list(chain.from_iterable(spans)))
    return [
        {
            "startLine": first[0],
            "startColumn": first[1],
            "endLine": last[0],
            "endColumn": last[1],
            "charOffset": start,
            "charLength": end - start,
        }
        for (start, end), first, last in zip(spans, places[::2], places[1::2], strict=True)
    ]


def _fixes(file: CheckedFile, finding: Finding, place: _Json) -> Iterator[_Json]:
    """The suggestions as changes to the file, where the file is plain text."""
    if file.opened.container is not None or finding not in file.suggestions:
        return
    for suggestion in file.suggestions[finding].items:
        yield {
            "description": {"text": _describe_suggestion(suggestion)},
            "artifactChanges": [
                {
                    "artifactLocation": place,
                    "replacements": [
                        {"deletedRegion": region, "insertedContent": {"text": edit.text}}
                        for edit, region in zip(
                            suggestion.edits,
                            _regions(file.opened.text, [(edit.start, edit.end) for edit in suggestion.edits]),
                            strict=True,
                        )
                    ],
                }
            ],
        }


def _describe_suggestion(suggestion: Suggestion) -> str:
    change = f"{suggestion.bias_before:.2f} to {suggestion.bias_after:.2f}"
    return f"The sentence would read: “{printable(suggestion.sentence)}” (bias {change})."
