"""WIKIBIAS's heuristic (Zhong et al. 2021, Appendix C): biased spans from the two sides of a revision.

The steps: a word diff. A single change is a substitution where words were deleted and inserted at the same place,
else a deletion or an addition. Of several changes, the parts of a phrase that the diff split at a repeated
preposition or determiner are joined again; words deleted and inserted at one place are a substitution only if both
are the same type of sub-tree (with a parse) or similar; the most similar of the remaining deletions and additions are
paired while they are similar enough. Then changes that say nothing about bias are marked as harmless.

Not in the paper, and ours: which words are joined again (`training.text.phrases`), sub-trees of a dependency parse
instead of a constituency parse (`training.text.parsing`), the measure of similarity, and that words moved within the
sentence are harmless.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Any

from training.text.edits import WordEdit, words
from training.text.parsing import ParseTree, parse_trees
from training.text.phrases import (
    ARTICLES,
    DETERMINERS,
    PREPOSITIONS,
    is_function_word,
    is_neutral_change,
    is_word,
    letters_and_digits,
    match_similar,
    similarity,
)

THRESHOLD = 0.5
"""How alike a deletion and an addition must be to be one substitution, where nothing was tuned."""

_MOST = 0.6
_JOINERS = PREPOSITIONS | DETERMINERS | {"be", "been", "being", "not"}
_GAP = 2
_SHORT = 8
_BRACKETS = {"(": ")", "[": "]", "{": "}"}


class ChangeKind(StrEnum):
    """What was done to some words."""

    SUBSTITUTION = "substitution"
    DELETION = "deletion"
    ADDITION = "addition"


@dataclass(frozen=True, slots=True)
class RevisionChange:
    """Tokens ``before[start:end]`` became ``after[after_start:after_end]``; ``harmless``: it tells nothing of bias."""

    kind: ChangeKind
    start: int
    end: int
    after_start: int
    after_end: int
    harmless: bool = False


class RevisionState(StrEnum):
    """What a revision is as a whole."""

    BIASED = "biased"
    NEUTRAL = "neutral"
    SAME = "nothing changed"
    REWRITTEN = "everything changed"


@dataclass(frozen=True, slots=True)
class Revision:
    """The changes of a revision, in order of their places before it, and what it is as a whole.

    ``spans`` are the changes that mark biased words of the source: in order, disjoint, never empty. There are none
    where nothing changed, where nothing but harmless changes and additions were made, and where more than 60% of the
    source's words changed, which is a new sentence and of no use.
    """

    changes: tuple[RevisionChange, ...]
    state: RevisionState

    @property
    def spans(self) -> tuple[RevisionChange, ...]:
        """The changes whose source words are biased."""
        if self.state is not RevisionState.BIASED:
            return ()
        return tuple(change for change in self.changes if not change.harmless and change.start < change.end)


def find_changes(
    before: Sequence[str],
    after: Sequence[str],
    *,
    trees: tuple[ParseTree, ParseTree] | None = None,
    threshold: float = THRESHOLD,
) -> tuple[RevisionChange, ...]:
    """The changes between two sides of a revision, given as tokens; upper and lower case are one.

    ``trees`` are the parses of both; without them the sub-tree step is left out. ``threshold`` is what ``similarity``
    must reach.
    """
    old, new = ([token.lower() for token in side] for side in (before, after))
    pieces = list(_pieces(old, new))
    if len(pieces) > 1:
        pieces = _paired(_reconnected(pieces, old, trees), old, new, trees, threshold)
    changes = [_cleaned(piece, old, new) for piece in pieces]
    return tuple(sorted(changes, key=lambda change: (change.start, change.end, change.after_start)))


def diff_revision(
    before: Sequence[str],
    after: Sequence[str],
    *,
    trees: tuple[ParseTree, ParseTree] | None = None,
    threshold: float = THRESHOLD,
) -> Revision:
    """The changes between two sides of a revision, by ``find_changes``, and the state of the revision as a whole."""
    changes = find_changes(before, after, trees=trees, threshold=threshold)
    words = [is_word(token) for token in before]
    changed = sum(sum(words[change.start : change.end]) for change in changes if not change.harmless)
    if not changes:
        state = RevisionState.SAME
    elif changed > _MOST * max(1, sum(words)):
        state = RevisionState.REWRITTEN
    elif changed:
        state = RevisionState.BIASED
    else:
        state = RevisionState.NEUTRAL
    return Revision(changes, state)


def _change(start: int, end: int, after_start: int, after_end: int) -> RevisionChange:
    kind = ChangeKind.SUBSTITUTION
    if start == end:
        kind = ChangeKind.ADDITION
    elif after_start == after_end:
        kind = ChangeKind.DELETION
    return RevisionChange(kind, start, end, after_start, after_end)


def _pieces(old: list[str], new: list[str]) -> Iterator[RevisionChange]:
    """What the word diff says, each deletion moved to where it reads as a phrase."""
    for tag, i1, i2, j1, j2 in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if tag == "delete":
            i1, i2 = _slid(old, i1, i2)
        if tag != "equal":
            yield _change(*_without_articles(old, new, (i1, i2, j1, j2)))


def _without_articles(
    old: list[str], new: list[str], places: tuple[int, int, int, int]
) -> tuple[int, int, int, int]:
    """A change without articles that stand for articles at its ends, unless nothing else is left of it."""
    i1, i2, j1, j2 = places
    while i1 < i2 and j1 < j2 and {old[i1], new[j1]} <= ARTICLES:
        i1, j1 = i1 + 1, j1 + 1
    while i1 < i2 and j1 < j2 and {old[i2 - 1], new[j2 - 1]} <= ARTICLES:
        i2, j2 = i2 - 1, j2 - 1
    return (i1, i2, j1, j2) if i1 < i2 or j1 < j2 else places


def _slid(tokens: list[str], start: int, end: int) -> tuple[int, int]:
    """A deletion between equal words can be put down in several ways: the first that ends on no joining word.

    ``the [famous and the] great`` is ``[the famous and] the great`` as well, and both leave the same sentence.
    """
    first, last = start, end
    while (
        last > first and tokens[last - 1] in _JOINERS and first > 0 and tokens[first - 1] == tokens[last - 1]
    ):
        first, last = first - 1, last - 1
    return (first, last) if tokens[last - 1] not in _JOINERS else (start, end)


def _reconnected(
    pieces: list[RevisionChange], old: list[str], trees: tuple[ParseTree, ParseTree] | None
) -> list[RevisionChange]:
    """Neighbouring pieces joined where nothing but one or two joining words stands between them."""
    joined = [pieces[0]]
    for piece in pieces[1:]:
        last = joined[-1]
        gap = old[last.end : piece.start]
        whole = _change(last.start, piece.end, last.after_start, piece.after_end)
        if 0 < len(gap) <= _GAP and _JOINERS.issuperset(gap) and _one_phrase(last, piece, whole, trees):
            joined[-1] = whole
        else:
            joined.append(piece)
    return joined


def _one_phrase(
    one: RevisionChange, two: RevisionChange, whole: RevisionChange, trees: tuple[ParseTree, ParseTree] | None
) -> bool:
    """Whether two pieces are one substituted phrase: both lost words, one gave some, and the whole hangs together.

    Two single words that became two single words stay apart: each has its own counterpart. Without a parse the whole
    must be short.
    """
    if one.start == one.end or two.start == two.end:
        return False
    if ChangeKind.SUBSTITUTION not in (one.kind, two.kind) or (_word_for_word(one) and _word_for_word(two)):
        return False
    if trees is None:
        return two.start - one.end == 1 and whole.end - whole.start <= _SHORT
    return trees[0].whole(whole.start, whole.end) and trees[1].whole(whole.after_start, whole.after_end)


def _word_for_word(change: RevisionChange) -> bool:
    return change.end - change.start == 1 == change.after_end - change.after_start


def _paired(
    pieces: list[RevisionChange],
    old: list[str],
    new: list[str],
    trees: tuple[ParseTree, ParseTree] | None,
    threshold: float,
) -> list[RevisionChange]:
    """Substitutions confirmed or taken apart; then what is alike among deletions and additions is joined."""
    kept: list[RevisionChange] = []
    out: list[tuple[int, int]] = []
    into: list[tuple[int, int]] = []
    for piece in pieces:
        if piece.kind is ChangeKind.SUBSTITUTION and _belong(piece, old, new, trees, threshold):
            kept.append(piece)
            continue
        if piece.start < piece.end:
            out.append((piece.start, piece.end))
        if piece.after_start < piece.after_end:
            into.append((piece.after_start, piece.after_end))
    found = match_similar([old[a:b] for a, b in out], [new[a:b] for a, b in into], least=threshold)
    kept += [_change(*out[i], *into[j]) for i, j in found]
    matched, taken = {i for i, _ in found}, {j for _, j in found}
    kept += [_change(*span, 0, 0) for i, span in enumerate(out) if i not in matched]
    kept += [_change(0, 0, *span) for j, span in enumerate(into) if j not in taken]
    return kept


def _belong(
    piece: RevisionChange,
    old: list[str],
    new: list[str],
    trees: tuple[ParseTree, ParseTree] | None,
    threshold: float,
) -> bool:
    """Whether the words taken out and put in at one place belong together."""
    if trees is None:
        return True
    types = (
        trees[0].type_of(piece.start, piece.end),
        trees[1].type_of(piece.after_start, piece.after_end),
    )
    alike = similarity(old[piece.start : piece.end], new[piece.after_start : piece.after_end]) >= threshold
    return types[0] == types[1] or alike


def _cleaned(change: RevisionChange, old: list[str], new: list[str]) -> RevisionChange:
    """The change without the marks at the ends of its source and without its last article; says if it is harmless."""
    start, end = _trimmed(old, change.start, change.end)
    put = new[change.after_start : change.after_end]
    if start == end:
        return replace(change, harmless=not any(map(is_word, put)) or change.start < change.end)
    words = old[start:end]
    moved = bool(put) and letters_and_digits(words) == letters_and_digits(put)
    return replace(change, start=start, end=end, harmless=moved or is_neutral_change(words, put))


def _trimmed(tokens: list[str], start: int, end: int) -> tuple[int, int]:
    """A range without marks at its ends, brackets kept whole, and without articles at its last or alone."""
    while start < end:
        first, last = tokens[start], tokens[end - 1]
        if _BRACKETS.get(first) == last:
            start, end = start + 1, end - 1
        elif last in ARTICLES or (not is_word(last) and not _opens(last, tokens[start:end])):
            end -= 1
        elif not is_word(first) and _BRACKETS.get(first) not in tokens[start:end]:
            start += 1
        else:
            break
    return start, end


def _opens(mark: str, tokens: list[str]) -> bool:
    """Whether the bracket that ``mark`` closes stands among ``tokens``."""
    return any(opening in tokens for opening, closing in _BRACKETS.items() if closing == mark)


def char_edits(
    before: str, after: str, *, nlp: Any = None, threshold: float = THRESHOLD
) -> tuple[WordEdit, ...]:
    """The biased stretches of ``before`` by Appendix C, offsets in code points, articles and numbers off both ends.

    ``nlp`` is a spaCy pipeline with a parser; without it the sub-tree step is left out. Empty where nothing tells of
    bias, and where more than 60% of the words changed.
    """
    places, others = words(before), words(after)
    old, new = [before[a:b] for a, b in places], [after[a:b] for a, b in others]
    parsed = None
    if nlp is not None:
        first, second = parse_trees((old, new), nlp)
        parsed = (first, second)
    found = []
    for change in diff_revision(old, new, trees=parsed, threshold=threshold).spans:
        start, end = _without_idle_ends(change, old)
        if start < end:
            at, to = places[start][0], places[end - 1][1]
            put = " ".join(new[change.after_start : change.after_end])
            found.append(WordEdit(at, to, before[at:to], put))
    return tuple(found)


def _without_idle_ends(change: RevisionChange, tokens: list[str]) -> tuple[int, int]:
    start, end = change.start, change.end
    while start < end and is_function_word(tokens[start].lower()):
        start += 1
    while start < end and is_function_word(tokens[end - 1].lower()):
        end -= 1
    return start, end
