"""The model card of a reader, its scores and its limitations, written from the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from core.bundles.manifest import LEANING_MACRO_F1, Evaluation
from core.runs.recipes import NO_TEACHER
from core.types import KINDS
from training.reader.dataset_mix import DatasetMix
from training.reader.export import TunedParameters
from training.reader.leaning_stage import MIN_ACCURACY, NEVER, ConfidencePoint

LIMITATIONS = (
    "It knows US news and English Wikipedia of about 2005 to 2020, and little else.",
    "It marks what editors took out, which is often a matter of house style; it misses bias by omission, in the choice "
    "of facts, or across sentences.",
    "Political leaning follows the ratings of US publishers and is weak on publishers it has not seen: take it as a "
    "hint.",
    "A finding is a question to the writer, not a verdict.",
)
_SCORES = {
    "babe_macro_f1": "BABE, sentence, macro-F1",
    "babe_sentence_f1": "BABE, sentence, F1",
    "babe_sentence_accuracy": "BABE, sentence, accuracy",
    "annotated_clear_recall": "annotated sentences, clear spans found",
    "annotated_precision": "annotated sentences, marks that are right",
    "annotated_f1": "annotated sentences, spans, F1",
    **{f"annotated_{kind}_f1": f"annotated sentences, {kind}, F1" for kind in KINDS},
    "annotated_neutral_marks_per_1000_words": "annotated sentences, marks in 1,000 words of neutral ones",
    "annotated_sentence_f1": "annotated sentences, sentence, F1",
    "annotated_sentence_macro_f1": "annotated sentences, sentence, macro-F1",
    "annotated_sentence_accuracy": "annotated sentences, sentence, accuracy",
    "wikibias_exact_f1": "WIKIBIAS, spans, exact F1 as the authors count",
    "wikibias_overlap_f1": "WIKIBIAS, spans, overlap F1",
    "wikibias_overlap_precision": "WIKIBIAS, spans, overlap precision",
    "wikibias_overlap_recall": "WIKIBIAS, spans, overlap recall",
    "wikibias_sentence_f1": "WIKIBIAS, sentence, F1",
    "wikibias_sentence_macro_f1": "WIKIBIAS, sentence, macro-F1",
    "wikibias_sentence_accuracy": "WIKIBIAS, sentence, accuracy",
    "wikibias_kinds_macro_f1": "WIKIBIAS, kinds of sentences, macro-F1",
    **{f"wikibias_{kind}_f1": f"WIKIBIAS, {kind} sentences, F1" for kind in KINDS},
    **{
        f"{name}_{metric}": f"minimal pairs, {title}, {what}"
        for name, title in (("sides", "political side"), ("people", "people"), ("spelling", "spelling"))
        for metric, what in (
            ("alike", "loaded spans read alike"),
            ("marks_differ", "pairs with another number of marks"),
            ("bias_difference", "mean difference of bias"),
        )
    },
    "wnc_overlap_f1": "WNC, spans, overlap F1",
    "leaning_macro_f1": LEANING_MACRO_F1,
    "leaning_left_right_macro_f1": "political leaning, held-out publishers, left against right, macro-F1",
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
    "wikibias_calibration_error": "WIKIBIAS, sentence, calibration error",
    "annotated_calibration_error": "annotated sentences, calibration error",
    "gbnc_overlap_f1": "GBNC, spans, overlap F1",
    "gbnc_exact_f1": "GBNC, spans, exact F1",
    "gbnc_named_demographic": "GBNC, share of found spans named demographic",
}
"""The scores of a reader by the name of the metric, the most important first."""
SELECTION = "## Selection on dev data"
_OF_BUNDLE = ("kind_", "gbnc_")
"""Metrics that are measured with the int8 bundle; others have an ``int8_`` twin, or are those of the checkpoint."""
_OTHER_METRICS = {
    "leaning_articles": "articles of held-out publishers",
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
        found.append(Evaluation(name, round(value, 4), split="dev", n=None if gold is None else round(gold)))
    return tuple(found)


def leaning_metrics(evaluation: Sequence[Evaluation]) -> dict[str, float]:
    """The scores of political leaning among those of a bundle, by metric."""
    values = {one.name: one.value for one in evaluation}
    return {
        metric: values[name]
        for metric, name in _SCORES.items()
        if metric.startswith("leaning_") and name in values
    }


def _metric_name(metric: str) -> str:
    """A metric as the table of the card names it."""
    if metric in _OTHER_METRICS:
        return _OTHER_METRICS[metric]
    name = metric.removeprefix("int8_")
    is_int8 = name != metric or metric.startswith(_OF_BUNDLE)
    title = _SCORES.get(name)
    return metric if title is None else f"{title} ({'int8' if is_int8 else 'checkpoint'})"


def selection_section(metrics: Mapping[str, float], tuned: TunedParameters, command: str = "") -> str:
    """The section of the card on what was chosen on dev data, with the dev scores.

    ``command`` chose the thresholds again, with the weights as they were.
    """
    scores = "\n".join(f"| {_metric_name(name)} | {value:.4f} |" for name, value in sorted(metrics.items()))
    how = (
        f"\n\nThe thresholds and all scores are those of the int8 bundle, by `{command}`." if command else ""
    )
    return f"""{SELECTION}

Span threshold {tuned.thresholds.span} ({tuned.thresholds.demographic} for demographic spans); words of the cue lists
have {tuned.calibration.cue_offset} added to their log-odds before. Sentence threshold {tuned.thresholds.bias};
temperatures and offsets by log loss; the weights with the best dev score after six tenths of the steps or later; how
far the leaning head, which is fitted last on the finished encoder, ignores what separates publishers and topics and
what rewordings change.
Dev parts: 12% of BABE SG2, the dev parts of WIKIBIAS and WNC, the annotated sentences of one article, page or pair in
five, an eighth of GBNC's pairs, the articles of about one publisher in five. All but GBNC's were used for these
choices, so the scores below are dev scores, not test scores. Span scores of WIKIBIAS and WNC are over biased sentences
(WIKIBIAS, section 3.2); *marked* is the share of sentences without gold spans in which some word is marked. Of the
annotated sentences clear spans have to be found, and a mark is right that touches any span.{how}

| dev metric | value |
|---|---|
{scores}

The kinds of 300 WNC dev spans were labelled in two passes, each from the sentence alone; the passes were not made by
trained human raters, so their kappa is an upper estimate of what people would reach. Per-kind F1 is over
those on which the passes agree.
"""


def write_card(
    *,
    request: Mapping[str, str],
    run: str,
    mixture: DatasetMix,
    metrics: Mapping[str, float],
    tuned: TunedParameters,
    leaning: Sequence[ConfidencePoint],
) -> str:
    """The card as Markdown: what the reader is, how it was trained, its dev scores, and its limitations."""
    spans = Counter(
        span.kind.value
        for part in (
            mixture.wikibias,
            mixture.annotated,
            mixture.annotated_corpora,
            mixture.babe,
            mixture.wnc,
            mixture.gbnc,
        )
        for example in part
        for span in example.spans or ()
    )
    corpora = "\n".join(
        f"- {facts.name} ({facts.homepage}); terms: {facts.licence}" for facts in mixture.corpora
    )
    span_counts = ", ".join(f"{count} {kind}" for kind, count in spans.most_common())
    digest = request.get("base_sha256")
    weights = f" (SHA-256 of its weights: `{digest}`)" if digest else ""
    teacher = request.get("teacher", NO_TEACHER)
    taught = (
        "It had no teacher."
        if teacher == NO_TEACHER
        else f"A teacher on `{teacher}` went through both stages first; the reader also learned from its probabilities."
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
    curve = "\n".join(
        f"| {one.confidence:.2f} | {one.coverage:.3f} | {one.accuracy:.3f} |" for one in leaning
    )
    speaks = (
        f"No confidence reached {MIN_ACCURACY} on enough of them, so no leaning is shown."
        if tuned.thresholds.leaning >= NEVER
        else f"A leaning is shown from a confidence of {tuned.thresholds.leaning} on."
    )
    absent = "".join(f"\n- Trained without {line}" for line in mixture.missing)
    return f"""# {request["name"]} {request["version"]}

Reads one English sentence and predicts which words are not neutral, of which kind (BIO tags over framing,
epistemological, demographic) and of which class of the annotation guide, how likely the sentence is biased, and its
political leaning (left, center, right, or not political). Int8 ONNX, up to 128 wordpieces a pass, uncased.

Trained by `evenhand train reader --scale {request["scale"]} --base {request["base"]} --teacher {teacher} --seed
{request["seed"]}`, run `{run}`, on `{request["device"]}`. The base encoder is `{request["base"]}`{weights}. {taught}

## Training data

{corpora}{absent}

Span labels used: {span_counts}. WIKIBIAS has gold spans and kinds. WNC and GBNC spans come from each pair by the
heuristic of WIKIBIAS's Appendix C (`training.text.revision_spans`, without a parse), BABE's from its word lists; their
kinds follow from the cue class of the words. In WIKIBIAS, WNC and GBNC a word that is not marked counts for less than
a marked one, as an edit of one place says little of the others.{injected}{own}

{len(mixture.annotated):,} sentences are marked in full: those of `editors/` and this project's own
(`training/corpora/written_sentences.jsonl.xz`); so are {len(mixture.annotated_corpora):,} of the corpora above
(`training/corpora/corpus_sentences.jsonl.xz`). **They were annotated by a large language model**, and the written ones
were composed by one, after the annotation guide; so were the labels of anno-lexical, by majority of three. An arguable
span counts half as marked. The dev part of the written sentences was annotated in two passes: spans that only one pass
marked count as arguable. A word of WIKIBIAS that its annotators left alone and the model marked has no label.

The bias head was fitted last: it keeps its scores on the corpora's sentences, and gives equal scores to different
people in one half of this project's templates (`core.stereotypes.templates`; the other half is for evaluation). The
training read that half as well, and sentences about another group, in another spelling, or about the other political
side, with the same labels.

{mixture.dropped} texts were left out because they hold, or nearly hold, a scored sentence: BABE, the dev parts of
WIKIBIAS, WNC and the annotated sentences; articles that hold one are left out as well.

{selection_section(metrics, tuned)}
## Political leaning

A linear discriminant on the finished encoder (`training.reader.leaning_classifier`), fitted on articles, news
sentences by outlet, speeches and books by party. On articles of publishers that no fit saw, a publisher with more than
45 counting as 45, so many have a leaning of at least this confidence, and so many of those are right. {speaks}

| confidence | share of articles | right |
|---|---|---|
{curve}

## What it cannot do

{" ".join(LIMITATIONS)}
"""
