"""Other wordings of the 62 statements, which stability is measured with (Feng et al. 2023, appendix D, Figure 5).

The paper had each statement reworded by six paraphrasing models and tools, whose output is not in its release. Here
are two rewordings of each, written for this project.
"""

from __future__ import annotations

from pathlib import Path

from training.compass.statements import COUNT, Questionnaire

FILE = Path(__file__).with_name("paraphrases.tsv")
PARAPHRASES = 2
"""Beside the statement itself, which is wording 0."""


def worded(questionnaire: Questionnaire, wording: int) -> tuple[str, ...]:
    """All statements in one wording: 0 as the test puts them, then paraphrases. Raises ValueError for another."""
    if wording == 0:
        return questionnaire.texts()
    if not 1 <= wording <= PARAPHRASES:
        raise ValueError(f"There is no wording {wording}: there are 0 to {PARAPHRASES}.")
    found = _paraphrases()
    return tuple(found[number][wording - 1] for number in range(1, COUNT + 1))


def _paraphrases() -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for line in FILE.read_text(encoding="utf-8").splitlines()[1:]:
        number, text = line.split("\t")
        found.setdefault(int(number), []).append(text)
    return found
