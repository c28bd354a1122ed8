"""The models behind a report: their names, their runs, and what their cards say of their limits."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markdown_it import MarkdownIt

from core.bundles.manifest import BundleError
from core.bundles.reader import ReaderBundle
from core.bundles.rewriter import RewriterBundle
from core.models.active import active_bundle
from core.reports.safe_text import replace_controls

_LIMITS = re.compile(r"^## What it cannot do[ \t]*\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_MOST_CHARACTERS = 200_000
_SAFE_LINK = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ModelSummary:
    """A model for a reader of the report. ``limits`` and ``card`` are Markdown, empty where there is no card."""

    title: str
    role: str
    run: str
    limits: str = ""
    card: str = ""


def summarise_model(bundle: ReaderBundle | RewriterBundle) -> ModelSummary:
    """What a bundle and its card say; a card that cannot be read is left out."""
    card = ""
    if bundle.card is not None:
        try:
            card = bundle.card.read_text(encoding="utf-8", errors="replace")[:_MOST_CHARACTERS]
        except OSError:
            card = ""
    found = _LIMITS.search(card)
    return ModelSummary(bundle.title, bundle.role, bundle.run, found.group(1).strip() if found else "", card)


def summarise_active_reader(title: str) -> ModelSummary:
    """What the card of the reader in use says if ``title`` names it; another reader has its name alone."""
    try:
        bundle = active_bundle("reader")
    except BundleError:
        return ModelSummary(title, "reader", "")
    return summarise_model(bundle) if bundle.title == title else ModelSummary(title, "reader", "")


def render_card(markdown: str, *, level: int) -> str:
    """A card as HTML whose highest heading is ``h{level}``: no markup of its own, no image, links to the web only."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    reader.validateLink = _is_web_page  # type: ignore[method-assign, assignment]
    tokens = reader.parse(replace_controls(markdown))
    for token in tokens:
        token.attrs.pop("style", None)
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + level - 1)}"
    return str(reader.renderer.render(tokens, reader.options, {}))


def _is_web_page(address: str) -> bool:
    return _SAFE_LINK.match(address) is not None
