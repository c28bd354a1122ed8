"""Texts about versions: time, reason and scores."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QDate, QLocale

from app.widgets.kinds import kind_style
from core.i18n import ntr, tr
from core.storage.types import UNKNOWN_TIME, Scores, Version
from core.types import KINDS

_WHY = {
    "opened": tr("opened"),
    "saved": tr("saved"),
    "typing": tr("while writing"),
    "kept": tr("kept by you"),
    "replaced": tr("before a version was restored"),
    "restored": tr("restored"),
    "outside": tr("changed by another program"),
}


def reason_text(version: Version) -> str:
    """Why a version was kept, and whether its record is damaged."""
    why = _WHY.get(version.why, tr("kept"))
    return tr("{why}, record damaged").format(why=why) if version.damaged else why


def format_time(moment: datetime, *, now: datetime | None = None) -> str:
    """A time in local time, as short as possible relative to the present."""
    if moment == UNKNOWN_TIME:
        return tr("time unknown")
    local, today = moment.astimezone(), (now or datetime.now()).astimezone()
    time = local.strftime("%H:%M")
    days = (today.date() - local.date()).days
    if days == 0:
        return tr("today {time}").format(time=time)
    if days == 1:
        return tr("yesterday {time}").format(time=time)
    return f"{format_day(moment, now=now)} {time}"


def format_day(moment: datetime, *, now: datetime | None = None) -> str:
    """The day of a time; with the year if it is not the present one."""
    if moment == UNKNOWN_TIME:
        return tr("time unknown")
    local, today = moment.astimezone(), (now or datetime.now()).astimezone()
    form = "d MMM" if local.year == today.year else "d MMM yyyy"
    return QLocale().toString(QDate(local.year, local.month, local.day), form)


def version_name(version: Version) -> str:
    """What a version is called: its time, and the name that the person gave it, or else the reason."""
    return f"{format_time(version.made_at)}, {version.name or reason_text(version)}"


def format_word_count(version: Version) -> str:
    """The length of a version."""
    return ntr("{n} word", "{n} words", version.words).format(n=f"{version.words:,}")


def format_biased_sentences(scores: Scores | None) -> str:
    """The number of biased sentences."""
    if scores is None:
        return tr("not analysed")
    return ntr("{n} of {all} sentence biased", "{n} of {all} sentences biased", scores.sentences).format(
        n=f"{scores.biased_sentences:,}", all=f"{scores.sentences:,}"
    )


def format_bias(scores: Scores | None) -> str:
    """The mean bias with two digits."""
    return "–" if scores is None else f"{scores.bias:.2f}"


def format_kinds(scores: Scores | None) -> str:
    """The findings of each kind."""
    if scores is None:
        return ""
    return ", ".join(f"{kind_style(kind, dark=False).label} {scores.kinds.get(kind, 0):,}" for kind in KINDS)


def accessible_text(version: Version) -> str:
    """Everything about a version, for a screen reader."""
    parts = [format_time(version.made_at), *([version.name] if version.name else [])]
    parts += [reason_text(version), format_word_count(version)]
    if version.scores is None:
        parts.append(tr("not analysed"))
    else:
        parts += [
            tr("bias {bias}").format(bias=format_bias(version.scores)),
            format_biased_sentences(version.scores),
            format_kinds(version.scores),
        ]
    return ", ".join(parts)


def describe_timeline(versions: Sequence[Version]) -> str:
    """A description of the chart; ``versions`` from the oldest to the newest."""
    read = [(version, version.scores) for version in versions if version.scores is not None]
    if not read:
        return tr("No version has been analysed yet.")
    (first, then), (last, now) = read[0], read[-1]
    if len(read) == 1:
        return tr("One version: bias {bias}. {kinds}").format(bias=format_bias(now), kinds=format_kinds(now))
    values = [scores.bias for _, scores in read]
    return tr(
        "Bias over {number} versions: from {first} ({day}) to {last} ({today}); lowest {low}, highest {high}. "
        "Findings: at first {kinds}; now {kinds_now}."
    ).format(
        number=f"{len(read):,}",
        first=format_bias(then),
        day=format_time(first.made_at),
        last=format_bias(now),
        today=format_time(last.made_at),
        low=f"{min(values):.2f}",
        high=f"{max(values):.2f}",
        kinds=format_kinds(then),
        kinds_now=format_kinds(now),
    )
