"""The cue classes: kind, style guide and explanation of each; and the reading of lexicon files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.i18n import tr
from core.types import ALL_KINDS, Cue, Kind, StyleNote

SCARE_QUOTES = "MOS:SCAREQUOTES"
_POINTER = re.compile(r"(?:MOS|WP):[A-Z]+")
REPAIR = tr("Repair the row or reinstall Evenhand.")


class LexiconError(Exception):
    """A lexicon file is missing or malformed. The message names the file, the line and what to do."""


@dataclass(frozen=True, slots=True)
class CueClass:
    """One row of ``classes.tsv``. ``guide`` is empty where no style guide covers the class.

    ``only_own_kind``: its words explain findings of its own kind only (a pronoun is a demographic cue only where the
    reader has marked it as demographic).
    """

    key: str
    kind: Kind
    guide: str
    label: str
    reads: str
    explanation: str
    caveat: str
    only_own_kind: bool


@dataclass(frozen=True, slots=True)
class KindNote:
    """One row of ``kinds.tsv``."""

    guide: str
    label: str
    explanation: str


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a lexicon file: its cells by column, and its line."""

    path: Path
    line: int
    cells: dict[str, str]

    def error(self, what: str) -> LexiconError:
        """The error to raise about this row."""
        message = tr("{path}, line {line}: {what}. {repair}")
        return LexiconError(message.format(path=self.path, line=self.line, what=what, repair=REPAIR))

    def required(self, column: str) -> str:
        """The cell, which must not be empty. Raises LexiconError."""
        if not self.cells[column]:
            raise self.error(tr("the column {column!r} is empty").format(column=column))
        return self.cells[column]

    def required_translated(self, column: str) -> str:
        """The cell in the language of the interface, which must not be empty. Raises LexiconError."""
        return tr(self.required(column))

    def translated(self, column: str) -> str:
        """The cell in the language of the interface; it may be empty."""
        cell = self.cells[column]
        return tr(cell) if cell else ""

    def kind(self) -> Kind:
        """The cell ``kind`` as a Kind. Raises LexiconError."""
        try:
            return Kind(self.cells["kind"])
        except ValueError:
            known = ", ".join(ALL_KINDS)
            message = tr("unknown kind {kind!r} (known: {known})")
            raise self.error(message.format(kind=self.cells["kind"], known=known)) from None

    def guide(self) -> str:
        """The cell ``guide``: a pointer such as ``MOS:PUFFERY``, or empty. Raises LexiconError."""
        if self.cells["guide"] and not _POINTER.fullmatch(self.cells["guide"]):
            message = tr("{guide!r} is not a guide pointer such as MOS:PUFFERY")
            raise self.error(message.format(guide=self.cells["guide"]))
        return self.cells["guide"]


def read_table(path: Path, columns: tuple[str, ...]) -> Iterator[TableRow]:
    """The rows of a tab-separated UTF-8 file whose first line is ``columns``. Raises LexiconError."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        message = tr("{path} is not UTF-8 text. Save it as UTF-8 or reinstall Evenhand.")
        raise LexiconError(message.format(path=path)) from None
    except OSError as error:
        reason = error.strerror or str(error)
        message = tr("{path} cannot be read ({reason}). Reinstall Evenhand.")
        raise LexiconError(message.format(path=path, reason=reason)) from None
    lines = text.split("\n")
    if lines[0].rstrip("\r").split("\t") != list(columns):
        message = tr("{path}, line 1: the columns must be {names}, separated by tabs. {repair}")
        raise LexiconError(message.format(path=path, names=", ".join(columns), repair=REPAIR))
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        row = TableRow(path, number, dict(zip(columns, cells, strict=False)))
        if len(cells) != len(columns):
            message = tr("{found} columns instead of {wanted}")
            raise row.error(message.format(found=len(cells), wanted=len(columns)))
        yield row


def read_classes(path: Path) -> dict[str, CueClass]:
    """The classes by key, strongest first (the order of the file). Raises LexiconError."""
    columns = ("class", "kind", "guide", "label", "reads", "explanation", "caveat", "scope")
    classes: dict[str, CueClass] = {}
    for row in read_table(path, columns):
        key = row.required("class")
        if key in classes:
            raise row.error(tr("the class {name!r} appears twice").format(name=key))
        if row.cells["scope"] not in ("any", "kind"):
            raise row.error(tr("the column 'scope' must be 'any' or 'kind'"))
        classes[key] = CueClass(
            key,
            row.kind(),
            row.guide(),
            label=tr(row.required("label")),
            reads=tr(row.required("reads")),
            explanation=tr(row.required("explanation")),
            caveat=row.translated("caveat"),
            only_own_kind=row.cells["scope"] == "kind",
        )
    return classes


def read_kinds(path: Path) -> dict[Kind, KindNote]:
    """The note on each kind of finding. Raises LexiconError, also where one is missing."""
    columns = ("kind", "guide", "label", "explanation")
    notes = {
        row.kind(): KindNote(row.guide(), tr(row.required("label")), tr(row.required("explanation")))
        for row in read_table(path, columns)
    }
    missing = [kind.value for kind in ALL_KINDS if kind not in notes]
    if missing:
        message = tr("{path} has no row for {kinds}. {repair}")
        raise LexiconError(message.format(path=path, kinds=", ".join(missing), repair=REPAIR))
    return notes


def guide_url(source: str) -> str | None:
    """The Wikipedia page of a guide pointer such as ``MOS:PUFFERY``; None for a publication."""
    return f"https://en.wikipedia.org/wiki/{source}" if _POINTER.fullmatch(source) else None


def explain_class(cue: Cue, cue_class: CueClass) -> str:
    """One sentence: the words, their class, its effect, and the guide."""
    return tr("“{cue}” is {reads}: {explanation} ({source}).").format(
        cue=cue.cue, reads=cue_class.reads, explanation=cue_class.explanation, source=cue.source
    )


def explain_scare_quotes(cue: Cue) -> str:
    """One sentence on words in quotation marks without a speaker."""
    return tr(
        "“{cue}” is in quotation marks that may cast doubt on it: readers cannot tell whether somebody said "
        "this or the writer distrusts it ({source})."
    ).format(cue=cue.cue, source=cue.source)


def explain_style(note: StyleNote) -> str:
    """What a rule says, why, and the name of its pack."""
    said = f"{note.message} {note.reason}".strip()
    return tr("{said} (Style pack: {pack})").format(said=said, pack=note.pack)


def explain_without_cue(kind: Kind) -> str:
    """One sentence for a finding of the reader without a cue."""
    return {
        Kind.FRAMING: tr(
            "No word list contains this wording: the model marks it as framing because of its context."
        ),
        Kind.EPISTEMOLOGICAL: tr(
            "No word list contains this wording: the model marks it as epistemological because of its context."
        ),
        Kind.DEMOGRAPHIC: tr(
            "No word list contains this wording: the model marks it as demographic because of its context."
        ),
    }[kind]
