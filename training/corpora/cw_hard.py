"""CW-Hard (Hube and Fetahu 2019): Wikipedia statements, crowd-checked biased, and three kinds of neutral ones."""

from __future__ import annotations

from pathlib import Path

from training.corpora.base import AGAIN, CorpusError, CorpusFacts, Example, open_file
from training.corpora.reading import lines

FACTS = CorpusFacts(
    key="cw-hard",
    name="CW-Hard NPOV",
    home="https://github.com/ChristophHubeL3S/Neural_Based_Statement_Classification_for_Biased_Language_WSDM2019",
    licence="none stated; text CC BY-SA (Wikipedia)",
    files=(
        "cw_hard_npov/statements_biased",
        "cw_hard_npov/statements_neutral_cw-hard",
        "cw_hard_npov/statements_neutral_featured",
        "cw_hard_npov/statements_neutral_type_balanced",
    ),
    person="Take the four files statements_* from the repository and put them into cw_hard_npov/. If it is gone, "
    "its paper (https://doi.org/10.1145/3289600.3291018) names the authors.",
)


def load(data: Path) -> list[Example]:
    """Statements of four words or more; ``group`` is the kind of statement. The featured ones serve as not political.

    Raises CorpusError for a file without one statement: then a class would be missing.
    """
    examples: list[Example] = []
    for part in ("biased", "neutral_cw-hard", "neutral_type_balanced", "neutral_featured"):
        path = open_file(data, f"cw_hard_npov/statements_{part}")
        biased = part == "biased"
        spans = None if biased else ()
        statements = [line.strip() for line in lines(path) if len(line.split()) >= 4]
        if not statements:
            raise CorpusError(f"{path} holds no statement. {AGAIN}")
        examples += [
            Example(text, "cw_hard", spans=spans, bias=float(biased), group=part) for text in statements
        ]
    return examples
