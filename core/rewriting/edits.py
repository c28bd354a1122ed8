"""Passages: the prose of a sentence with its offsets in the source, and edits that replace words in it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from core.documents import Document, Sentence, prose
from core.documents.characters import is_invisible
from core.documents.format_specs import FORMATS
from core.text.diff import TextEdit, apply_edits
from core.text.english import (
    CONJUNCTIONS,
    DEGREE_WORDS,
    DETERMINERS,
    FUNCTION_WORDS,
    PREPOSITIONS,
    capitalise,
    has_content_word,
    indefinite_article,
    is_all_capitals,
    is_sentence_start,
    match_case,
    without_case_and_accents,
)
from core.text.tokens import WORD, last_word
from core.text.word_classes import load_word_classes

_ADJECTIVE = frozenset(("JJ",))
_LIKE_ADJECTIVES = frozenset(("JJ", "JJS", "VBN", "VBG"))
_BEFORE_ADJECTIVE = DETERMINERS | {"her", "this", "that", "these", "those", "some", "no", "each"}
_AROUND = 3
"""Characters by which the brackets of a link may extend beyond a sentence."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of a document.

    ``text`` is its prose; ``offsets[i]`` is the source offset of ``text[i]``; ``editable[i]`` says whether that
    character may be changed: it is no gap's, no quotation's and no link's target. ``ends`` is that of its `Prose`.
    ``joints`` are the indices before which markup stands that shows nothing; ``inner`` those of them inside a word.
    """

    source: str
    sentence: Sentence
    text: str
    offsets: tuple[int, ...]
    editable: tuple[bool, ...]
    ends: Mapping[int, int] = field(default_factory=dict)
    joints: tuple[int, ...] = ()
    inner: frozenset[int] = frozenset()

    def is_editable(self, start: int, end: int) -> bool:
        """Whether ``text[start:end]`` may be changed: no markup stands in it but inside a word."""
        if not 0 <= start < end <= len(self.text) or self._is_inside(start) or self._is_inside(end):
            return False
        return all(self.editable[start:end]) and all(
            joint in self.inner for joint in self._joints(start, end)
        )

    def allows(self, change: TextEdit) -> bool:
        """Whether a change may be made. Of a word that markup cuts, no part inside the markup may become empty."""
        return self.is_editable(change.start, change.end) and self._texts(change) is not None

    def keeps_labels(self, changes: Sequence[TextEdit]) -> bool:
        """Whether no deletion among ``changes`` (sorted, disjoint) leaves markup around nothing or function words:
        ``[and](https://a.b)``.

        A stretch between markup that begins or ends with white space is taken to stand outside of it.
        """
        borders = [0, *(joint for joint in self.joints if joint not in self.inner), len(self.text)]
        for start, end in pairwise(borders if any(not change.text for change in changes) else ()):
            label = self.text[start:end]
            inside = [change for change in changes if start <= change.start and change.end <= end]
            if label != label.strip() or not any(
                change.start < change.end and not change.text for change in inside
            ):
                continue
            if (start, end) != (0, len(self.text)) and not has_content_word(
                apply_edits(label, inside, offset=start)
            ):
                return False
        return True

    def edits(self, changes: Sequence[TextEdit]) -> tuple[TextEdit, ...]:
        """``changes`` (sorted, disjoint, each allowed) as edits of the source."""
        return tuple(
            TextEdit(self.offsets[start], self._end(end - 1), put)
            for change in changes
            for (start, end), put in zip(self._parts(change), self._texts(change) or (), strict=True)
        )

    def apply(self, changes: Sequence[TextEdit]) -> str:
        """The prose after ``changes``."""
        return apply_edits(self.text, changes)

    def apply_to_source(self, changes: Sequence[TextEdit]) -> str:
        """The sentence's source after ``changes``."""
        source = self.source[self.sentence.start : self.sentence.end]
        return apply_edits(source, self.edits(changes), offset=self.sentence.start)

    def _joints(self, start: int, end: int) -> tuple[int, ...]:
        """The joints inside ``text[start:end]``."""
        return self.joints[bisect_right(self.joints, start) : bisect_left(self.joints, end)]

    def _parts(self, change: TextEdit) -> list[tuple[int, int]]:
        """What a change replaces, cut at the markup inside its words."""
        return list(pairwise((change.start, *self._joints(change.start, change.end), change.end)))

    def _texts(self, change: TextEdit) -> list[str] | None:
        """What each part is replaced by: one by all the words, or an initial by an initial; None if neither works.

        A part that becomes empty must be at an end of the word where no markup stands, nor a sign that could be some.
        """
        parts, new = self._parts(change), change.text
        if len(parts) == 1:
            return [new]
        if len(parts) == 2 and parts[0][1] - parts[0][0] == 1 and len(new) > 1:
            return [new[0], new[1:]]
        first = self._is_bare(change.start) and self._is_plain(change.start - 1)
        last = self._is_bare(change.end) and self._is_plain(change.end)
        kept = [
            number
            for number in range(len(parts))
            if number <= first and len(parts) - 1 - number <= last and new and not new.isspace()
        ]
        return [new if number == kept[0] else "" for number in range(len(parts))] if kept else None

    def _end(self, index: int) -> int:
        offset = self.offsets[index]
        return self.ends.get(offset, offset + 1)

    def _is_bare(self, place: int) -> bool:
        """Whether it is certain that no markup stands before ``text[place:]``."""
        return 0 < place < len(self.text) and self._end(place - 1) == self.offsets[place]

    def _is_plain(self, index: int) -> bool:
        """Whether ``text[index]`` is white space or a mark that no markup has: a sign beside it is then at a border."""
        return self.text[index].isspace() or self.text[index] in ".,;:?"

    def _is_inside(self, place: int) -> bool:
        """Whether a place is inside characters that one sign stands for."""
        return 0 < place < len(self.text) and self.offsets[place - 1] == self.offsets[place]


def make_passage(document: Document, sentence: Sentence) -> Passage:
    """The passage of a document's sentence."""
    read = prose(document, sentence)
    non_prose, quotes = document.non_prose, document.quotes
    first = bisect_right(non_prose, sentence.start, key=lambda span: span.end)
    last = bisect_left(non_prose, sentence.end, key=lambda span: span.start)
    fixed = [(span.start, span.end) for span in non_prose[first:last] if span.gap]
    first = bisect_right(quotes, sentence.start, key=lambda quote: quote[1])
    fixed += quotes[first : bisect_left(quotes, sentence.end, key=lambda quote: quote[0])]
    if label := FORMATS[document.format].self_link:
        first, last = max(0, sentence.start - _AROUND), sentence.end + _AROUND
        fixed += [match.span() for match in label.finditer(document.source, first, last)]
    free = [True] * len(read.text)
    for start, end in fixed:
        for at in range(bisect_left(read.offsets, start), bisect_left(read.offsets, end)):
            free[at] = False
    joints = tuple(
        at
        for at in range(1, len(read.text))
        if read.offsets[at] > read.end(at - 1)
        and not is_invisible(document.source[read.end(at - 1) : read.offsets[at]])
    )
    words = [word.span() for word in WORD.finditer(read.text)] if joints else []
    starts = [start for start, _ in words]
    inner = frozenset(at for at in joints if (word := bisect_left(starts, at)) and at < words[word - 1][1])
    return Passage(document.source, sentence, read.text, read.offsets, tuple(free), read.ends, joints, inner)


def sentence_at(document: Document, offset: int) -> Sentence | None:
    """The sentence of a document that holds ``offset``."""
    at = bisect_right(document.sentences, offset, key=lambda sentence: sentence.start) - 1
    held = at >= 0 and offset < document.sentences[at].end
    return document.sentences[at] if held else None


_COMMENT = re.compile(
    r"(?:\w+ly|of course|indeed|in fact|however|alas|to be sure|needless to say|no doubt)", re.IGNORECASE
)
"""Words set off by commas on both sides; both are deleted with them."""

_OPENING, _CLOSING = frozenset("([{«“‘\"'—–-/"), frozenset(")]}»”’\"'.,;:!?")
_HYPHENS = frozenset("-‐‑")
_COMMA_AFTER, _COMMA_BEFORE = re.compile(r"\s?,"), re.compile(r"\s?,\s*$")
_JOINT = re.compile(r"\s?[,;:–—]|\s+(?:and|or|but)(?=\s)")
_COUNTED = re.compile(
    r"\s*[$£€]?\d[\d,.]*(?:\s(?:hundred|thousand|million|billion))?"
    r"(?:%|\sper\s?cent)?(?:\s(?:of|in|to|by|for|from|on)\b|\s(?!years?-)[a-z]+(?<!s)s\b|[.;:!?)]?$)",
)
"""A number and the things that it counts, which no *a* stands before: *800 jobs*, *84 per cent of*."""
_STOP_AFTER = re.compile(r"\s?[.;:!?)\]]|\s*$")
_TOKENISED = re.compile(r"\w [,;:] \w|\w [.!?](?:\s|$)")
_SPACED = re.compile(r"(?<=\w)(['’-])(?=\w)|(?<=\w)([,;:.!?])(?=\s|$)")


def replace_words(passage: Passage, start: int, end: int, words: str) -> tuple[TextEdit, ...]:
    """The edits that replace the whole words ``passage.text[start:end]`` by ``words`` (uncased; empty: delete them).

    Words that stay keep their characters. A deletion includes one space and a comma or conjunction that would dangle,
    and capitalises the new first word of the sentence; ``a`` and ``an`` before the target are corrected. Empty where
    nothing would change or where the target cannot be changed.
    """
    text = passage.text
    if not passage.is_editable(start, end):
        return ()
    start, end, words = _trimmed(text, start, end, words=words)
    if start < end and words:
        new = match_case(_in_style(words, text), text[start:end], text=text, start=start)
        changes = [TextEdit(start, end, new)]
        following = new
    elif start < end:
        first, last = _deletion(passage, start, end)
        if first == last:
            return ()
        changes = [TextEdit(first, last, "")]
        following = text[last : last + 80]
        if is_sentence_start(text, first) and text[start].isupper():
            changes += _capital(passage, last)
    else:
        return ()
    changes = _with_article(passage, changes, following)
    merged = _merged(passage, changes)
    if not all(map(passage.allows, merged)) or not passage.keeps_labels(merged):
        return ()
    return tuple(merged)


def _trimmed(text: str, start: int, end: int, *, words: str) -> tuple[int, int, str]:
    """The target and its new words without the equal words at either end; one old word stays if words are
    added to it.
    """
    old, new = list(WORD.finditer(text, start, end)), list(WORD.finditer(words))

    def same(at: int) -> bool:
        both = old and new and not (len(old) == 1 < len(new))
        return bool(both) and without_case_and_accents(old[at].group()) == without_case_and_accents(
            new[at].group()
        )

    while same(0):
        start = old[1].start() if len(old) > 1 else end
        words = words[new[1].start() :] if len(new) > 1 else ""
        old, new = old[1:], list(WORD.finditer(words))
    while same(-1):
        end = old[-2].end() if len(old) > 1 else start
        words = words[: new[-2].end()] if len(new) > 1 else ""
        old, new = old[:-1], list(WORD.finditer(words))
    return start, end, words


def _in_style(words: str, text: str) -> str:
    """``words`` with the apostrophes of ``text``, and with its spacing where it is tokenised."""
    if "’" in text and "'" not in text:
        words = words.replace("'", "’")
    if _TOKENISED.search(text):
        words = _SPACED.sub(lambda match: f" {match[1]} " if match[1] else f" {match[2]}", words)
    return words


def _deletion(passage: Passage, start: int, end: int) -> tuple[int, int]:
    """What to delete together with ``text[start:end]``; empty where it cannot be deleted."""
    text = passage.text
    first, last = start, end
    if is_sentence_start(text, start):
        joint = _JOINT.match(text, last)
        last = joint.end() if joint else last
    else:
        first, last = _with_marks(text, start, end)
    return _with_space(passage, first, last)


def _with_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """The deletion extended by commas and conjunctions that would dangle."""
    before = last_word(text, start)
    previous = before.group().lower() if before else ""
    comma = _COMMA_BEFORE.search(text[:start])
    after = _COMMA_AFTER.match(text, end)
    ahead = WORD.match(text, _past_space(text, end))
    following = ahead.group().lower() if ahead else ""
    if comma and after:
        comment = _COMMENT.fullmatch(text[start:end].strip())
        return comma.start(), after.end() if comment else end
    if _STOP_AFTER.match(text, end):
        if comma:
            return comma.start(), end
        if before and previous in CONJUNCTIONS:
            start = before.start()
            comma = _COMMA_BEFORE.search(text[:start])
            return (comma.start() if comma else start), end
        return start, end
    if before and previous in CONJUNCTIONS and (pair := _second_of_two(text, before.start(), end)):
        return pair
    if comma and following in CONJUNCTIONS:
        return comma.start(), end
    if comma and following and _are_adjectives(text, comma.start(), end):
        return comma.start(), end
    joins = previous in _BEFORE_ADJECTIVE | PREPOSITIONS | CONJUNCTIONS
    beyond = WORD.match(text, _past_space(text, after.end())) if after else None
    if beyond and beyond.group().lower() in CONJUNCTIONS:
        ahead, following = beyond, beyond.group().lower()
        after = None
    if after and (joins or (beyond and _are_adjectives(text, end, beyond.end()))):
        return start, after.end()
    if ahead and following in CONJUNCTIONS:
        second = WORD.match(text, _past_space(text, ahead.end()))
        adjectives = second is not None and _are_adjectives(text, end, second.end())
        if previous in DETERMINERS | PREPOSITIONS or (
            adjectives and second and _is_apart(text, start, second.end())
        ):
            return start, ahead.end()
    return start, end


def _second_of_two(text: str, conjunction: int, end: int) -> tuple[int, int] | None:
    """What to delete of two adjectives with the conjunction at ``conjunction`` when the second, which ends at ``end``,
    goes: the conjunction, too. None where the conjunction may join something else.
    """
    comma = _COMMA_BEFORE.search(text[:conjunction])
    first = comma.start() if comma else len(text[:conjunction].rstrip())
    if not _are_adjectives(text, first, end) or not _is_apart(text, first, end):
        return None
    after = _COMMA_AFTER.match(text, end) if comma else None
    following = WORD.match(text, _past_space(text, after.end())) if after else None
    closes = after and following and following.group().lower() not in FUNCTION_WORDS
    return first, after.end() if after and closes else end


def _is_apart(text: str, start: int, end: int) -> bool:
    """Whether adjectives that end at ``end`` belong to one noun: a determiner, a preposition or a number precedes those
    before ``start``, or no noun follows. *He is rich and horrible people came* has a noun, and no determiner.
    """
    following = WORD.match(text, _past_space(text, end))
    if following is None or following.group().lower() in FUNCTION_WORDS:
        return True
    while word := last_word(text, start):
        lower = word.group().lower()
        tags = load_word_classes().get(lower, frozenset())
        if not tags & _LIKE_ADJECTIVES and lower not in DEGREE_WORDS:
            return lower in _BEFORE_ADJECTIVE | PREPOSITIONS or "CD" in tags
        comma = _COMMA_BEFORE.search(text[: word.start()])
        start = comma.start() if comma else word.start()
    return not text[:start].strip()


def _are_adjectives(text: str, *ends: int) -> bool:
    """Whether the words that end there can be adjectives, and one of them is nothing else."""
    words = [last_word(text, end) for end in ends]
    tags = [load_word_classes().get(word.group().lower()) if word else None for word in words]
    hyphened = [word is not None and "-" in word.group() for word in words]
    return any(one == _ADJECTIVE for one in tags) and all(
        one & _LIKE_ADJECTIVES if one else compound for one, compound in zip(tags, hyphened, strict=True)
    )


def _with_space(passage: Passage, start: int, end: int) -> tuple[int, int]:
    """The deletion extended by the white space on one side; empty where it is not possible."""
    text = passage.text
    left, right = start, _past_space(text, end)
    while left and text[left - 1].isspace():
        left -= 1
    if _breaks(text[left:start]) and not text[right : right + 1].isalpha():
        return start, start
    before, after = text[:start][-1:], text[right : right + 1]
    if before in _OPENING and (not after or after in _CLOSING):
        return start, start
    if after in _HYPHENS or text[:left][-1:] in _HYPHENS:
        return start, start
    if is_sentence_start(text, start):
        return (start, right) if passage.is_editable(start, right) else (start, start)
    if left < start and end < right:
        sides = ((start, right), (left, end))
        if _breaks(text[end:right]) and not _breaks(text[left:start]):
            sides = sides[::-1]
        return next((side for side in sides if passage.is_editable(*side)), (start, start))
    if left < start:
        return (left, end) if passage.is_editable(left, end) else (start, start)
    if before in _OPENING:
        return start, right
    return (start, end) if end < right or not (before.isalnum() and after.isalnum()) else (start, start)


def _breaks(space: str) -> bool:
    return "\n" in space or "\r" in space


def _past_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _capital(passage: Passage, at: int) -> list[TextEdit]:
    """The edit that capitalises the new first word of the sentence."""
    word = WORD.search(passage.text, at)
    if word is None:
        return []
    new = capitalise(word.group())
    return [] if new == word.group() else [TextEdit(word.start(), word.start() + 1, new[0])]


def _with_article(passage: Passage, changes: list[TextEdit], following: str) -> list[TextEdit]:
    """``changes`` with the correct form of ``a`` or ``an`` before them, or none before a number of things."""
    text, start = passage.text, changes[0].start
    before = last_word(text, start)
    if before is None or before.group().lower() not in ("a", "an"):
        return changes
    article, at = before.group(), before.start()
    if not changes[0].text and _COUNTED.match(following) and (at or not text[start].isspace()):
        first = at - 1 if text[start : start + 1].isspace() and text[at - 1 : at].isspace() else at
        return [TextEdit(first, start, ""), *changes]
    if article[0].isupper() and not is_sentence_start(text, at) and not text.isupper():
        return changes
    after = re.match(r"\s*([^\W_][\w.'’-]*)", following)
    if after is None or not (before.end() < start or following[:1].isspace()):
        return changes
    right = indefinite_article(after[1].lower() if is_all_capitals(text) else after[1])
    if article.lower() == right:
        return changes
    new = right.upper() if article.isupper() and len(article) > 1 else right
    new = new[0].upper() + new[1:] if article[0].isupper() else new
    if text.isupper():
        new = new.upper()
    return [TextEdit(at, at + len(article), new), *changes]


def _merged(passage: Passage, changes: Sequence[TextEdit]) -> list[TextEdit]:
    """``changes`` in order, adjacent ones merged."""
    merged: list[TextEdit] = []
    for change in sorted(changes):
        last = merged[-1] if merged else None
        if last and last.end == change.start and passage.is_editable(last.start, change.end):
            merged[-1] = TextEdit(last.start, change.end, last.text + change.text)
        else:
            merged.append(change)
    return merged
