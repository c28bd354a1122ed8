"""The recipe of the rewriter: a BART that replaces marked words with neutral ones.

Encoder and decoder start from a BERT-architecture encoder, best the reader's, which knows biased words. Stage
*injected* trains mainly on distant pairs (neutral sentences into which biased wording was injected), stage *real*
mainly on the pairs of WNC and GBNC. Both include neutral words, so that the model learns to keep them. Dev data
(WNC's dev pairs) select the weights; then the model is exported as an int8 CTranslate2 bundle, scored on dev as the
app uses it, and its ranking is fitted with the reader (`training.rewriter.ranking`).
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

from core.engine.engine import Engine
from core.rewriting.rewriter import Proposals, Rewriter, SentenceTooLong
from core.rewriting.rewriter import RewriteRequest as Question
from core.rewriting.suggester import Suggester
from core.runs.recipes import RewriterRequest
from training.corpora.user_data import corpora_of_model
from training.loop.batches import Stream, length_batches
from training.loop.devices import autocast
from training.loop.events import Events
from training.loop.runs import RunContext
from training.loop.training_loop import TrainingSettings, run_or_load, train
from training.reader.export import seal_bundle
from training.rewriter import model_card, ranking
from training.rewriter.examples import (
    CORPORA,
    WORD,
    RewriteExample,
    RewriterData,
    Row,
    encode,
    load_rewriter_data,
)
from training.rewriter.export import write_bundle
from training.rewriter.modeling import (
    EncoderStates,
    answer_loss,
    load_encoder,
    load_tokenizer,
    set_prior,
    warm_start,
)


def answer_scores(bundle: Path, material: RewriterData, *, n: int = 3) -> dict[str, float]:
    """Shares of WNC's dev edits answered as the editor did, first and among the first ``n``, without KEEP.

    The bundle runs as in the app: through CTranslate2, with beam search. ``dev_keep_auc`` is the area under the ROC
    curve
    of the probability of KEEP, words of neutral sentences against edited ones.
    """
    rewriter = Rewriter.load(bundle)
    edits = _answers(rewriter, material.dev_edits, n)
    kept = _answers(rewriter, material.dev_kept, n)
    ranks = [_rank(example, answer) for example, answer in edits]
    keeps = [(answer.keep, 0) for _, answer in edits] + [(answer.keep, 1) for _, answer in kept]
    total = max(1, len(ranks))
    return {
        "dev_answer_first": sum(rank == 0 for rank in ranks) / total,
        f"dev_answer_in_{n}": sum(rank is not None for rank in ranks) / total,
        "dev_keep_auc": roc_auc_score([label for _, label in keeps], [keep for keep, _ in keeps]),
        "dev_edits_kept": sum(answer.keep > 0.5 for _, answer in edits) / total,
        "dev_others_kept": sum(answer.keep > 0.5 for _, answer in kept) / max(1, len(kept)),
    }


def _answers(
    rewriter: Rewriter, examples: Sequence[RewriteExample], n: int
) -> list[tuple[RewriteExample, Proposals]]:
    found: list[tuple[RewriteExample, Proposals]] = []
    for example in examples:
        try:
            (answer,) = rewriter.propose([Question(example.text, example.start, example.end)], n)
        except SentenceTooLong:
            answer = Proposals(1.0, ())
        found.append((example, answer))
    return found


def _rank(example: RewriteExample, answer: Proposals) -> int | None:
    wanted = WORD.findall((example.answer or "").lower())
    places = [at for at, item in enumerate(answer.items) if WORD.findall(item.words.lower()) == wanted]
    return places[0] if places else None


MAX_TOKENS = 160
MAX_TRAINING_TOKENS = 72
"""Word pieces of the longest sentence at inference, and in training."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How much work a run does: steps of each stage, rows a step, a cap on each source, decoder layers.

    ``frozen``: the encoder is not trained, so that each sentence is encoded once.
    """

    injected_steps: int
    real_steps: int
    size: int = 32
    limit: int | None = None
    decoder_layers: int = 4
    frozen: bool = True


SCALES = {
    "smoke": Scale(injected_steps=4, real_steps=4, size=8, limit=16, decoder_layers=2),
    "cpu": Scale(injected_steps=1200, real_steps=350),
    "full": Scale(injected_steps=20_000, real_steps=3000, size=128, decoder_layers=4, frozen=False),
}


def stages(
    material: RewriterData, scale: Scale, tokenizer: Any, *, seed: int
) -> list[tuple[str, int, list[Row]]]:
    """(name, steps, rows) of both stages, the rows of all sources mixed within batches.

    Most injected edits delete words; those that replace words have a share of their own, so that as many are seen.
    """

    def rows(examples: Sequence[RewriteExample]) -> list[Row]:
        return encode(examples, tokenizer, max_tokens=MAX_TRAINING_TOKENS)

    out = rows([example for example in material.injected if example.answer == ""])
    other = rows([example for example in material.injected if example.answer])
    still = rows([example for example in material.injected if example.answer is None])
    kept, wnc, gbnc = rows([*material.kept]), rows(material.wnc), rows(material.gbnc)
    shares = {
        "injected": ((out, 0.24), (other, 0.3), (still, 0.06), (kept, 0.16), (wnc, 0.21), (gbnc, 0.03)),
        "real": ((out, 0.05), (other, 0.1), (still, 0.04), (kept, 0.18), (wnc, 0.57), (gbnc, 0.06)),
    }
    chooser = random.Random(seed)
    steps = {"injected": scale.injected_steps, "real": scale.real_steps}
    return [
        (name, steps[name], mix_rows(parts, steps[name] * scale.size, chooser))
        for name, parts in shares.items()
    ]


def mix_rows(parts: Sequence[tuple[Sequence[Row], float]], count: int, chooser: random.Random) -> list[Row]:
    """About ``count`` rows, each part by its share, in shuffled rounds."""
    taken: list[Row] = []
    for rows, share in parts:
        wanted = round(share * count) if rows else 0
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
        request.injected,
        seed=request.seed,
        limit=scale.limit,
        corrections=request.corrections,
        own_pairs=request.pairs,
        on_message=lambda message: events.emit("stage", message),
    )
    torch.manual_seed(request.seed)
    tokenizer = load_tokenizer(request.base)
    encoder = load_encoder(request.base, request.reader)
    model = warm_start(encoder, tokenizer, decoder_layers=scale.decoder_layers)
    dev = [encode(examples, tokenizer) for examples in (material.dev_edits, material.dev_kept)]
    planned = stages(material, scale, tokenizer, seed=request.seed)
    set_prior(model, planned[0][2])
    states = EncoderStates(model, device, frozen=scale.frozen)
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
            fit=partial(_train, model, states, rows, settings, dev, device, events),
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
        corpora=corpora_of_model(CORPORA, corrections=request.corrections, pairs=request.pairs),
        max_tokens=MAX_TOKENS,
    )
    seal_bundle(bundle, "")
    metrics = answer_scores(bundle, material)
    context.write_json("metrics.json", metrics)
    seal_bundle(
        bundle,
        model_card.write_card(request=context.settings, run=context.id, material=material, metrics=metrics),
        evaluation=model_card.evaluations(metrics),
        limits=model_card.LIMITS,
    )
    events.emit("stage", "fitting the ranking")
    suggester = Suggester.load(Engine.load(request.reader), bundle)
    ranking.write_ranking(
        bundle,
        ranking.fit_ranking(
            suggester, request.data, limit=scale.limit, check_cancelled=events.check_cancelled
        ),
    )
    events.emit("end", str(bundle), metrics=metrics)
    return bundle


def _train(
    model: BartForConditionalGeneration,
    states: EncoderStates,
    rows: Sequence[Row],
    settings: TrainingSettings,
    dev: Sequence[Sequence[Row]],
    device: torch.device,
    events: Events,
    checkpoint: Path,
) -> None:
    def loss(_: Stream[Row], batch: Sequence[Row]) -> Tensor:
        return answer_loss(model, states, batch, device)

    train(
        model,
        [Stream("answers", rows, 1.0)],
        settings,
        loss_fn=loss,
        device=device,
        events=events,
        checkpoint=checkpoint,
        eval_fn=lambda: -sum(dev_loss(model, states, part, device) for part in dev) / len(dev),
    )


def dev_loss(
    model: BartForConditionalGeneration, states: EncoderStates, rows: Sequence[Row], device: torch.device
) -> float:
    """Mean cross-entropy of the targets' word pieces."""
    model.eval()  # type: ignore[no-untyped-call]
    total, count = 0.0, 0
    with torch.inference_mode(), autocast(device):
        for chosen in length_batches(rows, 64):
            batch = [rows[at] for at in chosen]
            pieces = sum(len(row.labels) for row in batch)
            total += float(answer_loss(model, states, batch, device)) * pieces
            count += pieces
    return total / max(1, count)
