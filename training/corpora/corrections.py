"""A person's own corrections, from the file that they saved or chose in the settings (``core.corrections.corpus``).

What is learnt from them, and nothing more: words whose rewording was *accepted* are a span of their kind in a biased
sentence, and the sentence that came of it is well as it is. Words that were *rejected* as a finding are known to be
well; of the other words of their sentence, and of the sentence as a whole, nothing is known. A sentence that was
reworded a second time was not well after the first: it counts as biased, and of its first form only the words that were
reworded are known. Words both accepted and rejected teach nothing.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from core.corrections import Correction, Verdict
from core.corrections.corpus import LayoutError, numbered
from core.encodable import encodable
from training.corpora.base import CorpusError, CorpusFacts, Example, GoldSpan
from training.corpora.pairs import Pair
from training.near import NearIndex

NAME = "corrections"
FACTS = CorpusFacts(
    key=NAME,
    name="Corrections",
    home="the settings of Evenhand, Models and training, Corrections",
    licence="the person's own text",
    files=(),
)

_PASSES = 8
_MOST = 0.1


@dataclass(slots=True)
class _Sentence:
    """What was said of one sentence: the line it first stands in, accepted and rejected corrections."""

    line: int
    accepted: list[Correction] = field(default_factory=list)
    rejected: list[Correction] = field(default_factory=list)


def load(path: Path, scored: NearIndex) -> list[Example]:
    """Examples for the reader; a correction near a scored sentence is left out.

    Raises CorpusError, with the line's number for one that does not fit.
    """
    sentences = _sentences([row for row in _rows(path) if not _near(row[1], scored)])
    biased = {text for text, said in sentences.items() if said.accepted}
    return [example for text, said in sentences.items() for example in _examples(text, said, biased)]


def used(path: Path | None) -> tuple[CorpusFacts, ...]:
    """The facts of this corpus for the card and the bundle of a model that learnt from it."""
    return () if path is None else (FACTS,)


def load_pairs(path: Path) -> list[Pair]:
    """The accepted sentences before and after, for the rewriter. Raises CorpusError as ``load`` does."""
    return [
        Pair(encodable(one.sentence), encodable(one.rewritten), f"{NAME}-{line}")
        for line, one in _rows(path)
        if one.verdict is Verdict.ACCEPTED
    ]


def share_of(rows: int, *, steps: int, size: int) -> float:
    """The share of a stream of so many rows: each is seen about eight times, in at most a tenth of the steps."""
    return min(_MOST, _PASSES * rows / max(1, steps * size))


def _rows(path: Path) -> list[tuple[int, Correction]]:
    """The corrections with their lines, each once."""
    try:
        with path.open("rb") as stream:
            first: dict[Correction, int] = {}
            for line, correction in numbered(stream):
                first.setdefault(correction, line)
    except LayoutError as error:
        raise CorpusError(
            f"{path}, line {error.line}: {error.why}. Save the corrections again in the settings of Evenhand."
        ) from error
    except OSError as error:
        raise CorpusError(
            f"{path} cannot be read: {error.strerror or error}. Save the corrections again in the settings of Evenhand."
        ) from error
    return [(line, correction) for correction, line in first.items()]


def _near(correction: Correction, scored: NearIndex) -> bool:
    return scored.near(correction.sentence) or scored.near(correction.rewritten)


def _sentences(rows: list[tuple[int, Correction]]) -> dict[str, _Sentence]:
    """What was said of each sentence, without what contradicts itself."""
    found: dict[str, _Sentence] = {}
    meeting: defaultdict[str, list[Correction]] = defaultdict(list)
    for _, one in rows:
        meeting[one.sentence].append(one)
    for line, one in rows:
        if any(_contradict(one, other) for other in meeting[one.sentence]):
            continue
        said = found.setdefault(one.sentence, _Sentence(line))
        (said.accepted if one.verdict is Verdict.ACCEPTED else said.rejected).append(one)
    return found


def _contradict(one: Correction, other: Correction) -> bool:
    return one.verdict is not other.verdict and one.start < other.end and other.start < one.end


def _examples(text: str, said: _Sentence, biased: set[str]) -> list[Example]:
    group = f"{NAME}-{said.line}"
    spans: list[GoldSpan] = []
    for one in sorted(said.accepted, key=lambda one: (one.start, one.end)):
        if not spans or one.start >= spans[-1].end:
            spans.append(GoldSpan(one.start, one.end, one.kind))
    places = sorted({(one.start, one.end) for one in (*said.accepted, *said.rejected)})
    if not spans:
        return [Example(encodable(text), NAME, spans=(), group=group, known=tuple(places))]
    after = list(dict.fromkeys(one.rewritten for one in said.accepted))
    whole = not any(other in biased for other in after)
    known = None if whole else tuple(places)
    before = Example(encodable(text), NAME, spans=tuple(spans), bias=1.0, group=group, known=known)
    # Of two findings that were reworded apart from each other, each new sentence still holds the other one.
    clean = [other for other in after if other not in biased] if len(spans) == 1 else []
    return [before, *(Example(encodable(other), NAME, spans=(), bias=0.0, group=group) for other in clean)]
