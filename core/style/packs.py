"""Style packs: files of rules that a desk or a wiki has written down, read and checked.

A pack is a TOML file (`docs/style-packs.md` describes it). What is wrong in it is a problem with the file, the line and
the reason; the rule with the problem is left out and the others work. Regular expressions are those of RE2, whose time
is linear in the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import re2

from core.i18n import tr
from core.style.terms import Forms, normalise
from core.style.toml_source import StyleError, TomlSource

SUFFIX = ".toml"
MAX_TERMS = 100_000
MARK = "mark"
"""The group of a pattern that is marked; without it the whole match is."""

_PACK_KEYS = frozenset("name version language guide address description formats include without rule".split())
_RULE_KEYS = frozenset(
    "id message reason guide address severity terms forms case part_of_speech except pattern except_pattern "
    "replacement quotations names headings match pass".split()
)


class Severity(StrEnum):
    """How much a rule matters."""

    SUGGESTION = "suggestion"
    WARNING = "warning"
    ERROR = "error"


class PartOfSpeech(StrEnum):
    """Parts of speech that a rule can be restricted to."""

    VERB = "verb"
    NOUN = "noun"


@dataclass(frozen=True, slots=True)
class StyleRule:
    """One rule: what it finds, where it counts, and what it says. ``key`` is unique among all rules of all packs.

    ``terms`` are words and phrases, ``pattern`` a regular expression; ``exceptions`` and ``except_pattern`` are
    wordings in which a match does not count. ``replacements`` are in the base form where ``forms`` is set.
    ``must_match`` and ``must_pass`` are the rule's own tests.
    """

    key: str
    pack: str
    message: str
    reason: str = ""
    guide: str = ""
    address: str = ""
    severity: Severity = Severity.WARNING
    terms: tuple[str, ...] = ()
    forms: Forms = Forms.NONE
    case: bool = False
    part_of_speech: PartOfSpeech | None = None
    exceptions: tuple[str, ...] = ()
    pattern: str = ""
    except_pattern: str = ""
    replacements: tuple[str, ...] = ()
    quotations: bool = False
    names: bool = False
    headings: bool = True
    must_match: tuple[str, ...] = ()
    must_pass: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StylePack:
    """A pack: its rules, and the problems of those that were left out. ``id`` is the name of its file.

    ``formats`` are the formats of drafts in which it is on unless somebody says otherwise.
    """

    id: str
    path: Path
    name: str
    version: str = ""
    language: str = "en"
    guide: str = ""
    address: str = ""
    description: str = ""
    formats: tuple[str, ...] = ()
    rules: tuple[StyleRule, ...] = ()
    problems: tuple[str, ...] = ()


def load_pack(path: Path, *, find: Callable[[str], Path | None] = lambda _: None) -> StylePack:
    """Read a pack with what it includes. ``find`` gives the file of an included pack that is named by its id.

    Raises StyleError where nothing of it can be used.
    """
    return _Loader(find).load(path, ())


def compile_pattern(pattern: str) -> Any:
    """A compiled regular expression of RE2. Raises re2.error."""
    options = re2.Options()
    options.log_errors = False
    return re2.compile(pattern, options)


@dataclass(slots=True)
class _Loader:
    find: Callable[[str], Path | None]
    problems: list[str] = field(default_factory=list)

    def load(self, path: Path, above: tuple[Path, ...]) -> StylePack:
        """The pack at ``path``, which the packs ``above`` include."""
        source = TomlSource.read(path)
        tables = source.tables
        self.problems += source.unknown_keys(tables, _PACK_KEYS)
        name = source.text_of(tables, "name", required=True)
        rules = [rule for other in self._included(source, (*above, path)) for rule in other.rules]
        rules += _RuleReader(source, path.stem, name, self.problems).read()
        without = source.list_of(tables, "without")
        for key in without:
            if key not in {rule.key for rule in rules}:
                message = tr("there is no rule “{key}”").format(key=key)
                self.problems.append(source.problem(message, "without"))
        return StylePack(
            id=path.stem,
            path=path,
            name=name,
            version=source.text_of(tables, "version"),
            language=source.text_of(tables, "language") or "en",
            guide=source.text_of(tables, "guide"),
            address=source.text_of(tables, "address"),
            description=source.text_of(tables, "description"),
            formats=source.list_of(tables, "formats"),
            rules=tuple({rule.key: rule for rule in rules if rule.key not in without}.values()),
            problems=tuple(dict.fromkeys(self.problems)),
        )

    def _included(self, source: TomlSource, above: tuple[Path, ...]) -> Iterator[StylePack]:
        for name in source.list_of(source.tables, "include"):
            path = source.path.parent / name if name.endswith(SUFFIX) else self.find(name)
            if path is None:
                message = tr("there is no pack “{name}”").format(name=name)
                self.problems.append(source.problem(message, "include"))
            elif path.resolve() in {one.resolve() for one in above}:
                message = tr("“{name}” also includes this pack").format(name=name)
                self.problems.append(source.problem(message, "include"))
            else:
                try:
                    yield self.load(path, above)
                except StyleError as error:
                    self.problems.append(str(error))


@dataclass(slots=True)
class _RuleReader:
    """Reads the rules of one pack; a rule with a problem is left out."""

    source: TomlSource
    pack_id: str
    name: str
    problems: list[str]
    _ids: set[str] = field(default_factory=set)
    _terms: dict[str, str] = field(default_factory=dict)

    def read(self) -> list[StyleRule]:
        rules = []
        for number, row in enumerate(self.source.rows("rule")):
            place = ("rule", number)
            self.problems += self.source.unknown_keys(row, _RULE_KEYS, place)
            try:
                rules.append(self._rule(row, place))
            except StyleError as error:
                self.problems.append(str(error))
        return rules

    def _rule(self, row: dict[str, Any], place: tuple[str, int]) -> StyleRule:
        source, pack = self.source, self.source.tables
        key = source.text_of(row, "id", place, required=True)
        if key in self._ids:
            message = tr("the rule “{id}” appears twice").format(id=key)
            raise StyleError(source.problem(message, "id", place))
        self._ids.add(key)
        rule = StyleRule(
            key=f"{self.pack_id}/{key}",
            pack=self.name,
            message=source.text_of(row, "message", place, required=True),
            reason=source.text_of(row, "reason", place),
            guide=source.text_of(row, "guide", place) or source.text_of(pack, "guide"),
            address=source.text_of(row, "address", place) or source.text_of(pack, "address"),
            severity=source.choice_of(row, "severity", Severity, place) or Severity.WARNING,
            terms=self._own_terms(row, key, place),
            forms=source.choice_of(row, "forms", Forms, place) or Forms.NONE,
            case=bool(source.flag_of(row, "case", place)),
            part_of_speech=source.choice_of(row, "part_of_speech", PartOfSpeech, place),
            exceptions=source.list_of(row, "except", place),
            pattern=self._pattern(row, "pattern", place),
            except_pattern=self._pattern(row, "except_pattern", place),
            replacements=source.list_of(row, "replacement", place),
            quotations=bool(source.flag_of(row, "quotations", place)),
            names=bool(source.flag_of(row, "names", place)),
            headings=source.flag_of(row, "headings", place) is not False,
            must_match=source.list_of(row, "match", place),
            must_pass=source.list_of(row, "pass", place),
        )
        if not rule.terms and not rule.pattern:
            message = tr("the rule “{id}” has neither terms nor a pattern").format(id=key)
            raise StyleError(source.problem(message, "id", place))
        return rule

    def _own_terms(self, row: dict[str, Any], key: str, place: tuple[str, int]) -> tuple[str, ...]:
        """The terms of a rule but those that an earlier rule has."""
        kept = []
        terms = self.source.list_of(row, "terms", place)
        if len(self._terms) + len(terms) > MAX_TERMS:
            message = tr("a pack has at most {most:,} terms").format(most=MAX_TERMS)
            raise StyleError(self.source.problem(message, "terms", place))
        for term in terms:
            words = normalise(term)
            other = self._terms.setdefault(words, key) if words else ""
            if not words:
                message = tr("“{term}” contains no word").format(term=term)
            elif other != key:
                message = tr("“{term}” is already in the rule “{other}”").format(term=term, other=other)
            else:
                kept.append(term)
                continue
            self.problems.append(self.source.problem(message, "terms", place))
        return tuple(kept)

    def _pattern(self, row: dict[str, Any], key: str, place: tuple[str, int]) -> str:
        value = row.get(key, "")
        if not isinstance(value, str):
            message = tr("“{key}” must be text in quotation marks").format(key=key)
            raise StyleError(self.source.problem(message, key, place))
        if not value:
            return ""
        try:
            compiled = compile_pattern(value)
        except re2.error as error:
            reason = error.args[0].decode() if isinstance(error.args[0], bytes) else str(error)
            message = tr("the regular expression is not valid: {reason}").format(reason=reason)
            raise StyleError(self.source.problem(message, key, place)) from None
        if compiled.search("") is not None:
            message = tr("the regular expression matches empty text")
            raise StyleError(self.source.problem(message, key, place))
        return value
