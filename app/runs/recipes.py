"""The recipes and scales that the form offers, as a table; a test compares it with what the trainer knows."""

from __future__ import annotations

from dataclasses import dataclass

from core.i18n import tr
from core.runs.generator_audit import RECIPE as AUDIT
from core.runs.political_compass import RECIPE as COMPASS


@dataclass(frozen=True, slots=True)
class Recipe:
    """One recipe of ``evenhand train run``. ``pairs``: it needs the file of injected pairs."""

    name: str
    title: str
    what: str
    base: str
    pairs: bool = False


@dataclass(frozen=True, slots=True)
class Scale:
    """How much work a run does."""

    name: str
    title: str
    what: str


RECIPES: dict[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        Recipe(
            "reader",
            tr("Reader"),
            tr(
                "Finds the words that are not neutral and their kind, and tells how a sentence reads and leans."
            ),
            base="thenlper/gte-small",
        ),
        Recipe(
            "rewriter",
            tr("Rewriter"),
            tr("Offers neutral words for the ones that are marked."),
            base="thenlper/gte-small",
            pairs=True,
        ),
        Recipe(
            "judge",
            tr("Judge of ideology"),
            tr(
                "Tells liberal from conservative wording. It measures how generators lean, in tables and audits."
            ),
            base="sentence-transformers/all-MiniLM-L6-v2",
        ),
    )
}
AUDITS = {AUDIT: tr("Audit"), COMPASS: tr("Compass")}
"""Recipes that the form does not offer: they have a window of their own."""
CONTROLS = {"plant": tr("Planted bias (control)")}
"""Recipes that only the command line begins: what they make is measured, and never used."""
SCALES: dict[str, Scale] = {
    scale.name: scale
    for scale in (
        Scale(
            "smoke",
            tr("Trial"),
            tr(
                "A few steps on a few sentences: shows within minutes that all works. The model is of no use."
            ),
        ),
        Scale(
            "cpu",
            tr("Small"),
            tr("For a computer without a graphics card. The models that came with Evenhand were made so."),
        ),
        Scale(
            "full",
            tr("Full"),
            tr("Many times the steps, and for the reader a large teacher first. It wants a graphics card."),
        ),
    )
}
DEFAULT_SCALE = "cpu"
DEFAULT_SEED = 42


def recipe_title(name: str) -> str:
    """What a recipe is called; its name where it is not known here."""
    return RECIPES[name].title if name in RECIPES else (AUDITS | CONTROLS).get(name, name)


def scale_title(name: str) -> str:
    """What a scale is called; its name where the form does not offer it."""
    return SCALES[name].title if name in SCALES else name
