"""A rewriter's bundle: a CTranslate2 folder with its tokenizer, checked before anything of it is run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.bundle_files import (
    CARD,
    DESCRIPTION,
    Corpus,
    Fields,
    MissingBundleError,
    check_hashes,
    describe,
    inside,
    listed,
    refused,
    unreadable,
)
from core.language import tr

GRAPH = "model.bin"
PARTS = (GRAPH, "config.json", "shared_vocabulary.json")
"""What CTranslate2 opens in a folder; all of it must have a checksum."""

STRAY = ("source_vocabulary", "target_vocabulary", "vmap")
GET = tr("Reinstall Evenhand, or make one with: evenhand train run rewriter")


@dataclass(frozen=True, slots=True)
class RewriterThresholds:
    """From which probability on something counts where a sentence is rewritten unasked, each in [0, 1].

    ``keep``: that the model would leave the words as they are; ``confidence``: that of a finding in it; ``likely``:
    that of the words put there. How biased the sentence must read is the reader's to say.
    """

    keep: float
    confidence: float
    likely: float


@dataclass(frozen=True, slots=True)
class RewriterBundle:
    """A checked bundle. ``max_tokens`` counts the pieces of a sentence and its frame."""

    folder: Path
    name: str
    role: str
    version: str
    max_tokens: int
    graph: Path
    tokenizer: Path
    card: Path | None
    thresholds: RewriterThresholds
    run: str
    corpora: tuple[Corpus, ...]

    @property
    def title(self) -> str:
        """Name and version, as shown to a person."""
        return f"{self.name} {self.version}"


def bundled_rewriter() -> Path:
    """The folder of the rewriter that comes with Evenhand. It may not be there."""
    from resources import ROOT

    return ROOT / "models" / "rewriter"


def load_rewriter_bundle(folder: Path | str) -> RewriterBundle:
    """Read the rewriter's bundle in ``folder`` and check its description and its files' hashes.

    Raises BundleError if something is missing, does not match, lies outside the folder or is larger than the
    caps, or if it is no rewriter.
    """
    home = Path(folder)
    if not (home / DESCRIPTION).is_file():
        said = tr(
            "There is no rewriter in {folder}, so no other wording can be proposed; findings go on working. {get}"
        )
        raise MissingBundleError(said.format(folder=home, get=GET))
    try:
        fields = describe(home, "rewriter")
        bundle = _bundle(fields)
        check_hashes(home, fields.hashes())
    except OSError as error:
        raise unreadable(home, error) from error
    return bundle


def _bundle(fields: Fields) -> RewriterBundle:
    home, hashes = fields.home, fields.hashes()
    graph, *_rest = [listed(home, name, hashes) for name in PARTS]
    if fields.text("graph") != GRAPH:
        raise fields.wrong("graph")
    strays = [path.name for path in home.iterdir() if path.name.startswith(STRAY) and path.name not in hashes]
    if strays:
        raise refused(home, tr("{name} has no checksum").format(name=min(strays)))
    limits = fields.inside("thresholds")
    return RewriterBundle(
        folder=home,
        name=fields.text("name"),
        role=fields.text("role"),
        version=fields.text("version"),
        max_tokens=int(fields.number("max_tokens", 8, 4096)),
        graph=graph,
        tokenizer=listed(home, fields.text("tokenizer"), hashes),
        card=inside(home, CARD) if (home / CARD).is_file() else None,
        thresholds=RewriterThresholds(
            *(limits.number(name, 0, 1) for name in ("keep", "confidence", "likely"))
        ),
        run=fields.run(),
        corpora=fields.corpora(),
    )
