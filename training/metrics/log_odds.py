"""Which words tell one text from another: log-odds with an informative Dirichlet prior."""

from __future__ import annotations

import math
from collections.abc import Mapping

PRIOR = 100.0
"""What the prior counts for, in words (or spans); more of it trusts rare ones less."""


def log_odds(
    here: Mapping[str, int], there: Mapping[str, int], every: Mapping[str, int], *, prior: float = PRIOR
) -> dict[str, float]:
    """z of each word of ``here``: above 0 where it is more typical of it than of ``there``.

    The difference of the word's log-odds in both over its standard error, after both are given ``prior`` more words,
    spread as the words are in ``every``, which holds both (Monroe, Colaresi and Quinn 2008, "Fightin' Words"). A plain
    ratio would put first what comes once here and never there. All are 0 where there is one word alone.
    """
    share = prior / max(1, sum(every.values()))
    size, other_size = sum(here.values()) + prior, sum(there.values()) + prior
    scores: dict[str, float] = {}
    for word, count in here.items():
        added = share * every[word]
        ours, theirs = count + added, there.get(word, 0) + added
        if min(size - ours, other_size - theirs) < 1e-9:
            scores[word] = 0.0
            continue
        gap = math.log(ours / (size - ours)) - math.log(theirs / (other_size - theirs))
        scores[word] = gap / math.sqrt(1.0 / ours + 1.0 / theirs)
    return scores
