"""The rewriter's model card, written from the run."""

from __future__ import annotations

from collections.abc import Mapping

from training.rewriter.examples import CORPORA, Material

_NAMES = {
    "dev_answer_first": "edits answered as the editor did, first wording",
    "dev_answer_in_3": "edits answered as the editor did, among three wordings",
    "dev_keep_auc": "ROC-AUC of KEEP, words of neutral sentences against edited ones",
    "dev_edits_kept": "edited words that it would rather keep",
    "dev_others_kept": "words of neutral sentences that it would keep",
}


_RANKING, _AFTER = "## Ranking", "## What it cannot do"


def with_ranking(
    told: str,
    *,
    counts: tuple[int, int],
    score: float,
    leaning: float,
    unchanged: tuple[float, float],
    shift: tuple[float, float],
) -> str:
    """A card with what its ranking was fitted on, in the place of what it told before.

    ``counts``: right wordings and all; the other figures as in `training.rewriter.ranking.Fitted`.
    """
    before, _, after = told.partition(_AFTER)
    text = f"""{_RANKING}

Which wording comes first, and whether one is taken unasked, is said by a logistic model in `bundle.json`, fitted by
`python -m training.rewriter.ranking` on what is offered for WNC's train pairs ({counts[1]} wordings,
{counts[0]} of them the editor's) and for featured statements. A sentence is reworded unasked from a score of
{score:.2f} on: {100 * unchanged[0]:.1f}% of the held-out featured statements that chose it stay as they are, and
{100 * unchanged[1]:.1f}% of the others. To move a sentence's leaning between left (-1) and right (1) by 1 costs
{leaning:g} in log-odds, the least that halves how far train pairs are moved: {shift[0]:.4f} without, {shift[1]:.4f}
with it. WNC's dev pairs fitted none of this; what the model looks at was laid down with them in sight.

"""
    return f"{before.partition(_RANKING)[0]}{text}{_AFTER}{after}"


def write(*, request: Mapping[str, str], run: str, material: Material, metrics: Mapping[str, float]) -> str:
    """Markdown text of the card: what the rewriter is, what made it, what it scores on dev, what it cannot do."""
    scores = "\n".join(f"| {_NAMES.get(name, name)} | {value:.4f} |" for name, value in metrics.items())
    corpora = "\n".join(f"- {facts.name} ({facts.home}); terms: {facts.licence}" for facts in CORPORA)
    digest = request.get("base_sha256")
    weights = f" (SHA-256 of its weights: `{digest}`)" if digest else ""
    reader = "" if request["reader"] == "None" else ", with the weights of the reader's bundle"
    own = "" if request["pairs"] == "None" else " Those of WNC hold the edits of its owner's own pairs, too."
    counts = ", ".join(
        f"{len(asks)} {name}"
        for name, asks in (
            ("injected edits", material.injected),
            ("edits of WNC", material.wnc),
            ("edits of GBNC", material.gbnc),
            ("words to keep", material.kept),
        )
    )
    return f"""# {request["name"]} {request["version"]}

Puts other words in the place of flagged ones. A BART (`BartForConditionalGeneration`) run by CTranslate2 in int8: the
encoder reads the sentence, the decoder is prompted with the flagged words and their neighbours, and the answer is only
what should stand there, *take them out*, or *leave them as they are*. It never writes a whole sentence, so it cannot
break the rest of one. Uncased. The engine reads every answer again before it is shown (`core/rewriting`).

Made by `evenhand train rewriter --scale {request["scale"]} --base {request["base"]} --seed {request["seed"]}`,
run `{run}`, on `{request["device"]}`. Encoder and decoder start from `{request["base"]}`{weights}{reader}.

## Trained on

{corpora}

As asks: {counts}.{own}
Injected edits are distant: biased wording that rules put into neutral sentences (`evenhand train data inject`). Left
out: whatever is near a sentence of BABE, of WNC's dev part, or of the 600 held-out featured-article statements.

Could not be had: BART's own weights, WIKIBIAS, the full WNC (1.3% of it was used).

## Scores on WNC's dev pairs, whose loss also chose the weights

The flagged words are the editor's own here; how the whole chain does is in the project's README.

| what | score |
|---|---|
{scores}

## What it cannot do

It knows English only, and an edit that needs a source (who says so?), another fact, or another order of the sentence is
beyond it. It adds no words where none are flagged. Its wordings follow Wikipedia's editors: many of their edits take a
word out. It offers; a person decides.
"""
