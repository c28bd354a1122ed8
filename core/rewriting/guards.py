"""Guards for rewriting: which sentences are rewritten at all, and what a suggestion must preserve (numbers, names,
negations, doubt, quotations, grammar).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from core.documents.sentences import split
from core.i18n import tr
from core.rewriting.edits import Passage
from core.rewriting.refusals import Refusal
from core.rewriting.word_fit import fits
from core.text.diff import TextEdit
from core.text.english import (
    BE_FORMS,
    CONJUNCTIONS,
    DEGREE_WORDS,
    DETERMINERS,
    FUNCTION_WORDS,
    NEVER_AFTER_DETERMINER,
    PREPOSITIONS,
    has_capitals,
    indefinite_article,
    is_all_capitals,
    is_headline,
    is_sentence_start,
    without_case_and_accents,
)
from core.text.tokens import WORD, has_letter, last_word
from core.text.word_classes import load_word_classes

MAX_WORDS = 120
MAX_CHARACTERS = 2_000
TOO_LONG = tr("This sentence is too long to rewrite.")
QUOTED = tr("These are a speaker's own words; quotations are not rewritten.")
NO_SUGGESTION = tr("No suitable suggestion found.")
NONE_IN_SENTENCE = tr("No suitable suggestion found for any finding of this sentence.")
NOT_EDITABLE = tr("These words contain markup, a quotation or a link, so they are not reworded.")
NO_SUGGESTION_IN_RULE = tr("The rule makes no suggestion.")
NOT_PROSE = tr("This is a list or a table row, not a sentence; it is not rewritten.")
FOREIGN = tr("This does not look like English, so it is not rewritten.")

_ENGLISH = frozenset(
    "the of and to was were that with for this from by which has have had are been not they their who will would its "
    "but she it he his her as at be is in on or an when after than".split()
)
_OTHERS = frozenset(
    "le la les des du et est dans pour que qui sur une avec il elle der die das und ist nicht mit ein eine den von für "
    "auf dem el los las del y en por con para una di che per non della gli het een van dat niet zijn os da em uma não "
    "och det att som på är til av av ikke jest się na nie że w z".split()
)
_ADJECTIVE = frozenset(("JJ",))
_ADJECTIVES, _ADVERBS = frozenset(("JJ", "JJS", "VBN")), frozenset(("RB", "RBS"))
_JOINER = re.compile(r"(?:[,&]|\s(?:and|or|but|yet|as well as))$", re.IGNORECASE)
_NEXT_WORD = re.compile(rf"\s*,?\s*({WORD.pattern})")
_JOINER_LENGTH = 16
_QUANTIFIERS = frozenset("this that these those some any each no many few several".split())
_SUBORDINATORS = frozenset("although though because while whereas unless whether if since".split())
_CELLS = re.compile(r"\s\|\s|\||\t| {3,}")
_FEW, _LIST, _COMMAS = 4, 8, 0.3


def reason_to_skip(text: str) -> str:
    """Why the prose ``text`` is not rewritten, as a message; empty where it is an English sentence."""
    if len(text) > MAX_CHARACTERS:
        return TOO_LONG
    words = WORD.findall(text)
    if len(words) > MAX_WORDS:
        return TOO_LONG
    letters = [character for character in text if character.isalpha()]
    latin = sum(character < "\u0250" for character in letters)
    if not letters or 2 * latin < len(letters):
        return FOREIGN
    lower = [word.lower() for word in words]
    english = sum(word in _ENGLISH for word in lower)
    if sum(word in _OTHERS for word in lower) > english:
        return FOREIGN
    if len(_CELLS.findall(text)) > 1:
        return NOT_PROSE
    listed = len(words) >= _LIST and not english
    commas = text.count(",") + text.count(";")
    return (
        NOT_PROSE if listed or (len(words) >= _FEW and not english and commas > _COMMAS * len(words)) else ""
    )


_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*|[%$€£¥°]")
_NUMBER_WORDS = frozenset(
    "zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands "
    "million millions billion billions trillion dozen dozens half third thirds quarter quarters twice thrice first "
    "second fourth fifth sixth seventh eighth ninth tenth percent double triple".split()
)
_NEGATION = re.compile(
    r"n\s?['’]\s?t\b|\b(?:not|cannot|never|no|none|nobody|nothing|nowhere|without|nor|neither|hardly|scarcely|barely|"
    r"rarely|seldom|unable|lacks?|lacked|lacking|fail(?:s|ed|ing)? to|refus(?:e|es|ed|ing) to|den(?:y|ies|ied|ying))\b",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:alleged(?!\s+(?:that|the|an?|he|she|it|they|in)\b)|allegedly|reputed|reputedly|"
    r"reportedly|rumou?red|supposed|supposedly|purported|purportedly|ostensible|ostensibly|putative|putatively|"
    r"presumed|presumably|suspected|apparent|apparently|possible|possibly|perhaps|probable|probably|potential|"
    r"potentially|would\s?-\s?be|so(?:\s?-\s?|\s)called|might|may(?=\s+(?:be|have|not)\b)|"
    r"self\s?-\s?(?:styled|proclaimed|described|declared|appointed)|claim(?:s|ed|ing)? to (?:be|have)|"
    r"(?:said|thought|believed) to (?:be|have))\b",
    re.IGNORECASE,
)
_ATTRIBUTION = re.compile(
    r"\b(?:(?:says?|said) (?:that|he|she|it|they)|according to|described (?:as|by)|known as|accused of|called by)\b",
    re.IGNORECASE,
)
_UNTRUE = re.compile(
    r"\b(?:falsely|false|wrongly|wrongfully|incorrectly|mistakenly|inaccurately|untrue|unproven|unverified|unconfirmed|"
    r"unsubstantiated|unsupported|disputed|discredited|debunked)\b",
    re.IGNORECASE,
)
_OPPOSITE = re.compile(r"(?:un|in|im|il|ir|dis|non-?|anti-?)(\w{3,})|(\w{3,})less(?:ness|ly)?")
_NO_OPPOSITES = frozenset(("invaluable",))
_MARKS = re.compile("[\"“”„«»‹›「」『』()\\[\\]{}<>|*_`~^=#]|''|//|``")
_TYPED = re.compile(r"[^\W_]*(?:[\s'’,.%$£€&/‐‑-]+[^\W_]+)*[\s'’,.%]*")
_UNTIDY = re.compile(r",\s*,|[—–-]\s+[—–-]|\(\s*\)|\s{2,}|,[\"”’']{0,2}\s*[.;:!?]")
_SPACED_MARK = re.compile(r"\s[,.;:!?]")
_ARTICLE = re.compile(r"(?<![\w'’.-])([Aa]n?|AN)\s+(?=\S?$)")
_STOP = frozenset(",.;:!?)]")
_FINITE = re.compile(r"\w+ed\s+(?:that|to|the|an?|his|her|their|its)\b", re.IGNORECASE)
"""A verb in the past tense with its object, which cannot follow an article."""

_OWNER = re.compile(r"['’]s$")
_NAME_TAIL = re.compile(r"['’]s?$")
_ORDINARY_END = re.compile(
    r"(?:ly|ful|ous|ive|less|able|ible|ing|ed|ish|ical|ory|ism|ists?|ment|ness|tion|ity|est|ent|ant|al|ic|ary)$"
)

IsOrdinary = Callable[[str], bool]
"""Whether a capitalised word at the start of a sentence is known not to be a name."""


def find_refusal(
    passage: Passage, changes: Sequence[TextEdit], *, ordinary: IsOrdinary, given: bool = False
) -> Refusal | None:
    """What ``changes`` do not preserve, or that they leave no well-formed sentence; None where they are acceptable.

    ``given``: people put the new words in the place of the old ones, so their word class is not compared.
    """
    old, new = passage.text, passage.apply(changes)
    before, after = (without_case_and_accents(" ".join(text.split())) for text in (old, new))
    if not changes or before == after:
        return Refusal.UNCHANGED
    if not (
        all(map(passage.allows, changes))
        and count_numbers(old) == count_numbers(new)
        and count_negations(old) == count_negations(new)
        and not _turns_opposite(old, new)
        and keeps_names(old, new, ordinary=ordinary)
        and Counter(_MARKS.findall(old)) == Counter(_MARKS.findall(new))
    ):
        return Refusal.FACT_LOST
    if not keeps_doubt(old, new):
        return Refusal.DOUBT_LOST
    well_formed = (
        all(_TYPED.fullmatch(change.text) for change in changes)
        and all((given and change.text) or fits(passage, change) for change in changes)
        and _is_tidy(old, new)
        and not any(_leaves_degree(passage, change) or _takes_joint(passage, change) for change in changes)
        and not any(_dangles(new, at) or _wrong_article(new, at) for at in _joints(changes))
        and leaves_no_remnant(passage, changes)
    )
    return None if well_formed else Refusal.NOT_ENGLISH


def leaves_no_remnant(passage: Passage, changes: Sequence[TextEdit]) -> bool:
    """Whether the deletions among ``changes`` leave no conjunction, comma or link that needs what they take out.

    Every candidate has to pass this, one of a style pack as well, whose other words are its author's decision.
    """
    deletions = [change for change in changes if not change.text]
    if not deletions:
        return True
    old, new = passage.text, passage.apply(changes)
    return (
        passage.keeps_labels(changes)
        and len(_UNTIDY.findall(new)) <= len(_UNTIDY.findall(old))
        and not any(_leaves_joint(passage.text, change) for change in deletions)
        and not any(_dangles(new, at) for at in _joints(changes, only_deletions=True))
    )


def count_numbers(text: str) -> Counter[str]:
    """The digits, their signs, and number words of a text."""
    found = Counter(_NUMBER.findall(text))
    for word in WORD.findall(text.lower()):
        if all(part in _NUMBER_WORDS for part in re.split(r"[-‐‑]", word)):
            found[word] += 1
    return found


def count_negations(text: str) -> Counter[str]:
    """The negations of a text; all forms of *not* count as one."""
    found = (match.group().lower() for match in _NEGATION.finditer(text))
    return Counter("not" if re.search(r"n\s?['’]\s?t$|^(?:not|cannot)$", word) else word for word in found)


def _turns_opposite(old: str, new: str) -> bool:
    """Whether a word of ``old`` lost the part that negates it: *lawlessness* became *law*, *unfair* *fair*."""
    before, after = Counter(WORD.findall(old.lower())), Counter(WORD.findall(new.lower()))
    gained = after - before
    stems = (
        match[1] or match[2]
        for word in before - after
        if word not in _NO_OPPOSITES and (match := _OPPOSITE.fullmatch(word))
    )
    return any(stem in gained for stem in stems)


def keeps_doubt(old: str, new: str) -> bool:
    """Whether what ``old`` leaves open or calls untrue is not a fact in ``new``.

    *Alleged*, *reputed* or *so-called* may become another such word or an attribution; *falsely* another word that says
    the same.
    """
    lost = len(_DOUBT.findall(old)) - len(_DOUBT.findall(new))
    attributed = len(_ATTRIBUTION.findall(new)) - len(_ATTRIBUTION.findall(old))
    return lost <= max(0, attributed) and len(_UNTRUE.findall(old)) <= len(_UNTRUE.findall(new))


def keeps_names(old: str, new: str, *, ordinary: IsOrdinary) -> bool:
    """Whether ``new`` has the same names as ``old``, each as often.

    A name is capitalised where its position does not require it. The first word must stay unless it is ``ordinary``. In
    texts without capitals, headlines and all capitals, names cannot be recognised.
    """
    if not has_capitals(old) or is_all_capitals(old):
        return True
    headline = is_headline(old)
    kept, came = _names(old, headline=headline), _names(new, headline=headline)
    if not headline and (first := _first(old)) and first[1:] == first[1:].lower() and not ordinary(first):
        kept[_bare(first)] += 1  # With a capital inside, as in an acronym, it is counted already.
    had, has = _capitals(old), _capitals(new)
    return not kept - has and all(has[name] <= had[name] for name in kept | came)


def may_be_ordinary(word: str) -> bool:
    """Whether ``word`` is a function word or has an ending that names seldom have."""
    lower = word.lower()
    return lower in FUNCTION_WORDS or (len(lower) > 5 and _ORDINARY_END.search(lower) is not None)


def _names(text: str, *, headline: bool) -> Counter[str]:
    found: Counter[str] = Counter()
    for match in WORD.finditer(text):
        word = match.group()
        inner = any(map(str.isupper, word[1:]))
        first = word[0].isupper() and not headline and not is_sentence_start(text, match.start())
        if (inner or first) and word.lower().replace("’", "'").split("'")[0] != "i":
            found[_bare(word)] += 1
    return found


def _capitals(text: str) -> Counter[str]:
    return Counter(_bare(word) for word in WORD.findall(text) if any(map(str.isupper, word)))


def _first(text: str) -> str:
    match = WORD.search(text)
    return match.group() if match and match.group()[0].isupper() else ""


def _bare(name: str) -> str:
    return _NAME_TAIL.sub("", name)


def _is_tidy(old: str, new: str) -> bool:
    """Whether ``new`` has enough words, no new repetition, no stray marks, and as many sentences as ``old``."""
    before, after = (WORD.findall(text.lower()) for text in (old, new))
    return (
        has_letter(new)
        and len(after) >= min(len(before), 2)
        and _repeats(after) <= _repeats(before)
        and len(_UNTIDY.findall(new)) <= len(_UNTIDY.findall(old))
        and len(_SPACED_MARK.findall(new)) <= len(_SPACED_MARK.findall(old))
        and len(split(new)) == len(split(old))
        and (new[:1].isalnum() or not old[:1].isalnum())
        and (not old[-1:] or old[-1].isalnum() == new[-1].isalnum())
    )


def _repeats(words: Sequence[str]) -> int:
    return sum(one == other for one, other in pairwise(words))


def _joints(changes: Sequence[TextEdit], *, only_deletions: bool = False) -> list[int]:
    """Offsets in the new text where old and new words meet."""
    joints, shift = [], 0
    for change in changes:
        start = change.start + shift
        if not (only_deletions and change.text):
            joints += [start, start + len(change.text)]
        shift += len(change.text) - (change.end - change.start)
    return joints


def _dangles(text: str, at: int) -> bool:
    """Whether the word before ``text[at]`` needs a following word that is missing."""
    while at < len(text) and text[at - 1 : at].isalnum() and text[at].isalnum():
        at += 1
    before = text[:at].rstrip()
    words = WORD.findall(before[-60:])
    if not words or not before.endswith(words[-1]):
        return False
    ahead = text[at:].lstrip()
    last, following = words[-1].lower(), WORD.match(ahead)
    if following is not None:
        word = following.group().lower()
        if last in DETERMINERS:
            return word in NEVER_AFTER_DETERMINER or _FINITE.match(ahead) is not None
        return (last in BE_FORMS or _OWNER.search(last) is not None) and word in CONJUNCTIONS | PREPOSITIONS
    if ahead and ahead[0] not in _STOP:
        return False
    return (
        last in DETERMINERS | PREPOSITIONS | BE_FORMS | CONJUNCTIONS | DEGREE_WORDS
        or _OWNER.search(last) is not None
    )


def _wrong_article(text: str, at: int) -> bool:
    """Whether *a* precedes ``text[at]`` where *an* is right, or the other way round."""
    article = _ARTICLE.search(text[: at + 1])
    following = WORD.match(text, article.end()) if article else None
    if article is None or following is None:
        return False
    word = following.group()
    return article[1].lower() != indefinite_article(word.lower() if is_all_capitals(text) else word)


def _takes_joint(passage: Passage, change: TextEdit) -> bool:
    """Whether a deletion takes out what holds the sentence together: *any* alone, *even though*, *of innovative*."""
    words = [word.lower() for word in WORD.findall(passage.text[change.start : change.end])]
    if change.text or not words:
        return False
    tags = load_word_classes().get(words[-1], frozenset[str]())
    return (
        words[-1] in _SUBORDINATORS
        or words in (["any"], ["each"], ["every"])
        or (words[0] in PREPOSITIONS and len(words) > 1 and tags == _ADJECTIVE)
    )


def _leaves_joint(text: str, change: TextEdit) -> bool:
    """Whether a deletion leaves a conjunction or a comma beside it that joined its last word to another of its class:
    *renowned and poet*, *renowned, poet*, *two and renowned poets*.
    """
    gone = WORD.findall(text[change.start : change.end])
    if not gone:
        return False
    tags, following = _tags(gone[-1]), _NEXT_WORD.match(text, change.end)
    after = following[1].lower() if following else ""
    left = text[: change.start].rstrip()
    if joiner := _JOINER.search(left[-_JOINER_LENGTH:]):
        first = last_word(left[: len(left) - len(joiner.group())].rstrip().rstrip(","))
        return first is not None and _joined(first.group(), tags, after)
    before = last_word(left)
    word = before.group().lower() if before else ""
    return after in CONJUNCTIONS and (
        word in CONJUNCTIONS | DETERMINERS | BE_FORMS | DEGREE_WORDS | _QUANTIFIERS
        or "CD" in _tags(word)
        or (word in PREPOSITIONS and "JJ" in tags)
    )


def _joined(first: str, tags: frozenset[str], after: str) -> bool:
    """Whether ``first`` and a deleted word with ``tags`` are both adjectives or both adverbs, unlike ``after``."""
    return any(
        not kind.isdisjoint(_tags(first)) and not kind.isdisjoint(tags) and kind.isdisjoint(_tags(after))
        for kind in (_ADJECTIVES, _ADVERBS)
    )


def _tags(word: str) -> frozenset[str]:
    return load_word_classes().get(word.lower(), frozenset())


def _leaves_degree(passage: Passage, change: TextEdit) -> bool:
    """Whether the deletion would leave a *very* before it to modify the next word."""
    words = WORD.findall(passage.text[: change.start][-60:])
    return not change.text and bool(words) and words[-1].lower() in DEGREE_WORDS
