"""Vale styles as packs: rules that look for wording (``existence``) or replace it (``substitution``).

What a pack cannot say is left out and named: other kinds of rules, and expressions with lookaround.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import re2

from core.i18n import tr
from core.style.packs import Severity, compile_pattern
from core.style.toml_source import StyleError

_LEVELS = {"suggestion": Severity.SUGGESTION, "warning": Severity.WARNING, "error": Severity.ERROR}
_PLAIN = re.compile(r"[\w'’ -]+")
_ID = re.compile(r"[^a-z0-9]+")


def import_vale(folder: Path) -> tuple[str, list[str]]:
    """The TOML text of a pack with the rules of a folder of Vale rules, and a sentence on each that was left out.

    Raises StyleError where there is no rule in the folder.
    """
    paths = sorted((*folder.glob("*.yml"), *folder.glob("*.yaml")))
    if not paths:
        raise StyleError(tr("{path} contains no Vale rules (.yml).").format(path=folder))
    left_out: list[str] = []
    rules = [rule for path in paths for rule in _read(path, left_out)]
    parts = [f"name = {_quoted(folder.name)}\n", *(_table(rule) for rule in rules)]
    return "\n".join(parts), left_out


def _read(path: Path, left_out: list[str]) -> Iterator[dict[str, Any]]:
    """The rules that one file makes."""
    import yaml

    try:
        loaded = yaml.safe_load(path.read_bytes())
    except (yaml.YAMLError, UnicodeDecodeError, OSError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark is not None else 1
        left_out.append(tr("{path}, line {line}: this is not YAML.").format(path=path, line=line))
        return
    extends = loaded.get("extends") if isinstance(loaded, dict) else None
    if extends not in ("existence", "substitution"):
        message = tr("{path}: a rule that extends “{name}” cannot be imported.")
        left_out.append(message.format(path=path, name=extends))
        return
    base: dict[str, Any] = {
        "id": _ID.sub("-", path.stem.lower()).strip("-"),
        "severity": _LEVELS.get(str(loaded.get("level")), Severity.WARNING).value,
    }
    if link := str(loaded.get("link") or ""):
        base["address"] = link
    case = not loaded.get("ignorecase", False)
    exceptions = loaded.get("exceptions") or []
    if isinstance(exceptions, list) and exceptions:
        base["except"] = [str(one) for one in exceptions]
    message = str(loaded.get("message") or "Avoid “%s”.")
    if extends == "existence":
        tokens = loaded.get("tokens") or []
        raw = loaded.get("raw") or []
        if not isinstance(tokens, list) or not isinstance(raw, list):
            left_out.append(tr("{path}: “tokens” is not a list.").format(path=path))
            return
        bounds = not loaded.get("nonword", False)
        terms, patterns = _split([str(one) for one in tokens], path, left_out)
        joined = "".join(str(one) for one in raw)
        patterns = [f"\\b(?:{one})\\b" if bounds else f"(?:{one})" for one in patterns]
        if joined and _compiles(joined):
            patterns.append(joined)
        elif joined:
            left_out.append(_not_linear(path, joined))
        yield base | _wording(terms, patterns, case) | {"message": message.replace("%s", "{match}")}
        return
    swap = loaded.get("swap") or {}
    if not isinstance(swap, dict):
        left_out.append(tr("{path}: “swap” is not a map.").format(path=path))
        return
    by_replacement: dict[str, list[str]] = defaultdict(list)
    for old, new in swap.items():
        by_replacement[str(new)].append(str(old))
    for number, (new, olds) in enumerate(by_replacement.items(), 1):
        terms, patterns = _split(olds, path, left_out)
        said = (
            message.replace("%s", new.partition("|")[0], 1).replace("%s", "{match}")
            if message.count("%s") > 1
            else (message.replace("%s", "{match}"))
        )
        rule = base | {"id": f"{base['id']}-{number}", "message": said, "replacement": new.split("|")}
        yield rule | _wording(terms, [f"\\b(?:{one})\\b" for one in patterns], case)


def _split(tokens: list[str], path: Path, left_out: list[str]) -> tuple[list[str], list[str]]:
    """Tokens that are words, and those that are regular expressions of RE2; the others are left out."""
    terms = [token for token in tokens if _PLAIN.fullmatch(token) and re.search(r"\w", token)]
    patterns = [token for token in tokens if token not in terms]
    left_out += [_not_linear(path, one) for one in patterns if not _compiles(one)]
    return list(dict.fromkeys(terms)), [one for one in patterns if _compiles(one)]


def _wording(terms: list[str], patterns: list[str], case: bool) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if terms:
        found["terms"] = terms
        found["names"] = True
        if case and any(term != term.lower() for term in terms):
            found["case"] = True
    if patterns:
        found["pattern"] = ("" if case else "(?i)") + "|".join(patterns)
    return found


def _compiles(pattern: str) -> bool:
    try:
        return compile_pattern(pattern).search("") is None
    except re2.error:
        return False


def _not_linear(path: Path, pattern: str) -> str:
    message = tr(
        "{path}: the expression “{pattern}” cannot be imported (it uses lookaround, or matches empty text)."
    )
    return message.format(path=path, pattern=pattern)


def _table(rule: dict[str, Any]) -> str:
    if "terms" not in rule and "pattern" not in rule:
        return ""
    return "\n".join(["[[rule]]", *(f"{key} = {_value(value)}" for key, value in rule.items()), ""])


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(map(_quoted, value)) + "]"
    return _quoted(str(value))


def _quoted(text: str) -> str:
    """A basic string of TOML, whose escapes are those of JSON."""
    return json.dumps(text, ensure_ascii=False)
