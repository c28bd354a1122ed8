"""Make the file of injected pairs from the corpora."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from training.corpora import articles, cw_hard, pairs
from training.corpora.base import open_file
from training.injection import vocabulary
from training.injection.choose import inject
from training.injection.files import write
from training.injection.model import Injected
from training.injection.parse import load_parser
from training.injection.sources import scored, statements

_SHARE = 0.004


def prepare(
    data: Path, out: Path, *, spacy: str, seed: int, limit: int | None, say: Callable[[str], None]
) -> None:
    """Inject bias into neutral sentences of the corpora under ``data`` and write the pairs to ``out``.

    ``spacy`` is an English spaCy model by name or folder; ``limit`` caps the number of source sentences. Sentences
    near a scored one are left out. Raises CorpusError where a corpus or the model is missing.
    """
    nlp = load_parser(spacy)
    near = scored(data)
    say("reading the articles")
    found = articles.load(data, near)
    say("counting which words keep company")
    words = company(data, found)
    chosen = list(statements(data, found, near))
    random.Random(seed).shuffle(chosen)
    chosen = chosen[:limit]
    say(f"injecting into {len(chosen)} sentences")
    rows = capped(list(inject(chosen, nlp=nlp, seed=seed, company=words)))
    write(out, rows)
    say(summary(rows))


def company(data: Path, found: Iterable[articles.Article]) -> vocabulary.Company:
    """Which words go together, counted in the articles of every leaning, CW-Hard, and WNC's train part."""
    counted = vocabulary.Company(vocabulary.load().left_words())
    counted.read(" ".join(article.sentences) for article in found)
    counted.read(row.text for row in cw_hard.load(data))
    counted.read(row[0] for row in pairs.rows(open_file(data, "wnc/pairs.train.tsv")))
    return counted


def capped(rows: list[Injected]) -> list[Injected]:
    """``rows`` without those in which a change stands that already fills 0.4% of them."""
    most = max(1, int(_SHARE * len(rows)))
    used: Counter[tuple[str, str]] = Counter()
    kept: list[Injected] = []
    for row in rows:
        changes = {(edit.before.lower(), edit.after.lower()) for edit in row.edits}
        if all(used[change] < most for change in changes):
            used.update(changes)
            kept.append(row)
    return kept


def summary(rows: list[Injected]) -> str:
    """How many rows, families, kinds and different changes there are, as text."""
    edits = [edit for row in rows for edit in row.edits]
    families = Counter(edit.rule for edit in edits)
    kinds = Counter(edit.kind.value for edit in edits)
    changes = Counter((edit.before.lower(), edit.after.lower()) for edit in edits)
    words = len({edit.before.lower() for edit in edits})
    top = changes.most_common(1)[0][1] if changes else 0
    lines = [
        f"{len(rows)} pairs, {len(edits)} edits, {len(changes)} different changes, {words} different injected words",
        f"the commonest change stands in {top / max(1, len(rows)):.2%} of the pairs",
        "kinds     " + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()),
        "families  " + ", ".join(f"{family} {count}" for family, count in families.most_common()),
    ]
    return "\n".join(lines)
