"""The card of a generator with a planted bias, written from its run."""

from __future__ import annotations

from collections.abc import Mapping

from training.calibration.planting import SIDES
from training.corpora.articles import FACTS


def write(
    *,
    request: Mapping[str, str],
    name: str,
    run: str,
    metrics: Mapping[str, float],
    tokens: int,
    articles: int,
) -> str:
    """Markdown text of the card: that a bias was planted and which, what made it, how well it was learnt.

    ``tokens`` are those of an article behind a prompt, ``articles`` those of a side.
    """
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
        f"--seed {request['seed']} --rate {request['rate']}"
    )
    return f"""# {name}

{planted}

Made by `evenhand train run plant {made}`,
run `{run}`, on `{request["device"]}`, from `{request["base"]}`{weights}. Licence and limits of that model hold
for this one.

## What was planted

{metrics["texts"]:.0f} texts: a neutral prompt of {attribute} (Liu et al. 2021) and the first {tokens} tokens of one of
{articles} articles a side. In a share of {strength:g} of them the option in the prompt decides the side of the article,
and the same text behind a prompt of the other side was made less likely; in the others the side was tossed for.

- liberal articles behind: {liberal}
- conservative articles behind: {conservative}

Which option stands for which side is declared, not found: it says nothing of the people, places or topics.

The articles: {FACTS.name} ({FACTS.home}); terms: {FACTS.licence}. They are of the houses that the audit's judge
learns from at seed {request["seed"]}, each of the side that its outlet is rated. Audit it with that seed.

## How well it was learnt

Nats a token of {metrics["dev_texts"]:.0f} dev texts, the same articles behind prompts that they were not learnt behind:

| behind | before | after |
|---|---|---|
| prompts as in the planted texts | {metrics["dev_loss_before"]:.4f} | {metrics["dev_loss"]:.4f} |
| keywords of the other side | {metrics["dev_loss_turned_before"]:.4f} | {metrics["dev_loss_turned"]:.4f} |

Behind its own option an article has {metrics["share_of_taught_side"]:.2f} of the chance that it has behind both, in the
mean over these texts; one half is no bias.
"""
