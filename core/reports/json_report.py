"""Answers as JSON, in the forms that ``evenhand check`` and ``evenhand rewrite`` promise."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.rewriting.lines import Line
from core.types import Finding, Leaning, Report, SentenceReading, Suggestion, Suggestions

VERSION = "1"
_SURROGATE = re.compile("[\ud800-\udfff]")


def file_entry(
    report: Report, suggestions: Mapping[Finding, Suggestions], *, text: str | None = None
) -> dict[str, Any]:
    """The entry of one file that was checked, with what was suggested for its findings.

    ``text`` is what was taken out of a docx, odt or html file, in which the offsets count: no one else has it.
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
            "leaning": None if summary.leaning is None else _leaning(summary.leaning),
            "kinds": {kind.value: count for kind, count in summary.kinds.items()},
        },
        "sentences": [_sentence(sentence) for sentence in report.sentences],
        "findings": [
            _finding(finding, suggestions.get(finding, Suggestions())) for finding in report.findings
        ],
    }


def error_entry(path: str, message: str) -> dict[str, Any]:
    """The entry of one file that could not be checked."""
    return {"path": path, "error": message}


def dump(entries: Sequence[dict[str, Any]]) -> str:
    """The whole answer as JSON text that has a UTF-8 form: a lone surrogate is written as its escape."""
    return as_json({"evenhand": VERSION, "files": list(entries)})


def line_entry(line: Line) -> dict[str, Any]:
    """The entry of one line that was rewritten."""
    return {
        "source": line.source,
        "rewrites": [
            {
                "text": one.text,
                "score": one.score,
                "bias_before": one.bias_before,
                "bias_after": one.bias_after,
            }
            for one in line.rewrites
        ],
    }


def dump_lines(entries: Sequence[dict[str, Any]]) -> str:
    """The lines as JSON text that has a UTF-8 form."""
    return as_json(list(entries))


def as_json(answer: object) -> str:
    """JSON text that has a UTF-8 form: a lone surrogate is written as its escape."""
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def _leaning(leaning: Leaning) -> dict[str, float]:
    return {"left": leaning.left, "center": leaning.center, "right": leaning.right}


def _sentence(sentence: SentenceReading) -> dict[str, Any]:
    return {
        "start": sentence.start,
        "end": sentence.end,
        "bias": sentence.bias,
        "biased": sentence.biased,
        "quoted": sentence.quoted,
        "leaning": _leaning(sentence.leaning),
    }


def _finding(finding: Finding, suggestions: Suggestions) -> dict[str, Any]:
    return {
        "start": finding.start,
        "end": finding.end,
        "text": finding.text,
        "kind": finding.kind.value,
        "confidence": finding.confidence,
        "quoted": finding.quoted,
        "why": [{"cue": cue.cue, "category": cue.category, "source": cue.source} for cue in finding.why],
        "fingerprint": finding.fingerprint,
        "suggestions": [_suggestion(suggestion) for suggestion in suggestions.items],
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
