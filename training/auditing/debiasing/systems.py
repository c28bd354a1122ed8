"""The systems of Tables 5 to 7 of Liu et al. 2021: the generator unchanged, with replaced words, and debiased."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch

from core.runs.recipes import model_name
from training.auditing.debiasing import word_replacement
from training.auditing.debiasing.controlled_generation import INITIAL_LAMBDA, MAX_DOUBLINGS
from training.auditing.debiasing.ideology_head import FittedHead, fit_head
from training.auditing.debiasing.reinforced_calibration import ReinforcedCalibration
from training.auditing.debiasing.rewards import HeadReward, Reward, WordReward
from training.auditing.debiasing.token_reweighting import (
    TokenReweighting,
    TokenScorer,
    fit_bias_word_scorer,
    fit_token_classifier,
)
from training.auditing.debiasing.training_data import (
    ArticleCorpus,
    BiasWords,
    PublisherSplit,
    bias_words,
    side_texts,
)
from training.auditing.generation.generator import BATCH_SIZE, Generator, load_generator, model_digest
from training.auditing.generation.prompts import IdeologyClassifier, Sampler
from training.auditing.generation.sampling import Sampling, VanillaSampler
from training.auditing.ideology_classifiers.registry import find_classifier
from training.loop.devices import has_fast_bf16
from training.loop.events import Events
from training.loop.result_cache import digest
from training.modeling.encoders import files_digest
from training.modeling.word_vectors import VectorSpace, check_glove
from training.types import print_to_stderr

METHOD = 1
"""Bump this when a debiased or replaced text changes for the same facts."""
VANILLA, NAIVE, IN_GLOVE, EMBEDDING, CLASSIFIER = "vanilla", "naive", "in-glove", "emb", "cls"
TOKEN_WORDS, TOKEN_CLASSIFIER = "emb-token", "token"
TOKEN_MODES = (TOKEN_WORDS, TOKEN_CLASSIFIER)
HEAD_SCORE, TOKEN_CLASSIFIER_SCORE = "f_debias", "f_debias over tokens"
WORD_REPLACEMENT = (NAIVE, IN_GLOVE)
_BATCHES = {"cuda": 320}
"""Texts per batch where memory allows: ten samples of each prompt of a call."""


@dataclass(frozen=True, slots=True)
class System:
    """A system: title and mode; with ``has_fixed_lambda`` a row of Table 7 with constant lambda, ``strength``."""

    title: str
    mode: str
    has_fixed_lambda: bool = False
    strength: float | None = None


SYSTEMS = {
    VANILLA: System("vanilla", VANILLA),
    NAIVE: System("naive", NAIVE),
    IN_GLOVE: System("IN-GloVe", IN_GLOVE),
    EMBEDDING: System("word embedding (mode 1)", EMBEDDING),
    CLASSIFIER: System("classifier (mode 2)", CLASSIFIER),
    TOKEN_WORDS: System("token reweighting by words (ours)", TOKEN_WORDS),
    TOKEN_CLASSIFIER: System("token reweighting by a classifier (ours)", TOKEN_CLASSIFIER),
}
"""The rows of Table 6, and ours; Table 5 has them without word replacement."""
MODES = (EMBEDDING, CLASSIFIER, *TOKEN_MODES)
"""The debiasing modes, the paper's first."""
LAMBDAS = (0.1, 0.3, 0.5, 0.7, 0.9)
"""The values of lambda in Table 7 of Liu et al. 2021, beside 0."""
UNSHIFTED = "0"
SWEEP = {UNSHIFTED: System("λ = 0", VANILLA, has_fixed_lambda=True)} | {
    f"{mode}-{strength}": System(f"{SYSTEMS[mode].title}, λ = {strength}", mode, True, strength)
    for mode in (EMBEDDING, CLASSIFIER)
    for strength in LAMBDAS
}
"""The rows of Table 7; the paper only has mode 2."""
ALL_SYSTEMS = SYSTEMS | SWEEP


@dataclass(frozen=True, slots=True)
class FitBudget:
    """How much is fitted on: ``articles`` per side for f_debias (None: all), ``words`` per side for mode 1."""

    articles: int | None
    words: int


class ReplaySampler:
    """A `Sampler` that returns given texts by their prompt, as the input of word replacement."""

    def __init__(self, prompts: Iterable[str], texts: Iterable[str]) -> None:
        self._texts: dict[str, list[str]] = {}
        for prompt, text in zip(prompts, texts, strict=True):
            self._texts.setdefault(prompt, []).append(text)

    def sample(self, prompts: Sequence[str], *, samples: int, length: int, seed: int) -> list[list[str]]:  # noqa: ARG002
        """The first ``samples`` texts of each prompt, in their full length."""
        return [self._texts[prompt][:samples] for prompt in prompts]


@dataclass(slots=True)
class DebiasingSystems:
    """A generator and all that is fitted for it.

    What a seed needs is fitted on demand and kept until another seed is used. ``base`` is the generator's hub name or
    folder, ``glove`` a file of word vectors, ``classifier_name`` a key of ``ideology_classifiers.registry.BUILT_IN`` or
    a run; weights of f_debias are saved under ``folder``.
    """

    articles: ArticleCorpus
    base: str
    glove: Path | None
    classifier_name: str
    fitting: FitBudget
    folder: Path
    device: torch.device
    events: Events
    _base_digest: str = ""
    _vectors_digest: str = ""
    _generator: Generator | None = None
    _space: VectorSpace | None = None
    _seed: int | None = None
    _parts: PublisherSplit | None = None
    _classifier: IdeologyClassifier | None = None
    _words: BiasWords | None = None
    _head: FittedHead | None = None
    _token_scorers: dict[str, TokenScorer] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the generator in tables."""
        return model_name(self.base)

    def facts(self, system: System) -> dict[str, str]:
        """All that changes a text of a system, except prompts, seed and length."""
        drawn = Sampling()
        facts = {
            "generator": self._generator_digest(),
            "sampling": f"temperature {drawn.temperature}, top-k {drawn.top_k}, top-p {drawn.top_p}",
        }
        if has_fast_bf16(self.device):
            facts["numbers"] = "bf16"
        if system.mode == VANILLA:
            return {**facts, "system": VANILLA}
        strength = INITIAL_LAMBDA if system.strength is None else system.strength
        control = "controlled" if system.strength is None else "held still"
        most = None if system.mode in TOKEN_MODES else self.fitting.articles
        train = f"{self.articles.digest}, {most or 'all'} a side, {self.fitting.words} words"
        train += ", the judge's own" if self.articles.shared else ""
        facts |= {"system": system.mode, "method": str(METHOD), "articles": train}
        if system.mode in WORD_REPLACEMENT:
            return {**facts, "glove": self._glove_digest()}
        return {**facts, "lambda": f"{strength}, {control}"}

    def sampler(self, system: System, seed: int, *, over: Sampler | None = None) -> Sampler:
        """The sampler of a system; ``over`` returns the texts whose words are replaced (default: the generator's).

        Raises TrainingError if the generator or required word vectors are not available, and CorpusError if there are
        too few articles or bias words.
        """
        self._load_split(seed)
        if system.mode == VANILLA:
            return VanillaSampler(self.generator())
        if system.mode in WORD_REPLACEMENT:
            make = (
                word_replacement.naive_replacer
                if system.mode == NAIVE
                else word_replacement.in_glove_replacer
            )
            return make(over or VanillaSampler(self.generator()), self._vectors(), self._bias_words(seed))
        if system.mode in TOKEN_MODES:
            return TokenReweighting(self.generator(), self._token_scorer(system.mode, seed))
        reward = self._reward(system, seed)
        if system.strength is None:
            return ReinforcedCalibration(
                self.generator(), reward, strength=INITIAL_LAMBDA, max_doublings=MAX_DOUBLINGS
            )
        return ReinforcedCalibration(self.generator(), reward, strength=system.strength, max_doublings=0)

    def classifier(self, seed: int) -> IdeologyClassifier:
        """The ideology classifier for a seed, trained on its own part of the articles; one of a run is only loaded.

        Raises CorpusError if that part has no article of one side.
        """
        parts = self._load_split(seed)
        if self._classifier is None:
            kind = find_classifier(self.classifier_name)
            self.events.emit(
                "stage",
                kind.title if kind.run else f"the ideology classifier, from {len(parts.classifier)} articles",
            )
            self._classifier = kind.fit(parts.classifier, self.articles.masks, seed)
        return self._classifier

    def classifier_scores(self, system: System, seed: int) -> dict[str, float]:
        """The macro-F1 on dev articles of the classifier that guides a system, if it has one."""
        if system.mode == CLASSIFIER:
            return {HEAD_SCORE: self._fit_head(seed).dev_macro_f1}
        if (
            system.mode == TOKEN_CLASSIFIER
            and (score := self._token_scorer(TOKEN_CLASSIFIER, seed).dev_macro_f1) is not None
        ):
            return {TOKEN_CLASSIFIER_SCORE: score}
        return {}

    def generator(self) -> Generator:
        """The generator, loaded once. Raises TrainingError if it is not available."""
        if self._generator is None:
            batch = _BATCHES.get(self.device.type, BATCH_SIZE)
            self._generator = load_generator(
                self.base,
                device=self.device,
                batch=batch,
                bf16=has_fast_bf16(self.device),
                on_message=print_to_stderr,
            )
        return self._generator

    def _load_split(self, seed: int) -> PublisherSplit:
        if self._parts is None or seed != self._seed:
            self._classifier = self._words = self._head = None
            self._token_scorers.clear()
            self._parts, self._seed = self.articles.split_publishers(seed), seed
        return self._parts

    def _vectors(self) -> VectorSpace:
        if self._space is None:
            self._space = VectorSpace.read(check_glove(self.glove))
        return self._space

    def _bias_words(self, seed: int) -> BiasWords:
        parts = self._load_split(seed)
        if self._words is None:
            train = side_texts((*parts.train, *parts.dev), most=None, seed=seed)
            self._words = bias_words(train, count=self.fitting.words)
        return self._words

    def _reward(self, system: System, seed: int) -> Reward:
        if system.mode == EMBEDDING:
            return WordReward(self.generator(), self._bias_words(seed))
        return HeadReward(self._fit_head(seed).head)

    def _fit_head(self, seed: int) -> FittedHead:
        parts = self._load_split(seed)
        if self._head is None:
            facts = self.facts(SYSTEMS[CLASSIFIER]) | {"seed": str(seed)}
            train, dev = (
                side_texts(rows, most=self.fitting.articles, seed=seed) for rows in (parts.train, parts.dev)
            )
            self._head = fit_head(
                self.generator(),
                train,
                dev,
                seed=seed,
                events=self.events,
                weights=self.folder / "work" / digest(facts) / "f_debias.safetensors",
            )
        return self._head

    def _token_scorer(self, mode: str, seed: int) -> TokenScorer:
        """The scorer of a token mode, fitted on all articles, which takes seconds."""
        parts = self._load_split(seed)
        if mode not in self._token_scorers:
            train, dev = (side_texts(rows, most=None, seed=seed) for rows in (parts.train, parts.dev))
            generator, events = self.generator(), self.events
            if mode == TOKEN_CLASSIFIER:
                found = fit_token_classifier(generator, train, dev, seed=seed, events=events)
            else:
                found = fit_bias_word_scorer(
                    generator, self._bias_words(seed), train, seed=seed, events=events
                )
            self._token_scorers[mode] = found
        return self._token_scorers[mode]

    def _generator_digest(self) -> str:
        self._base_digest = self._base_digest or model_digest(self.base)
        return self._base_digest

    def _glove_digest(self) -> str:
        if not self._vectors_digest and self.glove is not None and self.glove.is_file():
            self._vectors_digest = files_digest([self.glove])
        return self._vectors_digest or "none"
