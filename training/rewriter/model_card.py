"""The model card of a rewriter, its scores and its limitations, written from the run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.bundles.manifest import Evaluation
from core.bundles.rewriter import RankingModel, RewriterThresholds
from training.rewriter.data import RewriterData

LIMITATIONS = (
    "It knows English only, and an edit that needs a source (who says so?), another fact, or another order of the "
    "sentence is beyond it.",
    "It adds no words where none are marked.",
    "Many of its suggestions only take words out.",
    "It suggests; a person decides.",
)
UNCHANGED = "featured statements left as they are"
GOOD = "first suggestions rated good or acceptable"
_NAMES = {
    "dev_annotated_first": "annotated spans answered with the annotators' first suggestion, first",
    "dev_annotated_in_3": "annotated spans answered with the annotators' first suggestion, among three",
    "dev_answer_first": "WNC's edits answered as the editor did, first suggestion",
    "dev_answer_in_3": "WNC's edits answered as the editor did, among three suggestions",
    "dev_fit_auc": "ROC-AUC of sound English, whole sentences against corrupted ones",
    "dev_judged_auc": "ROC-AUC of suggestions that an editor would take, among those left for the ranking",
    "dev_keep_auc": "ROC-AUC of KEEP, words of neutral sentences against edited ones",
    "dev_edits_kept": "edited words that it would rather keep",
    "dev_others_kept": "words of neutral sentences that it would keep",
}
_RANKING, _NEXT = "## Ranking", "## What it cannot do"


@dataclass(frozen=True, slots=True)
class FittedRanking:
    """A ranking, its thresholds, and what they were fitted on.

    ``judged``: the number of judged suggestions, and of the good ones among them. ``offered`` is the share of judged
    findings that get a suggestion, ``good`` and ``broken`` the shares of first ones that are good and no sound English,
    cross-validated.
    ``unchanged`` are the shares of held-out featured statements that stay unchanged, in the half that chose the score
    and in the other; ``shift`` is the mean shift of leaning on judged items, without and with its penalty.
    """

    ranking: RankingModel
    thresholds: RewriterThresholds
    judged: tuple[int, int]
    offered: float
    good: float
    broken: float
    unchanged: tuple[float, float]
    shift: tuple[float, float]


def evaluations(metrics: Mapping[str, float]) -> tuple[Evaluation, ...]:
    """The scores of a run for ``bundle.json``, the most important first."""
    return tuple(
        Evaluation(name, round(metrics[metric], 4), split="dev")
        for metric, name in _NAMES.items()
        if metric in metrics
    )


def with_ranking(card: str, fitted: FittedRanking) -> str:
    """A card with a section on its ranking, in place of an earlier one."""
    before, _, after = card.partition(_NEXT)
    thresholds, unchanged, shift = fitted.thresholds, fitted.unchanged, fitted.shift
    text = f"""{_RANKING}

A logistic model in `bundle.json` ranks the candidates and decides which are suggested, and which are applied without
asking. It was fitted by `python -m training.rewriter.ranking` on {fitted.judged[0]} suggestions, {fitted.judged[1]}
of them good, that a large language model rated alike in two independent passes, and on featured statements, where
each counts as wrong. The rewriter learnt
from none of their references and verdicts. By cross-validation {100 * fitted.offered:.1f}% of the judged findings that
have a candidate get a suggestion; of the first suggestions {100 * fitted.good:.1f}% are good or acceptable and
{100 * fitted.broken:.1f}% are no sound English. A candidate is suggested from a score of {thresholds.offer:.2f}, and
where the rewriter's own judgement that it is sound English is at least {thresholds.fit:.2f}. A sentence is rewritten
without asking from a score of {thresholds.score:.2f}: {100 * unchanged[0]:.1f}% of the held-out featured statements
that chose it stay as they are, and {100 * unchanged[1]:.1f}% of the others. Moving the leaning of a sentence between
left (-1) and right (1) by 1 costs {fitted.ranking.leaning:g} in log-odds when suggestions are put in order or applied,
the least that halves the mean shift on judged findings: {shift[0]:.4f} without, {shift[1]:.4f} with it.

"""
    return f"{before.partition(_RANKING)[0]}{text}{_NEXT}{after}"


def write_card(
    *, request: Mapping[str, str], run: str, material: RewriterData, metrics: Mapping[str, float]
) -> str:
    """The card as Markdown: what the rewriter is, how it was trained, its dev scores, and its limitations."""
    scores = "\n".join(f"| {_NAMES.get(name, name)} | {value:.4f} |" for name, value in metrics.items())
    corpora = "\n".join(
        f"- {facts.name} ({facts.homepage}); terms: {facts.licence}" for facts in material.corpora
    )
    digest = request.get("base_sha256")
    weights = f" (SHA-256 of its weights: `{digest}`)" if digest else ""
    reader = "" if request["reader"] == "None" else ", with the weights of the reader's bundle"
    own = "" if request["pairs"] == "None" else " Those of WNC include the edits of its owner's pairs."
    counts = ", ".join(
        f"{len(examples)} of {name}"
        for name, examples in (
            ("WNC", material.pairs),
            ("WIKIBIAS", material.wikibias),
            ("gender-neutral rewriting", material.gender),
            ("annotated and judged sentences", material.annotated),
            ("sentences with verdicts on suggestions", material.judged),
            ("injected pairs", material.injected),
            ("neutral sentences with masked words", material.masked),
            ("neutral sentences with a word that does not fit", material.corrupted),
        )
        if examples
    )
    missing = "".join(f"\n- {what}" for what in material.missing)
    lacking = f"\n\nNot there, so not learnt from:\n{missing}" if missing else ""
    return f"""# {request["name"]} {request["version"]}

Replaces marked words. A BART (`BartForConditionalGeneration`) run by CTranslate2 in int8: the encoder reads the
sentence, the decoder is prompted with the marked words and their neighbours, and the output is only what should stand
there, *delete them*, or *keep them*. It never writes a whole sentence, so it cannot break the rest of one. It also says
whether an editor would take given words for the marked ones. Uncased. The engine reads every candidate again before it
is shown (`core/rewriting`).

Trained by `evenhand train rewriter --scale {request["scale"]} --base {request["base"]} --seed {request["seed"]}`,
run `{run}`, on `{request["device"]}`. Encoder and decoder start from `{request["base"]}`{weights}{reader}.

## Training data

{corpora}

Marked sentences: {counts}.{own}
The suggestions in annotated sentences, and the verdicts on others, were written by a large language model after this
project's guide. Left out: whatever is near a sentence of BABE, of the dev parts of WNC, WIKIBIAS and the annotated
sentences, or of the 600 held-out featured-article statements.{lacking}

Not available: BART's own weights, the whole of WNC (30,000 of its 181,000 pairs were there).

## Scores on dev, whose loss also selected the weights

The marked words are the editor's or the annotator's own here; scores of the whole chain are in the project's results.

| metric | value |
|---|---|
{scores}

## What it cannot do

{" ".join(LIMITATIONS)}
"""
