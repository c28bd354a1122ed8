"""Counterfactual sentences for training: the person in a sentence swapped for every other group.

Real sentences are used only where a word certainly refers to people: a plural ("Muslims"), or an adjective before
such a noun ("Muslim voters"); "black ice" and "the French coast" are left alone. Gender is swapped throughout a
sentence, pronouns included, and only in sentences without other names, which show it as well. Templates are those of
the training half; the other half is for evaluation (`core.stereotypes.templates`). A swapped sentence is as biased as
the original.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from core.stereotypes.identity_terms import PERSON_NOUNS
from core.stereotypes.templates import (
    ADJECTIVES,
    ADVERBS,
    PRONOUNS,
    Frame,
    TemplateHalf,
    Variant,
    build_frames,
    build_term_frames,
    join_with_article,
)
from core.types import Kind
from training.reader.variants import with_text
from training.types import Example, GoldSpan

_PERSON = "|".join(sorted(PERSON_NOUNS, key=len)[::-1])

BEFORE_A_PERSON: dict[str, tuple[str, ...]] = {
    "faith": ("Christian", "Muslim", "Jewish", "Hindu"),
    "colour": ("Black", "white", "Asian", "Latino"),
    "orientation": ("gay", "straight", "bisexual"),
    "origin": (
        "American",
        "British",
        "French",
        "Chinese",
        "Indian",
        "Mexican",
        "Nigerian",
        "Polish",
        "Russian",
    ),
    "age": ("young", "older", "elderly", "middle-aged"),
    "disability": ("disabled", "non-disabled", "blind", "deaf"),
    "party": ("Republican", "Democratic"),
    "party, as a view": ("conservative", "liberal"),
}
MANY: dict[str, tuple[str, ...]] = {
    "faith": ("Christians", "Muslims", "Jews", "Hindus"),
    "party": ("Republicans", "Democrats"),
    "party, as a view": ("conservatives", "liberals"),
}
_MEN = (
    "man men boy boys father fathers dad husband husbands son sons brother brothers uncle uncles nephew nephews "
    "grandfather actor gentleman gentlemen male males boyfriend businessman congressman spokesman chairman policeman "
    "Mr Mr. widower"
).split()
_WOMEN = (
    "woman women girl girls mother mothers mom wife wives daughter daughters sister sisters aunt aunts niece nieces "
    "grandmother actress lady ladies female females girlfriend businesswoman congresswoman spokeswoman chairwoman "
    "policewoman Ms Ms. widow"
).split()
_OTHER = {
    **dict(zip(_MEN, _WOMEN, strict=True)),
    **dict(zip(_WOMEN, _MEN, strict=True)),
    **PRONOUNS,
    "she": "he",
    "herself": "himself",
    "hers": "his",
    "Mrs": "Mr",
    "Mrs.": "Mr.",
}
_COUNTERPARTS = {word.lower(): other for word, other in _OTHER.items()}
_FEMALE = {word.lower() for word in (*_WOMEN, *PRONOUNS.values(), "hers", "Mrs", "Mrs.")}
_GENDERED = re.compile(
    rf"(?<![\w’'-])(?:{'|'.join(map(re.escape, sorted({*_OTHER, 'her'}, key=len)[::-1]))})(?![\w-])",
    re.IGNORECASE,
)
_START, _END = r"(?<![\w-])(?<!African )(?<!Native )", r"(?![\w-])"
_WORD = re.compile(r"\s*([\w’'-]+)?")
_NO_NOUN = frozenset(
    "a about after again against all also although and are as at away back be because been before both but by did "
    "during each even for from had has have here how if in into is it just last later more never next not now of off "
    "on or out over right so soon than that the their then there these they this those through to today too twice "
    "under until up was were what when where whether which while who why will with without would yesterday you".split()
)
_NAME = re.compile(r"(?<![.!?\"“”] )(?<!^)\b[A-Z][\w’'-]+")
_NAMELESS = frozenset(
    "I Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August "
    "September October November December Mr Ms Mrs American Americans".split()
)


def find_real_frames(sentences: Sequence[str]) -> list[Frame]:
    """A frame for each sentence and each group (faith, origin …) of a person that it mentions, in order."""
    found = []
    for sentence in sentences:
        for about in BEFORE_A_PERSON:
            frame = _of_groups(sentence, about)
            if frame is not None:
                found.append(frame)
        swapped = swap_gender(sentence)
        if swapped is not None:
            is_female = any(match[0].lower() in _FEMALE for match in _GENDERED.finditer(sentence))
            now, other = ("female", "male") if is_female else ("male", "female")
            found.append(
                Frame("gender", sentence, (Variant(now, sentence), Variant(other, swapped)), real=True)
            )
    return found


def swap_gender(sentence: str) -> str | None:
    """The sentence about the other gender; None where it names no gender or both, or may contain a name."""
    matches = list(_GENDERED.finditer(sentence))
    women = sum(match[0].lower() in _FEMALE for match in matches)
    if not matches or 0 < women < len(matches) or _may_name(sentence):
        return None
    return _replaced(sentence, [(match, _counterpart(match, sentence)) for match in matches])


def _may_name(sentence: str) -> bool:
    """Whether a capital may be that of a name; so it may where there is none, or at the start of a rarer word."""
    first = _WORD.match(sentence.lstrip('"“'))
    opening = (first[1] or "") if first else ""
    has_no_name = opening.lower() in _NO_NOUN or _GENDERED.match(opening) is not None
    if not has_no_name or sentence == sentence.lower():
        return True
    return any(name[0] not in _NAMELESS for name in _NAME.finditer(sentence))


def _of_groups(sentence: str, about: str) -> Frame | None:
    """The sentence about each group of ``about``; None where it tells of none or of several."""
    groups, many = BEFORE_A_PERSON[about], MANY.get(about, ())
    alone = "|".join(f"{word}(?= (?:{_PERSON})\\b)" for word in groups)
    pattern = f"{_START}(?:{'|'.join((*many, alone))}){_END}"
    anywhere = f"{_START}(?:{'|'.join((*many, *groups))}){_END}"
    matches = list(re.finditer(pattern, sentence, re.IGNORECASE))
    places = {word.lower(): place for row in (groups, many) for place, word in enumerate(row)}
    if len({places[match[0].lower()] for match in matches}) != 1:
        return None
    if len(re.findall(anywhere, sentence, re.IGNORECASE)) > len(matches):
        return None
    now = places[matches[0][0].lower()]
    variants = []
    for place, group in enumerate(groups):
        plurals = {word.lower() for word in many}
        rows = [(match, many if match[0].lower() in plurals else groups) for match in matches]
        words = [(match, _cased(match[0], row[now], row[place])) for match, row in rows]
        variants.append(Variant(group, sentence if place == now else _replaced(sentence, words)))
    return Frame(about, sentence, tuple(variants), real=True)


def _cased(seen: str, listed: str, word: str) -> str:
    """``word`` with a capital where ``seen`` has one that the listed word has not, as in a headline."""
    return word[0].upper() + word[1:] if seen[0].isupper() and listed[0].islower() else word


def _replaced(sentence: str, words: Sequence[tuple[re.Match[str], str]]) -> str:
    """The sentence with each match's new word, from the last to the first; articles and capitals fit."""
    lower = sentence == sentence.lower()
    for match, word in reversed(words):
        starts = match.start() == 0 or sentence[: match.start()].rstrip(" \"“'").endswith((".", "!", "?"))
        shown = word[0].upper() + word[1:] if starts else word
        sentence = join_with_article(sentence[: match.start()], shown, sentence[match.end() :])
    return sentence.lower() if lower else sentence


def _counterpart(match: re.Match[str], sentence: str) -> str:
    word = match[0].lower()
    after = _WORD.match(sentence, match.end())
    following = (after[1] or "").lower() if after else ""
    owns = bool(following) and following not in _NO_NOUN
    if word == "her":
        return "his" if owns else "him"
    if word == "his":
        return "her" if owns else "hers"
    return _COUNTERPARTS[word]


PER_TERM_FRAME = 12
"""Sentences drawn of each template about every identity term, which has some dozens."""


def template_examples(*, seed: int) -> list[Example]:
    """The training half, each sentence without and with a loaded word: neutral without spans, biased with that span."""
    draw = random.Random(seed)
    made = []
    for with_loaded_word in (False, True):
        for frame in build_frames(TemplateHalf.TRAINING, with_loaded_word=with_loaded_word):
            made += [_template(variant.text, frame.source) for variant in frame.variants]
        for frame in build_term_frames(TemplateHalf.TRAINING, with_loaded_word=with_loaded_word):
            some = draw.sample(frame.variants, min(PER_TERM_FRAME, len(frame.variants)))
            made += [_template(variant.text, frame.source) for variant in some]
    return made


def swapped_examples(examples: Sequence[Example], *, seed: int) -> list[Example]:
    """Sentences about a person of some group, and the same about one other group, with the same labels."""
    draw = random.Random(seed)
    made = []
    known = {example.text: example for example in examples}
    for frame in find_real_frames(list(known)):
        others = [variant.text for variant in frame.variants if variant.text != frame.source]
        example = known[frame.source]
        made += [with_text(example, draw.choice(others)), example]
    return made


def _template(text: str, source: str) -> Example:
    spans = tuple(
        GoldSpan(at, at + len(word), Kind.FRAMING)
        for word in (*ADJECTIVES, *ADVERBS)
        if (at := text.find(word)) >= 0 and word.lower() not in source.lower()
    )
    return Example(text, "templates", spans=spans, bias=1.0 if spans else 0.0, group=source)
