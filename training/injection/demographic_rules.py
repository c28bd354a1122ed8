"""Demographic rules: *his* for anybody, and a gender or group where it says nothing."""

from __future__ import annotations

from collections.abc import Iterator

from core.types import Kind
from training.injection import inflection
from training.injection.vocabulary import Vocabulary, load
from training.types import InjectionSite, Sentence

_FORMS = {"their": "his", "they": "he", "them": "him", "themselves": "himself", "theirs": "his"}
_GENERIC = frozenset(
    {"each", "every", "any", "a", "an", "someone", "anyone", "everyone", "whoever", "nobody"}
)
_BOTH = {("he", "or", "she"): "he", ("his", "or", "her"): "his", ("him", "or", "her"): "him"}
_MARKED = frozenset(
    "doctor lawyer author engineer pilot judge scientist soldier politician president driver officer nurse teacher "
    "secretary model surgeon journalist reporter editor composer painter artist director producer musician athlete "
    "player poet novelist writer comedian photographer architect professor student executive entrepreneur senator "
    "governor mayor minister candidate leader manager worker prisoner activist historian mathematician physicist "
    "philosopher rider racer boxer wrestler swimmer singer drummer guitarist rapper firefighter diplomat "
    "ambassador".split()
)
_GENDERS = tuple("female lady woman male girl attractive elderly feisty bossy gay white".split())
_STEREOTYPES = tuple("normal ordinary decent real civilized primitive backward godless foreign".split())
_GROUPS = frozenset(
    "people families citizens women men societies cultures nations children couples tribes".split()
)


def pronouns(sentence: Sentence, _: Vocabulary) -> Iterator[InjectionSite]:
    """*every player … their* becomes *every player … his*, and *he or she* becomes *he*."""
    words = [token.lower for token in sentence.tokens]
    for index in range(len(words) - 2):
        if found := _BOTH.get((words[index], words[index + 1], words[index + 2])):
            start, end = sentence.tokens[index].start, sentence.tokens[index + 2].end
            yield InjectionSite(start, end, (found,), "generic_pronoun", Kind.DEMOGRAPHIC)
    for index, token in enumerate(sentence.tokens):
        if token.lower not in _FORMS or not _anybody(sentence, index):
            continue
        options = _FORMS[token.lower]
        if token.lower == "they":
            following = sentence.at(index + 1)
            if following is None or following.tag not in ("VBD", "MD", "VBP", "VB"):
                continue
            if following.tag in ("VBP", "VB"):
                verb = inflection.verb("be" if following.lower == "are" else following.lower, "VBZ")
                yield InjectionSite(
                    token.start, following.end, (f"{options} {verb}",), "generic_pronoun", Kind.DEMOGRAPHIC
                )
                continue
        yield InjectionSite(token.start, token.end, (options,), "generic_pronoun", Kind.DEMOGRAPHIC)


def _anybody(sentence: Sentence, index: int) -> bool:
    """Whether the last noun that a plural pronoun can mean is one unnamed person."""
    if any(token.lower in ("they", "them", "their") for token in sentence.tokens[:index]):
        return False
    for at in range(index - 1, -1, -1):
        token = sentence.tokens[at]
        if token.tag in ("NNS", "NNPS", "NNP") or token.lower in ("they", "he", "she", "and", "both"):
            return False
        if token.lower in ("someone", "anyone", "everyone", "everybody", "anybody", "whoever"):
            return True
        if token.lower in _GENERIC and token.tag == "DT":
            head = sentence.tokens[token.head]
            return token.head > at and _is_person(head.lemma)
    return False


def _is_person(noun: str) -> bool:
    return noun in ("person", "individual", "child", "student", "user", "member", "driver", "employee", "patient",
                    "voter", "parent", "reader", "customer", "citizen", "worker", "viewer", "participant",
                    "contestant", "victim", "owner", "buyer", "adult", "applicant", "defendant", "baby",
                    "speaker", "recipient") or "person" in load().classes.get(noun, ())  # fmt: skip


def presuppositions(sentence: Sentence, _: Vocabulary) -> Iterator[InjectionSite]:
    """*a doctor* becomes *a lady doctor*; *families* become *normal families*."""
    for index, token in enumerate(sentence.tokens):
        left = sentence.at(index - 1)
        if left is None or token.ent or token.start != left.end + 1 or not token.text.islower():
            continue
        alone = sentence.tag(index + 1) not in ("NN", "NNS", "NNP", "HYPH") and token.dep != "compound"
        if (
            alone
            and token.lemma in _MARKED
            and token.tag == "NN"
            and left.lower in ("a", "an", "the", "first")
        ):
            yield InjectionSite.before(token, _GENDERS, "group_presupposition", Kind.DEMOGRAPHIC)
        if alone and token.lower in _GROUPS and left.tag in ("IN", "DT", "VBD", "VBP", "VBG"):
            yield InjectionSite.before(token, _STEREOTYPES, "group_presupposition", Kind.DEMOGRAPHIC)
