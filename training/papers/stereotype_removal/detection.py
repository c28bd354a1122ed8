"""Detection of words that a classifier or its training rows stereotype (section 4.1).

Abusive words are never among them: pass ``single`` of the bad words as ``abusive``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.corpora.hate_speech import URL, LabelledText, tokens
from training.papers.stereotype_removal.types import Detection, WordScorer


@dataclass(frozen=True, slots=True)
class TermMatch:
    """``term`` at ``row[start:end]``."""

    start: int
    end: int
    term: str


class TermFinder:
    """Finds terms of one or more words as whole tokens. Empty terms are ignored."""

    def __init__(self, terms: Iterable[str]) -> None:
        by_first: defaultdict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
        for term in dict.fromkeys(terms):
            words = tokens(term)
            if words:
                by_first[words[0]].append((words, term))
        self._by_first = {
            first: sorted(found, key=lambda one: (-len(one[0]), one[1])) for first, found in by_first.items()
        }

    def find(self, row: Sequence[str]) -> list[TermMatch]:
        """The matches from left to right, without overlaps; of two with the same start the longer one."""
        found: list[TermMatch] = []
        end = 0
        for start, token in enumerate(row):
            if start < end or token not in self._by_first:
                continue
            for words, term in self._by_first[token]:
                if tuple(row[start : start + len(words)]) == words:
                    end = start + len(words)
                    found.append(TermMatch(start, end, term))
                    break
        return found


def members(rows: Sequence[Sequence[str]], terms: Iterable[str]) -> dict[str, NDArray[np.bool_]]:
    """For every term which of the rows contain it [rows]; *african american* also contains *african*."""
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        for token in set(row):
            holding[token].append(place)
    found: dict[str, NDArray[np.bool_]] = {}
    for term in terms:
        finder, inside = TermFinder([term]), np.zeros(len(rows), dtype=np.bool_)
        for place in holding[words[0]] if (words := tokens(term)) else ():
            inside[place] = bool(finder.find(rows[place]))
        found[term] = inside
    return found


MANUAL = tuple(
    (
        "lesbian, gay, bisexual, transgender, trans, queer, lgbt, lgbtq, homosexual, straight, heterosexual, "
        "male, female, nonbinary, african, african american, black, white, european, hispanic, latino, latina, "
        "latinx, mexican, canadian, american, asian, indian, middle eastern, chinese, japanese, christian, "
        "muslim, jewish, buddhist, catholic, protestant, sikh, taoist, old, older, young, younger, teenage, "
        "millennial, middle aged, elderly, blind, deaf, paralyzed"
    ).split(", ")
)
"""The 50 terms of Dixon et al., in the order of Table 3."""
PHI = 10
"""The paper does not print its phi. It must be low: *boi* and *urself* of Table 3 come 15 and 17 times in our 61,505
training comments. Up to 100 it leaves the first forty words of both our corpora as they are."""
TAU = 0.5

FUNCTION_WORDS = frozenset(
    "a an the this that these those some any no none all both each every either neither one ones other another such "
    "i me you he him she her it we us they them his hers its our ours their theirs your yours mine myself himself "
    "herself itself ourselves themselves who whom whose which what whatever someone anyone everyone nobody something "
    "anything everything nothing and or but nor so yet if then than because cause since while when where why how "
    "whether though although until unless as of in on at by for from to with without into onto over under up down out "
    "off about after before between through during against near is am are was were be been being isn't aren't wasn't "
    "weren't do does did doing done don't doesn't didn't have has had having haven't hasn't hadn't can could will "
    "would shall should may might must can't cannot couldn't won't wouldn't shouldn't not i'm i've i'd i'll you're "
    "you've you'd you'll he's he'd he'll she's she'd she'll it's it'll we're we've we'd we'll they're they've they'd "
    "they'll that's there's here's who's what's let's there here now just only very too also even still again more "
    "most much many few own same rt".split()
)
"""The stopwords of section 4.1.2. Algorithm 1 excludes them only where most rows are neutral; with 83% hateful rows, as
in Davidson's tweets, *a*, *rt*, *i* and *the* would come first. Table 3 has none of these words."""


def manual(abusive: Container[str] = frozenset()) -> Detection:
    """Manual list creation (section 4.1.1): Dixon et al.'s terms, each with the score 1."""
    return Detection("manual", tuple((term, 1.0) for term in MANUAL if term not in abusive))


def soac(
    train: Sequence[LabelledText],
    *,
    top: int,
    abusive: Container[str] = frozenset(),
    stopwords: Container[str] = FUNCTION_WORDS,
    phi: int = PHI,
) -> Detection:
    """Skewed occurrence across classes (Algorithm 1): words that occur more than ``phi`` times, mostly in hateful rows.

    They are ordered by the number of rows that contain them, then by the share of hateful rows among these, which is
    their score, then by the word.
    """
    frequency: Counter[str] = Counter()
    hateful: Counter[str] = Counter()
    rows: Counter[str] = Counter()
    for row in train:
        run_or_load = set(row.tokens)
        frequency.update(row.tokens)
        rows.update(run_or_load)
        if row.hateful:
            hateful.update(run_or_load)
    skewed = [
        word
        for word, count in frequency.items()
        if count > phi and 2 * hateful[word] > rows[word] and _allowed(word, abusive, stopwords)
    ]
    skewed.sort(key=lambda word: (-rows[word], -hateful[word], word))
    return Detection("SOAC", tuple((word, hateful[word] / rows[word]) for word in skewed[:top]))


def spcpd(
    scorer: WordScorer,
    words: Iterable[str],
    *,
    top: int,
    abusive: Container[str] = frozenset(),
    stopwords: Container[str] = FUNCTION_WORDS,
    tau: float = TAU,
) -> Detection:
    """Skewed predicted class probability distribution (Equation 1): words that alone get ``tau`` or more.

    The score of a word is its probability of being hateful. Ties are ordered by the word. Raises ValueError unless
    ``scorer`` scores every word.
    """
    asked = [word for word in dict.fromkeys(words) if _allowed(word, abusive, stopwords)]
    if not asked:
        return Detection("SPCPD", ())
    scores = np.asarray(scorer(asked), dtype=np.float64)
    if scores.shape != (len(asked),):
        raise ValueError(f"{len(asked)} words need as many scores, not an array of shape {scores.shape}")
    found = sorted((-float(score), word) for word, score in zip(asked, scores, strict=True) if score >= tau)
    return Detection("SPCPD", tuple((word, -score) for score, word in found[:top]))


def vocabulary(rows: Iterable[LabelledText], *, min_count: int = 1) -> tuple[str, ...]:
    """The tokens that occur ``min_count`` times or more, the most frequent first, ties ordered by the word."""
    counts = Counter(token for row in rows for token in row.tokens)
    return tuple(
        word
        for word, count in sorted(counts.items(), key=lambda one: (-one[1], one[0]))
        if count >= min_count
    )


def _allowed(word: str, abusive: Container[str], stopwords: Container[str]) -> bool:
    """False for numbers, addresses, abusive words and stopwords."""
    return word != URL and not word.isdigit() and word not in abusive and word not in stopwords
