"""Phrases of an edit: harmless ones (spelling, form, numbers, citations, function words), and how similar two are.

The cleaning rules are those of WIKIBIAS's Appendix C ("to filter out non-bias-related modifications such as spell
correction"). All functions take lower-case tokens.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

ARTICLES = frozenset({"a", "an", "the"})
PREPOSITIONS = frozenset(
    "about across after against along amid among around as at before between by during for from in inside into of on "
    "onto over per through throughout to toward towards under until upon via with within without".split()
)
DETERMINERS = ARTICLES | frozenset({"his", "her", "its", "their", "this", "these", "those"})

_PLAIN = frozenset("as at by during for from in inside into of on onto to upon with within".split())
_RELATIVE = frozenset({"that", "which", "who", "whom"})
_AUXILIARY = frozenset("am are be been being did do does had has have having is was were".split())
_GLUE = ARTICLES | _PLAIN | _RELATIVE | _AUXILIARY
_CITATION = frozenset("citation cite needed ref refs reference source".split())
_SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_NUMBERS = {
    **{word: str(number) for number, word in enumerate(_SMALL)},
    **{word: str(number) for number, word in enumerate(_TENS, start=2)},
    "first": "1",
    "second": "2",
    "third": "3",
    "nineteenth": "19",
    "twentieth": "20",
    "hundred": "100",
    "thousand": "1000",
    "million": "1000000",
}
_MONTHS = frozenset(
    "january february march april may june july august september october november december".split()
)
_ORDINAL = re.compile(r"(\d)(?:st|nd|rd|th)\b")
_CONTRACTED = (
    ("won't", "will not"),
    ("can't", "can not"),
    ("cannot", "can not"),
    ("n't", " not"),
    ("'re", " are"),
    ("'ve", " have"),
    ("'ll", " will"),
    ("'m", " am"),
)
_ENDINGS = frozenset({"", "s", "es", "d", "ed", "n", "en", "ing", "e", "y", "ies", "ied", "'s", "s'"})
_STRONG = (
    "make makes made making",
    "take takes took taken taking",
    "give gives gave given giving",
    "write writes wrote written writing",
    "begin begins began begun beginning",
    "become becomes became becoming",
    "see sees saw seen seeing",
    "know knows knew known knowing",
    "come comes came coming",
    "find finds found finding",
    "hold holds held holding",
    "say says said saying",
    "keep keeps kept keeping",
    "lead leads led leading",
    "leave leaves left leaving",
    "go goes went gone going",
    "get gets got gotten getting",
    "win wins won winning",
    "lose loses lost losing",
    "run runs ran running",
    "man men",
    "woman women",
    "child children",
    "person persons people",
)
_FORMS = {form: number for number, forms in enumerate(_STRONG) for form in forms.split()}
_SPELLING = 0.82
_STEM = 3


def is_word(token: str) -> bool:
    """Whether it holds a letter or a digit."""
    return any(character.isalnum() for character in token)


def is_function_word(token: str) -> bool:
    """Whether it says nothing of bias at the edge of a phrase: an article, a number, a mark."""
    return token in ARTICLES or not any(character.isalpha() for character in token)


def is_neutral_change(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether putting ``new`` (may be empty) in the place of ``old`` tells nothing about bias.

    Either both hold nothing but function words (articles, plain prepositions, relative pronouns, forms of to be, to
    have and to do) and digits; or both are numbers or dates; or both are one text but for spelling, punctuation, white
    space, contractions, the writing of numbers, and inflection; or ``old`` is a mark of citation.
    """
    before, after = ([token for token in side if is_word(token)] for side in (old, new))
    if not before:
        return True
    if _cited(before, old):
        return True
    if all(token in _GLUE or not any(map(str.isalpha, token)) for token in (*before, *after)):
        return True
    if not after:
        return False
    if all(map(_is_number_or_date, (*before, *after))):
        return True
    if letters_and_digits(old) == letters_and_digits(new) or _counted(before) == _counted(after):
        return True
    return len(before) == len(after) and all(map(same_word, before, after))


def same_word(one: str, two: str) -> bool:
    """Whether two words are one in another spelling or inflection."""
    if one == two or (one in _FORMS and _FORMS[one] == _FORMS.get(two)):
        return True
    if _GLUE.issuperset((one, two)):
        return one in _AUXILIARY and two in _AUXILIARY
    bare, other = letters_and_digits([one]), letters_and_digits([two])
    common = 0
    while common < min(len(bare), len(other)) and bare[common] == other[common]:
        common += 1
    if common < _STEM:
        return False
    if bare[common:] in _ENDINGS and other[common:] in _ENDINGS:
        return True
    long = min(len(bare), len(other)) > _STEM + 1
    return long and not _opposite(bare, other) and SequenceMatcher(a=bare, b=other).ratio() >= _SPELLING


def letters_and_digits(tokens: Sequence[str]) -> str:
    """Letters and digits alone, contractions written out, accents taken off."""
    text = " ".join(tokens).replace("’", "'").replace(" n't", "n't")
    for short, full in _CONTRACTED:
        text = text.replace(short, full)
    plain = unicodedata.normalize("NFKD", text)
    return "".join(character for character in plain if character.isalnum())


def _is_number_or_date(token: str) -> bool:
    return token in _NUMBERS or token in _MONTHS or not any(map(str.isalpha, token))


def _counted(tokens: Sequence[str]) -> str:
    """As ``letters_and_digits``, with numbers in digits and without the endings of ordinals."""
    text = " ".join(_NUMBERS.get(token, token) for token in tokens)
    return letters_and_digits([_ORDINAL.sub(r"\1", text)])


def _cited(words: Sequence[str], tokens: Sequence[str]) -> bool:
    if any(word.startswith(("http", "www.")) for word in words):
        return True
    return _CITATION.issuperset(words) and (len(words) > 1 or "[" in tokens or "<" in tokens)


def _opposite(one: str, two: str) -> bool:
    """Whether two words alike in their letters differ by an ending that changes the sense, as ``-ly`` or ``-less``."""
    short, long = sorted((one, two), key=len)
    return long.endswith(("ly", "less", "ful", "ist", "ism")) and not short.endswith(long[-2:])


_GRAM = 3
_LIGHT = ARTICLES | PREPOSITIONS | {"and", "or"}


def similarity(one: Sequence[str], two: Sequence[str]) -> float:
    """From 0 to 1: the greater of the shares of common letter trigrams and of words that are one in another form.

    Both are Dice's coefficient over what the phrases hold; marks, articles, prepositions, "and" and "or" are left out.
    Tokens are lower case.
    """
    old, new = ([token for token in side if is_word(token) and token not in _LIGHT] for side in (one, two))
    if not old or not new:
        return 0.0
    return max(_dice(_grams(old), _grams(new)), _words_in_common(old, new))


def match_similar(
    old: Sequence[Sequence[str]], new: Sequence[Sequence[str]], *, least: float
) -> list[tuple[int, int]]:
    """Which phrase of ``old`` goes with which of ``new``: the likest first, each once, none below ``least``."""
    ranked = sorted(
        (-similarity(one, two), abs(i - j), i, j) for i, one in enumerate(old) for j, two in enumerate(new)
    )
    found: list[tuple[int, int]] = []
    left, right = set(range(len(old))), set(range(len(new)))
    for likeness, _, i, j in ranked:
        if -likeness >= least and likeness and i in left and j in right:
            found.append((i, j))
            left.remove(i)
            right.remove(j)
    return sorted(found)


def _grams(tokens: Sequence[str]) -> Counter[str]:
    text = f" {' '.join(tokens)} "
    return Counter(text[at : at + _GRAM] for at in range(len(text) - _GRAM + 1))


def _dice(one: Counter[str], two: Counter[str]) -> float:
    return 2 * (one & two).total() / (one.total() + two.total())


def _words_in_common(one: Sequence[str], two: Sequence[str]) -> float:
    rest = list(two)
    common = 0
    for word in one:
        match = next((other for other in rest if same_word(word, other)), None)
        if match is not None:
            rest.remove(match)
            common += 1
    return 2 * common / (len(one) + len(two))
