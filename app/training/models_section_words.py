"""What is said of a model in a line: in use or not, where from, when, and its main figures."""

from __future__ import annotations

from PySide6.QtCore import QLocale

from core.language import tr
from core.shelf.model import Installed

ROLES = {
    "reader": (tr("Reader"), tr("Finds wording that is not neutral")),
    "rewriter": (tr("Rewriter"), tr("Offers other wordings")),
}
"""The roles in the order in which they are shown: what a model of each is called, and what it does."""

_FROM = {
    "bundled": tr("came with Evenhand"),
    "run": tr("trained here"),
    "import": tr("imported"),
}


def state(model: Installed) -> str:
    """Whether it is in use, or why it cannot be; empty for any other."""
    if model.problem:
        return tr("in use, but damaged") if model.active else tr("damaged")
    return tr("in use") if model.active else ""


def origin(model: Installed) -> str:
    """Where it comes from, when, and the first digits of its run."""
    parts = [_FROM[model.source]]
    if model.added_at is not None:
        day = model.added_at.astimezone().date()
        parts.append(QLocale().toString(day, QLocale.FormatType.ShortFormat))
    if model.run:
        parts.append(tr("run {id}").format(id=model.run[:8]))
    return " · ".join(parts)


def figures(model: Installed) -> str:
    """The main figures of its card, each with its name, or the problem."""
    if model.problem:
        return model.problem
    said = " · ".join(f"{one.name} {QLocale().toString(one.value, 'f', 3)}" for one in model.figures)
    return said or tr("no figures in its card")


def spoken(model: Installed) -> str:
    """All of it for a screen reader."""
    return ", ".join(part for part in (model.title, state(model), origin(model), figures(model)) if part)
