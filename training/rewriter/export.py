"""From a trained BART to a rewriter bundle: CTranslate2 in int8, tokenizer, hashes, card."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from transformers import BartForConditionalGeneration, PreTrainedTokenizerFast

from core.bundles.manifest import FORMAT
from core.bundles.rewriter import DEFAULT_SCORE_THRESHOLD
from training.reader.export import write_bundle_json

INITIAL_FIT_THRESHOLD = 1e-6
"""The threshold ``fit`` of a bundle that can judge it, before one is chosen."""

SPECIAL = {"bos_token": "[CLS]", "eos_token": "[SEP]", "cls_token": "[CLS]", "sep_token": "[SEP]"}


def write_model(model: BartForConditionalGeneration, tokenizer: Any, folder: Path) -> None:
    """Write ``model`` into ``folder`` (which must not exist) as an int8 CTranslate2 model."""
    from ctranslate2.converters import TransformersConverter

    with tempfile.TemporaryDirectory() as scratch:
        # The converter reads these from the configuration, where transformers 5 no longer writes them.
        model.config.normalize_before = False
        model.config.normalize_embedding = True
        model.config.add_final_layer_norm = False
        model.float().save_pretrained(scratch)  # type: ignore[no-untyped-call]
        wrapped = PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
            tokenizer_object=tokenizer, unk_token="[UNK]", pad_token="[PAD]", **SPECIAL
        )
        wrapped.save_pretrained(scratch)
        TransformersConverter(scratch).convert(str(folder), quantization="int8", force=True)


def write_bundle(
    folder: Path,
    model: BartForConditionalGeneration,
    tokenizer: Any,
    *,
    name: str,
    version: str,
    run: str,
    corpora: list[dict[str, str]],
    max_tokens: int,
) -> None:
    """Write model, tokenizer and ``bundle.json``, without a ranking, into ``folder`` (made afresh).

    Finish it with ``training.reader.export.seal_bundle``.
    """
    shutil.rmtree(folder, ignore_errors=True)
    write_model(model, tokenizer, folder)
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    facts = {
        "format": FORMAT,
        "name": name,
        "role": "rewriter",
        "version": version,
        "max_tokens": max_tokens,
        "graph": "model.bin",
        "tokenizer": "tokenizer.json",
        "thresholds": {"score": DEFAULT_SCORE_THRESHOLD, "fit": INITIAL_FIT_THRESHOLD},
        "judges_wordings": True,
        "run": run,
        "corpora": corpora,
    }
    write_bundle_json(folder, facts)
