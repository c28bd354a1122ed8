"""A trained ideology classifier: an encoder and a linear model, stacked; saved and loaded as safetensors."""

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

from core.runs.trained_models import DESCRIPTION, FORMAT
from training.auditing.ideology_classifiers.linear import WordsModel
from training.auditing.ideology_classifiers.masked_articles import Masks, wordless
from training.auditing.ideology_classifiers.modeling import JudgedRow, JudgeModel, encoded, told_by
from training.auditing.ideology_classifiers.splits import NAMES, Sides
from training.loop.training_loop import TrainingError

# Several answers to one question made one: a logistic regression over their log-probabilities (stacking).
#
# Wolpert (1992). It is fitted on texts that none of the answers was learnt from.


_STRENGTH = 0.1
_LEAST = 1e-4


@dataclass(frozen=True, slots=True)
class Blend:
    """``weights`` [classes, answers × classes] of log-probabilities, and ``bias`` [classes]."""

    weights: NDArray[np.float64]
    bias: NDArray[np.float64]

    @classmethod
    def fit(cls, answers: Sequence[NDArray[np.float64]], labels: Sequence[int], *, seed: int) -> Self:
        """From answers [texts, classes] each and the texts' classes, of which every one is there."""
        model = LogisticRegression(C=_STRENGTH, class_weight="balanced", max_iter=1000, random_state=seed)
        model.fit(_read(answers), labels)
        if len(model.coef_) == 1:
            return cls(
                np.concatenate([-model.coef_, model.coef_]) / 2, np.repeat(model.intercept_, 2) * (-0.5, 0.5)
            )
        return cls(model.coef_, model.intercept_)

    def chances(self, answers: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Probabilities [texts, classes]."""
        found: NDArray[np.float64] = _read(answers) @ self.weights.T + self.bias
        powers = np.exp(found - found.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float64)


def _read(answers: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    read: NDArray[np.float64] = np.log(np.concatenate(answers, axis=1).clip(_LEAST, 1 - _LEAST))
    return read


# A trained judge: an encoder and a model of words, whose answers are weighed into one.
#
# It is kept as a folder of safetensors, the tokenizer and a table of what it was made with; nothing of it is code.


WEIGHTS, WORDS, TOKENIZER = "model.safetensors", "words.safetensors", "tokenizer.json"
_AGAIN = "Train one with `evenhand train run judge`."
Answers = list[NDArray[np.float64]]
"""Of each who answers, probabilities [texts, classes]."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Encoder and tokenizer, the model of words, and how their four answers are weighed."""

    model: JudgeModel
    tokenizer: Any
    words: WordsModel
    blend: Blend

    def chances(self, texts: Sequence[str], *, device: torch.device) -> NDArray[np.float64]:
        """Probabilities [texts, classes] of masked texts."""
        read = by_encoder(self.model, self.tokenizer, texts, device=device)
        return self.blend.chances([*read, *self.words.chances(texts)])


def by_encoder(model: JudgeModel, tokenizer: Any, texts: Sequence[str], *, device: torch.device) -> Answers:
    """The encoder's two answers to masked texts."""
    rows = [JudgedRow(ids) for ids in encoded(texts, tokenizer)]
    return told_by(model, rows, pad=int(tokenizer.pad_token_id or 0), device=device)


class TrainedJudge:
    """A judge of two sides is a ``Judge`` of the calibration; one of three tells left, center and right."""

    def __init__(self, fitted: Fitted, masks: Masks, *, sides: Sides, device: torch.device) -> None:
        self._fitted, self._masks, self._device = fitted, masks, device
        self.sides: Sides = sides

    @classmethod
    def load(cls, folder: Path, *, device: torch.device) -> Self:
        """The judge in ``folder``. Raises TrainingError where there is none, or it is damaged."""
        logging.set_verbosity_error()  # type: ignore[no-untyped-call]
        told = described(folder)
        try:
            tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(folder / TOKENIZER))  # type: ignore[no-untyped-call]
            tokenizer.pad_token_id = told["pad"]
            words = WordsModel(load_tables(folder / WORDS))
            blend = Blend(np.array(told["blend"]["weights"]), np.array(told["blend"]["bias"]))
            fitted = Fitted(_model(folder), tokenizer, words, blend)
            fitted.chances(["a"], device=device)
            masks = Masks(map(str, told["outlets"]))
        except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
            raise TrainingError(f"{folder} holds no judge that can be read. {_AGAIN}") from error
        return cls(fitted, masks, sides=told["sides"], device=device)

    def chances(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Probabilities [texts, classes] in the order of ``NAMES``; alike for a text with no word left to read."""
        if not texts:
            return np.zeros((0, len(NAMES[self.sides])))
        read = [self._masks.tokens(text) for text in texts]
        chances = self._fitted.chances([" ".join(words) for words in read], device=self._device)
        chances[wordless(read)] = 1 / chances.shape[1]
        return chances

    def liberal(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """p(liberal) [texts]; of three sides the share of the left in left and right."""
        found = self.chances(texts)
        if self.sides == "two":
            return found[:, 1]
        return np.asarray(found[:, 0] / (found[:, 0] + found[:, 2]).clip(min=1e-12), dtype=np.float64)


def save(
    folder: Path, fitted: Fitted, *, sides: Sides, outlets: Sequence[str], facts: dict[str, Any]
) -> None:
    """Write a judge into ``folder``: weights, shape, tokenizer, the outlets that are masked, and ``facts``."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = fitted.model.state_dict()
    save_file({name: value.contiguous().cpu() for name, value in weights.items()}, folder / WEIGHTS)
    save_tables(fitted.words.tables, folder / WORDS)
    fitted.model.encoder.config.save_pretrained(str(folder))  # type: ignore[union-attr, operator]
    fitted.tokenizer.backend_tokenizer.save(str(folder / TOKENIZER))
    told = {
        "format": FORMAT,
        "sides": sides,
        "classes": list(NAMES[sides]),
        "pad": int(fitted.tokenizer.pad_token_id or 0),
        "blend": {"weights": fitted.blend.weights.tolist(), "bias": fitted.blend.bias.tolist()},
        "outlets": sorted(outlets),
        **facts,
    }
    (folder / DESCRIPTION).write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def described(folder: Path) -> dict[str, Any]:
    """What a judge says of itself. Raises TrainingError where it says nothing, or is of another version."""
    try:
        told: dict[str, Any] = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
        if told["sides"] in NAMES and told["format"] == FORMAT:
            return told
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TrainingError(f"{folder} holds no judge that can be read. {_AGAIN}") from error
    raise TrainingError(f"{folder} holds a judge of another version. {_AGAIN}")


def _model(folder: Path) -> JudgeModel:
    config = AutoConfig.from_pretrained(str(folder), trust_remote_code=False)
    encoder = AutoModel.from_config(config, trust_remote_code=False)  # type: ignore[no-untyped-call]
    if getattr(encoder, "pooler", None) is not None:
        encoder.pooler = None
    weights = load_file(folder / WEIGHTS)
    model = JudgeModel(encoder, config.hidden_size, weights["shares"])
    model.load_state_dict(weights)
    return model
