"""The settings that an editor sends: kinds, sensitivity, quotations, style packs."""

from __future__ import annotations

from dataclasses import replace

from core.server.resident_engine import CheckOptions
from core.types import ALL_KINDS

STEPS = 12
"""The sensitivity goes from so many steps below the reader's own to as many above it, as in the window."""


def read_settings(settings: object) -> tuple[CheckOptions, list[str]]:
    """The options in the settings of a client (``{"evenhand": {…}}`` or what is in it), and a sentence on each value
    that is wrong and left out.
    """
    options, wrong = CheckOptions(), []
    if isinstance(settings, dict) and isinstance(settings.get("evenhand"), dict):
        settings = settings["evenhand"]
    if not isinstance(settings, dict):
        return options, []
    kinds = settings.get("kinds")
    if isinstance(kinds, list) and all(one in tuple(ALL_KINDS) for one in kinds):
        options = replace(options, kinds=tuple(kind for kind in ALL_KINDS if kind.value in kinds))
    elif kinds is not None:
        wrong.append(f"evenhand.kinds must be a list of {', '.join(ALL_KINDS)}.")
    packs = settings.get("packs")
    if isinstance(packs, list) and all(isinstance(one, str) for one in packs):
        options = replace(options, packs=tuple(packs))
    elif packs is not None:
        wrong.append("evenhand.packs must be a list of the ids or the files of style packs.")
    step = settings.get("sensitivity")
    if isinstance(step, int) and not isinstance(step, bool) and abs(step) <= STEPS:
        options = replace(options, sensitivity=step)
    elif step is not None:
        wrong.append(f"evenhand.sensitivity must be a whole number from -{STEPS} to {STEPS}.")
    quotations = settings.get("quotations")
    if isinstance(quotations, bool):
        options = replace(options, quotations=quotations)
    elif quotations is not None:
        wrong.append("evenhand.quotations must be true or false.")
    return options, wrong
