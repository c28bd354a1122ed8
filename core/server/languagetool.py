"""The answers of LanguageTool's HTTP interface, version 2, from the findings of the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.documents import parse
from core.documents.types import Document, Format
from core.reports.finding_notes import FindingNote, describe_finding
from core.server.annotated_text import AnnotatedText, RequestError
from core.server.positions import TextPositions
from core.server.resident_engine import CheckOptions, ResidentEngine
from core.types import Finding, Suggestion

LANGUAGES = (
    ("English", "en", "en"),
    ("English (US)", "en", "en-US"),
    ("English (GB)", "en", "en-GB"),
    ("English (Australian)", "en", "en-AU"),
    ("English (Canadian)", "en", "en-CA"),
    ("English (New Zealand)", "en", "en-NZ"),
    ("English (South African)", "en", "en-ZA"),
)
"""Name, code and long code of each language."""

MAX_NEW_REPLACEMENTS = 5
"""Suggestions are looked for at so many findings of a request; those of earlier requests are kept."""

_CONTEXT = 40
"""Characters of the text before and after a match that its context shows."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Which rules a client wants: those that are disabled, or with ``only`` those that are enabled."""

    disabled: frozenset[str]
    enabled: frozenset[str]
    only: bool

    @classmethod
    def of(cls, fields: Mapping[str, str]) -> Rules:
        """Those of a request: rules and categories, whose ids differ."""

        def ids(*names: str) -> frozenset[str]:
            listed = (one.strip() for name in names for one in fields.get(name, "").split(","))
            return frozenset(one for one in listed if one)

        return cls(
            ids("disabledRules", "disabledCategories"),
            ids("enabledRules", "enabledCategories"),
            fields.get("enabledOnly", "").lower() in ("true", "yes"),
        )

    def wants(self, rule: str, category: str) -> bool:
        """Whether a rule of a category is wanted."""
        names = {rule, category}
        if self.only:
            return bool(names & self.enabled) and not names & self.disabled
        return not names & self.disabled or bool({rule} & self.enabled)


def rule_id(note: FindingNote) -> str:
    """The id of the rule of a finding, in LanguageTool's form: ``EVENHAND_FRAMING_PUFFERY``."""
    name = note.rule if note.rule.startswith(note.kind) else f"{note.kind}/{note.rule}"
    return f"EVENHAND_{name}".upper().replace("/", "_").replace("-", "_").replace(" ", "_")


def category_id(finding: Finding) -> str:
    """The id of the category of a finding, one for each kind."""
    return f"EVENHAND_{finding.kind.value}".upper()


def answer_languages() -> list[dict[str, str]]:
    """The answer of ``/v2/languages``."""
    return [{"name": name, "code": code, "longCode": long} for name, code, long in LANGUAGES]


def answer_check(resident: ResidentEngine, fields: Mapping[str, str], version: str) -> dict[str, Any]:
    """The answer of ``/v2/check``. Raises RequestError, and what the engine raises."""
    language = _language(fields.get("language", ""))
    if ("text" in fields) == ("data" in fields):
        raise RequestError("Give either text or data.")
    text = AnnotatedText.parse(fields["data"]) if "data" in fields else AnnotatedText.plain(fields["text"])
    rules = Rules.of(fields)
    document = parse(text.read, Format.PLAIN)
    positions = TextPositions(text.full)
    matches, left = [], MAX_NEW_REPLACEMENTS
    for finding in resident.check(document, CheckOptions()):
        note = describe_finding(finding, resident.engine.lexicon)
        if not rules.wants(rule_id(note), category_id(finding)):
            continue
        suggestions: tuple[Suggestion, ...] = ()
        is_known = resident.has_suggestions(document, finding)
        if is_known or left:
            left -= not is_known
            suggestions = resident.suggest(document, finding).items
        matches.append(_match(text, positions, document, finding, note, suggestions))
    name, _, code = language
    return {
        "software": {
            "name": "Evenhand",
            "version": version,
            "buildDate": "",
            "apiVersion": 1,
            "premium": False,
            "premiumHint": "",
            "status": "",
        },
        "warnings": {"incompleteResults": False},
        "language": {
            "name": name,
            "code": code,
            "detectedLanguage": {"name": name, "code": code, "confidence": 1.0},
        },
        "matches": matches,
        "sentenceRanges": [
            [positions.units(start), positions.units(end)]
            for start, end in (text.span(one.start, one.end) for one in document.sentences)
        ],
    }


def _language(code: str) -> tuple[str, str, str]:
    if not code:
        raise RequestError("Give a language, such as en-US or auto.")
    found = {long.lower(): (name, short, long) for name, short, long in LANGUAGES}
    wanted = "en-us" if code.lower() == "auto" else code.lower()
    if wanted not in found:
        codes = ", ".join(long for _, _, long in LANGUAGES)
        raise RequestError(f"Evenhand does not read {code!r}. It reads {codes} and auto.")
    return found[wanted]


def _match(
    text: AnnotatedText,
    positions: TextPositions,
    document: Document,
    finding: Finding,
    note: FindingNote,
    suggestions: tuple[Suggestion, ...],
) -> dict[str, Any]:
    start, end, values = _replacements(document.source, finding, suggestions)
    first, last = text.span(start, end)
    if text.full[first:last] != document.source[start:end]:
        values = []
    left, right = max(0, first - _CONTEXT), min(len(text.full), last + _CONTEXT)
    around = TextPositions(text.full[left:right])
    sentence = next((one for one in document.sentences if one.start <= finding.start < one.end), None)
    category = category_id(finding)
    return {
        "message": note.message,
        "shortMessage": note.title,
        "replacements": [{"value": value} for value in values],
        "offset": positions.units(first),
        "length": positions.units(last) - positions.units(first),
        "context": {
            "text": text.full[left:right].replace("\n", " ").replace("\r", " "),
            "offset": around.units(first - left),
            "length": around.units(last - left) - around.units(first - left),
        },
        "sentence": document.source[sentence.start : sentence.end] if sentence else "",
        "type": {"typeName": "Hint"},
        "rule": {
            "id": rule_id(note),
            "description": note.title,
            "issueType": "style",
            "category": {"id": category, "name": f"Evenhand: {finding.kind.value}"},
            "urls": [{"value": note.url}] if note.url else [],
        },
        "ignoreForIncompleteSentence": False,
        "contextForSureMatch": 0,
    }


def _replacements(
    source: str, finding: Finding, suggestions: tuple[Suggestion, ...]
) -> tuple[int, int, list[str]]:
    """The stretch that a match covers, and what can stand in its place.

    A match has one stretch for all its replacements: the finding, or what the best suggestion changes where none
    changes the finding alone.
    """
    start, end = finding.start, finding.end
    inside = [one for one in suggestions if start <= one.edits[0].start and one.edits[-1].end <= end]
    if suggestions and not inside:
        start = min(start, suggestions[0].edits[0].start)
        end = max(end, suggestions[0].edits[-1].end)
        inside = [one for one in suggestions if start <= one.edits[0].start and one.edits[-1].end <= end]
    values = []
    for one in inside:
        parts, at = [], start
        for edit in one.edits:
            parts += [source[at : edit.start], edit.text]
            at = edit.end
        values.append("".join([*parts, source[at:end]]))
    return start, end, list(dict.fromkeys(values))
