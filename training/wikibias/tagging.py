"""Table 7's BERT rows: an encoder's tags; with linguistic features, from relabelled sentences, jointly with classes.

Settings are Appendix D.2's; the rate goes with the encoder's width, and on a cut corpus fresh layers learn faster, as
in ``sentence_model``. The authors' script for BERT-LING has a rate of 2e-5; the paper's are taken. Of the epochs that
with the best score on dev counts, of the candidates of a search the best, the first of equals: exact F1 as the authors
count, for JOINT the mean of it and the accuracy of its classes.

- ``manual``, ``auto``: the clean part or the noisy one. ``auto-manual``: the clean one after the noisy one (the
  paper's ©). ``relabelled``: AUTO's sources with the tags that BERT-LING© gives them (the paper's †).
- Taggers learn from biased source sentences alone: see ``taught``. JOINT learns classes from both sides of every pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from training.batches import Stream
from training.loop import Settings, train
from training.metrics import accuracy
from training.metrics.tags import authors_scores
from training.stages import once, once_whole
from training.wikibias import sentence_model
from training.wikibias.linguistic import Linguistic
from training.wikibias.model import Answers, Effort, Material, System, Tagged, Work
from training.wikibias.sentence_model import WIDTH, slow_part
from training.wikibias.tagging_model import LABELS, Said, Tagger, TaggerModel, Weights, loss_of
from training.wikibias.taught import AUTO, AUTO_MANUAL, MANUAL, RELABELLED, TRAININGS, demand, taught

RATES = (3e-5, 5e-5)
"""The rates that the paper searched, for an encoder of ``WIDTH``."""
WEIGHTS = (Weights(1, 1), Weights(0.5, 0.5), Weights(0.6, 0.4), Weights(0.7, 0.3))
"""The weights of JOINT's classification losses that the paper searched; the first won."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a tagger learns from (one of TRAININGS), and what is added to it."""

    training: str
    ling: bool = False
    joint: bool = False
    crf: bool = False

    @property
    def name(self) -> str:
        """That of its stages."""
        added = {"ling": self.ling, "joint": self.joint, "crf": self.crf}
        return "-".join(["tagger", self.training, *(name for name, there in added.items() if there)])


@dataclass(frozen=True, slots=True)
class Fitted:
    """A trained tagger, what was chosen for it on dev, and its scores there (``exact``, JOINT's ``accuracy`` too)."""

    tagger: Tagger
    rate: float
    weights: Weights
    dev: dict[str, float]

    @property
    def score(self) -> float:
        """By which it is compared."""
        return sum(self.dev.values()) / len(self.dev)


def tagger(*, training: str, ling: bool = False, joint: bool = False, crf: bool = False) -> System:
    """The row of Table 7 that learns from ``training`` (one of TRAININGS).

    Facts: its scores on dev, the rate (as printed, for ``WIDTH``) and weights chosen there, how many published word
    lists were read, and for ``relabelled`` the share of sentences whose tags changed.
    Raises ValueError for another training, and for a joint model on relabelled sentences, which have no classes.
    """
    if training not in TRAININGS:
        raise ValueError(f"{training} is none of {', '.join(TRAININGS)}.")
    if joint and training == RELABELLED:
        raise ValueError(
            "Relabelled sentences have tags and no classes: a joint model cannot learn from them."
        )
    recipe = Recipe(training, ling, joint, crf)

    def system(material: Material, work: Work) -> Answers:
        job = _job(material, work, recipe)
        found = _fitted(job)
        said = found.tagger.said(material.test, device=work.device)
        facts = {f"dev_{name}": value for name, value in found.dev.items()} | {"rate": found.rate}
        if found.tagger.linguistic is not None:
            facts["lists"] = float(found.tagger.linguistic.lists)
        if joint:
            facts |= {"weight_biased": found.weights.biased, "weight_neutral": found.weights.neutral}
        if training == RELABELLED:
            facts["relabelled"] = _changed(job)
        return Answers(tags=said.tags, biased=said.biased, facts=facts)

    return system


def rates(effort: Effort) -> tuple[float, ...]:
    """The rates to search: both on the whole corpus, the higher where the corpus is cut, since steps are few there."""
    return RATES if effort.limit is None else RATES[-1:]


def weightings(effort: Effort) -> tuple[Weights, ...]:
    """JOINT's weights to search: all on the whole corpus; where it is cut, those that won and half of them."""
    return WEIGHTS if effort.limit is None else WEIGHTS[:2]


def fitted(material: Material, work: Work, recipe: Recipe) -> Fitted:
    """The best of the candidates for ``recipe``, each trained once for ``work.folder``.

    The rate is chosen first, then JOINT's weights at that rate. Raises TrainingError where the material lacks what is
    needed.
    """
    return _fitted(_job(material, work, recipe))


def relabelled(material: Material, work: Work, *, ling: bool = True, crf: bool = False) -> list[Tagged]:
    """AUTO's biased source sentences with the tags that the best BERT-LING© gives them; some have none then.

    Without ``ling``, or with ``crf``, those of such a tagger. Read once for ``work.folder``.
    """
    return _relabelled(_job(material, work, Recipe(RELABELLED, ling, crf=crf)))


@dataclass(frozen=True, slots=True)
class _Job:
    material: Material
    work: Work
    recipe: Recipe
    linguistic: Linguistic | None

    def taking(self, training: str) -> _Job:
        """The same from other sentences."""
        return replace(self, recipe=replace(self.recipe, training=training))

    @property
    def name(self) -> str:
        """That of its stages; it changes with the word lists."""
        return self.recipe.name + (f"-{self.linguistic.mark}" if self.linguistic else "")


def _job(material: Material, work: Work, recipe: Recipe) -> _Job:
    demand(material, recipe.training)
    say = work.events.say
    known = Linguistic.load(work.lists, lambda line: say("warning", line)) if recipe.ling else None
    return _Job(material, work, recipe, known)


def _fitted(job: _Job) -> Fitted:
    weights, *others = weightings(job.work.effort)
    best = _best(_candidate(job, rate=rate, weights=weights) for rate in rates(job.work.effort))
    if job.recipe.joint:
        best = _best([best, *(_candidate(job, rate=best.rate, weights=other) for other in others)])
    return best


def _best(candidates: Iterable[Fitted]) -> Fitted:
    return max(candidates, key=lambda one: one.score)


def _candidate(job: _Job, *, rate: float, weights: Weights) -> Fitted:
    work, tagger = job.work, _start(job)
    dev = job.material.dev if job.recipe.joint else taught(job.material.dev)
    rows = tagger.rows(dev)

    def now() -> Fitted:
        return Fitted(tagger, rate, weights, _scores(tagger.read(rows, device=work.device), dev))

    def fit(checkpoint: Path) -> None:
        if job.recipe.training == AUTO_MANUAL:
            before = _fitted(job.taking(AUTO))
            tagger.model.load_state_dict(before.tagger.model.state_dict())
        learnt = tagger.rows(_sentences(job))
        work.events.stage = name
        epoch = -(-len(learnt) // work.effort.size)
        train(
            tagger.model,
            [Stream("sentences", learnt, 1.0)],
            Settings(
                steps=_epochs(job) * epoch,
                size=work.effort.size,
                rate=rate * WIDTH / tagger.width,
                seed=work.seed,
                judge_every=epoch,
            ),
            loss_of=lambda _, some: loss_of(
                tagger.model, tagger.output(some, device=work.device), some, weights
            ),
            body=slow_part(tagger.model.encoder, work.effort),
            device=work.device,
            events=work.events,
            checkpoint=checkpoint,
            judge=lambda: now().score,
        )

    name = f"{job.name}-{rate:g}"
    if job.recipe.joint:
        name += f"-{weights.biased:g}-{weights.neutral:g}"
    work.events.stage = name
    once_whole(work.folder / f"{name}.safetensors", tagger.model, fit=fit, events=work.events)
    return now()


def _start(job: _Job) -> Tagger:
    """A fresh tagger on the encoder of ``work.base``, its layers drawn by ``work.seed``."""
    base = sentence_model.start(job.work, len(LABELS))
    hidden = base.model.head.in_features
    model = TaggerModel(
        base.model.encoder,
        hidden,
        mark=base.model.mark,
        features=len(job.linguistic.names) if job.linguistic else 0,
        joint=job.recipe.joint,
        crf=job.recipe.crf,
    )
    return Tagger(model, base.tokenizer, job.linguistic, hidden)


def _relabelled(job: _Job) -> list[Tagged]:
    sentences = taught(job.material.auto)
    found: dict[str, Tensor] = {}
    work, name = job.work, f"{job.name}-tags"

    def fit(_: Path) -> None:
        teacher = _fitted(job.taking(AUTO_MANUAL)).tagger
        work.events.stage = name
        said = teacher.said(sentences, device=work.device)
        flat = [LABELS.index(tag) for tags in said.tags for tag in tags]
        found["tags"] = torch.tensor(flat, dtype=torch.int8)

    work.events.stage = name
    once(
        work.folder / f"{name}.safetensors",
        fit=fit,
        load=lambda path: found.update(load_file(path)),
        save=lambda path: save_file(found, path),
        events=work.events,
    )
    tags = iter(found["tags"].tolist())
    return [
        replace(sentence, tags=tuple(LABELS[next(tags)] for _ in sentence.tokens)) for sentence in sentences
    ]


def _sentences(job: _Job) -> Sequence[Tagged]:
    if job.recipe.training == RELABELLED:
        return _relabelled(job)
    part = job.material.auto if job.recipe.training == AUTO else job.material.manual
    return part if job.recipe.joint else taught(part)


def _epochs(job: _Job) -> int:
    effort = job.work.effort
    return {MANUAL: effort.manual, AUTO_MANUAL: effort.further}.get(job.recipe.training, effort.auto)


def _scores(said: Said, dev: Sequence[Tagged]) -> dict[str, float]:
    exact, _ = authors_scores(dev, said.tags)
    scores = {"exact": exact.f1}
    if said.biased is not None:
        scores["accuracy"] = accuracy([sentence.biased for sentence in dev], said.biased)
    return scores


def _changed(job: _Job) -> float:
    """The share of AUTO's biased source sentences whose tags the relabelling changed."""
    pairs = list(zip(taught(job.material.auto), _relabelled(job), strict=True))
    return sum(one.tags != other.tags for one, other in pairs) / len(pairs)
