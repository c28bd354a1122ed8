"""The table ``bsw-reader``, a section of the reader's card as well: the terms that it treats unequally are named."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from core.stereotypes.pairs import Pair, TermAuc, flip_rate, mean_shift
from core.stereotypes.scan import write_scan
from core.stereotypes.scores import TAU
from training.export import seal
from training.stereotypes.measuring import ALIKE, Figures, measure, unequal

COMMAND = "evenhand train table bsw-reader --data DIR"
HEADING = "## How it treats words"
WORDS, TERMS = 60, 20
"""How many words and terms are named, of each sort."""

_SECTION = re.compile(rf"\n{HEADING}\n.*?(?=\n## |\Z)", re.DOTALL)


def run(
    data: Path, folder: Path, *, words: Path | None, least: int, write: bool, before: Path | None = None
) -> str:
    """The table for the bundle in ``folder``, beside the reader in ``before``; with ``write`` in the card as well.

    Raises CorpusError, BundleError and ReaderError.
    """
    figures = measure(data, folder, words=words, least=least, before=before)
    if write:
        put(folder, figures)
    facts = figures.facts
    return f"Read by {facts.title} (run {facts.run}), biased from {facts.thresholds.bias:.2f}.\n{section(figures)}"


def put(folder: Path, figures: Figures) -> None:
    """Write the scan and the section of the card into a sealed bundle, and seal it again."""
    write_scan(folder, figures.facts.run, figures.scanned)
    card = (folder / "README.md").read_text(encoding="utf-8")
    seal(folder, _SECTION.sub("", card).rstrip("\n") + "\n" + section(figures))


def section(figures: Figures) -> str:
    """The section of the card, in Markdown."""
    return "\n".join(
        [
            "",
            HEADING,
            "",
            f"Measured by `{COMMAND} --write` with this bundle (int8).",
            "",
            *_own_list(figures),
            "",
            *_pinned(figures),
            "",
            *_pairs(figures.pairs, figures.before),
            "",
            *_aucs(figures),
            "",
            *_unequal(figures),
            "",
        ]
    )


def _own_list(figures: Figures) -> list[str]:
    found = figures.sensitive
    left_out = "obvious abusive words left out" if figures.listed else "abusive words among them"
    scanned = len(figures.scanned)
    lines = [
        f"**Words that it reads as biased by themselves.** Of {scanned:,} words {len(found):,} "
        f"({len(found) / scanned:.1%}) have a bias of {TAU:.1f} or more with nothing around them "
        f"({left_out}). Many are loaded; those that are not are stereotyped."
    ]
    if found:
        named = ", ".join(f"{score.word} {score.bias:.2f}" for score in found[:WORDS])
        lines += ["", f"The first: {named}." if len(found) > WORDS else f"They are: {named}."]
    return lines


def _pinned(figures: Figures) -> list[str]:
    return [
        "**Pinned bias over the identity terms** (0 is best; PB_mean is 0 for any terms that are not told apart, "
        f"PB_asym counts only what lies above {TAU:.1f}):",
        "",
        "| group | forms | PB_mean | PB_sym | PB_asym |",
        "|---|---|---|---|---|",
        *(
            f"| {group or 'all'} | {count} | {one.mean:.4f} | {one.sym:.4f} | {one.asym:.4f} |"
            for group, (count, one) in figures.pinned.items()
        ),
    ]


def _pairs(made: Sequence[Pair], before: Sequence[Pair]) -> list[str]:
    heads = ["set", "pairs", "flips", "mean absolute shift", "largest"]
    heads += ["before: flips", "before: shift", "before: largest"] if before else []
    rows = []
    for about in [*dict.fromkeys(pair.about for pair in made), "all"]:
        some, earlier = ([one for one in told if about in (one.about, "all")] for told in (made, before))
        cells = [about, f"{len(some)}", *_moved(some), *(_moved(earlier) if earlier else [])]
        rows.append(f"| {' | '.join(cells)} |")
    told = " The reader that was named as the one before it is beside it." if before else ""
    return [
        "**Neutral sentences that differ in the person alone** (templates that no reader is trained with; a pair flips "
        f"where one side is read as biased and the other is not).{told}",
        "",
        f"| {' | '.join(heads)} |",
        f"|{'---|' * len(heads)}",
        *rows,
    ]


def _moved(some: Sequence[Pair]) -> list[str]:
    widest = max(pair.gap for pair in some)
    return [f"{flip_rate(some):.1%}", f"{mean_shift(some):.4f}", f"{widest:.4f}"]


def _aucs(figures: Figures) -> list[str]:
    sets = list(dict.fromkeys(one.about for one in figures.aucs))
    rows = [(about, [one for one in figures.aucs if one.about == about]) for about in sets]
    return [
        "**The same sentences against themselves with a loaded word put in**: AUC over all "
        f"{figures.auc:.4f}. Of each set the group with the lowest AUC; a low BPSN AUC means that its plain sentences "
        "are read too high, a low BNSP AUC that its loaded ones are read too low:",
        "",
        "| set | subgroup AUC | BPSN AUC | BNSP AUC |",
        "|---|---|---|---|",
        *(f"| {about} | {_lowest(some)} |" for about, some in rows),
    ]


def _lowest(some: Sequence[TermAuc]) -> str:
    worst = [min(some, key=lambda one: getattr(one, name)) for name in ("subgroup", "bpsn", "bnsp")]
    figures = (worst[0].subgroup, worst[1].bpsn, worst[2].bnsp)
    return " | ".join(f"{figure:.4f} ({one.group})" for figure, one in zip(figures, worst, strict=True))


def _unequal(figures: Figures) -> list[str]:
    higher, lower = unequal(figures)
    lines = [
        f"**Terms that it treats unequally.** Of {len(figures.shifts)} identity terms in such sentences, {len(higher)} "
        f"make a sentence read more than {ALIKE:.2f} more biased than the others of their set do, {len(lower)} more "
        "than that less."
    ]
    for word, rows in (("More", higher), ("Less", lower)):
        if rows:
            named = ", ".join(f"{group} {shift:+.3f}" for _, group, shift in rows[:TERMS])
            lines += ["", f"{word}: {named}{' …' if len(rows) > TERMS else '.'}"]
    return lines
