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
    """The card as Markdown: what the classifier is, how it was trained, its scores and its limitations."""
    sides: Sides = "three" if request["sides"] == "three" else "two"
    digest = request.get("base_sha256")
    weights = f" (SHA-256 of its weights: `{digest}`)" if digest else ""
    reader = "" if request["reader"] == "None" else ", its encoder that of a reader's bundle"
    published = (
        f" The classifier of Liu et al. (2021) has {PUBLISHED_F1:.3f} on a random split of other articles."
        if sides == "two"
        else ""
    )
    spread = (
        f"the mean of {folds} trainings, each with another fifth of the publishers held out"
        if folds > 1
        else "one training"
    )
    held_out = "\n".join(
        f"| {what} | {metrics[f'{name}_articles']:.0f} | "
        + " | ".join(f"{metrics[f'{name}{who}_macro_f1']:.4f}" for who in ("", "_encoder", "_words"))
        + " |"
        for name, what in (
            ("random", "at random, of training publishers"),
            (
                "random_and_repeated",
                f"the same with {metrics['repeated_articles']:.0f} that repeat training articles",
            ),
            ("grouped", f"{metrics['grouped_houses']:.0f} held-out publishers"),
        )
    )
    made = f"--scale {request['scale']} --base {request['base']} --seed {request['seed']}"
    made += f" --learning-rate {request['learning_rate']}"
    classes = ", ".join(CLASS_NAMES[sides])
    return f"""# {request["name"]} {request["version"]}

{_PURPOSE[sides]} ({classes}) by the first 100 tokens of a text, after names of outlets, web addresses, datelines
and marks other than `,.?!` are removed. An encoder (its embeddings and the lowest third of its layers frozen) and
linear models of words and bigrams each predict the side and the publisher of a text; a logistic regression stacks
these four predictions.

Made by `evenhand train ideology-classifier --sides {sides} {made}`,
run `{run}`, on `{request["device"]}`, from `{request["base"]}`{weights}{reader}.

## Trained on

- {FACTS.name} ({FACTS.homepage}); terms: {FACTS.licence}

{metrics["learnt_articles"]:.0f} articles, each labelled by the rating of its outlet, not by its content.
{metrics["dev_articles"]:.0f} others were used for model selection and stacking.

## Scores

Macro-F1, {spread}. A fifth of the publishers was held out whole, and {RANDOM_TEST_SHARE:.0%} of the articles
of the others at random. Articles of which a fifth or more of the first 100 tokens are eight-word runs of training
articles are counted separately.

| held out | articles | macro-F1 | encoder alone | linear models alone |
|---|---|---|---|---|
{held_out}

The first score mostly reflects habits of known outlets; the last one is that of political leaning.{published}

## What it cannot do

It follows ratings of US outlets. It is no judgement of a text, and none of a person.
"""
