"""Rules that change words: report verbs, loaded and entailing verbs, labels, exaggeration, gendered nouns."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from training.injection import inflection
from training.injection.vocabulary import Swap, Vocabulary
from training.types import InjectionSite, Sentence

_VERB_TAGS = ("VBD", "VBZ", "VBP", "VBG", "VBN", "VB")
_OBJECT = ("dobj", "obj")
_AS_WRITTEN = frozenset({"exact", "word", "mass", "adjective", "known", "number"})
_GOES_ON = frozenset("to by from in into . and with at against for on".split())
_QUANTITIES = frozenset({"many", "some", "several", "various"})
_FIXED = frozenset(
    "- civil world foster cold human public natural political military social legal common star "
    "in as by on under at".split()
)
_BARE = ("DT", "PRP$", "JJ", "IN", "VBD", "VBZ", "VBP", "VBG", "VBN", "VB", "CC", "TO", "CD", "POS", ",")


def swaps(sentence: Sentence, vocabulary: Vocabulary) -> Iterator[InjectionSite]:
    """Every word or phrase of up to three words that a row of ``swaps.tsv`` may replace here, in its form."""
    for index, token in enumerate(sentence.tokens):
        for count in (3, 2, 1):
            run = sentence.tokens[index : index + count]
            if len(run) < count or (count > 1 and any(part.ent and part.text.istitle() for part in run[1:])):
                continue
            phrase = " ".join([part.lower for part in run[:-1]] + [run[-1].lemma.lower()])
            shown = " ".join(part.lower for part in run)
            head = index + count - 1
            fitting = [swap for swap in vocabulary.swaps.get(phrase, ()) if swap.part not in _AS_WRITTEN]
            fitting += [swap for swap in vocabulary.swaps.get(shown, ()) if swap.part in _AS_WRITTEN]
            for swap in fitting:
                if swap.part in ("noun", "mass") and not _free_left(sentence, index):
                    continue
                if not _ALLOWED[swap.part](sentence, head):
                    continue
                options = _forms(swap, sentence, head)
                if options:
                    yield InjectionSite(token.start, run[-1].end, options, swap.family, swap.kind)


def _forms(swap: Swap, sentence: Sentence, index: int) -> list[str]:
    token = sentence.tokens[index]
    if swap.part in _VERB_PARTS:
        forms = [inflection.verb(words, token.tag) for words in swap.biased]
        return [form for form in forms if swap.part != "transitive" or token.tag != "VBN" or " " not in form]
    if swap.part in ("noun", "title") and token.tag == "NNS":
        return [inflection.plural(words) for words in swap.biased]
    if swap.part == "exact" and sentence.tag(index - 1) == "DT":
        return [words.removeprefix("the ") for words in swap.biased]
    return list(swap.biased)


def _is_verb(sentence: Sentence, index: int) -> bool:
    token = sentence.tokens[index]
    return (
        token.tag in _VERB_TAGS
        and token.dep not in ("aux", "auxpass", "amod", "compound")
        and not token.ent
        and sentence.word(index + 1) != "-"
        and sentence.tag(index - 1) != "HYPH"
        and not sentence.children(index, "prt")
    )


def _has_object(sentence: Sentence, index: int) -> bool:
    return bool(sentence.children(index, *_OBJECT)) or (
        sentence.tag(index) == "VBN" and bool(sentence.children(index, "nsubjpass"))
    )


def _verb(sentence: Sentence, index: int) -> bool:
    return _is_verb(sentence, index) and _has_object(sentence, index)


def _active(sentence: Sentence, index: int) -> bool:
    return _verb(sentence, index) and sentence.tag(index) != "VBN"


def _intransitive(sentence: Sentence, index: int) -> bool:
    token = sentence.tokens[index]
    return (
        _is_verb(sentence, index)
        and token.tag != "VBN"
        and not sentence.children(index, *_OBJECT, "nsubjpass", "xcomp", "ccomp", "acomp", "attr", "oprd")
        and sentence.word(index + 1) in _GOES_ON
        and sentence.word(index + 1) + sentence.word(index + 2) not in ("inlove", "forgranted", "onto")
    )


def _report(sentence: Sentence, index: int) -> bool:
    return (
        _is_verb(sentence, index)
        and bool(sentence.children(index, "ccomp"))
        and not sentence.children(index, *_OBJECT, "nsubjpass", "dative")
        and min(sentence.children(index, "ccomp")) > index
    )


def _tell(sentence: Sentence, index: int) -> bool:
    return (
        _is_verb(sentence, index)
        and bool(sentence.children(index, *_OBJECT))
        and bool(sentence.children(index, "ccomp"))
    )


def _infinitive(sentence: Sentence, index: int) -> bool:
    return (
        _is_verb(sentence, index)
        and bool(sentence.children(index, "xcomp"))
        and sentence.word(index + 1) == "to"
        and sentence.tag(index) != "VBN"
    )


def _die(sentence: Sentence, index: int) -> bool:
    return (
        _is_verb(sentence, index)
        and sentence.tag(index) in ("VBD", "VBZ", "VBP")
        and (sentence.word(index + 1) in ("in", "on", "at", ".", ",", "from", "after", "and"))
    )


def _followed_by(*words: str) -> Callable[[Sentence, int], bool]:
    def allowed(sentence: Sentence, index: int) -> bool:
        return _is_verb(sentence, index) and sentence.word(index + 1) in words

    return allowed


def _naming(sentence: Sentence, index: int) -> bool:
    return (
        _is_verb(sentence, index)
        and bool(sentence.children(index, "oprd"))
        and sentence.tag(index) in ("VBN", "VBD")
    )


def _have(sentence: Sentence, index: int) -> bool:
    subjects = sentence.children(index, "nsubj")
    return (
        _is_verb(sentence, index)
        and sentence.tag(index) in ("VBZ", "VBD")
        and bool(subjects)
        and sentence.tokens[subjects[0]].tag in ("NN", "NNP")
        and sentence.tokens[subjects[0]].ent != "PERSON"
        and sentence.word(index + 1) in ("a", "an", "several", "many", "over")
        and bool(sentence.children(index, *_OBJECT))
    )


def _noun(sentence: Sentence, index: int) -> bool:
    token = sentence.tokens[index]
    return (
        token.tag in ("NN", "NNS")
        and not token.ent
        and token.text.islower()
        and token.dep != "compound"
        and sentence.tag(index + 1) not in ("HYPH", "NN", "NNP", "CD", "SYM")
        and sentence.word(index + 1) != "/"
    )


def _free_left(sentence: Sentence, index: int) -> bool:
    """Whether the noun that starts at ``index`` is no part of a name, a compound or a set phrase."""
    left, token = sentence.at(index - 1), sentence.tokens[index]
    if left is None:
        return token.tag in ("NN", "NNS")
    bare = token.tag == "NN" and left.tag[:2] in ("VB", "IN", "CC")
    named = left.tag == "JJ" and left.text[0].isupper()
    return left.tag in _BARE and not bare and not named and left.lower not in _FIXED


def _title(sentence: Sentence, index: int) -> bool:
    return sentence.tag(index) == "NN" and sentence.word(index + 1) in ("of", "and", ",", ".", "for")


def _word(sentence: Sentence, index: int) -> bool:
    before, after = sentence.tag(index - 1), sentence.tag(index + 1)
    if sentence.word(index) in _QUANTITIES:
        return after == "NNS" and before not in ("DT", "RB", "PRP$", "IN", "RBR")
    return sentence.tag(index) == "RB" and before not in ("RB", "DT") and after != "RB"


def _adjective(sentence: Sentence, index: int) -> bool:
    token = sentence.tokens[index]
    return (
        token.tag == "JJ"
        and not token.ent
        and token.text.islower()
        and sentence.tag(index - 1) not in ("RB", "RBR", "RBS", "HYPH", "JJ")
        and sentence.tag(index + 1) in ("NN", "NNS", ".", ",", "IN")
        and sentence.word(index - 1) not in ("as", "so")
    )


def _exact(sentence: Sentence, index: int) -> bool:
    return sentence.tag(index + 1) not in ("HYPH", "POS", "NNP") and sentence.tag(index - 1) not in (
        "HYPH",
        "NNP",
        "CD",
    )


def _known(sentence: Sentence, index: int) -> bool:
    return (
        sentence.word(index + 1) == "for" and sentence.tag(index) == "VBN" and sentence.tag(index - 1) != "RB"
    )


def _number(sentence: Sentence, index: int) -> bool:
    following = sentence.at(index + 1)
    return (
        following is not None
        and following.tag == "CD"
        and following.ent not in ("DATE", "TIME")
        and sentence.tag(index - 1) not in ("DT", "JJ")
    )


_ALLOWED: dict[str, Callable[[Sentence, int], bool]] = {
    "verb": _verb,
    "transitive": _verb,
    "active": _active,
    "intransitive": _intransitive,
    "report": _report,
    "tell": _tell,
    "infinitive": _infinitive,
    "die": _die,
    "capture": lambda sentence, index: _verb(sentence, index) and sentence.tokens[index].lemma == "capture",
    "appear": _followed_by("in"),
    "accuse": _verb,
    "consider": lambda sentence, index: (
        sentence.tokens[index].lemma == "regard" and sentence.word(index + 1) == "as"
    ),
    "naming": _naming,
    "have": _have,
    "noun": _noun,
    "title": _title,
    "mass": _noun,
    "word": _word,
    "adjective": _adjective,
    "exact": _exact,
    "known": _known,
    "number": _number,
}
_VERB_PARTS = frozenset(
    "verb transitive active intransitive report tell infinitive die capture appear accuse consider naming have".split()
)
