"""Table 7's BERT rows: the tagger of section 3.2, with linguistic features, on relabelled sentences, or joint.

A tagger has an encoder and a layer on the first wordpiece of each token. Optional are linguistic features (BERT-LING,
with two layers instead of one), a classifier of the sentence on the [CLS] state (JOINT), and a CRF on the tags.

Settings are those of Appendix D.2; the learning rate is scaled with the encoder's width (see ``sentence_model``). The
authors' script for BERT-LING has a rate of 2e-5; the paper's rates are used. Epoch and candidate with the best dev
score are taken: exact F1 as the authors count, for JOINT the mean of it and the accuracy of the labels.

- ``manual``, ``auto``: the clean or the noisy part. ``auto-manual``: the clean part after the noisy one (the paper's
  ©). ``relabelled``: AUTO's sources with the tags that BERT-LING© predicts for them (the paper's †).
- Taggers are trained on biased source sentences only; JOINT learns its labels from both sides of every pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from training.loop.batches import IGNORED, Stream, length_batches
from training.loop.devices import autocast
from training.loop.training_loop import TrainingSettings, run_or_load, run_or_load_model, train
from training.metrics import accuracy
from training.metrics.tags import authors_scores, spans, tags_of
from training.modeling.crf import LinearChainCrf
from training.papers.wikibias.datasets import (
    AUTO,
    AUTO_MANUAL,
    MANUAL,
    RELABELLED,
    TRAINING_SETS,
    biased_sources,
    check_training_parts,
)
from training.papers.wikibias.models import sentence_model
from training.papers.wikibias.models.linguistic_features import Flags, LinguisticFeatures
from training.papers.wikibias.models.sentence_model import NO_WORDPIECE, WIDTH, backbone_of
from training.papers.wikibias.types import Budget, Corpus, Predictions, System, TrainingContext
from training.types import BEGIN, INSIDE, OUTSIDE, TaggedSentence

LABELS = (OUTSIDE, BEGIN, INSIDE)
_OUTSIDE = LABELS.index(OUTSIDE)
_DROPOUT = 0.1
_PREDICT_BATCH_SIZE = 64


@dataclass(frozen=True, slots=True)
class TaggerRow:
    """A sentence as wordpieces, its tags as indices of LABELS, and the features of its words, if any."""

    encoded: sentence_model.Row
    tags: tuple[int, ...]
    features: Flags | None

    def __len__(self) -> int:
        """The number of its wordpieces."""
        return len(self.encoded)


@dataclass(frozen=True, slots=True)
class TaggerOutput:
    """Logits in fp32: ``tags`` [batch, tokens, 3], and ``sentence`` [batch, 2] (neutral, biased) or None.

    ``token_mask`` [batch, tokens] is true where a token has a wordpiece; other logits are meaningless.
    """

    tags: Tensor
    token_mask: Tensor
    sentence: Tensor | None


class TaggerModel(nn.Module):
    """Encoder and layers; ``cls_id`` is the id of [CLS], ``features`` the number of features of a word, or 0."""

    def __init__(
        self, encoder: nn.Module, hidden: int, *, cls_id: int, features: int, joint: bool, crf: bool
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.cls_id = cls_id
        self.dropout = nn.Dropout(_DROPOUT)
        self.tags: nn.Module = nn.Linear(hidden, len(LABELS))
        if features:
            self.tags = nn.Sequential(
                nn.Linear(hidden + features, hidden),
                nn.ReLU(),
                nn.Dropout(_DROPOUT),
                nn.Linear(hidden, len(LABELS)),
            )
        self.sentence = nn.Linear(hidden, 2) if joint else None
        self.crf = LinearChainCrf(LABELS) if crf else None

    def forward(self, batch: sentence_model.Batch, features: Tensor | None) -> TaggerOutput:
        """Logits of a batch; ``features`` float [batch, tokens, features] for a model with features."""
        states = self.encoder(input_ids=batch.ids, attention_mask=batch.mask).last_hidden_state
        places = batch.first_wordpieces.clamp(min=0).unsqueeze(-1).expand(-1, -1, states.shape[-1])
        words = self.dropout(states.gather(1, places))
        if features is not None:
            words = torch.cat([words, features.to(words.dtype)], dim=-1)
        return TaggerOutput(
            tags=self.tags(words).float(),
            token_mask=batch.first_wordpieces != NO_WORDPIECE,
            sentence=None if self.sentence is None else self._sentence(self.sentence, states, batch.ids),
        )

    def _sentence(self, layer: nn.Linear, states: Tensor, ids: Tensor) -> Tensor:
        places = (ids == self.cls_id).int().argmax(1)
        found: Tensor = layer(self.dropout(states[torch.arange(len(states), device=states.device), places]))
        return found.float()


@dataclass(frozen=True, slots=True)
class TaggerPredictions:
    """Valid BIO tags of every token of sentences, and from a joint model whether each sentence is biased."""

    tags: list[list[str]]
    biased: list[bool] | None


@dataclass(frozen=True, slots=True)
class Tagger:
    """A model on states of ``width``, the tokenizer of its encoder, and the features it reads."""

    model: TaggerModel
    tokenizer: Any
    linguistic: LinguisticFeatures | None
    width: int

    def rows(self, sentences: Sequence[TaggedSentence]) -> list[TaggerRow]:
        """The sentences as rows, cut at 128 wordpieces. Raises TrainingError for an empty sentence or token."""
        return [
            TaggerRow(
                row,
                tuple(LABELS.index(tag) for tag in tags_of(spans(row.sentence.tags), len(row.sentence))),
                None if self.linguistic is None else self.linguistic.features(row.sentence.tokens),
            )
            for row in sentence_model.encode(sentences, self.tokenizer)
        ]

    def output(self, rows: Sequence[TaggerRow], *, device: torch.device) -> TaggerOutput:
        """Logits of some rows, as the model is (training or not)."""
        encoded = [row.encoded for row in rows]
        batch = sentence_model.collate(encoded, pad=self.tokenizer.pad_token_id, device=device)
        known = [torch.from_numpy(row.features) for row in rows if row.features is not None]
        features = nn.utils.rnn.pad_sequence(known, batch_first=True).to(device).float() if known else None
        return self.model(batch, features)  # type: ignore[no-any-return]

    def predict(self, sentences: Sequence[TaggedSentence], *, device: torch.device) -> TaggerPredictions:
        """Predictions for any number of sentences, in evaluation mode."""
        return self.read(self.rows(sentences), device=device)

    def read(self, rows: Sequence[TaggerRow], *, device: torch.device) -> TaggerPredictions:
        """Predictions for any number of rows, in evaluation mode. Truncated tokens are outside."""
        self.model.to(device).eval()
        tags: list[list[str]] = [[] for _ in rows]
        biased = [False] * len(rows)
        with torch.inference_mode(), autocast(device):
            for indices in length_batches(rows, _PREDICT_BATCH_SIZE):
                output = self.output([rows[at] for at in indices], device=device)
                if output.sentence is not None:
                    for at, (neutral, loaded) in zip(indices, output.sentence.tolist(), strict=True):
                        biased[at] = loaded > neutral
                for at, path in zip(indices, self._paths(output), strict=True):
                    found = [LABELS[label] for label in path[: len(rows[at].tags)]]
                    tags[at] = tags_of(spans(found), len(found))
        return TaggerPredictions(tags, None if self.model.sentence is None else biased)

    def _paths(self, output: TaggerOutput) -> NDArray[np.int64]:
        """The best label of every token, or with a CRF the best sequence, [batch, tokens]."""
        token_mask = output.token_mask.cpu().numpy()
        if self.model.crf is None:
            return np.where(token_mask, output.tags.argmax(-1).cpu().numpy(), _OUTSIDE)
        paths = np.full(token_mask.shape, _OUTSIDE, dtype=np.int64)
        paths[token_mask] = np.concatenate(
            [
                np.asarray(path, dtype=np.int64)
                for path in self.model.crf.decode(output.tags, output.token_mask)
            ]
        )
        return paths


@dataclass(frozen=True, slots=True)
class LossWeights:
    """Weights of the classification loss of biased and of neutral sentences, relative to the tagging loss."""

    biased: float
    neutral: float


def loss_fn(
    model: TaggerModel, output: TaggerOutput, rows: Sequence[TaggerRow], weights: LossWeights
) -> Tensor:
    """The loss of a batch. A joint model learns tags from biased sentences only, as in the paper.

    Tags: the mean over tokens, or with a CRF over sentences. Sentences: the mean of their weighted losses.
    """
    device = output.tags.device
    gold = nn.utils.rnn.pad_sequence([torch.tensor(row.tags) for row in rows], batch_first=True).to(device)
    biased = torch.tensor([row.encoded.sentence.biased for row in rows], device=device)
    token_mask = output.token_mask if output.sentence is None else output.token_mask & biased.unsqueeze(1)
    if model.crf is not None:
        tagging = model.crf.loss(output.tags, gold, token_mask)
    else:
        known = gold.masked_fill(~token_mask, IGNORED)
        losses = nn.functional.cross_entropy(
            output.tags.flatten(0, 1), known.flatten(), ignore_index=IGNORED, reduction="sum"
        )
        tagging = losses / token_mask.sum().clamp(min=1)
    if output.sentence is None:
        return tagging
    each = torch.where(biased, weights.biased, weights.neutral)
    predicted = nn.functional.cross_entropy(output.sentence, biased.long(), reduction="none")
    return tagging + (each * predicted).mean()


RATES = (3e-5, 5e-5)
"""The learning rates that the paper searched, for an encoder of ``WIDTH``."""
WEIGHTS = (LossWeights(1, 1), LossWeights(0.5, 0.5), LossWeights(0.6, 0.4), LossWeights(0.7, 0.3))
"""The weights of JOINT's classification losses that the paper searched; the first won."""


@dataclass(frozen=True, slots=True)
class TaggerConfig:
    """What a tagger is trained on (one of TRAINING_SETS), and its optional parts."""

    training: str
    ling: bool = False
    joint: bool = False
    crf: bool = False

    @property
    def name(self) -> str:
        """The name of its stages."""
        added = {"ling": self.ling, "joint": self.joint, "crf": self.crf}
        return "-".join(["tagger", self.training, *(name for name, is_added in added.items() if is_added)])


@dataclass(frozen=True, slots=True)
class TrainedTagger:
    """A trained tagger, what was chosen for it on dev, and its scores there (``exact``, JOINT's ``accuracy`` too)."""

    tagger: Tagger
    rate: float
    weights: LossWeights
    dev: dict[str, float]

    @property
    def score(self) -> float:
        """The mean dev score, by which candidates are compared."""
        return sum(self.dev.values()) / len(self.dev)


def tagger(*, training: str, ling: bool = False, joint: bool = False, crf: bool = False) -> System:
    """The row of Table 7 that is trained on ``training`` (one of TRAINING_SETS).

    Facts: its scores on dev, the rate (as printed, for ``WIDTH``) and weights chosen there, how many published word
    lists were read, and for ``relabelled`` the share of sentences whose tags changed.
    Raises ValueError for another training, and for a joint model on relabelled sentences, which have no classes.
    """
    if training not in TRAINING_SETS:
        raise ValueError(f"{training} is none of {', '.join(TRAINING_SETS)}.")
    if joint and training == RELABELLED:
        raise ValueError(
            "Relabelled sentences have tags and no labels, so a joint model cannot be trained on them."
        )
    recipe = TaggerConfig(training, ling, joint, crf)

    def system(corpus: Corpus, context: TrainingContext) -> Predictions:
        job = _job(corpus, context, recipe)
        found = _train_best(job)
        predicted = found.tagger.predict(corpus.test, device=context.device)
        facts = {f"dev_{name}": value for name, value in found.dev.items()} | {"rate": found.rate}
        if found.tagger.linguistic is not None:
            facts["lists"] = float(found.tagger.linguistic.lists)
        if joint:
            facts |= {"weight_biased": found.weights.biased, "weight_neutral": found.weights.neutral}
        if training == RELABELLED:
            facts["relabelled"] = _changed_share(job)
        return Predictions(tags=predicted.tags, biased=predicted.biased, facts=facts)

    return system


def learning_rates(budget: Budget) -> tuple[float, ...]:
    """The learning rates to search: both, or for a short training the higher one."""
    return RATES[-1:] if budget.short else RATES


def loss_weightings(budget: Budget) -> tuple[LossWeights, ...]:
    """JOINT's weights to search: all, or for a short training those that won in the paper."""
    return WEIGHTS[:1] if budget.short else WEIGHTS


def train_tagger(corpus: Corpus, context: TrainingContext, recipe: TaggerConfig) -> TrainedTagger:
    """The best of the candidates for ``recipe``, each trained once for ``context.folder``.

    The rate is chosen first, then JOINT's weights at that rate. Raises TrainingError where the material lacks what is
    needed.
    """
    return _train_best(_job(corpus, context, recipe))


def relabel(
    corpus: Corpus, context: TrainingContext, *, ling: bool = True, crf: bool = False
) -> list[TaggedSentence]:
    """AUTO's biased source sentences with the tags that the best BERT-LING© predicts; some have no tags then.

    Without ``ling``, or with ``crf``, those of such a tagger. Read once for ``context.folder``.
    """
    return _relabel(_job(corpus, context, TaggerConfig(RELABELLED, ling, crf=crf)))


@dataclass(frozen=True, slots=True)
class _Job:
    corpus: Corpus
    context: TrainingContext
    recipe: TaggerConfig
    linguistic: LinguisticFeatures | None

    def trained_on(self, training: str) -> _Job:
        """The same job, trained on other sentences."""
        return replace(self, recipe=replace(self.recipe, training=training))

    @property
    def name(self) -> str:
        """The name of its stages; it changes with the word lists."""
        return self.recipe.name + (f"-{self.linguistic.digest}" if self.linguistic else "")


def _job(corpus: Corpus, context: TrainingContext, recipe: TaggerConfig) -> _Job:
    check_training_parts(corpus, recipe.training)
    emit = context.events.emit
    known = (
        LinguisticFeatures.load(context.lists, lambda line: emit("warning", line)) if recipe.ling else None
    )
    return _Job(corpus, context, recipe, known)


def _train_best(job: _Job) -> TrainedTagger:
    weights, *others = loss_weightings(job.context.budget)
    best = _best_of(
        _train_candidate(job, rate=rate, weights=weights) for rate in learning_rates(job.context.budget)
    )
    if job.recipe.joint:
        best = _best_of([best, *(_train_candidate(job, rate=best.rate, weights=other) for other in others)])
    return best


def _best_of(candidates: Iterable[TrainedTagger]) -> TrainedTagger:
    return max(candidates, key=lambda one: one.score)


def _train_candidate(job: _Job, *, rate: float, weights: LossWeights) -> TrainedTagger:
    context, tagger = job.context, _start(job)
    dev = job.corpus.dev if job.recipe.joint else biased_sources(job.corpus.dev)
    rows = tagger.rows(dev)

    def now() -> TrainedTagger:
        return TrainedTagger(tagger, rate, weights, _scores(tagger.read(rows, device=context.device), dev))

    def fit(checkpoint: Path) -> None:
        if job.recipe.training == AUTO_MANUAL:
            before = _train_best(job.trained_on(AUTO))
            tagger.model.load_state_dict(before.tagger.model.state_dict())
        learnt = tagger.rows(_sentences(job))
        context.events.stage = name
        epoch = -(-len(learnt) // context.budget.batch_size)
        train(
            tagger.model,
            [Stream("sentences", learnt, 1.0)],
            TrainingSettings(
                steps=_epochs(job) * epoch,
                batch_size=context.budget.batch_size,
                learning_rate=rate * WIDTH / tagger.width,
                seed=context.seed,
                eval_every=epoch,
            ),
            loss_fn=lambda _, some: loss_fn(
                tagger.model, tagger.output(some, device=context.device), some, weights
            ),
            backbone=backbone_of(tagger.model.encoder, context.budget),
            device=context.device,
            events=context.events,
            checkpoint=checkpoint,
            eval_fn=lambda: now().score,
        )

    name = f"{job.name}-{rate:g}"
    if job.recipe.joint:
        name += f"-{weights.biased:g}-{weights.neutral:g}"
    context.events.stage = name
    run_or_load_model(context.folder / f"{name}.safetensors", tagger.model, fit=fit, events=context.events)
    return now()


def _start(job: _Job) -> Tagger:
    """A fresh tagger on the encoder of ``context.base``, its layers drawn by ``context.seed``."""
    base = sentence_model.new_classifier(job.context, len(LABELS))
    hidden = base.model.head.in_features
    model = TaggerModel(
        base.model.encoder,
        hidden,
        cls_id=base.model.cls_id,
        features=len(job.linguistic.names) if job.linguistic else 0,
        joint=job.recipe.joint,
        crf=job.recipe.crf,
    )
    return Tagger(model, base.tokenizer, job.linguistic, hidden)


def _relabel(job: _Job) -> list[TaggedSentence]:
    sentences = biased_sources(job.corpus.auto)
    found: dict[str, Tensor] = {}
    context, name = job.context, f"{job.name}-tags"

    def fit(_: Path) -> None:
        teacher = _train_best(job.trained_on(AUTO_MANUAL)).tagger
        context.events.stage = name
        predicted = teacher.predict(sentences, device=context.device)
        flat = [LABELS.index(tag) for tags in predicted.tags for tag in tags]
        found["tags"] = torch.tensor(flat, dtype=torch.int8)

    context.events.stage = name
    run_or_load(
        context.folder / f"{name}.safetensors",
        fit=fit,
        load=lambda path: found.update(load_file(path)),
        save=lambda path: save_file(found, path),
        events=context.events,
    )
    tags = iter(found["tags"].tolist())
    return [
        replace(sentence, tags=tuple(LABELS[next(tags)] for _ in sentence.tokens)) for sentence in sentences
    ]


def _sentences(job: _Job) -> Sequence[TaggedSentence]:
    if job.recipe.training == RELABELLED:
        return _relabel(job)
    part = job.corpus.auto if job.recipe.training == AUTO else job.corpus.manual
    return part if job.recipe.joint else biased_sources(part)


def _epochs(job: _Job) -> int:
    budget = job.context.budget
    return {MANUAL: budget.manual_epochs, AUTO_MANUAL: budget.continued_epochs}.get(
        job.recipe.training, budget.auto_epochs
    )


def _scores(predicted: TaggerPredictions, dev: Sequence[TaggedSentence]) -> dict[str, float]:
    exact, _ = authors_scores(dev, predicted.tags)
    scores = {"exact": exact.f1}
    if predicted.biased is not None:
        scores["accuracy"] = accuracy([sentence.biased for sentence in dev], predicted.biased)
    return scores


def _changed_share(job: _Job) -> float:
    """The share of AUTO's biased source sentences whose tags the relabelling changed."""
    pairs = list(zip(biased_sources(job.corpus.auto), _relabel(job), strict=True))
    return sum(one.tags != other.tags for one, other in pairs) / len(pairs)
