"""The models behind a report: their names, training runs and limitations; and model cards as HTML."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markdown_it import MarkdownIt

from core.bundles.manifest import Bundle, BundleError
from core.models.active import active_bundle
from core.reports.safe_text import replace_controls

_SAFE_LINK = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ModelSummary:
    """A model in a report. ``limitations`` are sentences on what it cannot do."""

    title: str
    role: str
    run: str = ""
    limitations: tuple[str, ...] = ()


def summarise_model(bundle: Bundle) -> ModelSummary:
    """What a report says about a model."""
    return ModelSummary(bundle.title, bundle.role, bundle.run, bundle.limitations)


def summarise_active_reader(title: str) -> ModelSummary:
    """The summary of the reader in use if ``title`` names it; of another reader, its title alone."""
    try:
        bundle = active_bundle("reader")
    except BundleError:
        return ModelSummary(title, "reader")
    return summarise_model(bundle) if bundle.title == title else ModelSummary(title, "reader")


def render_card(markdown: str, *, level: int) -> str:
    """A card as HTML whose highest heading is ``h{level}``: no raw HTML, no images, links to web pages only."""
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
