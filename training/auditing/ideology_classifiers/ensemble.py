"""A trained ideology classifier: an encoder and linear models, stacked; saved and loaded as safetensors.

The stacking model (Wolpert 1992) is a logistic regression over the log-probabilities of all members, fitted on texts
that no member was trained on. The saved folder holds weights, tokenizer and a JSON description; no code.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file as load_tables
from safetensors.numpy import save_file as save_tables
from safetensors.torch import load_file, save_file
from sklearn.linear_model import LogisticRegression
from transformers import AutoConfig, AutoModel, PreTrainedTokenizerFast
from transformers.utils import logging

from core.runs.trained_models import CLASSIFIER_FILE, CLASSIFIER_FORMAT
from training.auditing.ideology_classifiers.linear import LinearModels
from training.auditing.ideology_classifiers.masked_articles import PublisherMasks, has_no_word
from training.auditing.ideology_classifiers.modeling import (
    EncodedArticle,
    IdeologyEncoder,
    encode_articles,
    predict,
)
from training.auditing.ideology_classifiers.splits import CLASS_NAMES, Sides
from training.loop.training_loop import TrainingError

_INVERSE_PENALTY = 0.1
_MIN_PROBABILITY = 1e-4


@dataclass(frozen=True, slots=True)
class StackingModel:
    """``weights`` [classes, members × classes] over log-probabilities, and ``bias`` [classes]."""

    weights: NDArray[np.float64]
    bias: NDArray[np.float64]

    @classmethod
    def fit(cls, answers: Sequence[NDArray[np.float64]], labels: Sequence[int], *, seed: int) -> Self:
        """Fit on probabilities [texts, classes] of each member and the labels of the texts; every class must occur."""
        model = LogisticRegression(
            C=_INVERSE_PENALTY, class_weight="balanced", max_iter=1000, random_state=seed
        )
        model.fit(_log_features(answers), labels)
        if len(model.coef_) == 1:
            return cls(
                np.concatenate([-model.coef_, model.coef_]) / 2, np.repeat(model.intercept_, 2) * (-0.5, 0.5)
            )
        return cls(model.coef_, model.intercept_)

    def probabilities(self, answers: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Probabilities [texts, classes]."""
        found: NDArray[np.float64] = _log_features(answers) @ self.weights.T + self.bias
        powers = np.exp(found - found.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float64)


def _log_features(answers: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    read: NDArray[np.float64] = np.log(
        np.concatenate(answers, axis=1).clip(_MIN_PROBABILITY, 1 - _MIN_PROBABILITY)
    )
    return read


WEIGHTS, WORDS, TOKENIZER = "model.safetensors", "words.safetensors", "tokenizer.json"
_TRAIN_ONE = "Train one with `evenhand train ideology-classifier`."
Probabilities = list[NDArray[np.float64]]
"""Probabilities [texts, classes] of each member."""


@dataclass(frozen=True, slots=True)
class Ensemble:
    """Encoder and tokenizer, linear models, and the stacking model over their four probabilities."""

    model: IdeologyEncoder
    tokenizer: Any
    words: LinearModels
    stacking: StackingModel

    def probabilities(self, texts: Sequence[str], *, device: torch.device) -> NDArray[np.float64]:
        """Probabilities [texts, classes] of masked texts."""
        read = encoder_probabilities(self.model, self.tokenizer, texts, device=device)
        return self.stacking.probabilities([*read, *self.words.probabilities(texts)])


def encoder_probabilities(
    model: IdeologyEncoder, tokenizer: Any, texts: Sequence[str], *, device: torch.device
) -> Probabilities:
    """The encoder's two probabilities of masked texts: by side and by publisher."""
    rows = [EncodedArticle(ids) for ids in encode_articles(texts, tokenizer)]
    return predict(model, rows, pad=int(tokenizer.pad_token_id or 0), device=device)


class EnsembleClassifier:
    """A classifier of two sides (an `IdeologyClassifier`), or of three: left, center and right."""

    def __init__(
        self, ensemble: Ensemble, masks: PublisherMasks, *, sides: Sides, device: torch.device
    ) -> None:
        self._fitted, self._masks, self._device = ensemble, masks, device
        self.sides: Sides = sides

    @classmethod
    def load(cls, folder: Path, *, device: torch.device) -> Self:
        """The classifier in ``folder``. Raises TrainingError if there is none, or if it is damaged."""
        logging.set_verbosity_error()  # type: ignore[no-untyped-call]
        description = read_description(folder)
        try:
            tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(folder / TOKENIZER))  # type: ignore[no-untyped-call]
            tokenizer.pad_token_id = description["pad"]
            words = LinearModels(load_tables(folder / WORDS))
            blend = StackingModel(
                np.array(description["blend"]["weights"]), np.array(description["blend"]["bias"])
            )
            ensemble = Ensemble(_load_encoder(folder), tokenizer, words, blend)
            ensemble.probabilities(["a"], device=device)
            masks = PublisherMasks(map(str, description["outlets"]))
        except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
            raise TrainingError(f"{folder} contains no readable ideology classifier. {_TRAIN_ONE}") from error
        return cls(ensemble, masks, sides=description["sides"], device=device)

    def probabilities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Probabilities [texts, classes] in the order of ``CLASS_NAMES``; equal for a text without a word."""
        if not texts:
            return np.zeros((0, len(CLASS_NAMES[self.sides])))
        read = [self._masks.tokens(text) for text in texts]
        probabilities = self._fitted.probabilities([" ".join(words) for words in read], device=self._device)
        probabilities[has_no_word(read)] = 1 / probabilities.shape[1]
        return probabilities

    def p_liberal(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """p(liberal) [texts]; of three sides, the share of left in left and right."""
        found = self.probabilities(texts)
        if self.sides == "two":
            return found[:, 1]
        return np.asarray(found[:, 0] / (found[:, 0] + found[:, 2]).clip(min=1e-12), dtype=np.float64)


def save_classifier(
    folder: Path, ensemble: Ensemble, *, sides: Sides, outlets: Sequence[str], facts: dict[str, Any]
) -> None:
    """Save a classifier to ``folder``: weights, configuration, tokenizer, the masked outlets, and ``facts``."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = ensemble.model.state_dict()
    save_file({name: value.contiguous().cpu() for name, value in weights.items()}, folder / WEIGHTS)
    save_tables(ensemble.words.tables, folder / WORDS)
    ensemble.model.encoder.config.save_pretrained(str(folder))  # type: ignore[union-attr, operator]
    ensemble.tokenizer.backend_tokenizer.save(str(folder / TOKENIZER))
    description = {
        "format": CLASSIFIER_FORMAT,
        "sides": sides,
        "classes": list(CLASS_NAMES[sides]),
        "pad": int(ensemble.tokenizer.pad_token_id or 0),
        "blend": {"weights": ensemble.stacking.weights.tolist(), "bias": ensemble.stacking.bias.tolist()},
        "outlets": sorted(outlets),
        **facts,
    }
    (folder / CLASSIFIER_FILE).write_text(
        json.dumps(description, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def read_description(folder: Path) -> dict[str, Any]:
    """The description of a saved classifier. Raises TrainingError if it is missing or of another version."""
    try:
        description: dict[str, Any] = json.loads((folder / CLASSIFIER_FILE).read_text(encoding="utf-8"))
        if description["sides"] in CLASS_NAMES and description["format"] == CLASSIFIER_FORMAT:
            return description
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TrainingError(f"{folder} contains no readable ideology classifier. {_TRAIN_ONE}") from error
    raise TrainingError(f"{folder} holds an ideology classifier of another version. {_TRAIN_ONE}")


def _load_encoder(folder: Path) -> IdeologyEncoder:
    config = AutoConfig.from_pretrained(str(folder), trust_remote_code=False)
    encoder = AutoModel.from_config(config, trust_remote_code=False)  # type: ignore[no-untyped-call]
    if getattr(encoder, "pooler", None) is not None:
        encoder.pooler = None
    weights = load_file(folder / WEIGHTS)
    model = IdeologyEncoder(encoder, config.hidden_size, weights["shares"])
    model.load_state_dict(weights)
    return model
