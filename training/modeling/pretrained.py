"""A finished model with its head and tokenizer, by hub name or folder: safetensors only, no remote code."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from safetensors import SafetensorError

from training.loop.training_loop import TrainingError, is_out_of_memory
from training.modeling.reader import TOKENIZERS

Task = Literal["causal", "masked", "classes"]
_CLASSES = {
    "causal": "AutoModelForCausalLM",
    "masked": "AutoModelForMaskedLM",
    "classes": "AutoModelForSequenceClassification",
}


@dataclass(frozen=True, slots=True)
class PretrainedModel:
    """``model`` in fp32 and its ``tokenizer``; ``is_complete`` is False where weights of its head were missing."""

    name: str
    model: Any
    tokenizer: Any
    is_complete: bool

    def frozen(self, device: torch.device) -> Any:
        """The model on ``device``, without dropout or gradients. Raises TrainingError where it does not fit."""
        try:
            return self.model.to(device).eval().requires_grad_(False)
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            raise TrainingError(
                f"{self.name} does not fit into memory. Choose a smaller model or --device cpu."
            ) from error


def load_pretrained(task: Task, base: str | Path, *, otherwise: str) -> PretrainedModel:
    """Load one.

    Raises TrainingError where it cannot be had (``otherwise`` says as what, and what to do) and for a masked model
    without a mask token.
    """
    import transformers
    from transformers.utils import logging

    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    folder = Path(base)
    name = folder.absolute().name if folder.is_dir() else str(base)
    # Without its files the library would make up an empty tokenizer.
    if folder.is_dir() and not any((folder / file).is_file() for file in TOKENIZERS):
        raise TrainingError(f"{name}: there is no tokenizer in this folder. Copy the model's files there.")
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(str(base), trust_remote_code=False)
        if task == "masked" and tokenizer.mask_token is None:
            raise TrainingError(
                f"{name} has no mask token, and is not a causal language model. Name a masked or causal model."
            )
        model, loaded = getattr(transformers, _CLASSES[task]).from_pretrained(
            str(base),
            dtype=torch.float32,
            use_safetensors=True,
            trust_remote_code=False,
            output_loading_info=True,
        )
    except (OSError, ValueError, KeyError, TypeError, SafetensorError) as error:
        raise TrainingError(f"{name} cannot be loaded as {otherwise}") from error
    return PretrainedModel(name, model, tokenizer, is_complete=not loaded["missing_keys"])


def write_model(model: Any, tokenizer: Any, folder: Path) -> None:
    """Write a trained model to ``folder``, which appears only once it is complete.

    Raises TrainingError where it cannot be written.
    """
    fresh = folder.with_name(f"{folder.name}.new")
    try:
        shutil.rmtree(fresh, ignore_errors=True)
        model.save_pretrained(fresh)
        tokenizer.save_pretrained(fresh)
        fresh.replace(folder)
    except (OSError, SafetensorError) as error:
        shutil.rmtree(fresh, ignore_errors=True)
        raise TrainingError(
            f"The trained model could not be written ({error}). Free some space on the disk, then start again: it "
            "goes on from its last checkpoint."
        ) from error
