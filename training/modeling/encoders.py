"""The encoders that tables are run with: their names, where each is, and a digest of its files."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from training.loop.training_loop import TrainingError
from training.types import checksum

_FILES = ("config.json", "tokenizer.json", "vocab.txt", "spiece.model", "*.safetensors")


@dataclass(frozen=True, slots=True)
class EncoderFacts:
    """An encoder by its hub name; ``small`` ones can be trained on a processor."""

    title: str
    hub: str
    small: bool = False


ENCODERS: dict[str, EncoderFacts] = {
    "bert": EncoderFacts("BERT", "google-bert/bert-base-cased"),
    "bert-uncased": EncoderFacts("BERT, lower-cased", "google-bert/bert-base-uncased"),
    "distilbert": EncoderFacts("DistilBERT", "distilbert/distilbert-base-cased"),
    "roberta": EncoderFacts("RoBERTa", "FacebookAI/roberta-base"),
    "electra": EncoderFacts("ELECTRA", "google/electra-small-discriminator"),
    "xlnet": EncoderFacts("XLNet", "xlnet/xlnet-base-cased"),
    "minilm": EncoderFacts("all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2", small=True),
    "gte-small": EncoderFacts("gte-small", "thenlper/gte-small", small=True),
    "mpnet": EncoderFacts("all-mpnet-base-v2", "sentence-transformers/all-mpnet-base-v2"),
}
"""ELECTRA is the small one, as in the released code of BABE."""


@dataclass(frozen=True, slots=True)
class EncoderSource:
    """An encoder by its key in ENCODERS, its folder or hub name, and a digest of its files."""

    key: str
    place: str
    digest: str


def resolve_encoders(folders: Mapping[str, Path], encoders: Collection[str]) -> dict[str, EncoderSource]:
    """The ``encoders`` of a table; those not in ``folders`` by their hub name.

    Raises TrainingError for a folder of an encoder that the table has not, and for one that is not there.
    """
    for key, folder in folders.items():
        if key not in encoders:
            raise TrainingError(f"{key} is no encoder of this table. Name one of {', '.join(encoders)}.")
        if not folder.is_dir():
            raise TrainingError(f"{folder} is not a folder. Say where {key} is with --encoder {key}=FOLDER.")
    return {
        key: EncoderSource(key, str(folders[key]), files_digest(_files(folders[key])))
        if key in folders
        else EncoderSource(key, ENCODERS[key].hub, f"hub {ENCODERS[key].hub}")
        for key in encoders
    }


def files_digest(paths: Iterable[Path]) -> str:
    """Sixteen digits that change when one of the files does."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(f"{path.name} {checksum(path)}\n".encode())
    return digest.hexdigest()[:16]


def _files(folder: Path) -> list[Path]:
    return sorted(path for pattern in _FILES for path in folder.glob(pattern))
