"""What the taggers of Table 7 learn from."""

from __future__ import annotations

from collections.abc import Sequence

from training.corpora.wikibias import FACTS
from training.loop import TrainingError
from training.wikibias.model import Material, Tagged

MANUAL, AUTO, AUTO_MANUAL, RELABELLED = "manual", "auto", "auto-manual", "relabelled"
TRAININGS = (MANUAL, AUTO, AUTO_MANUAL, RELABELLED)


def taught(sentences: Sequence[Tagged]) -> list[Tagged]:
    """The sentences that a tagger learns from: the biased source sentences.

    They alone are scored, and JOINT's tagging loss is on biased sentences alone (section 3.2). Neutral sentences
    would teach it to leave out spans, which costs recall and buys precision only where nobody counts.
    """
    return [sentence for sentence in sentences if sentence.biased and sentence.original]


def no_noisy(material: Material, training: str, *, what: str = "noisy part") -> TrainingError:
    """The error for a material without AUTO, from which ``training`` learns."""
    return TrainingError(
        f"{material.name} has no {what}, from which {training} learns. WIKIBIAS-AUTO lies on its authors' drive, "
        f"which {FACTS.home} links. Injected pairs can stand in its place: make them with "
        "`evenhand train data inject --out FILE`, then say --injected FILE."
    )


def no_clean(material: Material, training: str, *, what: str = "clean part") -> TrainingError:
    """The error for a material without manual labels, from which ``training`` learns."""
    return TrainingError(
        f"{material.name} has no {what}, from which {training} learns. WIKIBIAS lies on its authors' drive, which "
        f"{FACTS.home} links. WNC's pairs can stand in its place: `evenhand train data list` says where they are had."
    )


def demand(material: Material, training: str) -> None:
    """Raise TrainingError where the parts that ``training`` needs have no biased source sentence."""
    if training != MANUAL and not taught(material.auto):
        raise no_noisy(material, training, what="noisy part with biased sentences")
    if training != AUTO and not taught(material.manual):
        raise no_clean(material, training, what="clean part with biased sentences")
    if not taught(material.dev):
        raise TrainingError(
            f"{material.name} has no biased source sentence in its dev part, on which taggers are chosen. Add some."
        )
