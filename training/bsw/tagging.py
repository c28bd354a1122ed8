"""Parts of speech and named entities of token rows: by spaCy, or by any function of the same shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from training.corpora.base import CorpusError


@dataclass(frozen=True, slots=True)
class Tag:
    """Of one token: its universal part of speech (``NOUN``), and its entity's type (``NORP``) or nothing."""

    pos: str
    entity: str = ""


Tagger = Callable[[Sequence[Sequence[str]]], list[tuple[Tag, ...]]]
"""A tag for every token of every row."""

_NEEDED = ("tok2vec", "transformer", "tagger", "morphologizer", "attribute_ruler", "ner")
_BATCH = 128


def spacy_tagger(model: str = "en_core_web_sm") -> Tagger:
    """The tagger and entity recogniser of an English spaCy model, by name or folder.

    Rows are in lower case, as `training.bsw.model.tokens` gives them: names are told less surely than in prose. Raises
    CorpusError where there is no such model, or it has no tagger or no entity recogniser.
    """
    from training.injection.parse import load_parser

    nlp = load_parser(model)
    if "ner" not in nlp.pipe_names or not {"tagger", "morphologizer"} & set(nlp.pipe_names):
        raise CorpusError(
            f"The spaCy model {model} has no tagger or no entity recogniser. Name an English model that has both."
        )
    nlp.select_pipes(enable=[name for name in nlp.pipe_names if name in _NEEDED])
    from spacy.tokens import Doc

    def tagged(rows: Sequence[Sequence[str]]) -> list[tuple[Tag, ...]]:
        documents = (Doc(nlp.vocab, words=list(row)) for row in rows)
        return [
            tuple(Tag(token.pos_ or "X", token.ent_type_) for token in document)
            for document in nlp.pipe(documents, batch_size=_BATCH)
        ]

    return tagged
