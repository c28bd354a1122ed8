"""Which findings lean on their word: worked out once for each sentence, so that typing elsewhere costs nothing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from core.documents.model import Document
from core.findings import Finding

if TYPE_CHECKING:
    from app.reading.models import Reader

_ENTRIES = 20_000
_Key = tuple[str, int, str, float | None]
"""The sentence, the place of the finding in it, its fingerprint, and the threshold that it was read at."""


class OnWord:
    """Remembers of findings whether they are gone once their word is generalised."""

    def __init__(self) -> None:
        self._known: dict[_Key, bool] = {}

    def among(
        self,
        engine: Reader,
        document: Document,
        findings: Sequence[Finding],
        *,
        threshold: float | None,
        cancelled: Callable[[], bool],
    ) -> frozenset[Finding]:
        """Those of ``findings`` that lean on their word. Raises what ``leaning_findings`` of ``core`` raises."""
        if len(self._known) > _ENTRIES:
            self._known = {}
        known = self._known
        keys = [_key(document, finding, threshold) for finding in findings]
        missing = {key: finding for key, finding in zip(keys, findings, strict=True) if key not in known}
        if missing:
            from core.stereotypes.leaning_on import leaning_findings

            answers = leaning_findings(
                engine.reader,
                document,
                list(missing.values()),
                threshold=threshold,
                lexicon=engine.lexicon,
                cancelled=cancelled,
            )
            known.update(zip(missing, answers, strict=True))
        return frozenset(finding for key, finding in zip(keys, findings, strict=True) if known[key])


def _key(document: Document, finding: Finding, threshold: float | None) -> _Key:
    sentences = document.sentences
    at = bisect_right(sentences, finding.start, key=lambda sentence: sentence.start) - 1
    start, end = (sentences[at].start, sentences[at].end) if at >= 0 else (finding.start, finding.end)
    return document.source[start:end], finding.start - start, finding.fingerprint, threshold
