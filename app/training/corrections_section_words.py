"""What is said of corrections, and how a sentence and its new wording become pieces to draw. Nothing here draws."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from app.parts.kinds import look
from app.parts.labels import showable
from app.reading.wordings import Part, Piece, described
from app.text.positions import TextMap
from app.text.text_edits import edits_between
from app.versions.version_words import day
from core.corrections import Correction, Kept, Verdict
from core.findings import Kind
from core.language import ntr, tr

VERDICTS = {Verdict.ACCEPTED: tr("Accepted"), Verdict.REJECTED: tr("Rejected")}
_AROUND = 200  # characters of an unchanged stretch that are shown on a side of a change


@dataclass(frozen=True, slots=True)
class Marked:
    """A piece of a sentence, and whether its words were marked."""

    piece: Piece
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which corrections are listed; None is any."""

    verdict: Verdict | None = None
    kind: Kind | None = None

    def admits(self, correction: Correction) -> bool:
        """Whether a correction is listed."""
        return self.verdict in (None, correction.verdict) and self.kind in (None, correction.kind)


def pieces(correction: Correction) -> list[Marked]:
    """The sentence on one line: what stayed, what went out and what came in, and which words were marked."""
    sentence = correction.sentence
    edits = _edits(correction)
    out = [(start, end) for start, end, _ in edits]
    new = {end: text for _, end, text in edits}
    marked = (correction.start, correction.end)
    ends = sorted({0, *(place for span in (*out, marked) for place in span), len(sentence)})
    made: list[Marked] = []
    for start, end in pairwise(ends):
        made += _in(new.pop(start, ""), made)
        gone = any(first <= start and end <= last for first, last in out)
        was_marked = marked[0] <= start and end <= marked[1]
        made += _old(sentence[start:end], gone=gone, marked=was_marked)
    return _shortened([*made, *_in(new.pop(len(sentence), ""), made)])


def told(kept: Kept) -> str:
    """What stands below the sentence: verdict, kind, draft and day."""
    one = kept.correction
    kind = look(one.kind, dark=False).label
    return " · ".join([VERDICTS[one.verdict], kind, showable(kept.draft), day(kept.made_at)])


def aloud(kept: Kept) -> str:
    """A correction as a screen reader says it."""
    one = kept.correction
    edits = [
        (" ".join(one.sentence[start:end].split()), " ".join(new.split())) for start, end, new in _edits(one)
    ]
    changes = "; ".join(described(old, new) for old, new in edits if old or new)
    what = changes or f"“{showable(one.words)}”"
    return f"{told(kept).replace(' · ', ', ')}: {what}. {showable(one.sentence)}"


def counted(corrections: Sequence[Kept], chosen: Collection[int]) -> str:
    """How many there are of each verdict, and how many are chosen."""
    accepted = sum(one.correction.verdict is Verdict.ACCEPTED for one in corrections)
    return tr("{accepted} accepted, {rejected} rejected; {chosen} chosen").format(
        accepted=f"{accepted:,}",
        rejected=f"{len(corrections) - accepted:,}",
        chosen=f"{len(chosen):,}",
    )


def in_use(number: int) -> str:
    """That the next retraining uses so many."""
    some = ntr(
        "{n} correction is used in the next retraining.",
        "{n} corrections are used in the next retraining.",
        number,
    )
    return some.format(n=f"{number:,}")


def _edits(correction: Correction) -> list[tuple[int, int, str]]:
    """(start, end, new words) of each change, in code points of the sentence; nothing for a rejected one."""
    if correction.verdict is Verdict.REJECTED:
        return []
    points = TextMap(correction.sentence)
    return [
        (points.to_code_point(start), points.to_code_point(end), new)
        for start, end, new in edits_between(correction.sentence, correction.rewritten)
    ]


def _old(text: str, *, gone: bool, marked: bool) -> list[Marked]:
    """Words of the sentence as it was; the space around those that went out is not struck through."""
    words = text.strip() if gone else ""
    if not words:
        return [Marked(Piece(_line(text), Part.KEPT), marked)]
    first = text.index(words)
    parts = (text[:first], Part.KEPT), (words, Part.OUT), (text[first + len(words) :], Part.KEPT)
    return [Marked(Piece(_line(part), how), marked and how is Part.OUT) for part, how in parts if part]


def _in(text: str, before: Sequence[Marked]) -> list[Marked]:
    """New words, apart from the old ones in whose place they stand."""
    if not text:
        return []
    apart = bool(before) and before[-1].piece.part is Part.OUT
    return [*([Marked(Piece(" ", Part.KEPT))] if apart else []), Marked(Piece(_line(text), Part.IN))]


def _shortened(made: list[Marked]) -> list[Marked]:
    """Long stretches that nothing happened in are cut; the words around what happened stay."""
    found: list[Marked] = []
    for number, one in enumerate(made):
        text = one.piece.text
        if one.piece.part is Part.KEPT and not one.marked:
            first, last = number == 0, number == len(made) - 1
            if first and len(text) > _AROUND:
                text = f"… {text[-_AROUND:].partition(' ')[2]}"
            elif last and len(text) > _AROUND:
                text = f"{text[:_AROUND].rpartition(' ')[0]} …"
            elif not first and not last and len(text) > 2 * _AROUND:
                text = f"{text[:_AROUND].rpartition(' ')[0]} … {text[-_AROUND:].partition(' ')[2]}"
        if text:
            found.append(replace(one, piece=Piece(text, one.piece.part)))
    return found


def _line(text: str) -> str:
    return showable(f"|{text}|")[1:-1]
