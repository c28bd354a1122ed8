"""The model card, written from the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from core.types import KINDS
from training.corpora import ALL
from training.reader.dataset_mix import Mixture
from training.reader.export import Tuned


def write(
    *,
    request: Mapping[str, str],
    run: str,
    mixture: Mixture,
    metrics: Mapping[str, float],
    tuned: Tuned,
    start_run: str = "",
    members: Sequence[str] = (),
) -> str:
    """Markdown text of the card: what the reader is, what made it, what it scores on dev, what it cannot do.

    ``start_run`` made the reader that it went on from, ``members`` are the trainings whose mean it is.
    """
    kinds = Counter(
        span.kind.value
        for part in (mixture.babe, mixture.wnc, mixture.gbnc)
        for example in part
        for span in example.spans or ()
    )
    scores = "\n".join(
        f"| {_NAMES.get(name, name)} | {value:.4f} |" for name, value in sorted(metrics.items())
    )
    corpora = "\n".join(f"- {facts.name} ({facts.home}); terms: {facts.licence}" for facts in ALL)
    kind_counts = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    digest = request.get("base_sha256")
    further = (
        f" It went on from the reader of run `{start_run}`, whose own card says what that had learnt; "
        if start_run
        else ""
    )
    untrained = request.get("ensemble_size") == "0"
    if untrained:
        further += "its encoder and its other heads are that reader's."
    elif start_run:
        further += (
            f"it is the mean of the weights of {', '.join(members)}: those, of the start and its trainings, whose mean "
            "read no worse and read different people no less alike."
        )
    chosen = (
        "which trainings are averaged"
        if start_run
        else "the weights with the best dev score from six tenths of the steps on"
    )
    command = f"--scale {request['scale']} --base {request['base']} --seed {request['seed']}"
    if start_run:
        command += (
            " --init-from BUNDLE --ensemble-size 0"
            if untrained
            else f" --init-from BUNDLE --learning-rate {request['learning_rate']}"
        )
    injected = (
        ""
        if request.get("injected", "None") == "None"
        else " Injected pairs (`evenhand train data inject`) give typed spans as well."
    )
    own = (
        f" {len(mixture.corrections)} sentences of its owner's own corrections were learnt from as well."
        if mixture.corrections
        else ""
    )
    if mixture.own_pairs:
        own += f" {len(mixture.own_pairs)} sentences of its owner's own pairs were learnt from as well."
    people = (
        "\nThe bias head was fitted last: it says of the corpora's sentences what it said before, and reads people "
        "alike in one half of this\nproject's own templates (`core.stereotypes.templates`; the other half examines).\n"
    )
    if start_run and not untrained:
        people += "The trainings learnt from that half, and from sentences of BABE and CW-Hard about another group.\n"
    # All weights are the start's where nothing was trained: of the base only its shape was needed.
    weights = f" (SHA-256 of its weights: `{digest}`)" if digest and not untrained else ""
    return f"""# {request["name"]} {request["version"]}

Reads one English sentence and answers three things: which words are not neutral and of which kind (BIO tags over
framing, epistemological, demographic), how likely the sentence is biased, and how it leans (left, center, right, or
not political). Int8 ONNX, up to 128 word pieces a pass, uncased.

Made by `evenhand train reader {command}`,
run `{run}`, on `{request["device"]}`. The base encoder is `{request["base"]}`{weights}.{further}

## Trained on

{corpora}

Span labels used: {kind_counts}. WNC and GBNC spans come from each pair by the heuristic of WIKIBIAS's Appendix C
(`training.text.revision_spans`, without a parse), BABE's from its word lists, those of biased Wikipedia statements are
distant (the model's own first guess, as each is known to hold some).{injected}{own}
{people}**No corpus here has gold kinds**: the kind of a span follows from the cue class of the edited words.
{mixture.dropped} texts were left out because they hold, or nearly hold, a sentence of BABE or of WNC's dev part;
articles that hold one are left out as well.

Could not be had: the WIKIBIAS corpus, the full WNC (1.3% of it was used), BABE's distant headlines.

## Chosen on dev data

Span threshold {tuned.thresholds.span}, sentence threshold {tuned.thresholds.bias}; temperatures and offsets by log
loss; {chosen}; how far the leaning head, which is
fitted last, on the finished encoder, looks away from what tells houses and topics apart and from what rewordings move.
Dev parts: 12% of BABE SG2, WNC's own dev pairs, an eighth of GBNC's, the
articles of about one house in five. All but GBNC's were used for these choices, so the figures below are dev figures,
not test figures. Span scores are over biased sentences (WIKIBIAS, section 3.2); *marked* is the share of sentences
without gold spans in which some word is marked.

| dev figure | value |
|---|---|
{scores}

The kinds of 300 WNC dev spans were labelled in two passes, each from the sentence alone; the passes were not made by
trained human raters, so their kappa is an upper estimate of what people would reach. Per-kind F1 is over
those on which the passes agree, and the rules for kinds were written with these labels in sight.

## What it cannot do

It knows US news and English Wikipedia of about 2005 to 2020, and little else. It flags what editors took out, which
is often a matter of house style; it misses bias by omission, in the choice of facts, or across sentences. Leaning
follows the ratings of US outlets and is weak on outlets it has not seen: take it as a hint. A flagged word is a
question to the writer, not a verdict.
"""


_NAMES = {
    "babe_macro_f1": "BABE, sentence, macro-F1 (checkpoint)",
    "babe_calibration_error": "BABE, sentence, calibration error",
    "int8_babe_macro_f1": "BABE, sentence, macro-F1 (int8)",
    "wnc_exact_f1": "WNC, spans, exact F1 (checkpoint)",
    "wnc_overlap_f1": "WNC, spans, overlap F1 (checkpoint)",
    "wnc_overlap_precision": "WNC, spans, overlap precision (checkpoint)",
    "wnc_overlap_recall": "WNC, spans, overlap recall (checkpoint)",
    "wnc_neutral_sentences_marked": "WNC, neutral sides marked (checkpoint)",
    "int8_apart": "BABE, probability of bias, int8 and checkpoint apart (mean, uncalibrated)",
    "int8_wnc_neutral_sentences_marked": "WNC, neutral sides marked (int8)",
    "int8_wnc_exact_f1": "WNC, spans, exact F1 (int8)",
    "int8_wnc_overlap_f1": "WNC, spans, overlap F1 (int8)",
    "babe_exact_f1": "BABE, words, exact F1 (checkpoint)",
    "babe_overlap_f1": "BABE, words, overlap F1 (checkpoint)",
    "babe_overlap_precision": "BABE, words, overlap precision (checkpoint)",
    "babe_overlap_recall": "BABE, words, overlap recall (checkpoint)",
    "babe_neutral_sentences_marked": "BABE, sentences not biased, marked (checkpoint)",
    "int8_babe_neutral_sentences_marked": "BABE, sentences not biased, marked (int8)",
    "int8_babe_exact_f1": "BABE, words, exact F1 (int8)",
    "int8_babe_overlap_f1": "BABE, words, overlap F1 (int8)",
    "gbnc_exact_f1": "GBNC, spans, exact F1 (int8)",
    "gbnc_overlap_f1": "GBNC, spans, overlap F1 (int8)",
    "gbnc_named_demographic": "GBNC, share of found spans named demographic (int8)",
    "leaning_macro_f1": "houses held out, windows, leaning macro-F1 (checkpoint)",
    "kind_kappa": "kinds of 300 WNC spans, kappa of the two passes",
    "kind_accuracy_on_overlap": "WNC, right kind where spans overlap (int8)",
    **{f"kind_{kind}_f1": f"WNC, {kind}, overlap F1 (int8)" for kind in KINDS},
    **{f"kind_{kind}_gold": f"WNC, {kind}, gold spans" for kind in KINDS},
}
