"""Training examples from neutral sentences: words to fill in, and words that do not fit.

Masked words teach the decoder to write what a sentence has room for, as BART's own pretraining does (Lewis et al. 2020,
section 2.2, text infilling). Words swapped for others, wrong forms of them, and gaps where a word was taken out teach
it to tell what does not fit (replaced-token detection, Clark et al. 2020), which the engine asks of every candidate.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from core.text.verb_forms import verb_forms
from core.text.word_classes import load_word_classes
from training.rewriter.examples import WORD, MarkedSentence, Question, sound_places

_MASK_LENGTHS = (1, 1, 1, 2, 2, 3)
_SWAP, _OTHER_CLASS, _FORM, _GONE = 0.35, 0.15, 0.25, 0.2
_NEEDED = frozenset(("VBD", "VBZ", "VBP", "VB", "MD", "IN", "TO", "NN", "NNS"))
"""Tags of words without which a sentence is nearly always broken."""

_NOUNS = frozenset(("NN", "NNS"))
_ENDINGS = ("s", "es", "ed", "d", "ing", "ly", "er", "est", "ness", "ment", "ion", "al")


def masked_sentences(texts: Iterable[str], chooser: random.Random) -> Iterator[MarkedSentence]:
    """Each text with two or three spans of one to three words masked; the answers are the masked words."""
    for text in texts:
        words = list(WORD.finditer(text))
        if len(words) < 6:
            continue
        taken: list[Question] = []
        for _ in range(chooser.choice((2, 3))):
            first = chooser.randrange(len(words) - 3)
            last = first + chooser.choice(_MASK_LENGTHS)
            start, end = words[first].start(), words[last - 1].end()
            inside = text[start:end]
            apart = all(end + 1 < one.start or one.end + 1 < start for one in taken)
            if apart and inside.replace(" ", "").isalpha():
                taken.append(Question(start, end, inside))
        if taken:
            yield MarkedSentence(text, tuple(sorted(taken)), masked=True)


class WordSwaps:
    """Replacements by word class, drawn by their frequency in ``texts``, and other forms of a word by its stem."""

    def __init__(self, texts: Sequence[str], chooser: random.Random) -> None:
        self._classes = load_word_classes()
        self._chooser = chooser
        self._by_tag: dict[str, list[str]] = defaultdict(list)
        for text in texts:
            for match in WORD.finditer(text.lower()):
                for tag in self._classes.get(match.group(), ()):
                    self._by_tag[tag].append(match.group())
        self._tags = sorted(self._by_tag)

    def tags(self, word: str) -> frozenset[str]:
        """The tags of a word; none where it is not known."""
        return self._classes.get(word.lower(), frozenset())

    def alike(self, word: str) -> str | None:
        """Another word of one of the word's classes."""
        tags = sorted(tag for tag in self.tags(word) if tag in self._by_tag)
        return self._draw(self._chooser.choice(tags), word) if tags else None

    def unlike(self, word: str) -> str | None:
        """A word that has none of the word's classes."""
        if not self._tags:
            return None
        drawn = self._draw(self._chooser.choice(self._tags), word)
        return drawn if drawn and self.tags(drawn).isdisjoint(self.tags(word)) else None

    def form(self, word: str) -> str | None:
        """Another form of the same word, of other classes: *said* for *saying*, *election* for *elect*."""
        lower = word.lower()
        stems = {
            lower,
            *(lower[: -len(end)] for end in _ENDINGS if lower.endswith(end) and len(lower) > len(end) + 2),
        }
        stems |= {f"{stem}e" for stem in stems}
        forms = {f"{stem}{end}" for stem in stems for end in ("", *_ENDINGS)}
        for stem in stems:
            forms.update(verb_forms(stem).values())
        known = sorted(
            form
            for form in forms - {lower}
            if self.tags(form) and self.tags(form).isdisjoint(self.tags(word))
        )
        return self._chooser.choice(known) if known else None

    def _draw(self, tag: str, word: str) -> str | None:
        drawn = self._chooser.choice(self._by_tag[tag])
        return drawn if drawn != word.lower() else None


def corrupted_sentences(
    texts: Iterable[str], swaps: WordSwaps, chooser: random.Random
) -> Iterator[MarkedSentence]:
    """Each text with one word swapped, in a wrong form, followed by another, or deleted: it does not fit, others do."""
    for text in texts:
        words = [match for match in WORD.finditer(text) if match.group().isalpha()]
        if len(words) < 6:
            continue
        at = chooser.randrange(len(words) - 1)
        word = words[at].group()
        draw = chooser.random()
        start, end = words[at].span()
        if draw < _SWAP:
            new = swaps.alike(word)
        elif draw < _SWAP + _OTHER_CLASS:
            new = swaps.unlike(word)
        elif draw < _SWAP + _OTHER_CLASS + _FORM:
            new = swaps.form(word)
        elif draw < _SWAP + _OTHER_CLASS + _FORM + _GONE:
            new = "" if at and _is_needed(word, words[at + 1].group(), swaps) else None
        else:
            other = swaps.alike(word)
            new = f"{word} {other}" if other else None
        if new is None:
            continue
        if new:
            changed = text[:start] + new + text[end:]
            place = (start, start + len(new))
        else:
            gap = end
            while gap < len(text) and text[gap].isspace():
                gap += 1
            changed, place = text[:start] + text[gap:], (start, start)
        wrong = Question(*place, None, fits=False)
        wide = (place[0] - 20, place[1] + 20)
        yield MarkedSentence(changed, (wrong, *sound_places(changed, chooser, count=2, apart=[wide])))


def _is_needed(word: str, following: str, swaps: WordSwaps) -> bool:
    tags = swaps.tags(word)
    if not tags or not tags <= _NEEDED:
        return False
    return not (tags & _NOUNS and swaps.tags(following) & _NOUNS)
