"""The classes of a style guide: what each is, what a writer can do about it, and the guides that say so."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.engine.cue_classes import REPAIR, LexiconError, TableRow, guide_url, read_table
from core.i18n import tr
from core.types import GUIDE_CLASSES, Kind

_COLUMNS = ("class", "title", "explanation", "advice", "guides")


@dataclass(frozen=True, slots=True)
class GuideClass:
    """One row of ``guide_classes.tsv``: title, a sentence on what such words do, and one on what to do about them.

    ``guides`` are pointers such as ``MOS:PUFFERY`` and names of publications, at least one.
    """

    key: str
    kind: Kind
    title: str
    explanation: str
    advice: str
    guides: tuple[str, ...]

    @property
    def heading(self) -> str:
        """The title with a capital."""
        return self.title[:1].upper() + self.title[1:]

    @property
    def text(self) -> str:
        """Title, explanation, advice and guides on one line."""
        return tr("{title}: {explanation} {advice} ({guides})").format(
            title=self.heading,
            explanation=self.explanation,
            advice=self.advice,
            guides="; ".join(self.guides),
        )


def read_guide_classes(path: Path) -> dict[str, GuideClass]:
    """The classes by key, in the order of `GUIDE_CLASSES`. Raises LexiconError, also where one is missing."""
    found: dict[str, GuideClass] = {}
    for row in read_table(path, _COLUMNS):
        key = row.required("class")
        if key not in GUIDE_CLASSES:
            raise row.error(tr("there is no class {name!r} in the annotation guide").format(name=key))
        if key in found:
            raise row.error(tr("the class {name!r} appears twice").format(name=key))
        found[key] = GuideClass(
            key,
            GUIDE_CLASSES[key],
            title=row.required_translated("title"),
            explanation=row.required_translated("explanation"),
            advice=row.required_translated("advice"),
            guides=_guides(row),
        )
    missing = [key for key in GUIDE_CLASSES if key not in found]
    if missing:
        message = tr("{path} has no row for {classes}. {repair}")
        raise LexiconError(message.format(path=path, classes=", ".join(missing), repair=REPAIR))
    return {key: found[key] for key in GUIDE_CLASSES}


def _guides(row: TableRow) -> tuple[str, ...]:
    guides = tuple(guide.strip() for guide in row.required("guides").split(";"))
    for guide in guides:
        if guide_url(guide) is None and (not guide or ":" in guide):
            message = tr("{guide!r} is neither a guide pointer such as MOS:PUFFERY nor the name of a guide")
            raise row.error(message.format(guide=guide))
    return guides
