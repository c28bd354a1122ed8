"""The model card of an ideology classifier, written from its run."""

from __future__ import annotations

from collections.abc import Mapping

from training.auditing.ideology_classifiers.splits import CLASS_NAMES, RANDOM_TEST_SHARE, Sides
from training.corpora.allsides import FACTS

PUBLISHED_F1 = 0.984
"""Liu et al. 2021, section 5.2: F1 of XLNet on a random split of articles of ten outlets (section 5.1)."""
_PURPOSE: dict[str, str] = {
    "two": "Tells liberal from conservative wording",
    "three": "Tells the wording of left, center and right outlets apart",
}


def write_card(*, request: Mapping[str, str], run: str, metrics: Mapping[str, float], folds: int) -> str:
    """The card as Markdown: what the classifier is, how it was trained, its scores and its limits."""
    sides: Sides = "three" if request["sides"] == "three" else "two"
    digest = request.get("base_sha256")
    weights = f" (SHA-256 of its weights: `{digest}`)" if digest else ""
    reader = "" if request["reader"] == "None" else ", its encoder that of a reader's bundle"
    published = (
        f" The judge of Liu et al. (2021) has {PUBLISHED_F1:.3f} on a random split of other articles."
        if sides == "two"
        else ""
    )
    spread = (
        f"the mean of {folds} trainings, each without another fifth of the houses"
        if folds > 1
        else "one training"
    )
    held_out = "\n".join(
        f"| {what} | {metrics[f'{name}_articles']:.0f} | "
        + " | ".join(f"{metrics[f'{name}{who}_macro_f1']:.4f}" for who in ("", "_encoder", "_words"))
        + " |"
        for name, what in (
            ("random", "by chance, from houses it learnt from"),
            (
                "random_and_repeated",
                f"the same with {metrics['repeated_articles']:.0f} that repeat what it learnt from",
            ),
            ("grouped", f"{metrics['grouped_houses']:.0f} houses it never saw"),
        )
    )
    made = f"--scale {request['scale']} --base {request['base']} --seed {request['seed']} --learning-rate {request['learning_rate']}"
    return f"""# {request["name"]} {request["version"]}

{_PURPOSE[sides]} ({", ".join(CLASS_NAMES[sides])}) by the first 100 tokens of a text; names of outlets, web addresses, datelines
and marks other than `,.?!` are taken out first. An encoder (its embeddings and the lowest third of its layers as they
were) and linear models of words and pairs of words each tell the side and the house that is likely to have written a
text; a logistic regression weighs these four answers.

Made by `evenhand train ideology-classifier --sides {sides} {made}`,
run `{run}`, on `{request["device"]}`, from `{request["base"]}`{weights}{reader}.

## Trained on

- {FACTS.name} ({FACTS.home}); terms: {FACTS.licence}

{metrics["learnt_articles"]:.0f} articles, each labelled as its outlet is rated, not by what it says. By
{metrics["dev_articles"]:.0f} others the training was watched and the answers were weighed.

## Scores

Macro-F1, {spread}. A fifth of the houses was held out whole; of the other houses' articles
{RANDOM_TEST_SHARE:.0%} by chance. An article that repeats eight-word runs of what was learnt from in a fifth of its first 100
tokens or more is counted apart.

| held out | articles | macro-F1 | the encoder alone | words alone |
|---|---|---|---|---|
{held_out}

The first figure is mostly how well it knows its outlets' habits; the last is what it knows of leaning.{published}

## What it cannot do

It follows the ratings of US outlets. It is no verdict on a text, less on a person.
"""
