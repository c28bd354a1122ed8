"""Rules on how sure a sentence is: a hedge taken away, so that the biased one states a fact, or doubt added."""

from __future__ import annotations

from collections.abc import Iterator

from core.types import Kind
from training.injection import inflection
from training.injection.vocabulary import Vocabulary
from training.types import InjectionSite, Sentence

_MODALS = frozenset({"may", "might", "could"})
_HEDGES = frozenset(
    "reportedly allegedly apparently possibly probably perhaps likely supposedly presumably purportedly generally "
    "often usually sometimes typically mostly partly partially arguably seemingly potentially".split()
)
_PLURAL_WORDS = frozenset({"they", "we", "you", "i", "these", "those", "some", "many", "both"})
_DOUBTS = tuple(
    "so-called alleged supposed purported self-proclaimed self-styled ostensible would-be".split()
)
_DOUBTING = tuple("allegedly supposedly purportedly ostensibly apparently reputedly presumably".split())
_DOUBTED = frozenset(
    "expert scholar scientist leader authority evidence reform victim attack crime conspiracy miracle discovery "
    "threat plot corruption abuse victory success achievement study theory research science therapy treatment cure "
    "peace democracy agreement solution benefit advantage involvement connection relationship affair incident cause "
    "reason goal purpose ally friend movement republic government state church religion prophet saint philosopher "
    "activist link role violation misconduct fraud murder assault genocide massacre rebel historian journalist "
    "independence freedom rights liberation progress healer medium ghost sighting advance improvement neutrality "
    "experiment claim".split()
)


def remove_hedges(sentence: Sentence, _: Vocabulary) -> Iterator[InjectionSite]:
    """*may be* to *is*, *is believed to be* to *is*, *was reportedly killed* to *was killed*."""
    for index in range(len(sentence.tokens)):
        for last, words in (_modal(sentence, index), _seems(sentence, index), _adverb(sentence, index)):
            if words:
                start, end = sentence.tokens[index].start, sentence.tokens[last].end
                yield InjectionSite(start, end, (words,), "hedge_removed", Kind.EPISTEMOLOGICAL)
    yield from _according(sentence)


def _modal(sentence: Sentence, index: int) -> tuple[int, str]:
    token, following = sentence.tokens[index], sentence.at(index + 1)
    if token.lower not in _MODALS or token.tag != "MD" or following is None or following.tag != "VB":
        return index, ""
    subjects = sentence.children(token.head, "nsubj", "nsubjpass")
    if not subjects or subjects[-1] > index or sentence.tokens[token.head].tag == "MD":
        return index, ""
    many = has_plural_subject(sentence, subjects[-1])
    if following.lower == "have" and sentence.word(index + 2) == "been":
        return index + 2, "were" if many else "was"
    if following.lower == "have":
        return index + 1, "have" if many else "has"
    if token.lower == "could" and following.lower != "be":
        return index, ""
    if following.lower == "be":
        return index + 1, "are" if many else "is"
    return index + 1, inflection.verb(following.lower, "VBP" if many else "VBZ")


def _seems(sentence: Sentence, index: int) -> tuple[int, str]:
    words = [sentence.word(index + step) for step in range(4)]
    if words[0] in ("appears", "seems", "tends") and words[1:3] == ["to", "be"]:
        return index + 2, "is"
    if words[0] in ("appear", "seem", "tend") and words[1:3] == ["to", "be"] and sentence.tag(index) == "VBP":
        return index + 2, "are"
    if words[0] in ("appeared", "seemed") and words[1:3] == ["to", "be"]:
        subjects = sentence.children(index, "nsubj")
        if subjects:
            return index + 2, "were" if has_plural_subject(sentence, subjects[-1]) else "was"
    believed = ("believed", "thought", "considered", "said", "reported", "alleged")
    if words[0] in ("is", "are", "was", "were") and words[1] in believed and words[2:4] == ["to", "be"]:
        return index + 3, words[0]
    return index, ""


def _adverb(sentence: Sentence, index: int) -> tuple[int, str]:
    middle, last = sentence.at(index + 1), sentence.at(index + 2)
    first = sentence.tokens[index]
    if first.lower in _HEDGES and middle is not None and middle.tag == "VBD" and middle.lower != "were":
        before = sentence.tag(index - 1)
        return (index + 1, middle.text) if before in ("NN", "NNS", "NNP", "PRP", "WP", "WDT") else (index, "")
    helped = first.lower in ("is", "are", "was", "were", "has", "have", "had")
    if (
        not helped
        or middle is None
        or last is None
        or middle.lower not in _HEDGES
        or first.end + 1 != middle.start
    ):
        return index, ""
    if last.tag == "DT":
        return index + 1, first.text
    if last.tag in ("VBN", "VBG"):
        return index + 2, f"{first.text} {last.text}"
    return index, ""


def _according(sentence: Sentence) -> Iterator[InjectionSite]:
    words = [sentence.word(number) for number in range(2)]
    if words != ["according", "to"]:
        return
    comma = next((number for number, token in enumerate(sentence.tokens[:12]) if token.text == ","), 0)
    if not 3 <= comma <= 9:
        return
    verbs = [
        number
        for number, token in enumerate(sentence.tokens)
        if number > comma and token.tag in ("VBD", "VBZ", "VBP") and token.dep in ("ROOT", "aux", "auxpass")
    ]
    if not verbs or verbs[0] - comma > 7:
        return
    first, last = sentence.tokens[comma + 1], sentence.tokens[verbs[0]]
    words_left = sentence.text[first.start : last.end]
    yield InjectionSite(
        0, last.end, (words_left[0].upper() + words_left[1:],), "hedge_removed", Kind.EPISTEMOLOGICAL
    )


def has_plural_subject(sentence: Sentence, index: int) -> bool:
    """Whether the subject at ``index`` takes a plural verb. For *which* and *that*, the noun they stand for."""
    token = sentence.tokens[index]
    if token.tag in ("WDT", "WP"):
        clause = sentence.tokens[token.head]
        noun = sentence.tokens[clause.head] if clause.dep == "relcl" else token
        return noun.tag in ("NNS", "NNPS")
    joined = bool(sentence.children(index, "conj"))
    return joined or token.tag in ("NNS", "NNPS") or token.lower in _PLURAL_WORDS


def add_doubt(sentence: Sentence, _: Vocabulary) -> Iterator[InjectionSite]:
    """*so-called*, *alleged* before a noun that can be doubted, and *supposedly* before a finite verb."""
    for index, token in enumerate(sentence.tokens):
        left = sentence.at(index - 1)
        if left is None or token.start != left.end + 1:
            continue
        if (
            token.tag in ("NN", "NNS")
            and not token.ent
            and token.dep != "compound"
            and left.lower in ("the", "this", "his", "her", "their", "its", "a", "an", "these")
            and token.lemma in _DOUBTED
            and sentence.tag(index + 1) not in ("NN", "NNS", "NNP", "POS", "HYPH")
        ):
            yield InjectionSite.before(token, _DOUBTS, "doubt", Kind.EPISTEMOLOGICAL)
        helped = token.tag == "VBN" and left.lower in ("is", "was", "were", "are", "has", "had")
        subject = sentence.children(index, "nsubj")
        plain = token.tag in ("VBD", "VBZ") and token.lemma not in ("be", "have", "do") and subject
        if (helped and left.dep in ("aux", "auxpass")) or (plain and left.tag in ("NN", "NNP", "NNS", "PRP")):
            yield InjectionSite.before(token, _DOUBTING, "doubt", Kind.EPISTEMOLOGICAL)
