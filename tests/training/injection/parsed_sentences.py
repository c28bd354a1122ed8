"""Sentences with tags by hand, so that rules are tested without spaCy."""

from __future__ import annotations

from training.types import Sentence, Token


def tagged(notation: str) -> Sentence:
    """A sentence from ``word|tag|dep|head`` items, with ``|lemma`` and ``|entity`` after them where they matter.

    Words are joined by spaces; no space comes before punctuation.
    """
    text = ""
    tokens: list[Token] = []
    for item in notation.split():
        word, tag, dep, head, *more = item.split("|")
        if text and word not in ".,;:)":
            text += " "
        lemma = more[0] if more and more[0] else word.lower()
        tokens.append(Token(word, lemma, tag, dep, int(head), len(text), more[1] if len(more) > 1 else ""))
        text += word
    return Sentence(text, tuple(tokens))


FILM = tagged(
    "The|DT|det|1 film|NN|nsubj|2 won|VBD|ROOT|2|win an|DT|det|4 award|NN|dobj|2 in|IN|prep|2 "
    "Norway|NNP|pobj|5||GPE .|.|punct|2"
)
SAID = tagged(
    "The|DT|det|1 minister|NN|nsubj|2 said|VBD|ROOT|2|say that|IN|mark|6 the|DT|det|5 bridge|NN|nsubj|6 "
    "was|VBD|ccomp|2|be safe|JJ|acomp|6 .|.|punct|2"
)
KILLED = tagged(
    "The|DT|det|1 soldiers|NNS|nsubj|2|soldier killed|VBD|ROOT|2|kill two|CD|nummod|4||CARDINAL "
    "farmers|NNS|dobj|2|farmer near|IN|prep|2 the|DT|det|7 river|NN|pobj|5 .|.|punct|2"
)
MAY = tagged(
    "The|DT|det|1 plants|NNS|nsubj|3|plant may|MD|aux|3 be|VB|ROOT|3 harmful|JJ|acomp|3 to|IN|prep|4 "
    "sheep|NN|pobj|5 .|.|punct|3"
)
PLAYER = tagged(
    "Every|DT|det|1 player|NN|nsubj|2 brings|VBZ|ROOT|2|bring their|PRP$|poss|4 boots|NNS|dobj|2|boot .|.|punct|2"
)
SINGER = tagged(
    "Anna|NNP|compound|1||PERSON Holm|NNP|nsubj|2||PERSON is|VBZ|ROOT|2|be a|DT|det|5 Danish|JJ|amod|5||NORP "
    "singer|NN|attr|2 .|.|punct|2"
)
ALL = (FILM, SAID, KILLED, MAY, PLAYER, SINGER)
