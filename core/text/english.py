"""Rules of English for words inserted into a sentence: function words, a or an, plurals, and case."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from core.text.tokens import WORD

DETERMINERS = frozenset("a an the my your his our their its every".split())
ARTICLES = frozenset(("a", "an", "the"))
PREPOSITIONS = frozenset(
    "about above across after against along amid among around as at before behind below beneath beside between beyond "
    "by despite during for from in inside into like near of off on onto outside over since through throughout to "
    "toward towards under until upon via with within".split()
)
CONJUNCTIONS = frozenset(("and", "or", "but"))
BE_FORMS = frozenset("am is are was were be been being".split())
DEGREE_WORDS = frozenset(
    "very so too more most less least quite rather extremely highly truly really incredibly particularly especially "
    "increasingly utterly totally completely absolutely somewhat fairly deeply".split()
)
_OTHERS = frozenset(
    "this that these those some any each all both many much few several other another such it he she they we you i who "
    "which what whose when where while why how if although though because unless whereas however therefore thus then "
    "there here also still yet even just only again once already never not no nor neither either without has have had "
    "having do does did done will would shall should can could may might must them him her us me one his hers".split()
)
FUNCTION_WORDS = DETERMINERS | PREPOSITIONS | CONJUNCTIONS | BE_FORMS | DEGREE_WORDS | _OTHERS
NEVER_AFTER_DETERMINER = PREPOSITIONS - {"above", "inside", "outside", "like", "near", "off", "over"} | (
    CONJUNCTIONS
    | BE_FORMS
    | DETERMINERS
    | frozenset("has have had that which who will would can could must".split())
)

_SHARED = frozenset(
    "a i me no do in on an to as is by was so am at her my one we he for via under over be or also all it of are "
    "have will has us once most here nor like may had even many him can more not but some done near still after any "
    "were".split()
)
"""Function words of English that are words of other languages, too."""

_ONLY_ENGLISH = FUNCTION_WORDS - _SHARED
_MIN_SHARE, _MIN_FUNCTION_WORDS = 0.25, 2


def has_content_word(text: str) -> bool:
    """Whether a word of ``text`` is no function word."""
    return any(word.lower() not in FUNCTION_WORDS for word in WORD.findall(text))


def reads_as_english(words: Sequence[str]) -> bool:
    """Whether enough of some words are function words of English, one that no other language has among them."""
    known = [word for word in map(str.lower, words) if word in FUNCTION_WORDS]
    return len(known) >= max(_MIN_FUNCTION_WORDS, _MIN_SHARE * len(words)) and not _ONLY_ENGLISH.isdisjoint(
        known
    )


_NOT_FOREIGN = frozenset(("", "en", "eng", "x", "und", "zxx", "mul", "mis", "none"))


def is_foreign(tag: str) -> bool:
    """Whether the tag of a language (``de-DE``) names one, and one that is not English."""
    return re.split(r"[-_]", tag.strip().lower(), maxsplit=1)[0] not in _NOT_FOREIGN


# The indefinite article, by the sound that a word begins with as far as its letters tell.

_SILENT_H = ("hour", "honest", "honor", "honour", "heir")
_YOU = re.compile(
    r"eu(?!$)|ewe|u(?:ni(?!n|m|d|ll)|s[aeu]|t[eio]|biq|bisoft|k|ra|ru|ri|ga|[^a-z]|$)|once|one(?!r|i)|ouija",
    re.IGNORECASE,
)
"""Vowels pronounced like the beginning of *you* or *won*."""

_SPELT = frozenset("aefhilmnorsx")
_INITIALS = frozenset(
    "eu fbi fda fcc ftc mp mba mri msnbc nba nfl nhl npr nra ngo nypd hiv hbo hr html lgbt lgbtq lsd rpg rna rv "
    "sms sos ssd sec snp suv xml nsa mc mvp mdma nhs".split()
)
"""Spelt letter by letter even in a text without capitals."""

_SAID_AS_WORDS = frozenset(
    "nato nasa fifa fema nafta nascar hamas hezbollah lego laser radar sars salt seal seato swat saudi "
    "rico mers mash scuba sim".split()
)


def indefinite_article(word: str) -> str:
    """``a`` or ``an``, for the word or number that follows it."""
    lower = word.lower()
    if lower[:1].isdigit():
        number = re.match(r"\d+", lower)
        digits = number.group() if number else ""
        return "an" if digits.startswith("8") or digits in ("11", "18") else "a"
    first = re.split(r"[-‐‑'’.]", lower, maxsplit=1)[0]
    capitals = len(first) > 1 and word[: len(first)].isupper() and first not in _SAID_AS_WORDS
    if len(first) == 1 or first in _INITIALS or (capitals and len(first) <= 5):
        return "an" if first[:1] in _SPELT else "a"
    if lower.startswith(_SILENT_H):
        return "an"
    return "an" if lower[:1] in tuple("aeiouàáâäæèéêëìíîïòóôöœùúûü") and not _YOU.match(lower) else "a"


# Plurals of nouns, by rules and a short list.

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


def pluralise(noun: str) -> str:
    """The plural of a noun in lower case."""
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    for one in _ENDINGS:
        if noun.endswith(one) and not noun.endswith(("human", "german", "roman")):
            return noun[: -len(one)] + _IRREGULAR[one]
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(_HISSING) else f"{noun}s"


def singular_candidates(noun: str) -> Iterator[str]:
    """Words that a noun in lower case may be the plural of, the likeliest first; they may be no words at all."""
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


# The case of new words.

CAPITALISED_WORDS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february april june july august september "
    "october november december american british english scottish welsh irish french german italian spanish portuguese "
    "dutch belgian swiss austrian polish russian ukrainian turkish greek israeli palestinian arab iranian iraqi syrian "
    "egyptian indian pakistani chinese japanese korean vietnamese australian canadian mexican brazilian african asian "
    "european latino hispanic christian catholic protestant jewish muslim islamic hindu buddhist mormon".split()
)
"""Words that are capitalised in English; the model is uncased and may produce them."""

_HEADLINE_SHARE, _HEADLINE_WORDS, _LONG_WORD = 0.8, 4, 4


def without_case_and_accents(word: str) -> str:
    """``word`` without case and accents, as the model sees it."""
    spread = unicodedata.normalize("NFD", word.casefold().replace("’", "'"))
    return "".join(character for character in spread if unicodedata.category(character) != "Mn")


def has_capitals(text: str) -> bool:
    return any(map(str.isupper, text))


def is_all_capitals(text: str) -> bool:
    """Whether ``text`` has several words and all their letters are capitals."""
    return len(WORD.findall(text)) > 1 and text.isupper()


def is_headline(text: str) -> bool:
    """Whether nearly all longer words begin with a capital, as in headlines. Then a capital does not mean a name."""
    words = [word for word in WORD.findall(text) if len(word) >= _LONG_WORD and word[0].isalpha()]
    capitals = sum(word[0].isupper() for word in words)
    return len(words) >= _HEADLINE_WORDS and capitals >= _HEADLINE_SHARE * len(words)


def is_sentence_start(text: str, start: int) -> bool:
    """Whether no word comes before ``text[start]``."""
    return not any(map(str.isalnum, text[:start]))


def restore_spelling(word: str, old: Sequence[str], *, text: str) -> str:
    """``word`` with the case of the draft: that of the same word in ``old``, or of a name or ``I``."""
    for known in old:
        if without_case_and_accents(known) == without_case_and_accents(word):
            return known
    lower = word.lower()
    if (lower in CAPITALISED_WORDS or lower.split("'")[0] == "i") and has_capitals(text):
        return word[:1].upper() + word[1:]
    return word


def capitalise(text: str) -> str:
    """``text`` with its first letter a capital; a word with a capital inside (``iPhone``) stays."""
    word = WORD.search(text)
    if word is None or any(map(str.isupper, word.group())):
        return text
    at = word.start()
    return text[:at] + text[at].upper() + text[at + 1 :]


def match_case(words: str, old: str, *, text: str, start: int) -> str:
    """``words`` in the case that fits ``text[start:]``, where ``old`` stands."""
    names = [word.group() for word in WORD.finditer(text) if not is_sentence_start(text, word.start())]
    own = WORD.findall(old)
    if own and own[0][1:].islower() and is_sentence_start(text, start) and not is_headline(text):
        own[0] = own[0].lower()
    own += (name for name in names if any(map(str.isupper, name)))
    words = WORD.sub(lambda match: restore_spelling(match.group(), own, text=text), words)
    letters = [character for character in old if character.isalpha()]
    if letters and all(map(str.isupper, letters)) and (len(letters) > 1 and is_all_capitals(text)):
        return words.upper()
    if is_headline(text) and letters and old.lstrip()[0].isupper():
        return re.sub(r"(?<![\w'’])[a-z]\w{3,}", lambda match: capitalise(match.group()), capitalise(words))
    if letters and letters[0].isupper() and is_sentence_start(text, start):
        return capitalise(words)
    return words
