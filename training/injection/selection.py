"""One to three injections for a sentence: at which sites, with which words."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from training.injection import (
    certainty_rules,
    demographic_rules,
    insertion_rules,
    replacement_rules,
    vocabulary,
)
from training.injection.composition import compose, restore
from training.text.parsing import parse_sentences
from training.types import InjectedPair, InjectionSite, Sentence, Statement

RULES = (
    insertion_rules.adjectives,
    insertion_rules.openings,
    insertion_rules.adverbs,
    insertion_rules.intensifiers,
    insertion_rules.phrases,
    insertion_rules.predicates,
    certainty_rules.add_doubt,
    replacement_rules.swaps,
    certainty_rules.remove_hedges,
    demographic_rules.pronouns,
    demographic_rules.presuppositions,
)
WEIGHTS = {
    "puffery": 18.0,
    "loaded_adjective": 18.0,
    "editorialising": 4.0,
    "manner_adverb": 9.0,
    "intensifier": 5.0,
    "unsupported_attribution": 1.2,
    "cliche": 3.0,
    "doubt": 2.0,
    "report_verb": 20.0,
    "factive_verb": 14.0,
    "implicative_verb": 5.0,
    "entailing_verb": 14.0,
    "loaded_verb": 9.0,
    "effect_verb": 14.0,
    "euphemism": 16.0,
    "loaded_label": 11.0,
    "exaggeration": 7.0,
    "hedge_removed": 20.0,
    "generic_pronoun": 60.0,
    "gendered_default": 20.0,
    "group_presupposition": 6.0,
}
_COUNTS = ((1, 0.75), (2, 0.2), (3, 0.05))
_SHARE = 0.004
_FLOOR = 25
_FAMILIAR = 0.95
_COMMON = 6.0
_APART = 8


class InjectionSampler:
    """Draws injections; remembers how often each change was made, so that none exceeds 0.4% of the rows."""

    def __init__(self, seed: int, cooccurrence: vocabulary.Cooccurrence) -> None:
        self._random = random.Random(seed)
        self._company = cooccurrence
        self._words = vocabulary.load()
        self._used: Counter[tuple[str, str]] = Counter()
        self._rows = 0

    def inject(self, sentence: Sentence, statement: Statement, variants: int) -> Iterator[InjectedPair]:
        """Up to ``variants`` different biased versions of one sentence."""
        sites: dict[str, list[InjectionSite]] = {}
        for rule in RULES:
            for site in rule(sentence, self._words):
                sites.setdefault(site.family, []).append(site)
        made: set[str] = set()
        for _ in range(variants):
            wanted = self._random.choices([count for count, _ in _COUNTS], [share for _, share in _COUNTS])[0]
            chosen: list[tuple[InjectionSite, str]] = []
            for _ in range(wanted * 2):
                if len(chosen) < wanted and (drawn := self._draw(sentence, sites, chosen)):
                    chosen.append(drawn)
            if not chosen:
                continue
            first = sentence.tokens[0]
            named = first.tag in ("NNP", "NNPS") or first.text == "I" or first.text[1:2].isupper()
            biased, edits = compose(sentence.text, chosen, keep_case=named)
            row = InjectedPair(
                sentence.text, biased, edits, statement.group, statement.part, statement.source
            )
            if biased not in made and restore(biased, edits) == sentence.text and biased != sentence.text:
                made.add(biased)
                self._rows += 1
                self._used.update((edit.before.lower(), edit.after.lower()) for edit in edits)
                yield row

    def _draw(
        self,
        sentence: Sentence,
        sites: dict[str, list[InjectionSite]],
        chosen: list[tuple[InjectionSite, str]],
    ) -> tuple[InjectionSite, str] | None:
        families = sorted(sites)
        if not families:
            return None
        family = self._random.choices(families, [WEIGHTS[name] for name in families])[0]
        site = self._random.choice(sites[family])
        if any(site.start < other.end + _APART and other.start < site.end + _APART for other, _ in chosen):
            return None
        words = self._word(sentence, site)
        return (site, words) if words else None

    def _word(self, sentence: Sentence, site: InjectionSite) -> str:
        weights = [1.0 / (1.0 + rank / _COMMON) for rank in range(len(site.options))]
        if site.neighbour:
            known = self._company.weights(site.options, site.neighbour)
            if site.strict or (any(known) and self._random.random() < _FAMILIAR):
                weights = known
        after = sentence.text[site.start : site.end].lower()
        most = max(_FLOOR, _SHARE * self._rows)
        for at, option in enumerate(site.options):
            used = self._used[(option.lower(), after)]
            taken = used >= most or option.lower() == after
            weights[at] = 0.0 if taken else weights[at] / (1.0 + used / 12.0)
        return self._random.choices(site.options, weights)[0] if any(weights) else ""


def inject(
    statements: Iterable[Statement],
    *,
    nlp: Any,
    seed: int,
    cooccurrence: vocabulary.Cooccurrence,
    variants: int = 3,
) -> Iterator[InjectedPair]:
    """Biased versions of neutral statements, up to ``variants`` of each. The same seed gives the same rows.

    ``nlp`` is a spaCy pipeline with tagger, parser, lemmatizer and entities (``training.text.parsing.load_parser``);
    ``cooccurrence`` has the words that occur together (``dataset.cooccurrence``).
    """
    chooser = InjectionSampler(seed, cooccurrence)
    for sentence, statement in parse_sentences(((item.text, item) for item in statements), nlp):
        yield from chooser.inject(sentence, statement, variants)
