"""From text to sentences of tagged tokens, with spaCy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from training.corpora.base import CorpusError
from training.injection.model import Sentence, Token

_Item = TypeVar("_Item")


def load_parser(spacy: str) -> Any:
    """A spaCy pipeline by the name of its package or by its folder. Raises CorpusError where there is none."""
    try:
        import spacy as library
    except ImportError as error:
        raise CorpusError(
            "spaCy is not installed. Install it with an English model to inject bias."
        ) from error
    try:
        return library.load(_folder(Path(spacy)) if Path(spacy).is_dir() else spacy)
    except OSError as error:
        raise CorpusError(
            f"{spacy} is no spaCy model. Name an installed English model or its folder with --spacy."
        ) from error


def _folder(path: Path) -> Path:
    """The folder that holds ``config.cfg``: ``path`` itself or, as in a wheel, one folder below it."""
    if (path / "config.cfg").is_file():
        return path
    below = sorted(path.glob("*/config.cfg"))
    return below[0].parent if below else path


def parse(items: Iterable[tuple[str, _Item]], nlp: Any) -> Iterator[tuple[Sentence, _Item]]:
    """Each text as a Sentence, with whatever came along with it, in order."""
    for document, item in nlp.pipe(items, as_tuples=True, batch_size=256):
        tokens = tuple(
            Token(token.text, token.lemma_, token.tag_, token.dep_, token.head.i, token.idx, token.ent_type_)
            for token in document
            if not token.is_space
        )
        if len(tokens) == len(document):
            yield Sentence(document.text, tokens), item
