"""The words of a draft as rows: which are shown and in what order, what is said of each, and as text to copy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.widgets.kinds import look
from app.widgets.labels import percent, showable
from core.i18n import ntr, tr
from core.types import KINDS, Kind

if TYPE_CHECKING:
    from core.stereotypes.word_effects import SentenceEffect, WordEffect


@dataclass(frozen=True, slots=True)
class Filter:
    """Which words are shown, and in which order: one of ``ORDERS``."""

    find: str = ""
    identity: bool = False
    order: str = "bias"


def key_of(row: WordEffect) -> str:
    """What a word is known by when the text is read again."""
    return row.word.casefold()


ORDERS: Mapping[str, tuple[str, Callable[[WordEffect], Any]]] = {
    "bias": (tr("Score"), lambda row: (-row.score.bias, key_of(row))),
    "effect": (tr("Effect"), lambda row: (-row.shift, -row.score.bias, key_of(row))),
    "count": (tr("Frequency"), lambda row: (-row.count, -row.score.bias, key_of(row))),
    "word": (tr("Alphabet"), key_of),
}
"""By name: what an order is called, and its key."""


def admitted(rows: Iterable[WordEffect], wanted: Filter) -> list[WordEffect]:
    """The rows that are shown, in their order."""
    find = wanted.find.strip().casefold()
    shown = [row for row in rows if find in key_of(row) and (row.group or not wanted.identity)]
    return sorted(shown, key=ORDERS[wanted.order][1])


def most_stereotyped(rows: Iterable[WordEffect], most: int) -> list[WordEffect]:
    """The words that the model reads as most biased alone, the highest first."""
    return sorted(rows, key=ORDERS["bias"][1])[:most]


def likeliest(row: WordEffect) -> tuple[Kind, float]:
    """The likeliest kind of a word, and its chance."""
    kind = max(KINDS, key=lambda kind: row.score.kinds.get(kind, 0.0))
    return kind, row.score.kinds.get(kind, 0.0)


def facts_of(row: WordEffect) -> str:
    """The likeliest kind, and that the word names people: the second line of a row."""
    kind, chance = likeliest(row)
    facts = [f"{look(kind, dark=False).label} {percent(chance)}"]
    if row.group:
        facts.append(tr("identity term"))
    return " · ".join(facts)


def spoken(row: WordEffect) -> str:
    """A word as a screen reader says it."""
    times = ntr("{count} time", "{count} times", row.count).format(count=f"{row.count:,}")
    said = tr("{word}, {times}, alone {bias:.2f}").format(
        word=showable(row.word), times=times, bias=row.score.bias
    )
    return f"{said}, {facts_of(row).replace(' · ', ', ')}"


def meaning(row: WordEffect) -> str:
    """What the score of a word means, and what it does not."""
    return tr(
        "The model alone with this word reads {bias:.2f}: that is the model's habit, not a verdict on the word."
    ).format(bias=row.score.bias)


def quoted(word: str) -> str:
    """A word in quotation marks."""
    return tr("“{word}”").format(word=showable(word))


def replaced_by(effect: SentenceEffect) -> str:
    """What takes the place of the word in a sentence, as a person reads it."""
    return quoted(effect.general) if effect.general else tr("left out")


def title_of(row: WordEffect, effects: Sequence[SentenceEffect]) -> str:
    """The word, and what takes its place in its sentences."""
    ways = {replaced_by(effect).casefold(): replaced_by(effect) for effect in effects}
    return " → ".join([quoted(row.word), *([", ".join(ways.values())] if ways else [])])


def change_of(effect: SentenceEffect) -> str:
    """The bias of a sentence, and what it is without the word."""
    return f"{effect.bias_before:.2f} → {effect.bias_after:.2f}"


def effect_spoken(effect: SentenceEffect) -> str:
    """A sentence as a screen reader says it."""
    said = tr("Bias {before:.2f} as it stands, {after:.2f} with the word replaced ({general}): {sentence}")
    return said.format(
        before=effect.bias_before,
        after=effect.bias_after,
        general=replaced_by(effect),
        sentence=showable(effect.before),
    )


def as_text(rows: Sequence[WordEffect]) -> str:
    """Rows as lines with tabs between, under a line that names the columns."""
    head = (
        tr("Word"),
        tr("Times"),
        tr("Bias alone"),
        tr("Likeliest kind"),
        tr("Its chance"),
        tr("Mean effect of replacing it"),
    )
    lines = []
    for row in rows:
        kind, chance = likeliest(row)
        shift = f"{row.shift:.3f}" if row.effects else ""
        label = look(kind, dark=False).label
        lines.append(
            (showable(row.word), str(row.count), f"{row.score.bias:.3f}", label, f"{chance:.3f}", shift)
        )
    return _table(head, lines)


def effects_as_text(effects: Sequence[SentenceEffect]) -> str:
    """Sentences as lines with tabs between, under a line that names the columns."""
    head = (tr("Bias"), tr("With the word replaced"), tr("Sentence"), tr("Replaced"))
    lines = [
        (f"{one.bias_before:.3f}", f"{one.bias_after:.3f}", showable(one.before), showable(one.after))
        for one in effects
    ]
    return _table(head, lines)


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    return "\n".join("\t".join(cells) for cells in (head, *lines))
