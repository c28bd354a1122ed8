"""CW-Hard (Hube and Fetahu 2019): Wikipedia statements, crowd-checked biased, and three kinds of neutral ones."""

from __future__ import annotations

from pathlib import Path

from training.corpora.base import CorpusFacts, Example, open_file

FACTS = CorpusFacts(
    name="CW-Hard NPOV",
    home="https://doi.org/10.1145/3289600.3291018",
    licence="none stated; text CC BY-SA (Wikipedia)",
    files=(
        "cw_hard_npov/statements_biased",
        "cw_hard_npov/statements_neutral_cw-hard",
        "cw_hard_npov/statements_neutral_featured",
        "cw_hard_npov/statements_neutral_type_balanced",
    ),
)


def load(data: Path) -> list[Example]:
    """Biased and neutral statements; featured-article statements are also marked as not political."""
    examples: list[Example] = []
    for part in ("biased", "neutral_cw-hard", "neutral_type_balanced", "neutral_featured"):
        text = open_file(data, f"cw_hard_npov/statements_{part}").read_text(
            encoding="utf-8", errors="replace"
        )
        biased = part == "biased"
        for line in text.splitlines():
            if len(line.split()) >= 4:
                spans = None if biased else ()
                examples.append(Example(line.strip(), "cw_hard", spans=spans, bias=float(biased), group=part))
    return examples
