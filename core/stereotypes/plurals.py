"""Plurals of English nouns, there and back, as far as rules and a short list go."""

from __future__ import annotations

from collections.abc import Iterator

_IRREGULAR = {
    "child": "children", "foot": "feet", "goose": "geese", "half": "halves", "knife": "knives", "leaf": "leaves",
    "life": "lives", "loaf": "loaves", "man": "men", "mouse": "mice", "ox": "oxen", "person": "people",
    "self": "selves", "shelf": "shelves", "thief": "thieves", "tooth": "teeth", "wife": "wives", "wolf": "wolves",
    "woman": "women", "analysis": "analyses", "basis": "bases", "crisis": "crises", "criterion": "criteria",
    "phenomenon": "phenomena", "hero": "heroes", "echo": "echoes", "potato": "potatoes", "veto": "vetoes",
}  # fmt: skip
_SINGULAR = {many: one for one, many in _IRREGULAR.items()}
_ENDINGS = ("man", "woman", "child", "person", "wife")
_HISSING = ("s", "x", "z", "ch", "sh")


def plural(noun: str) -> str:
    """The plural of a noun in lower case."""
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    for one in _ENDINGS:
        if noun.endswith(one) and not noun.endswith(("human", "german", "roman")):
            return noun[: -len(one)] + _IRREGULAR[one]
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(_HISSING) else f"{noun}s"


def singulars(noun: str) -> Iterator[str]:
    """What a noun in lower case may be the plural of, the likeliest first; whether they are words is not known here."""
    if noun in _SINGULAR:
        yield _SINGULAR[noun]
    for one in _ENDINGS:
        many = _IRREGULAR[one]
        if noun.endswith(many) and len(noun) > len(many):
            yield noun[: -len(many)] + one
    if not noun.endswith("s") or noun.endswith("ss") or len(noun) < 4:
        return
    if noun.endswith("ies"):
        yield f"{noun[:-3]}y"
    yield noun[:-1]
    if noun.endswith("es"):
        yield noun[:-2]
