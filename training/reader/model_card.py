"""What a trained reader says of itself: its model card, its scores and its limits, written from the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from core.bundles.manifest import LEANING_MACRO_F1, Evaluation
from core.types import KINDS
from training.corpora import ALL
from training.reader.dataset_mix import DatasetMix
from training.reader.export import TunedParameters

LIMITS = (
    "It knows US news and English Wikipedia of about 2005 to 2020, and little else.",
    "It marks what editors took out, which is often a matter of house style; it misses bias by omission, in the choice "
    "of facts, or across sentences.",
    "Political leaning follows the ratings of US publishers and is weak on publishers it has not seen: take it as a "
    "hint.",
    "A finding is a question to the writer, not a verdict.",
)
_SCORES = {
    "babe_macro_f1": "BABE, sentence, macro-F1",
    "wnc_overlap_f1": "WNC, spans, overlap F1",
    "leaning_macro_f1": LEANING_MACRO_F1,
    "wnc_exact_f1": "WNC, spans, exact F1",
    "wnc_overlap_precision": "WNC, spans, overlap precision",
    "wnc_overlap_recall": "WNC, spans, overlap recall",
    "wnc_neutral_sentences_marked": "WNC, neutral sides marked",
    "kind_accuracy_on_overlap": "WNC, right kind where spans overlap",
    **{f"kind_{kind}_f1": f"WNC, {kind}, overlap F1" for kind in KINDS},
    "babe_overlap_f1": "BABE, words, overlap F1",
    "babe_exact_f1": "BABE, words, exact F1",
    "babe_overlap_precision": "BABE, words, overlap precision",
    "babe_overlap_recall": "BABE, words, overlap recall",
    "babe_neutral_sentences_marked": "BABE, sentences not biased, marked",
    "babe_calibration_error": "BABE, sentence, calibration error",
    "gbnc_overlap_f1": "GBNC, spans, overlap F1",
    "gbnc_exact_f1": "GBNC, spans, exact F1",
    "gbnc_named_demographic": "GBNC, share of found spans named demographic",
}
"""The scores of a reader by the name of the metric, the most telling first."""
_OF_BUNDLE = ("kind_", "gbnc_")
"""Metrics that are measured with the int8 bundle; others have an ``int8_`` twin, or are those of the checkpoint."""
_OTHER_METRICS = {
    "int8_apart": "BABE, mean difference of the uncalibrated bias probability, int8 and checkpoint",
    "kind_kappa": "kinds of 300 WNC spans, kappa of the two passes",
    **{f"kind_{kind}_gold": f"WNC, {kind}, gold spans" for kind in KINDS},
}


def evaluations(metrics: Mapping[str, float]) -> tuple[Evaluation, ...]:
    """The scores of a run for ``bundle.json``: that of the int8 bundle where it was measured."""
    found = []
    for metric, name in _SCORES.items():
        value = metrics.get(f"int8_{metric}", metrics.get(metric))
        if value is None:
            continue
        gold = metrics.get(f"{metric.removesuffix('_f1')}_gold")
        split = "dev, windows" if name == LEANING_MACRO_F1 else "dev"
        found.append(Evaluation(name, round(value, 4), split=split, n=None if gold is None else round(gold)))
    return tuple(found)


def _metric_name(metric: str) -> str:
    """A metric as the table of the card names it."""
    if metric in _OTHER_METRICS:
        return _OTHER_METRICS[metric]
    plain = metric.removeprefix("int8_")
    is_int8 = plain != metric or metric.startswith(_OF_BUNDLE)
    name = _SCORES.get(plain)
    return metric if name is None else f"{name} ({'int8' if is_int8 else 'checkpoint'})"


def write_card(
    *,
    request: Mapping[str, str],
    run: str,
    mixture: DatasetMix,
    metrics: Mapping[str, float],
    tuned: TunedParameters,
    start_run: str = "",
    members: Sequence[str] = (),
) -> str:
    """The card as Markdown: what the reader is, how it was trained, its dev scores, and its limits.

    ``start_run`` trained the reader that this one was initialised from, ``members`` are the trainings whose weights are
    averaged.
    """
    kinds = Counter(
        span.kind.value
        for part in (mixture.babe, mixture.wnc, mixture.gbnc)
        for example in part
        for span in example.spans or ()
    )
    scores = "\n".join(f"| {_metric_name(name)} | {value:.4f} |" for name, value in sorted(metrics.items()))
    corpora = "\n".join(f"- {facts.name} ({facts.home}); terms: {facts.licence}" for facts in ALL)
    kind_counts = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    digest = request.get("base_sha256")
    further = (
        f" Training continued from the reader of run `{start_run}`, whose own card says what that was trained on; "
        if start_run
        else ""
    )
    keeps_encoder = request.get("ensemble_size") == "0"
    if keeps_encoder:
        further += "its encoder and its other heads are that reader's."
    elif start_run:
        further += (
            f"its weights are the mean of {', '.join(members)}: those, of the start and its trainings, whose "
            f"mean scored "
            "no lower and read different people no less alike."
        )
    chosen = (
        "which trainings are averaged"
        if start_run
        else "the weights with the best dev score after six tenths of the steps or later"
    )
    command = f"--scale {request['scale']} --base {request['base']} --seed {request['seed']}"
    if start_run:
        command += (
            " --init-from BUNDLE --ensemble-size 0"
            if keeps_encoder
            else f" --init-from BUNDLE --learning-rate {request['learning_rate']}"
        )
    injected = (
        ""
        if request.get("injected", "None") == "None"
        else " Injected pairs (`evenhand train data inject`) add typed spans."
    )
    own = (
        f" It was also trained on {len(mixture.corrections)} sentences of its owner's corrections."
        if mixture.corrections
        else ""
    )
    if mixture.own_pairs:
        own += f" It was also trained on {len(mixture.own_pairs)} sentences of its owner's pairs."
    people = (
        "\nThe bias head was fitted last: it keeps its scores on the corpora's sentences, and gives equal scores to "
        "different people\nin one half of this project's templates (`core.stereotypes.templates`; the other "
        "half is for "
        "evaluation).\n"
    )
    if start_run and not keeps_encoder:
        people += (
            "The trainings used that half as well, and sentences of BABE and CW-Hard about another group.\n"
        )
    # All weights are those of the start where nothing was trained: of the base only its shape was needed.
    weights = f" (SHA-256 of its weights: `{digest}`)" if digest and not keeps_encoder else ""
    return f"""# {request["name"]} {request["version"]}

Reads one English sentence and predicts three things: which words are not neutral and of which kind (BIO tags over
framing, epistemological, demographic), how likely the sentence is biased, and its political leaning (left, center,
right, or not political). Int8 ONNX, up to 128 word pieces a pass, uncased.

Trained by `evenhand train reader {command}`,
run `{run}`, on `{request["device"]}`. The base encoder is `{request["base"]}`{weights}.{further}

## Training data

{corpora}

Span labels used: {kind_counts}. WNC and GBNC spans come from each pair by the heuristic of WIKIBIAS's Appendix C
(`training.text.revision_spans`, without a parse), BABE's from its word lists; those of biased Wikipedia statements are
pseudo labels (the model's own first predictions, as each statement is known to hold some).{injected}{own}
{people}**No corpus here has gold kinds**: the kind of a span follows from the cue class of the edited words.
{mixture.dropped} texts were left out because they hold, or nearly hold, a sentence of BABE or of WNC's dev part;
articles that hold one are left out as well.

Not available: the WIKIBIAS corpus, the full WNC (1.3% of it was used), BABE's distant headlines.

## Selection on dev data

Span threshold {tuned.thresholds.span}, sentence threshold {tuned.thresholds.bias}; temperatures and offsets by log
loss; {chosen}; how far the leaning head, which is
fitted last on the finished encoder, ignores what separates publishers and topics and what rewordings change.
Dev parts: 12% of BABE SG2, WNC's own dev pairs, an eighth of GBNC's, the
articles of about one publisher in five. All but GBNC's were used for these choices, so the scores below are dev scores,
not test scores. Span scores are over biased sentences (WIKIBIAS, section 3.2); *marked* is the share of sentences
without gold spans in which some word is marked.

| dev metric | value |
|---|---|
{scores}

The kinds of 300 WNC dev spans were labelled in two passes, each from the sentence alone; the passes were not made by
trained human raters, so their kappa is an upper estimate of what people would reach. Per-kind F1 is over
those on which the passes agree, and the rules for kinds were written with these labels in sight.

## What it cannot do

{" ".join(LIMITS)}
"""
