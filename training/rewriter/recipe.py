"""The recipe of the rewriter: a BART that replaces marked words with neutral ones.

Encoder and decoder start from a BERT-architecture encoder. Stage *broad* teaches the decoder to write: masked words of
neutral sentences are filled in, beside the pairs of Wikipedia. Stage *editing* trains mostly on suggestions that an
editor would take, and on pairs. Both ask, too, which words of a sentence are to be kept, and which do not fit into it.
Dev data (WNC's dev pairs, held-out annotated sentences) select the weights; then the model is exported as an int8
CTranslate2 bundle, scored on dev as the app uses it, and its ranking is fitted with the reader
(`training.rewriter.ranking`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_model, save_model
from sklearn.metrics import roc_auc_score
from torch import Tensor
from transformers import BartForConditionalGeneration

from core.engine.engine import bundled_reader
from core.rewriting.rewriter import AcceptanceRequest, Proposals, Rewriter, SentenceTooLong
from core.rewriting.rewriter import RewriteRequest as Request
from core.runs.recipes import RewriterRequest
from training.corpora.user_data import corpora_of_model
from training.loop.batches import Stream, length_batches
from training.loop.devices import autocast
from training.loop.events import Events
from training.loop.runs import RunContext
from training.loop.training_loop import TrainingSettings, run_or_load, train
from training.reader.export import seal_bundle
from training.rewriter import model_card, ranking
from training.rewriter.data import RewriterData, load_rewriter_data
from training.rewriter.examples import WORD, MarkedSentence, Question, Row, encode
from training.rewriter.export import write_bundle
from training.rewriter.modeling import (
    answer_loss,
    load_encoder,
    load_tokenizer,
    set_prior,
    warm_start,
)


def answer_scores(bundle: Path, material: RewriterData, *, n: int = 3) -> dict[str, float]:
    """How a bundle answers the questions of dev, run as in the app: through CTranslate2, with beam search.

    Shares of WNC's edits, and of the spans of annotated sentences, that are answered as the editor did, first and among
    the first ``n``, without KEEP; ``dev_keep_auc`` and ``dev_fit_auc`` are areas under the ROC curve: of KEEP, words of
    neutral sentences against edited ones, and of sound English, whole sentences against corrupted ones;
    ``dev_judged_auc`` is that of the rewriter's judgement of judged suggestions.
    """
    rewriter = Rewriter.load(bundle)
    edits, annotated, kept = (
        _answers(rewriter, part, n)
        for part in (material.dev_edits, material.dev_annotated, material.dev_kept)
    )
    keeps = [(answer.keep, 0) for _, answer in edits] + [(answer.keep, 1) for _, answer in kept]
    fits = [answer for one in material.dev_fit for answer in _fits(rewriter, one)]
    taken = [answer for one in material.dev_judged for answer in _taken(rewriter, one)]
    both = (
        len({is_good for is_good, _ in taken}) > 1
    )  # Without the corpora of the judged sentences there is none.
    judged = roc_auc_score([is_good for is_good, _ in taken], [found for _, found in taken]) if both else None
    return {
        **_first_and_among("dev_answer", edits, n),
        **_first_and_among("dev_annotated", annotated, n),
        "dev_keep_auc": roc_auc_score([label for _, label in keeps], [keep for keep, _ in keeps]),
        "dev_edits_kept": sum(answer.keep > 0.5 for _, answer in edits) / max(1, len(edits)),
        "dev_others_kept": sum(answer.keep > 0.5 for _, answer in kept) / max(1, len(kept)),
        "dev_fit_auc": roc_auc_score([is_sound for is_sound, _ in fits], [found for _, found in fits]),
        **({} if judged is None else {"dev_judged_auc": judged}),
    }


def _first_and_among(name: str, answered: Sequence[tuple[Question, Proposals]], n: int) -> dict[str, float]:
    ranks = [_rank(question, answer) for question, answer in answered]
    total = max(1, len(ranks))
    return {
        f"{name}_first": sum(rank == 0 for rank in ranks) / total,
        f"{name}_in_{n}": sum(rank is not None for rank in ranks) / total,
    }


def _answers(
    rewriter: Rewriter, sentences: Sequence[MarkedSentence], n: int
) -> list[tuple[Question, Proposals]]:
    found: list[tuple[Question, Proposals]] = []
    for sentence in sentences:
        for question in sentence.questions:
            try:
                (answer,) = rewriter.propose([Request(sentence.text, question.start, question.end)], n)
            except SentenceTooLong:
                answer = Proposals(1.0, ())
            found.append((question, answer))
    return found


def _fits(rewriter: Rewriter, sentence: MarkedSentence) -> list[tuple[bool, float]]:
    """For each place whether it is sound, and the probability that the rewriter gives it."""
    asked = [Request(sentence.text, question.start, question.end) for question in sentence.questions]
    try:
        found = rewriter.judge_fit(asked)
    except SentenceTooLong:
        return []
    return [(bool(question.fits), value) for question, value in zip(sentence.questions, found, strict=True)]


def _taken(rewriter: Rewriter, sentence: MarkedSentence) -> list[tuple[bool, float]]:
    """For each suggestion whether its annotators would take it, and the probability that the rewriter gives it."""
    asked = [
        AcceptanceRequest(sentence.text, one.start, one.end, one.answer or "") for one in sentence.questions
    ]
    try:
        found = rewriter.judge_acceptance(asked)
    except SentenceTooLong:
        return []
    return [(bool(question.taken), value) for question, value in zip(sentence.questions, found, strict=True)]


def _rank(question: Question, answer: Proposals) -> int | None:
    wanted = WORD.findall((question.answer or "").lower())
    places = [at for at, item in enumerate(answer.items) if WORD.findall(item.words.lower()) == wanted]
    return places[0] if places else None


MAX_TOKENS = 160
MAX_TRAINING_TOKENS = 72
"""Wordpieces of the longest sentence at inference, and in training."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How much work a run does: steps of each stage, sentences a step, a cap on each source, decoder layers."""

    broad_steps: int
    editing_steps: int
    size: int = 32
    limit: int | None = None
    decoder_layers: int = 4


SCALES = {
    "smoke": Scale(broad_steps=4, editing_steps=4, size=8, limit=16, decoder_layers=2),
    "cpu": Scale(broad_steps=1500, editing_steps=3000),
    "full": Scale(broad_steps=20_000, editing_steps=6000, size=64, decoder_layers=6),
}

SHARES = {
    "broad": {
        "masked": 0.3,
        "corrupted": 0.12,
        "pairs": 0.3,
        "annotated": 0.18,
        "judged": 0.07,
        "injected": 0.04,
    },
    "editing": {
        "annotated": 0.54,
        "judged": 0.24,
        "pairs": 0.24,
        "wikibias": 0.04,
        "gender": 0.03,
        "corrupted": 0.11,
        "masked": 0.07,
        "injected": 0.03,
    },
}
"""The share of each source among the sentences of each stage."""


def stages(
    material: RewriterData, scale: Scale, tokenizer: Any, *, seed: int
) -> list[tuple[str, int, list[Row]]]:
    """(name, steps, rows) of both stages, the rows of all sources mixed within batches."""
    chooser = random.Random(seed)
    steps = {"broad": scale.broad_steps, "editing": scale.editing_steps}
    rows: dict[str, list[Row]] = {
        source: encode(getattr(material, source), tokenizer, max_tokens=MAX_TRAINING_TOKENS)
        for source in SHARES["broad"] | SHARES["editing"]
    }
    return [
        (
            name,
            steps[name],
            mix_rows(
                [(rows[source], share) for source, share in shares.items()], steps[name] * scale.size, chooser
            ),
        )
        for name, shares in SHARES.items()
    ]


def mix_rows(parts: Sequence[tuple[Sequence[Row], float]], count: int, chooser: random.Random) -> list[Row]:
    """About ``count`` rows, each part that is not empty by its share, in shuffled rounds."""
    there = [(rows, share) for rows, share in parts if rows]
    total = sum(share for _, share in there)
    taken: list[Row] = []
    for rows, share in there:
        wanted = round(share / total * count)
        while wanted > 0:
            some = chooser.sample(rows, min(wanted, len(rows)))
            taken += some
            wanted -= len(some)
    return taken


def check(request: RewriterRequest) -> None:
    """Every request that can be built can be run."""


def run(request: RewriterRequest, context: RunContext) -> Path:
    """Train, select on dev, export, score and write the card. Returns the bundle's folder.

    Raises CorpusError and TrainingError, and OSError where the base cannot be loaded.
    """
    folder, events, device = context.folder, context.events, context.device
    scale = SCALES[request.scale]
    material = load_rewriter_data(
        request.data,
        seed=request.seed,
        injected=request.injected,
        limit=scale.limit,
        corrections=request.corrections,
        own_pairs=request.pairs,
        on_message=lambda message: events.emit("stage", message),
    )
    torch.manual_seed(request.seed)
    tokenizer = load_tokenizer(request.base)
    encoder = load_encoder(request.base, request.reader)
    model = warm_start(encoder, tokenizer, decoder_layers=scale.decoder_layers)
    if device.type == "cpu":  # The backward pass of torch's fused attention is slower there.
        model.set_attn_implementation("eager")
    dev = [
        encode(part, tokenizer)
        for part in (
            material.dev_edits,
            material.dev_annotated,
            material.dev_kept,
            material.dev_fit,
            material.dev_judged,
        )
    ]
    planned = stages(material, scale, tokenizer, seed=request.seed)
    set_prior(model, planned[0][2])
    for number, (name, steps, rows) in enumerate(planned):
        events.stage = name
        settings = TrainingSettings(
            steps=steps,
            batch_size=scale.size,
            learning_rate=request.learning_rate,
            seed=request.seed + number,
        )
        run_or_load(
            folder / f"{name}.safetensors",
            fit=partial(_train, model, rows, settings, dev, device, events),
            load=partial(load_model, model),
            save=partial(save_model, model),
            events=events,
        )
    if events.dry_run is not None:
        return folder
    events.stage = "export"
    events.check_cancelled()
    bundle = folder / "bundle"
    write_bundle(
        bundle,
        model,
        tokenizer,
        name=request.name,
        version=request.version,
        run=context.id,
        corpora=corpora_of_model(material.corpora, corrections=request.corrections, pairs=request.pairs),
        max_tokens=min(MAX_TOKENS, int(model.config.max_position_embeddings)),
    )
    seal_bundle(bundle, "")
    metrics = answer_scores(bundle, material)
    context.write_json("metrics.json", metrics)
    seal_bundle(
        bundle,
        model_card.write_card(request=context.settings, run=context.id, material=material, metrics=metrics),
        evaluation=model_card.evaluations(metrics),
        limitations=model_card.LIMITATIONS,
    )
    events.emit("stage", "fitting the ranking")
    fitted = ranking.fit_ranking(
        ranking.open_unfiltered(request.reader or bundled_reader(), bundle),
        request.data,
        limit=scale.limit,
        check_cancelled=events.check_cancelled,
    )
    ranking.write_ranking(bundle, fitted)
    events.emit("end", str(bundle), metrics=metrics)
    return bundle


def _train(
    model: BartForConditionalGeneration,
    rows: Sequence[Row],
    settings: TrainingSettings,
    dev: Sequence[Sequence[Row]],
    device: torch.device,
    events: Events,
    checkpoint: Path,
) -> None:
    def loss(_: Stream[Row], batch: Sequence[Row]) -> Tensor:
        return answer_loss(model, batch, device)

    train(
        model,
        [Stream("answers", rows, 1.0)],
        settings,
        loss_fn=loss,
        device=device,
        events=events,
        backbone=model.model.encoder,
        checkpoint=checkpoint,
        eval_fn=lambda: -sum(dev_loss(model, part, device) for part in dev) / len(dev),
    )


def dev_loss(model: BartForConditionalGeneration, rows: Sequence[Row], device: torch.device) -> float:
    """Mean cross-entropy of the targets' wordpieces."""
    model.eval()  # type: ignore[no-untyped-call]
    total, count = 0.0, 0
    with torch.inference_mode(), autocast(device):
        for chosen in length_batches(rows, 64):
            batch = [rows[at] for at in chosen]
            pieces = sum(len(answer) for row in batch for _, answer in row.questions)
            total += float(answer_loss(model, batch, device)) * pieces
            count += pieces
    return total / max(1, count)
