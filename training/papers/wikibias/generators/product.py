"""The product's rows of Table 8: the best rewrite of `evenhand rewrite`, and deletion of flagged words."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.bundles.rewriter import RewriterBundle
from core.documents import Document, Format, Sentence, parse
from core.engine.engine import Engine
from core.rewriting.candidates import Proposer
from core.rewriting.edits import make_passage, replace_words, sentence_at
from core.rewriting.rewriter import AcceptanceRequest, Proposals, RewriteRequest, SentenceTooLong
from core.rewriting.suggester import Suggester
from core.text.diff import TextEdit, apply_edits


def delete_flagged(sources: Sequence[str], engine: Engine) -> list[str]:
    """Each source without its findings outside quotations. Raises ReaderError."""
    made = []
    for source in sources:
        findings = engine.analyse(parse(source, Format.PLAIN)).findings
        made.append(delete_spans(source, [(finding.start, finding.end) for finding in findings]))
    return made


def delete_spans(source: str, spans: Sequence[tuple[int, int]]) -> str:
    """``source`` without ``spans`` (whole words; sorted, disjoint), with spaces and capitals repaired."""
    text = source
    for start, end in reversed(spans):
        document = parse(text, Format.PLAIN)
        sentence = sentence_at(document, start)
        if sentence is None:
            continue
        place = make_passage(document, sentence)
        first, last = (bisect_left(place.offsets, at) for at in (start, end))
        text = apply_edits(text, place.edits(replace_words(place, first, last, "")))
    return text


Edits = Callable[[Document, Sentence], Sequence[TextEdit]]


def generate(sources: Sequence[str], suggester: Suggester) -> list[str]:
    """Each source with its sentences rewritten. Raises ReaderError and RewriterError."""

    def edits(document: Document, sentence: Sentence) -> Sequence[TextEdit]:
        found = suggester.rewrite(document, sentence)
        return found[0].edits if found else ()

    return [_apply(source, edits) for source in sources]


def delete_reworded(sources: Sequence[str], suggester: Suggester) -> list[str]:
    """Each source without the findings that `generate` would reword.

    Raises ReaderError and RewriterError.
    """
    least = suggester.rewriter.bundle.thresholds.score

    def edits(document: Document, sentence: Sentence) -> Sequence[TextEdit]:
        read, ranked = suggester.rank_sentence(document, sentence)
        taken = [some[0].candidate.places[0] for some in ranked if some and some[0].score >= least]
        return [
            edit for place in taken for edit in read.passage.edits(replace_words(read.passage, *place, ""))
        ]

    return [_apply(source, edits) for source in sources]


def without_leaning_penalty(suggester: Suggester) -> Suggester:
    """The suggester with a ranking that ignores shifts of the leaning."""
    return Suggester(suggester.engine, _WithoutLeaningPenalty(suggester.rewriter))


@dataclass(frozen=True, slots=True)
class _WithoutLeaningPenalty:
    """A rewriter whose ranking has no penalty on shifts of the leaning."""

    rewriter: Proposer

    @property
    def bundle(self) -> RewriterBundle:
        bundle = self.rewriter.bundle
        return replace(bundle, ranking=replace(bundle.ranking, leaning=0.0))

    def propose(self, asks: Sequence[RewriteRequest], n: int) -> list[Proposals]:
        return self.rewriter.propose(asks, n)

    def judge_fit(self, requests: Sequence[RewriteRequest]) -> list[float]:
        return self.rewriter.judge_fit(requests)

    def judge_acceptance(self, requests: Sequence[AcceptanceRequest]) -> list[float]:
        return self.rewriter.judge_acceptance(requests)


def _apply(source: str, edits: Edits) -> str:
    """``source`` with the edits of its sentences; sentences that are too long stay."""
    document, text = parse(source, Format.PLAIN), source
    for sentence in reversed(document.sentences):
        try:
            found = edits(document, sentence)
        except SentenceTooLong:
            continue
        text = apply_edits(text, sorted(found))
    return text
