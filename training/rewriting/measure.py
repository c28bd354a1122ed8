"""How well a rewriter's bundle answers on dev, asked as the app asks it: through CTranslate2, with beam search."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sklearn.metrics import roc_auc_score

from core.rewriting.rewriter import Ask as Question
from core.rewriting.rewriter import Proposals, Rewriter, TooLong
from training.rewriting.asks import WORD, Ask
from training.rewriting.material import Material


def answer_scores(bundle: Path, material: Material, *, n: int = 3) -> dict[str, float]:
    """Shares of WNC's dev edits answered as the editor did, first and among the first ``n``, KEEP left out.

    ``keep_auc`` is the area under the ROC curve of the probability of KEEP, words of neutral sentences against
    edited ones.
    """
    rewriter = Rewriter.load(bundle)
    edits = _answers(rewriter, material.dev_edits, n)
    kept = _answers(rewriter, material.dev_kept, n)
    ranks = [_rank(ask, answer) for ask, answer in edits]
    keeps = [(answer.keep, 0) for _, answer in edits] + [(answer.keep, 1) for _, answer in kept]
    total = max(1, len(ranks))
    return {
        "dev_answer_first": sum(rank == 0 for rank in ranks) / total,
        f"dev_answer_in_{n}": sum(rank is not None for rank in ranks) / total,
        "dev_keep_auc": roc_auc_score([label for _, label in keeps], [keep for keep, _ in keeps]),
        "dev_edits_kept": sum(answer.keep > 0.5 for _, answer in edits) / total,
        "dev_others_kept": sum(answer.keep > 0.5 for _, answer in kept) / max(1, len(kept)),
    }


def _answers(rewriter: Rewriter, asks: Sequence[Ask], n: int) -> list[tuple[Ask, Proposals]]:
    found: list[tuple[Ask, Proposals]] = []
    for ask in asks:
        try:
            (answer,) = rewriter.propose([Question(ask.text, ask.start, ask.end)], n)
        except TooLong:
            answer = Proposals(1.0, ())
        found.append((ask, answer))
    return found


def _rank(ask: Ask, answer: Proposals) -> int | None:
    wanted = WORD.findall((ask.answer or "").lower())
    places = [at for at, item in enumerate(answer.items) if WORD.findall(item.words.lower()) == wanted]
    return places[0] if places else None
