"""Corpora whose marked spans are near to biased wording: propaganda (PTC), subjectivity (MPQA), uncertainty (Szeged).

Their spans teach the broad stage of a reader; what they leave unmarked says little, so it hardly counts.

- PTC (Da San Martino et al. 2019): articles with techniques; those that lie in the wording are taken.
- MPQA 2.0 (Wiebe et al. 2005): expressive subjectivity in the writer's own voice (nested source ``w``), of medium
  intensity or more.
- Szeged uncertainty (Vincze 2014): doxastic cues of Wikipedia, which are attributions without a source as a rule.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.documents.sentences import split as split_sentences
from core.types import Kind
from training.corpora.files import read_json_rows
from training.types import CorpusFacts, Example, GoldSpan, OnMessage, open_file, print_to_stderr

PTC_FACTS = CorpusFacts(
    key="ptc",
    name="Propaganda Techniques Corpus",
    homepage="https://propaganda.qcri.org/ptc",
    licence="research",
    files=("ptc/articles.jsonl.xz",),
    manual_steps="Ask its authors for the corpus; ptc/articles.jsonl.xz has an article a line: id, text, spans (start, "
    "end, technique).",
)
MPQA_FACTS = CorpusFacts(
    key="mpqa",
    name="MPQA opinion corpus 2.0",
    homepage="https://mpqa.cs.pitt.edu",
    licence="GPL notice in the original",
    files=("mpqa2/sentences.jsonl.xz",),
    manual_steps="Download it from its home; mpqa2/sentences.jsonl.xz has a sentence a line: doc, text, spans (start, "
    "end, type, intensity, polarity, nested source).",
)
UNCERTAINTY_FACTS = CorpusFacts(
    key="szeged-uncertainty",
    name="Szeged uncertainty corpus, Wikipedia",
    homepage="https://rgai.inf.u-szeged.hu/node/160",
    licence="MIT (repository)",
    files=("szeged_uncertainty/wiki.jsonl.xz",),
    manual_steps="szeged_uncertainty/wiki.jsonl.xz has a sentence a line: text, cues (start, end, type).",
)
UNMARKED_WEIGHT = 0.1
"""How much a word that these corpora leave unmarked counts as neutral."""
_TECHNIQUES = {
    "Loaded_Language": Kind.FRAMING,
    "Name_Calling,Labeling": Kind.FRAMING,
    "Exaggeration,Minimisation": Kind.FRAMING,
    "Thought-terminating_Cliches": Kind.FRAMING,
}
_MOST_WORDS = 6
"""Words of the longest span that is taken; a longer one is a passage."""
_STRONG = frozenset({"medium", "high", "extreme"})


def load_ptc(data: Path, on_message: OnMessage = print_to_stderr) -> list[Example]:
    """Sentences of PTC's articles with a span of at most six words; grouped by article."""
    return _load(data, PTC_FACTS, _ptc_sentences, "id, text and spans", on_message)


def load_mpqa(data: Path, on_message: OnMessage = print_to_stderr) -> list[Example]:
    """Sentences of MPQA with a subjective span in the writer's own voice; grouped by document."""
    return _load(data, MPQA_FACTS, _mpqa_sentence, "doc, text and spans", on_message)


def load_uncertainty(data: Path, on_message: OnMessage = print_to_stderr) -> list[Example]:
    """Wikipedia sentences with a doxastic cue."""
    found = _load(data, UNCERTAINTY_FACTS, _uncertain_sentence, "text and cues", on_message)
    return [replace(example, group=f"szeged-{number}") for number, example in enumerate(found)]


def _ptc_sentences(row: dict[str, Any]) -> list[Example]:
    text, group = str(row["text"]), str(row["id"])
    spans = [
        _span(text, start, end, _TECHNIQUES[name]) for start, end, name in row["spans"] if name in _TECHNIQUES
    ]
    short = [span for span in spans if _is_short(text, span)]
    found: list[Example] = []
    at = 0
    for line in text.split("\n"):
        for first, last in split_sentences(line):
            start, end = at + first, at + last
            inside = [span for span in short if start <= span.start and span.end <= end]
            if inside:
                found.append(_example(text[start:end], "ptc", inside, start, group))
        at += len(line) + 1
    return found


def _mpqa_sentence(row: dict[str, Any]) -> list[Example]:
    text, group = str(row["text"]), str(row["doc"])
    spans = [
        _span(text, start, end, Kind.FRAMING)
        for start, end, name, intensity, _, source in row["spans"]
        if name == "expressive-subjectivity" and source == "w" and intensity in _STRONG
    ]
    kept = [span for span in spans if _is_short(text, span)]
    return [_example(text, "mpqa", kept, 0, group)] if kept else []


def _uncertain_sentence(row: dict[str, Any]) -> list[Example]:
    text = str(row["text"])
    spans = [
        _span(text, start, end, Kind.EPISTEMOLOGICAL)
        for start, end, name in row["cues"]
        if name == "doxastic"
    ]
    return [_example(text, "szeged", spans, 0, "")] if spans else []


def _span(text: str, start: Any, end: Any, kind: Kind) -> GoldSpan:
    if not 0 <= int(start) < int(end) <= len(text):
        raise ValueError(f"span {start} to {end} is outside of its text")
    return GoldSpan(int(start), int(end), kind)


def _is_short(text: str, span: GoldSpan) -> bool:
    return len(text[span.start : span.end].split()) <= _MOST_WORDS


def _example(text: str, corpus: str, spans: list[GoldSpan], shift: int, group: str) -> Example:
    moved = sorted((GoldSpan(s.start - shift, s.end - shift, s.kind) for s in spans), key=lambda s: s.start)
    apart: list[GoldSpan] = []
    for span in moved:
        if not apart or span.start >= apart[-1].end:
            apart.append(span)
    return Example(text, corpus, spans=tuple(apart), group=group, unmarked_weight=UNMARKED_WEIGHT)


def _load(
    data: Path,
    facts: CorpusFacts,
    parse: Callable[[dict[str, Any]], list[Example]],
    expected: str,
    on_message: OnMessage,
) -> list[Example]:
    rows = read_json_rows(open_file(data, facts.files[0]), parse, expected=expected, on_message=on_message)
    return [example for row in rows for example in row]
