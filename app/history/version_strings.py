"""A version in words: when, why, and how it reads."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QDate, QLocale

from app.widgets.kinds import look
from core.i18n import ntr, tr
from core.storage.types import Scores, Version
from core.types import KINDS

_WHY = {
    "opened": tr("opened"),
    "saved": tr("saved"),
    "typing": tr("while writing"),
    "kept": tr("kept by you"),
    "replaced": tr("before a version was restored"),
    "restored": tr("restored"),
    "outside": tr("changed outside"),
}


def reason(version: Version) -> str:
    """Why a version was kept."""
    return _WHY.get(version.why, tr("kept"))


def when(moment: datetime, *, now: datetime | None = None) -> str:
    """A moment in local time, as short as it can be told from the present one."""
    local, today = moment.astimezone(), (now or datetime.now()).astimezone()
    time = local.strftime("%H:%M")
    days = (today.date() - local.date()).days
    if days == 0:
        return tr("today {time}").format(time=time)
    if days == 1:
        return tr("yesterday {time}").format(time=time)
    return f"{day(moment, now=now)} {time}"


def day(moment: datetime, *, now: datetime | None = None) -> str:
    """The day of a moment; its year only where it is not the present one."""
    local, today = moment.astimezone(), (now or datetime.now()).astimezone()
    form = "d MMM" if local.year == today.year else "d MMM yyyy"
    return QLocale().toString(QDate(local.year, local.month, local.day), form)


def version_name(version: Version) -> str:
    """What a version is called where it stands alone."""
    return f"{when(version.made_at)}, {reason(version)}"


def words(version: Version) -> str:
    """How long a version is."""
    return ntr("{n} word", "{n} words", version.words).format(n=f"{version.words:,}")


def sentences(scores: Scores | None) -> str:
    """How many sentences read as biased."""
    if scores is None:
        return tr("not read")
    return ntr("{n} of {all} sentence biased", "{n} of {all} sentences biased", scores.sentences).format(
        n=f"{scores.biased_sentences:,}", all=f"{scores.sentences:,}"
    )


def bias(scores: Scores | None) -> str:
    """The mean bias, two digits."""
    return "–" if scores is None else f"{scores.bias:.2f}"


def kinds(scores: Scores | None) -> str:
    """The findings of each kind."""
    if scores is None:
        return ""
    return ", ".join(f"{look(kind, dark=False).label} {scores.kinds.get(kind, 0):,}" for kind in KINDS)


def spoken(version: Version) -> str:
    """All of a row, for those who do not see it."""
    parts = [when(version.made_at), reason(version), words(version)]
    if version.scores is None:
        parts.append(tr("not read"))
    else:
        parts += [
            tr("bias {bias}").format(bias=bias(version.scores)),
            sentences(version.scores),
            kinds(version.scores),
        ]
    return ", ".join(parts)


def timeline(versions: Sequence[Version]) -> str:
    """What the chart shows, in words; ``versions`` from the oldest to the newest."""
    read = [(version, version.scores) for version in versions if version.scores is not None]
    if not read:
        return tr("No version has been read yet.")
    (first, then), (last, now) = read[0], read[-1]
    if len(read) == 1:
        return tr("One version: bias {bias}. {kinds}").format(bias=bias(now), kinds=kinds(now))
    values = [scores.bias for _, scores in read]
    return tr(
        "Bias over {number} versions: from {first} ({day}) to {last} ({today}); lowest {low}, highest {high}. "
        "Findings: at first {kinds}; now {kinds_now}."
    ).format(
        number=f"{len(read):,}",
        first=bias(then),
        day=when(first.made_at),
        last=bias(now),
        today=when(last.made_at),
        low=f"{min(values):.2f}",
        high=f"{max(values):.2f}",
        kinds=kinds(then),
        kinds_now=kinds(now),
    )
