"""The models behind a report: their names, their runs, and what their cards say of their limits."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markdown_it import MarkdownIt

from core.bundles.reader import Bundle, BundleError
from core.bundles.rewriter import RewriterBundle
from core.models.active import bundle_in_use
from core.reports.safe_text import cleaned

_LIMITS = re.compile(r"^## What it cannot do[ \t]*\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_MOST_CHARACTERS = 200_000
_SAFE_LINK = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ModelNote:
    """A model for a reader of the report. ``limits`` and ``card`` are Markdown, empty where there is no card."""

    title: str
    role: str
    run: str
    limits: str = ""
    card: str = ""


def model_note(bundle: Bundle | RewriterBundle) -> ModelNote:
    """What a bundle and its card say; a card that cannot be read is left out."""
    card = ""
    if bundle.card is not None:
        try:
            card = bundle.card.read_text(encoding="utf-8", errors="replace")[:_MOST_CHARACTERS]
        except OSError:
            card = ""
    found = _LIMITS.search(card)
    return ModelNote(bundle.title, bundle.role, bundle.run, found.group(1).strip() if found else "", card)


def note_of_reader(title: str) -> ModelNote:
    """What the card of the reader in use says if ``title`` names it; another reader has its name alone."""
    try:
        bundle = bundle_in_use("reader")
    except BundleError:
        return ModelNote(title, "reader", "")
    return model_note(bundle) if bundle.title == title else ModelNote(title, "reader", "")


def card_html(markdown: str, *, level: int) -> str:
    """A card as HTML whose highest heading is ``h{level}``: no markup of its own, no image, links to the web only."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    reader.validateLink = _is_web_page  # type: ignore[method-assign, assignment]
    tokens = reader.parse(cleaned(markdown))
    for token in tokens:
        token.attrs.pop("style", None)
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + level - 1)}"
    return str(reader.renderer.render(tokens, reader.options, {}))


def _is_web_page(address: str) -> bool:
    return _SAFE_LINK.match(address) is not None
