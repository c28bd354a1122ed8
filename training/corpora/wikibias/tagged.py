"""Tagged sentences, as the tables learn from them: the manual part, dev, test, and AUTO."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from training.corpora.base import tell
from training.corpora.wikibias import auto, blocks
from training.corpora.wikibias.blocks import Block, Slot
from training.corpora.wikibias.labels import Kinds
from training.corpora.wikibias.places import AUTO, TAGS, check_part, opened
from training.wikibias.model import OUTSIDE, Tagged


def load_tagged(data: Path, part: str, say: Callable[[str], None] = tell) -> list[Tagged]:
    """The sentences of ``tag_binary`` of ``part`` (train, dev or test), in the order of their file.

    Types of bias come from the fine-grained files, by text. The release does not say how the sides of a pair are
    found: an Original right before a Neutral with which it shares a word is taken for one; any other sentence has a
    group of its own. A label that says biased where nothing is tagged, or the reverse, is kept as it stands, label and
    tags, since the test part has to stay whole to be compared; how many there are is told.
    Raises CorpusError for a missing file, and for one of which nothing can be read.
    """
    check_part(part)
    path = opened(data, TAGS, part)
    slots = blocks.read(path, say=say)
    kinds = Kinds(data, part, say)
    groups = _groups(slots)
    found = [
        _tagged(slot.block, group=f"wikibias-{part}-{group}", kinds=kinds)
        for slot, group in zip(slots, groups, strict=True)
        if slot.block is not None
    ]
    _tell_contradictions(path, found, say)
    return found


def load_auto_tagged(data: Path, say: Callable[[str], None] = tell) -> list[Tagged]:
    """Both sides of AUTO's pairs, the Original first; they share their group.

    A source is labelled biased there also where words were only added, so that nothing in it is tagged. Raises
    CorpusError as ``auto.read``.
    """
    kinds = Kinds(data, AUTO, say)
    return [
        _tagged(block, group=f"wikibias-auto-{sides.number}", kinds=kinds, original=original)
        for sides in auto.read(data, say=say)
        for block, original in ((sides.source, True), (sides.target, False))
    ]


def _tagged(block: Block, *, group: str, kinds: Kinds, original: bool | None = None) -> Tagged:
    return Tagged(
        block.tokens,
        block.tags,
        biased=block.biased,
        original=block.original if original is None else original,
        group=group,
        kinds=kinds.of(block.tokens, biased=block.biased),
    )


def _groups(slots: Sequence[Slot]) -> list[int]:
    """A number for each place in a file: the same for the two sides of a pair."""
    found: list[int] = []
    for number, slot in enumerate(slots):
        before = slots[number - 1].block if number else None
        block = slot.block
        paired = before is not None and block is not None and before.original and not block.original
        if paired and before and block and auto.share_words(before.tokens, block.tokens):
            found.append(number - 1)
        else:
            found.append(number)
    return found


def _tell_contradictions(path: Path, sentences: Sequence[Tagged], say: Callable[[str], None]) -> None:
    marked = [(sentence.biased, any(tag != OUTSIDE for tag in sentence.tags)) for sentence in sentences]
    bare, tagged = marked.count((True, False)), marked.count((False, True))
    if bare or tagged:
        say(
            f"{path}: label and tags contradict each other, kept as they stand: labelled biased without a tagged word "
            f"{bare:,}, labelled neutral with one {tagged:,}."
        )
