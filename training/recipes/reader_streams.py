"""Which corpora the stages of the reader learn from, how often, and what each is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from training.batches import Encoded, Stream, encode
from training.corpora.base import Example
from training.mixture import Mixture

MAX_TOKENS = 128
RELATED_SHARES = {
    "persuasion": 0.08,
    "loaded_language": 0.08,
    "subjectivity": 0.05,
    "sentiment": 0.03,
    "news_bias": 0.06,
    "news_subjectivity": 0.03,
    "group_bias": 0.05,
    "stereotype": 0.03,
    "climate_stance": 0.02,
    "fact_or_feeling": 0.04,
}
READER_SHARES = {
    "babe": 0.34,
    "wnc": 0.28,
    "gbnc": 0.05,
    "cw_hard": 0.09,
    "articles": 0.15,
    "not_political": 0.03,
    "tagged": 0.06,
    "injected": 0.3,
}
FURTHER_SHARES = {
    "babe": 0.34,
    "wnc_spans": 0.34,
    "wnc_bias": 0.16,
    "gbnc": 0.03,
    "cw_hard": 0.1,
    "articles": 0.04,
    "not_political": 0.01,
    "tagged": 0.05,
    "injected": 0.1,
    "templates": 0.12,
    "swapped": 0.08,
}
"""A reader that goes on knows leaning and BABE; it learns more of edited spans, and to read alike of whom it is.

Spans of WNC's pairs are learnt from biased sides alone: an editor who mended one span says nothing of the
others' words. The bias of a sentence is learnt from both, or all of Wikipedia would seem biased. (In READER_SHARES,
with which the shipped reader began, both sides teach both.)
"""


class Encoder:
    """Tokenises each list of examples once."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._done: dict[int, tuple[Sequence[Example], list[Encoded]]] = {}

    def __call__(self, examples: Sequence[Example]) -> list[Encoded]:
        if id(examples) not in self._done:
            self._done[id(examples)] = (examples, encode(examples, self._tokenizer, max_tokens=MAX_TOKENS))
        return self._done[id(examples)][1]


def related_streams(mixture: Mixture, encoder: Encoder) -> list[Stream[Encoded]]:
    """Every corpus but BABE."""
    streams = [
        Stream(task.name, encoder(rows), RELATED_SHARES[task.name], (task.name,), weight=0.7)
        for task, rows in mixture.related.items()
        if rows
    ]
    return [
        *streams,
        Stream("cw_hard", encoder(mixture.cw_hard), 0.2, ("bias",)),
        Stream("wnc", encoder(mixture.wnc), 0.2, ("spans", "bias")),
        Stream("gbnc", encoder(mixture.gbnc), 0.03, ("spans", "bias")),
        Stream("articles", encoder(mixture.articles), 0.08, ("leaning",), weight=0.7),
        Stream("not_political", encoder(mixture.not_political), 0.02, ("leaning",), weight=0.7),
    ]


def reader_streams(
    mixture: Mixture, encoder: Encoder, tagged: Sequence[Encoded], shares: Mapping[str, float]
) -> list[Stream[Encoded]]:
    """The reader's own corpora that ``shares`` names; ``tagged`` are biased statements with distant word labels."""
    both = ("spans", "bias")
    streams = [
        Stream("babe", encoder(mixture.babe), shares["babe"], both),
        Stream("gbnc", encoder(mixture.gbnc), shares["gbnc"], both),
        Stream("cw_hard", encoder(mixture.cw_hard), shares["cw_hard"], ("bias",)),
        Stream("articles", encoder(mixture.articles), shares["articles"], ("leaning",), weight=0.7),
        Stream(
            "not_political",
            encoder(mixture.not_political),
            shares["not_political"],
            ("leaning",),
            weight=0.7,
        ),
    ]
    if tagged:
        streams.append(Stream("tagged", tagged, shares["tagged"], ("spans",), weight=0.5))
    pairs = encoder(mixture.wnc)
    if "wnc" in shares:
        return [*streams, Stream("wnc", pairs, shares["wnc"], both)]
    biased = [row for row in pairs if row.example.spans]
    return [
        *streams,
        Stream("wnc_spans", biased, shares["wnc_spans"], ("spans",)),
        Stream("wnc_bias", pairs, shares["wnc_bias"], ("bias",)),
    ]
