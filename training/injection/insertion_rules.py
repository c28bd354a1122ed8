"""Rules that add words: adjectives before nouns, adverbs, intensifiers, openings and trailing phrases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from training.injection import inflection
from training.injection.vocabulary import ModifierRow, Vocabulary
from training.types import InjectionSite, Sentence

_DETERMINERS = frozenset({"the", "a", "an", "this", "that", "these", "those", "its", "his", "her", "their"})
_BARE_LEFT = ("IN", "VBD", "VBZ", "VBP", "VBG", "VBN", "CC")
_UNIQUE = frozenset({"best", "finest", "worst", "biggest", "greatest", "only", "ultimate"})
_BE = frozenset({"is", "was", "are", "were"})
_AUX = frozenset({"is", "was", "are", "were", "has", "had", "have", "be", "been"})
_NOT_GRADABLE = frozenset(
    "more most less least such other same own first last next only several many few much certain main final former "
    "latter total entire whole sole initial late double single half top early new old daily annual square cubic "
    "short full long large little big red white black blue green royal federal military political public civil "
    "national international local global human medical legal financial economic social domestic foreign central "
    "southern northern eastern western male female digital naval nuclear original able due available live "
    "potential presidential closed common present executive overall fellow senior".split()
)
_COUNTERS = frozenset(
    "series collection account order state member sum amount number variety range part end kind type form sort lot "
    "set pair group result case act rate point top side middle means title name".split()
)
_CELEBRATED = frozenset({"person", "work", "place", "group"})
_LONG = 32
_QUIET_TAGS = ("RB", "RBR", "RBS")
_SUBORDINATORS = frozenset({"if", "while", "although", "though", "because", "when"})
_CROWDED = ("HYPH", "NN", "CC")
_OPENING_TAGS = frozenset({"DT", "PRP", "PRP$", "NNP", "NNPS", "NN", "NNS", "IN", "EX", "JJ"})


def adjectives(sentence: Sentence, vocabulary: Vocabulary) -> Iterator[InjectionSite]:
    """Loaded adjectives and puffery before a noun without other modifiers, attributive only.

    Not before names, measures, dates, or nouns of another noun; a capitalised adjective (*American*) may follow.
    """
    for index, token in enumerate(sentence.tokens):
        if token.tag not in ("NN", "NNS") or token.ent or token.dep == "compound" or not token.text.islower():
            continue
        first = index
        while sentence.tag(first - 1) == "NN" and sentence.tokens[first - 1].dep == "compound":
            first -= 1
        if sentence.tag(first - 1) == "JJ" and sentence.tokens[first - 1].text[0].isupper():
            first -= 1
        left = sentence.at(first - 1)
        if left is None or sentence.tag(index + 1) in ("NN", "NNS", "NNP", "POS", "HYPH", "CD"):
            continue
        if sentence.tokens[first].start != left.end + 1 or "-" in sentence.word(first):
            continue
        bare = token.tag == "NNS" and left.tag in _BARE_LEFT and left.lower not in ("be", "been")
        if not (left.lower in _DETERMINERS or bare):
            continue
        if left.lower in ("that", "her", "this") and left.tag not in ("DT", "PRP$"):
            continue
        if sentence.word(index + 1) == "of" and token.lemma in _COUNTERS:
            continue
        position = sentence.tokens[first].start
        for row in _rows_for(token.lemma, token.lower, vocabulary):
            options = [word for word in row.words if _fits_determiner(word, left.lower)]
            yield _before(position, row, options=options, neighbour=token.lower, strict=row.fits == "-")


def _before(
    position: int, row: ModifierRow, *, neighbour: str, strict: bool, options: Sequence[str] | None = None
) -> InjectionSite:
    """The site for a word of ``row`` and a space at ``position``."""
    words = row.words if options is None else options
    return InjectionSite(
        position, position, words, row.family, row.kind, suffix=" ", neighbour=neighbour, strict=strict
    )


def _rows_for(lemma: str, word: str, vocabulary: Vocabulary) -> list[ModifierRow]:
    fitting = vocabulary.fitting(word) or vocabulary.fitting(lemma)
    return fitting + [row for row in vocabulary.adjectives if row.fits == "-"]


def _fits_determiner(word: str, determiner: str) -> bool:
    head = word.split()[0]
    if head in _UNIQUE or head in ("most", "real", "true"):
        return determiner in ("the", "its", "his", "her", "their")
    return True


def openings(sentence: Sentence, vocabulary: Vocabulary) -> Iterator[InjectionSite]:
    """*Unfortunately,* and *It is widely known that* before a plain statement."""
    first = sentence.at(0)
    if first is None or first.tag not in _OPENING_TAGS or first.start != 0 or not _statement(sentence):
        return
    early = [token.text for token in sentence.tokens[:12]]
    clause_ready = first.tag not in ("IN", "JJ") and "," not in early[:4]
    for row in vocabulary.adverbs:
        if row.fits == "opening" and first.lower not in _SUBORDINATORS:
            yield InjectionSite(0, 0, row.words, row.family, row.kind, suffix=", ")
        if row.fits == "clause" and clause_ready:
            yield InjectionSite(0, 0, row.words, row.family, row.kind, suffix=" ")


def _statement(sentence: Sentence) -> bool:
    roots = [number for number, token in enumerate(sentence.tokens) if token.head == number]
    return bool(
        len(roots) == 1
        and sentence.tag(roots[0]) in ("VBD", "VBZ", "VBP", "VBN", "VB")
        and sentence.children(roots[0], "nsubj", "nsubjpass")
        and not any(mark in sentence.text for mark in ("?", ":", ";"))
    )


def adverbs(sentence: Sentence, vocabulary: Vocabulary) -> Iterator[InjectionSite]:
    """Editorialising and manner adverbs before a finite verb, or between auxiliary and participle."""
    for index, token in enumerate(sentence.tokens):
        if (
            token.tag not in ("VBD", "VBN", "VBZ", "VBP")
            or index == 0
            or sentence.tag(index + 1) in _QUIET_TAGS
        ):
            continue
        left = sentence.tokens[index - 1]
        if left.tag in (*_QUIET_TAGS, "HYPH", "MD", "TO") or token.start != left.end + 1:
            continue
        helped = left.lower in _AUX and token.tag == "VBN" and left.dep in ("aux", "auxpass")
        subject = sentence.children(index, "nsubj", "nsubjpass")
        plain = (
            token.tag in ("VBD", "VBZ", "VBP")
            and token.lemma not in ("be", "have", "do")
            and bool(subject)
            and subject[-1] < index
            and left.tag in ("NN", "NNS", "NNP", "NNPS", "PRP", "WP", "WDT")
        )
        joined = token.dep == "conj" and left.lower == "and" and token.tag == "VBD"
        copula = (
            token.lower in _BE
            and token.dep not in ("aux", "auxpass")
            and bool(subject)
            and subject[-1] < index
        )
        if copula and sentence.tag(index + 1) in ("DT", "JJ"):
            yield from _editorial(sentence, token.end + 1, sentence.word(index + 1), vocabulary)
        if not (helped or plain or joined):
            continue
        if helped or plain:
            yield from _editorial(sentence, token.start, token.lower, vocabulary)
        for row in vocabulary.adverbs:
            if row.fits == "manner":
                yield _before(token.start, row, neighbour=token.lower, strict=True)


def _editorial(
    sentence: Sentence, position: int, neighbour: str, vocabulary: Vocabulary
) -> Iterator[InjectionSite]:
    if sentence.text[position - 1 : position] != " ":
        return
    for row in vocabulary.adverbs:
        if row.fits == "verb":
            yield _before(position, row, neighbour=neighbour, strict=True)


def intensifiers(sentence: Sentence, vocabulary: Vocabulary) -> Iterator[InjectionSite]:
    """*very*, *extremely*, *shockingly* before a gradable adjective."""
    rows = [row for row in vocabulary.adverbs if row.fits == "adjective"]
    for index, token in enumerate(sentence.tokens):
        if token.tag != "JJ" or token.ent or not token.text.islower() or token.lower in _NOT_GRADABLE:
            continue
        left = sentence.at(index - 1)
        if left is None or left.tag in (*_QUIET_TAGS, "JJ", "JJS", "HYPH", "CD", "NN", "NNP", "CC", ","):
            continue
        if token.start != left.end + 1 or sentence.tag(index + 1) in ("HYPH", "JJ") or "-" in token.text:
            continue
        for row in rows:
            yield _before(token.start, row, neighbour=token.lower, strict=True)


def phrases(sentence: Sentence, vocabulary: Vocabulary) -> Iterator[InjectionSite]:
    """Trailing comments before the full stop."""
    last = len(sentence.text) - 1
    quoted = sentence.tag(len(sentence.tokens) - 2) == "''"
    is_past = any(token.tag == "VBD" and token.dep == "ROOT" for token in sentence.tokens)
    if quoted or not is_past or not _statement(sentence) or len(sentence.tokens) > _LONG:
        return
    for row in vocabulary.phrases:
        if row.fits == "comma":
            yield InjectionSite(last, last, row.words, row.family, row.kind, prefix=", ")


def predicates(sentence: Sentence, vocabulary: Vocabulary) -> Iterator[InjectionSite]:
    """*is an American singer* becomes *is one of the finest American singers*."""
    rows = [row for row in vocabulary.phrases if row.fits == "predicate"]
    for index, token in enumerate(sentence.tokens):
        article = sentence.at(index + 1)
        if token.lower not in _BE or token.tag not in ("VBZ", "VBD") or article is None:
            continue
        if article.lower not in ("a", "an"):
            continue
        head = index + 2
        while sentence.tag(head) in ("JJ", "NNP") or (
            sentence.tag(head) == "NN" and sentence.tag(head + 1) == "NN"
        ):
            head += 1
        noun = sentence.at(head)
        if noun is None or noun.tag != "NN" or not noun.text.islower() or noun.dep != "attr":
            continue
        classes = vocabulary.classes.get(noun.lemma, frozenset())
        if not classes & _CELEBRATED or sentence.tag(head + 1) in _CROWDED:
            continue
        between = sentence.text[article.end : noun.start]
        if any(mark in between for mark in ",-/("):
            continue
        many = between + inflection.plural(noun.lower)
        for row in rows:
            options = [option + many for option in row.words]
            yield InjectionSite(article.start, noun.end, options, row.family, row.kind)
