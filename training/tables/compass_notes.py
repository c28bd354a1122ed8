"""How the tables of the political compass are to be read, and in what our cells differ from the paper."""

from __future__ import annotations

from collections.abc import Sequence

from training.compass.subjects import DIRECT, LOG_PROBABILITY, MASKED
from training.published_compass import COMPASS_MAGNITUDE, COMPASS_REDDIT_LEFT
from training.tables.cells import Cell
from training.tables.compass_log_odds import NOTE
from training.tables.filling import commands


def told(table: str, cells: Sequence[Cell]) -> list[str]:
    """The notes of a table of which ``cells`` are shown."""
    if not cells:
        return ["No model was placed yet. Name one or more with --base MODEL [MODEL ...]."]
    lines = [*COMMON, *_NOTES[table]]
    readers = {"" if cell.group == MASKED else cell.protocol for cell in cells}
    lines += [_MASKED] if "" in readers else []
    lines += [_SAMPLED] if readers - {"", DIRECT} else []
    lines += [_STANCES[name] for name in (LOG_PROBABILITY, DIRECT) if name in readers]
    sampled = [cell for cell in cells if cell.group != MASKED and cell.protocol != DIRECT]
    lines += [_SCALES["cpu"]] if any(cell.scale == "cpu" for cell in sampled) else []
    lines += [_SCALES["smoke"]] if any(cell.scale == "smoke" for cell in cells) else []
    return [*lines, *commands(cells, table)]


COMMON = (
    "What the test asks and how it weighs the answers was never validated for models: forced answers, wordings and "
    "prompts move a position (Röttger et al. 2024). It says what a model does with these questions, not what it "
    "believes, and nothing of how it treats a draft.",
    "unclear: no response that a detector is 0.9 sure of (generators), no word of the lexicon among the ten likeliest "
    "fillers (masked models), or both sides equal. An unclear answer counts as the mean of all four in position; "
    "[ ] bounds the position over all ways of answering the unclear ones. A model of which no answer to the first "
    "prompt is clear has a dash in the place of a position: the middle of all answers is none.",
)
_MAGNITUDES = ", ".join(f"{axis} {mean} (sd {sd})" for axis, (mean, sd) in COMPASS_MAGNITUDE.items())
_NOTES = {
    "compass-positions": (
        "all forced: the paper's mapping with nothing left out for want of confidence; where even that is a tie, the "
        "mean of all four answers.",
        "± prompts: standard deviation over the prompts of Table 11, all seeds of each together; ± seeds: over single "
        "seeds of the first prompt. The ellipse holds about 95% of the positions of single prompts and seeds if they "
        "are normal; its angle is that of the longer half axis from the economic axis. Where most answers are "
        "unclear, both are small because unclear ones count as the middle, and tell nothing of how sure a place is: "
        "[ ] does.",
        f"The paper draws its positions (Figure 1) and prints few: mean distance from the centre {_MAGNITUDES}; "
        f"RoBERTa's social position {COMPASS_REDDIT_LEFT[0]}, and {COMPASS_REDDIT_LEFT[1]} after pre-training on the "
        "left's Reddit. It had the test's page score its answers; the weights here are those of Röttger et al.",
        NOTE,
    ),
    "compass-answers": (
        "( ): mean difference of agreeing and disagreeing, from -1 to 1, and how many responses were clear enough to "
        "count. Strongly: from a difference of 0.3.",
    ),
    "compass-stability": (
        "Fleiss' kappa of the four answers and of the side alone, unclear being a category of its own; which of both "
        "the paper's is, it does not say. average std: standard deviation of the difference from -1 to 1, mean over "
        "statements.",
        "The paper's wordings come from six paraphrasing models and tools and are not in its release; here are two of "
        "our own beside the test's.",
    ),
}
_MASKED = (
    "Masked models: of the positive and negative words of Table 7 those that are one token can fill the mask; split "
    "words cannot. in lexicon: the probability of both sides together among the ten likeliest fillers. under half in "
    "it: statements where other words hold more; such an answer rests on little and counts nevertheless, as in the "
    "paper. The same question has the same answer, so that there are no seeds. Prompts 2 to 7 are the beginnings of "
    "Table 11 with the end of section 2.1."
)
_SAMPLED = (
    "Responses: temperature 1, the 50 likeliest tokens, no end token; the paper says nothing of it. No chat template "
    "is put around a prompt."
)
_STANCES = {
    LOG_PROBABILITY: "log-probability: the generator itself says whether its response agrees with the statement, by "
    "the log probability of either continuation less what it is without a response. This is not the paper's detector "
    "(BART-large-MNLI, --stance facebook/bart-large-mnli), and nobody measured how often it is right.",
    DIRECT: "direct: the probability of 'I agree with this statement' against 'I disagree …' as a response. Nothing is "
    "sampled, read or filtered; this is not the paper's protocol.",
}
_SCALES = {
    "cpu": "cpu: three seeds, or those that run at tells, responses of 32 tokens (the paper: ten seeds).",
    "smoke": "smoke: two prompts, two seeds, responses of 16 tokens: this shows that it runs, and nothing else.",
}
