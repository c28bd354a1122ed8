"""Words as rows: filtering, sorting, display texts and text to copy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.widgets.kinds import kind_style
from app.widgets.labels import format_percent, to_single_line
from core.i18n import ntr, tr
from core.types import KINDS, Kind

if TYPE_CHECKING:
    from core.stereotypes.word_effects import SentenceEffect, WordEffect


@dataclass(frozen=True, slots=True)
class WordFilter:
    """Which words are shown, and in which order (a key of ``ORDERS``)."""

    query: str = ""
    identity_terms_only: bool = False
    order: str = "bias"


def key_of(row: WordEffect) -> str:
    """Identifies a word across analyses."""
    return row.word.casefold()


ORDERS: Mapping[str, tuple[str, Callable[[WordEffect], Any]]] = {
    "bias": (tr("Score"), lambda row: (-row.score.bias, key_of(row))),
    "effect": (tr("Effect"), lambda row: (-row.shift, -row.score.bias, key_of(row))),
    "count": (tr("Frequency"), lambda row: (-row.count, -row.score.bias, key_of(row))),
    "word": (tr("Alphabetical"), key_of),
}
"""Title and sort key of each order."""


def filter_words(rows: Iterable[WordEffect], word_filter: WordFilter) -> list[WordEffect]:
    """The rows that match the filter, sorted."""
    query = word_filter.query.strip().casefold()
    shown = [
        row for row in rows if query in key_of(row) and (row.group or not word_filter.identity_terms_only)
    ]
    return sorted(shown, key=ORDERS[word_filter.order][1])


def most_stereotyped(rows: Iterable[WordEffect], most: int) -> list[WordEffect]:
    """The words with the highest bias alone."""
    return sorted(rows, key=ORDERS["bias"][1])[:most]


def most_likely_kind(row: WordEffect) -> tuple[Kind, float]:
    """The most likely kind of a word and its probability."""
    kind = max(KINDS, key=lambda kind: row.score.kinds.get(kind, 0.0))
    return kind, row.score.kinds.get(kind, 0.0)


def describe_kind(row: WordEffect) -> str:
    """The second line of a row: the most likely kind, and whether the word is an identity term."""
    kind, chance = most_likely_kind(row)
    facts = [f"{kind_style(kind, dark=False).label} {format_percent(chance)}"]
    if row.group:
        facts.append(tr("identity term"))
    return " · ".join(facts)


def accessible_text(row: WordEffect) -> str:
    """The text of a word for screen readers."""
    times = ntr("{count} time", "{count} times", row.count).format(count=f"{row.count:,}")
    template = tr("{word}, {times}, bias of the word alone {bias:.2f}").format(
        word=to_single_line(row.word), times=times, bias=row.score.bias
    )
    return f"{template}, {describe_kind(row).replace(' · ', ', ')}"


def explain_score(row: WordEffect) -> str:
    """What the score of a word means."""
    return tr(
        "The model rates this word alone at {bias:.2f}. This shows a bias of the model, not of the word."
    ).format(bias=row.score.bias)


def in_quotes(word: str) -> str:
    """A word in quotation marks."""
    return tr("“{word}”").format(word=to_single_line(word))


def replacement_text(effect: SentenceEffect) -> str:
    """The replacement of the word in a sentence, in quotation marks, or that it is left out."""
    return in_quotes(effect.general) if effect.general else tr("left out")


def word_title(row: WordEffect, effects: Sequence[SentenceEffect]) -> str:
    """The word and its replacements."""
    ways = {replacement_text(effect).casefold(): replacement_text(effect) for effect in effects}
    return " → ".join([in_quotes(row.word), *([", ".join(ways.values())] if ways else [])])


def bias_change(effect: SentenceEffect) -> str:
    """The bias of a sentence before and after the replacement."""
    return f"{effect.bias_before:.2f} → {effect.bias_after:.2f}"


def sentence_accessible_text(effect: SentenceEffect) -> str:
    """The text of a sentence for screen readers."""
    template = tr("Bias {before:.2f} now, {after:.2f} with the word replaced ({general}): {sentence}")
    return template.format(
        before=effect.bias_before,
        after=effect.bias_after,
        general=replacement_text(effect),
        sentence=to_single_line(effect.before),
    )


def words_as_text(rows: Sequence[WordEffect]) -> str:
    """Words as tab-separated lines with a header."""
    head = (
        tr("Word"),
        tr("Count"),
        tr("Bias of the word alone"),
        tr("Most likely kind"),
        tr("Probability"),
        tr("Mean effect of a replacement"),
    )
    lines = []
    for row in rows:
        kind, chance = most_likely_kind(row)
        shift = f"{row.shift:.3f}" if row.effects else ""
        label = kind_style(kind, dark=False).label
        lines.append(
            (to_single_line(row.word), str(row.count), f"{row.score.bias:.3f}", label, f"{chance:.3f}", shift)
        )
    return _tab_separated(head, lines)


def effects_as_text(effects: Sequence[SentenceEffect]) -> str:
    """Sentences as tab-separated lines with a header."""
    head = (tr("Bias"), tr("With the word replaced"), tr("Sentence"), tr("Sentence with the word replaced"))
    lines = [
        (
            f"{one.bias_before:.3f}",
            f"{one.bias_after:.3f}",
            to_single_line(one.before),
            to_single_line(one.after),
        )
        for one in effects
    ]
    return _tab_separated(head, lines)


def _tab_separated(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    return "\n".join("\t".join(cells) for cells in (head, *lines))
