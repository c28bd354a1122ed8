"""The row that WIKIBIAS's Table 8 lacks: take the flagged words out, as the reader flags them in a draft."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from core.documents import Format, parse
from core.engine import Engine
from core.rewriting.passage import passage, sentence_at
from core.rewriting.wording import reword


def generate(sources: Sequence[str], engine: Engine) -> list[str]:
    """Each source without its findings outside quotations. Raises ReaderError."""
    made = []
    for source in sources:
        findings = engine.analyse(parse(source, Format.PLAIN)).findings
        made.append(without(source, [(finding.start, finding.end) for finding in findings]))
    return made


def without(source: str, spans: Sequence[tuple[int, int]]) -> str:
    """``source`` without ``spans`` (whole words; sorted, disjoint), put right as core does when words are taken out."""
    text = source
    for start, end in reversed(spans):
        document = parse(text, Format.PLAIN)
        sentence = sentence_at(document, start)
        if sentence is None:
            continue
        place = passage(document, sentence)
        first, last = (bisect_left(place.offsets, at) for at in (start, end))
        for edit in reversed(place.edits(reword(place, first, last, ""))):
            text = text[: edit.start] + edit.replacement + text[edit.end :]
    return text
