"""Sentences parsed by spaCy: tagged tokens with dependencies, and the phrase (sub-tree) of a range of tokens.

WIKIBIAS's appendix C asks a constituency parser "whether two candidate changes belong to the same type of sub-tree".
Here a dependency parse decides. The *head* of a range of tokens is the first of them whose own head lies outside the
range (of several, the one that governs most of the sentence). The *type* of its sub-tree is the class of the head's
part of speech: nominal (noun, name, pronoun), verbal (verb, auxiliary), qualifying (adjective, determiner, number),
adverbial, or relational (preposition, conjunction, particle). A range is *whole* if at most one of its tokens depends
on one outside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from training.types import CorpusError, Sentence, Token

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


def parse_sentences(items: Iterable[tuple[str, _Item]], nlp: Any) -> Iterator[tuple[Sentence, _Item]]:
    """Each text as a Sentence, with whatever came along with it, in order."""
    for document, item in nlp.pipe(items, as_tuples=True, batch_size=256):
        tokens = tuple(
            Token(token.text, token.lemma_, token.tag_, token.dep_, token.head.i, token.idx, token.ent_type_)
            for token in document
            if not token.is_space
        )
        if len(tokens) == len(document):
            yield Sentence(document.text, tokens), item


NO_PARSE = "none"
"""In the place of a spaCy model: no parse."""

_TYPES = {
    **dict.fromkeys(("NOUN", "PROPN", "PRON"), "nominal"),
    **dict.fromkeys(("VERB", "AUX"), "verbal"),
    **dict.fromkeys(("ADJ", "DET", "NUM"), "qualifying"),
    "ADV": "adverbial",
    **dict.fromkeys(("ADP", "SCONJ", "CCONJ", "PART"), "relational"),
}
_BATCH = 256


@dataclass(frozen=True, slots=True)
class ParseTree:
    """A parsed sentence: of each token the index of its head (itself at a root) and its universal part of speech."""

    heads: tuple[int, ...]
    classes: tuple[str, ...]

    def outer(self, start: int, end: int) -> list[int]:
        """Tokens of the range whose heads lie outside it, and roots in it."""
        return [at for at in range(start, end) if self.heads[at] == at or not start <= self.heads[at] < end]

    def whole(self, start: int, end: int) -> bool:
        """Whether the range is one connected piece of the tree; marks of punctuation do not count."""
        return sum(self.classes[at] != "PUNCT" for at in self.outer(start, end)) <= 1

    def type_of(self, start: int, end: int) -> str:
        """The type of sub-tree of a range that is not empty, or an empty string for marks alone."""
        tops = [at for at in self.outer(start, end) if self.classes[at] != "PUNCT"]
        if not tops:
            return ""
        top = max(tops, key=lambda at: (self._governed(at, start, end), -at))
        return _TYPES.get(self.classes[top], self.classes[top])

    def _governed(self, top: int, start: int, end: int) -> int:
        """How many tokens of the range hang on ``top``, directly or not."""
        count = 0
        for at in range(start, end):
            here = at
            while here != top and self.heads[here] != here and start <= self.heads[here] < end:
                here = self.heads[here]
            count += here == top
        return count


def load_optional_parser(spacy: str) -> Any:
    """The spaCy pipeline of that name or folder, or None for ``none``. Raises CorpusError where there is none."""
    return None if spacy == NO_PARSE else load_parser(spacy)


def parse_trees(sentences: Iterable[Sequence[str]], nlp: Any) -> Iterator[ParseTree]:
    """The trees of tokenised sentences, by a spaCy pipeline, in order. Tokens stay as they are given.

    Raises CorpusError where the pipeline has no parser.
    """
    if not {"parser", "experimental_biaffine_parser"}.intersection(nlp.pipe_names):
        raise CorpusError(
            "The spaCy model has no parser. Name an English model with --spacy, or say --spacy none."
        )
    from spacy.tokens import Doc

    documents = (Doc(nlp.vocab, words=list(tokens)) for tokens in sentences)
    for document in nlp.pipe(documents, batch_size=_BATCH):
        yield ParseTree(
            tuple(token.head.i for token in document),
            tuple("PUNCT" if token.pos_ == "SYM" else token.pos_ for token in document),
        )
