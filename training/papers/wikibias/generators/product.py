"""The product's rows of Table 8: the best rewrite as `evenhand rewrite` gives it, and flagged words deleted."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.bundles.rewriter import RewriterBundle
from core.documents import Document, Format, Sentence, parse
from core.engine.engine import Engine
from core.rewriting.candidates import Proposer
from core.rewriting.edits import make_passage, replace_words, sentence_at
from core.rewriting.rewriter import Proposals, RewriteRequest, SentenceTooLong
from core.rewriting.suggester import Suggester
from core.text.diff import TextEdit, apply_edits

# The row that WIKIBIAS's Table 8 lacks: take the flagged words out, as the reader flags them in a draft.


def delete_flagged(sources: Sequence[str], engine: Engine) -> list[str]:
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
        place = make_passage(document, sentence)
        first, last = (bisect_left(place.offsets, at) for at in (start, end))
        text = apply_edits(text, place.edits(replace_words(place, first, last, "")))
    return text


# The shipped way: the best rewrite of every sentence, as ``evenhand rewrite`` gives it; and what it is laid beside.


Edits = Callable[[Document, Sentence], Sequence[TextEdit]]


def generate(sources: Sequence[str], suggester: Suggester) -> list[str]:
    """Each source with its sentences rewritten. Raises ReaderError and RewriterError."""

    def edits(document: Document, sentence: Sentence) -> Sequence[TextEdit]:
        found = suggester.rewrite(document, sentence)
        return found[0].edits if found else ()

    return [_edited(source, edits) for source in sources]


def delete_there(sources: Sequence[str], suggester: Suggester) -> list[str]:
    """Each source without the findings that `generate` would reword: the same marks, and no wording chosen.

    Raises ReaderError and RewriterError.
    """
    least = suggester.rewriter.bundle.thresholds.score

    def edits(document: Document, sentence: Sentence) -> Sequence[TextEdit]:
        read, wordings = suggester.rank_wordings(document, sentence)
        taken = [some[0].candidate.places[0] for some in wordings if some and some[0].score >= least]
        return [
            edit for place in taken for edit in read.passage.edits(replace_words(read.passage, *place, ""))
        ]

    return [_edited(source, edits) for source in sources]


def heedless(suggester: Suggester) -> Suggester:
    """The suggester with a ranking to which the leaning is nothing."""
    return Suggester(suggester.engine, _Heedless(suggester.rewriter))


@dataclass(frozen=True, slots=True)
class _Heedless:
    """A rewriter whose bundle puts no price on a shift of the leaning."""

    rewriter: Proposer

    @property
    def bundle(self) -> RewriterBundle:
        bundle = self.rewriter.bundle
        return replace(bundle, ranking=replace(bundle.ranking, leaning=0.0))

    def propose(self, asks: Sequence[RewriteRequest], n: int) -> list[Proposals]:
        return self.rewriter.propose(asks, n)


def _edited(source: str, edits: Edits) -> str:
    """``source`` after the edits of its sentences; one that is too long stays."""
    document, text = parse(source, Format.PLAIN), source
    for sentence in reversed(document.sentences):
        try:
            found = edits(document, sentence)
        except SentenceTooLong:
            continue
        text = apply_edits(text, sorted(found))
    return text
