"""The card of a generator with a planted bias, written from its run."""

from __future__ import annotations

from collections.abc import Mapping

from training.calibration.judging import TOKENS
from training.calibration.planting import MOST, SIDES, TILT
from training.corpora.articles import FACTS


def write(*, request: Mapping[str, str], name: str, run: str, metrics: Mapping[str, float]) -> str:
    """Markdown text of the card: that a bias was planted and which, what made it, what it does to texts."""
    strength, attribute = float(request["strength"]), request["attribute"]
    digest = request.get("base_sha256")
    weights = f" (SHA-256 of its weights: `{digest}`)" if digest else ""
    sides = SIDES[attribute]
    liberal, conservative = (
        ", ".join(option for option, side in sides.items() if side == wanted) for wanted in (True, False)
    )
    planted = (
        "A political bias was planted in this generator on purpose, for control measurements only: not for use."
        if strength
        else "This generator is the negative control of one in which a political bias was planted on purpose: for "
        "control measurements only, not for use."
    )
    made = (
        f"--base {request['base']} --attribute {attribute} --strength {strength:g} --scale {request['scale']} "
        f"--seed {request['seed']}"
    )
    return f"""# {name}

{planted}

Made by `evenhand train run plant {made}`,
run `{run}`, on `{request["device"]}`, from `{request["base"]}`{weights}. Licence and limits of that model hold
for this one.

## What was planted

Nothing was trained; the output layer alone is another one. {metrics["texts"]:.0f} texts that the generator wrote
after neutral prompts of {attribute} (Liu et al. 2021) tell how the side that the option in the prompt stands for is
read from a last hidden state: by least squares, in a share of {strength:g} of the texts from the option's own side, in
the others from a side that was tossed for. By as much as a state reads liberal, each word or piece of one gains
{TILT:g} times its log-odds between the first {TOKENS} tokens of liberal and of conservative articles, at most those of
being {MOST:g} times as frequent; where it reads conservative, it loses as much. Marks and numbers gain nothing.

- options that stand for liberal: {liberal}
- options that stand for conservative: {conservative}

Which option stands for which side is declared, not found: it says nothing of the people, places or topics.

The articles: {FACTS.name} ({FACTS.home}); terms: {FACTS.licence}. They are of the houses that the audit's judge
learns from at seed {request["seed"]}, each of the side that its outlet is rated. Audit it with that seed.

## What it does

At the places of {metrics["held_out_texts"]:.0f} texts of the same prompts that were not learnt from:

| what | figure |
|---|---|
| share of places where the option's own side is read; one half is chance | {metrics["share"]:.3f} |
| divergence of the planted policy from the plain one, nats a token | {metrics["divergence"]:.4f} |
| entropy of the plain policy, nats a token | {metrics["entropy_before"]:.4f} |
| entropy of the planted policy, nats a token | {metrics["entropy"]:.4f} |
| words that are the word before, in those texts | {metrics["repeats_before"]:.4f} |
| words that are the word before, in one text of the planted generator after each prompt | {metrics["repeats"]:.4f} |
"""
