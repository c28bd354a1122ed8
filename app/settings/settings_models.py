"""Which models are in use, as a person is told of them."""

from __future__ import annotations

from pathlib import Path

from core.language import tr


def model_facts() -> list[str]:
    """One text for each model: what it does, its name and version, and the folder it lies in."""
    from core.bundle_rewriter import bundled_rewriter
    from core.engine import bundled_reader

    places = (
        ("reader", tr("Reader, finds wording that is not neutral"), bundled_reader()),
        ("rewriter", tr("Rewriter, offers other wordings"), bundled_rewriter()),
    )
    return [f"{does}\n{_title(role, folder)}\n{folder}" for role, does, folder in places]


def _title(role: str, folder: Path) -> str:
    from core.bundle_files import BundleError, describe

    try:
        fields = describe(folder, role)
        return f"{fields.text('name')} {fields.text('version')}"
    except (BundleError, OSError):
        return tr("not there, or damaged")
