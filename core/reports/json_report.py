"""The JSON output of ``evenhand check`` and ``evenhand rewrite``."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from core.documents.unread import explain_unread
from core.engine.cues import Lexicon
from core.engine.guide_classes import GuideClass
from core.rewriting.lines import Line
from core.types import Finding, Leaning, Report, SentenceReading, Suggestion, Suggestions

VERSION = "1"
_SURROGATE = re.compile("[\ud800-\udfff]")


def file_entry(
    report: Report,
    suggestions: Mapping[Finding, Suggestions],
    *,
    lexicon: Lexicon,
    text: str | None = None,
) -> dict[str, Any]:
    """The entry of one checked file, with the suggestions for its findings.

    ``text`` is the text extracted from a docx, odt or html file, to which the offsets refer; None for other formats.
    """
    summary = report.summary
    return {
        "path": report.path,
        "format": report.format,
        "characters": report.characters,
        **({} if text is None else {"text": text}),
        "summary": {
            "sentences": summary.sentences,
            "biased_sentences": summary.biased_sentences,
            "bias": summary.bias,
            "leaning": _leaning(summary.leaning),
            "no_leaning": None if summary.no_leaning is None else summary.no_leaning.value,
            "kinds": {kind.value: count for kind, count in summary.kinds.items()},
            **({"style": summary.style} if summary.style else {}),
        },
        "sentences": [_sentence(sentence) for sentence in report.sentences],
        "findings": [
            _finding(finding, suggestions.get(finding, Suggestions()), lexicon) for finding in report.findings
        ],
        "unread": [
            {"kind": part.kind.value, "start": part.start, "end": part.end, "why": explain_unread(part.kind)}
            for part in report.unread
        ],
    }


def error_entry(path: str, message: str) -> dict[str, Any]:
    """The entry of one file that could not be checked."""
    return {"path": path, "error": message}


def dump(entries: Sequence[dict[str, Any]]) -> str:
    """The output for all files, as JSON text."""
    return as_json({"evenhand": VERSION, "files": list(entries)})


def line_entry(line: Line) -> dict[str, Any]:
    """The entry of one line that was rewritten."""
    return {"source": line.source, "rewrites": [asdict(one) for one in line.rewrites]}


def dump_lines(entries: Sequence[dict[str, Any]]) -> str:
    """The output for all lines, as JSON text."""
    return as_json(list(entries))


def as_json(value: object) -> str:
    """JSON text that can be encoded as UTF-8: a lone surrogate is written as its escape."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def _leaning(leaning: Leaning | None) -> dict[str, float] | None:
    return (
        None if leaning is None else {"left": leaning.left, "center": leaning.center, "right": leaning.right}
    )


def _sentence(sentence: SentenceReading) -> dict[str, Any]:
    return asdict(sentence) | {"leaning": _leaning(sentence.leaning)}


def _finding(finding: Finding, suggestions: Suggestions, lexicon: Lexicon) -> dict[str, Any]:
    """A finding; ``guide_class`` is there only where the reader tells it, ``style`` where a rule flags the place."""
    named = lexicon.guide_class(finding)
    entry: dict[str, Any] = {}
    for name, value in asdict(finding).items():
        if name == "why" and named:
            entry["guide_class"] = _guide_class(named)
        if name != "guide_class" and (name != "style" or finding.style):
            entry[name] = value
    return entry | {"suggestions": [_suggestion(suggestion) for suggestion in suggestions.items]}


def _guide_class(one: GuideClass) -> dict[str, Any]:
    return {
        "name": one.key,
        "title": one.title,
        "explanation": one.explanation,
        "advice": one.advice,
        "guides": list(one.guides),
    }


def _suggestion(suggestion: Suggestion) -> dict[str, Any]:
    return {
        "edits": [
            {"start": edit.start, "end": edit.end, "replacement": edit.text} for edit in suggestion.edits
        ],
        "sentence": suggestion.sentence,
        "score": suggestion.score,
        "bias_before": suggestion.bias_before,
        "bias_after": suggestion.bias_after,
    }
