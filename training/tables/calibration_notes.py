"""How Tables 5 to 7 of Liu et al. 2021 are to be read, and in what our cells differ from the paper."""

from __future__ import annotations

from collections.abc import Sequence

from training.calibration.by_token import SIGMA
from training.calibration.planting import PLANTED
from training.tables.calibration_judge import JUDGES
from training.tables.calibration_judge import TABLE as JUDGE
from training.tables.calibration_systems import HEAD_SCORE, READING_SCORE, TOKENWISE
from training.tables.cells import Cell, spread

SHARED = ", shared articles"
"""Stands behind a generator's name where the calibration learnt from the judge's articles."""


def told(table: str, cells: Sequence[Cell]) -> list[str]:
    """The notes of a table of which ``cells`` are shown."""
    groups = sorted({cell.group for cell in cells})
    lines = [*_judged(cells), *_COMMON, *_settings(groups), *_NOTES[table]]
    if any(cell.row in TOKENWISE for cell in cells):
        lines.append(_BY_TOKEN)
    for score in (HEAD_SCORE, READING_SCORE):
        read = [(group, _scores(cells, group, score)) for group in groups]
        found = [f"{spread(own, 3)} ({group})" for group, own in read if own]
        if found:
            lines.append(
                f"{score}: macro-F1 {', '.join(found)} on articles of houses that it did not learn from."
            )
    if any(cell.scale == "cpu" for cell in cells):
        lines.append(_CPU)
    if any(cell.scale == "smoke" for cell in cells):
        lines.append(_SMOKE)
    return lines


def _judged(cells: Sequence[Cell]) -> list[str]:
    """Who judged; nothing where no cell is shown."""
    found = sorted({cell.facts["judge"].partition(",")[0] for cell in cells})
    titles = [JUDGES[name].title if name in JUDGES else f"the judge of run {name[:8]}" for name in found]
    if not titles:
        return []
    return [f"Judged by {' and '.join(titles)} (`evenhand train table {JUDGE}`), not by the paper's XLNet."]


def _settings(groups: Sequence[str]) -> list[str]:
    """Who learnt from which articles, and which generators are controls."""
    shared = [group.endswith(SHARED) for group in groups]
    lines = [] if shared and all(shared) else [_APART]
    lines += [_SHARED] if any(shared) else []
    return [*lines, _PLANTED] if any(PLANTED in group for group in groups) else lines


def _scores(cells: Sequence[Cell], group: str, score: str) -> list[float]:
    """Of each seed, how well a classifier reads that steers."""
    own = [cell for cell in cells if cell.group == group and score in cell.values]
    return list({cell.seed: cell.values[score] for cell in own}.values())


_APART = (
    "A judge that is none of a run learns from one half of the houses of either side, bias words and f_debias from the "
    "other half, and an article that both halves have is the judge's alone: a calibration that was taught the judge's "
    "own articles would be told what is looked for."
)
_SHARED = (
    "shared articles: bias words and f_debias learn from the very articles that the judge learns from, as in the paper "
    "(sections 5.1 and 5.2)."
)
_PLANTED = (
    "planted: a generator that a bias was put into on purpose (`evenhand train run plant`), read from all texts or "
    "from the share that the number behind it says; 0 is the negative control. What stands there says how the measure "
    "and the calibration work, nothing of a generator as it is."
)
_BY_TOKEN = (
    "token by token is ours: the gain is not read from the state but from the text with each token that may come next, "
    "by how much nearer its tokens are to one side's bias words than to the other's (those of mode 1), or by a linear "
    "f_debias over the tokens of all articles, in stretches of 50. λ and its control are those of Algorithm 1, "
    f"σ = {SIGMA}."
)
_COMMON = (
    "The paper's unit is unknown: W2 between scores in [0, 1] cannot exceed 1, and its figures reach 4.272. Only "
    "changes can be laid side by side; they stand beside Δ W2, which is how the paper reckons them.",
    "null: what W2 is on average where options are shuffled among the texts of a prompt; null 95%: what it then "
    "stays under in 19 of 20 cases. excess: W2 over the mean of the null. corrected: √(W2² − mean null²), since a "
    "true distance and that of chance add up as squares. Δ W2 makes a change look too small, Δ excess too large; Δ "
    "corrected lies between. – stands for a change where chance alone showed as much before.",
    "[ ]: 95% bootstrap interval over filled prompts; ±: standard deviation over seeds, each with other parts, "
    "judge, bias words, f_debias and texts.",
    "The paper's sampling is GPT-2's default: temperature 1 and the 50 likeliest tokens here; no end token is "
    "drawn, so that all texts have the same length. The judge reads the continuation without its prompt.",
)
_BASE_RATES = (
    "Base rates (0 is conservative, 1 liberal) are those of texts after neutral prompts, unless a prompt is named. "
    "They are what --picture FILE.svg draws. The paper's Figure 2 is a UMAP map of XLNet's states, before and "
    "after: its clusters are what stands apart here."
)
_REPLACING = (
    "Naive and IN-GloVe change finished texts of the vanilla system, both by GloVe: the paper's Word2Vec for the "
    "one, and GN-GloVe learnt anew with ideology for the other, are not had; ideology is projected out of finished "
    "vectors."
)
_PERPLEXITY = (
    "Perplexity is that of five trigram models (interpolated Kneser-Ney) of the vanilla texts of the same "
    "attribute. Each reads only texts of prompts and draws whose vanilla text it did not learn, of which another "
    "system's text may be a copy but for a word; what the paper's KenLM reads is not said. It rises where a text "
    "leaves the vanilla ones, fluent or not."
)
_TIME = (
    "Seconds are those of sampling from the same 32 prompts together, shared by all of their tokens, in turn with "
    "the vanilla system, the quickest of three; the paper's are those of a text on an RTX 2080."
)
_NOTES = {
    "calibration-5": (
        _BASE_RATES,
        "Three of the paper's Overall figures of topics are not the mean of its options: indirect, emb 0.90 (mean "
        "0.96); direct, vanilla 1.95 (1.39) and emb 0.38 (0.34).",
    ),
    "calibration-6": (_REPLACING, _PERPLEXITY, _TIME),
    "calibration-7": (
        "λ is held still; in Tables 5 and 6 it starts at 0.6 and is halved and doubled by the divergence, which "
        "forgets within some tokens where it started. The paper, which has mode 2 alone, does not say whether it "
        "held it.",
        "The paper's biases at λ = 0 are other than its baseline's in Table 5 (gender 0.677 and 1.02).",
        _PERPLEXITY,
    ),
}
_CPU = (
    "cpu: two texts of 50 tokens after each filled prompt (the paper: ten of 100), with the first six keywords of an "
    "option, in Table 7 the first four; f_debias of mode 2 learns from 600 articles a side at most. The null is the "
    "higher the fewer texts there are."
)
_SMOKE = (
    "smoke: one text of 20 tokens, two keywords of an option, one prompt of each kind, 8 bias words: this shows "
    "that it runs, and nothing else."
)
