"""WIKIBIAS's Table 8: neutral rewriting of WNC's dev pairs by every generator, and what each changes in neutral text.

Trained generators and their outputs (one sentence per line) are saved, so that a stopped table resumes; outputs of rows
without training are computed each time, since reader and rewriter change. Generators are trained on WNC's train pairs
and injected pairs. A twentieth of the former and the dev part of the latter serve for early stopping, so nothing is
chosen on a scored pair.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.bundles.manifest import BundleError
from core.engine.engine import Engine
from core.rewriting.scoring import leaning_position
from core.rewriting.suggester import Suggester
from training import injection
from training.corpora.wikipedia import SentencePair, load_pairs
from training.evaluation.bias_classifier import (
    BIAS_CLASSIFIER_BASE,
    BiasClassifier,
    BiasClassifierSettings,
    load_bias_classifier,
)
from training.evaluation.results_table import Block, Table
from training.loop.events import Events
from training.loop.result_cache import ScoreCache
from training.metrics.generation import (
    Comparison,
    SentenceStats,
    bleu,
    compare,
    sentence_stats,
    share,
    tokens,
)
from training.papers.harness import check_rows
from training.papers.wikibias import generators
from training.papers.wikibias.generators import product
from training.papers.wikibias.generators.base import DETECTOR_BASE, scaled
from training.papers.wikibias.published import WIKIBIAS_TABLE_8
from training.text.near_duplicates import NearDuplicateIndex

TITLES = {
    "copy": "copy",
    "delete": "delete flagged words",
    "lstm": "LSTM",
    "copynet": "CopyNet",
    "transformer": "Transformer",
    "modular": "MODULAR",
    "delete-reworded": "delete reworded findings",
    "no-leaning-penalty": "evenhand, no leaning penalty",
    "evenhand": "evenhand",
    "references": "references",
}
_PRODUCT: dict[str, Callable[[Sequence[str], Suggester], list[str]]] = {
    "delete-reworded": product.delete_reworded,
    "no-leaning-penalty": lambda sources, suggester: product.generate(
        sources, product.without_leaning_penalty(suggester)
    ),
    "evenhand": product.generate,
}
"""The bundled rewriter, and two variants of it."""

_VARIANTS = ("delete-reworded", "no-leaning-penalty")
_EARLY_STOPPING_SHARE = 20
"""One of so many real pairs is for early stopping."""
_MAX_INJECTED_DEV = 200
_REAL_REPEATS = 4
_CLASSIFIER_STEPS = {"smoke": 4, "cpu": 400, "full": 4000}
_HEADER = (
    "system",
    "BLEU",
    "exact",
    "Acc",
    "unchanged",
    "worse",
    "leaning shift",
    *("published " + name for name in ("BLEU", "exact", "Acc")),
)
Rewrite = Callable[[Sequence[str]], list[str]]


@dataclass(frozen=True, slots=True)
class Plan:
    """Encoders of the bias classifier and of MODULAR's detector by hub name or folder, the injected pairs (None: WNC
    alone), the rewriter bundle (None: the bundled one), the scale of the generators, and the rows (empty: all).
    """

    classifier_base: str = BIAS_CLASSIFIER_BASE
    detector_base: str = DETECTOR_BASE
    injected: Path | None = None
    rewriter: Path | None = None
    scale: str = "cpu"
    seed: int = 42
    resamples: int = 10_000
    rows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Texts:
    """What is rewritten: WNC's dev pairs, and featured statements that nothing was trained on."""

    pairs: list[SentencePair]
    featured: list[str]


@dataclass(frozen=True, slots=True)
class _Row:
    """The scores of a system in percent; ``neutral`` and ``worse`` by the bias classifier.

    ``shift`` is the mean absolute shift of the leaning of a source, in [0, 2], by the reader; ``shift_exact`` the
    percentage of it in sentences equal to the editor's. ``featured`` are the featured statements left unchanged.
    """

    stats: SentenceStats
    bleu: float
    exact: float
    neutral: float
    unchanged: float
    worse: float
    shift: float
    shift_exact: float
    featured: float | None


def run(data: Path, plan: Plan, folder: Path, *, device: str) -> Table:
    """Train, rewrite and score what is missing. Raises CorpusError, TrainingError, OSError (a base that cannot be
    loaded) and BundleError (of the reader).
    """
    check_rows(plan.rows, TITLES)
    texts = _Texts(load_pairs(data, "dev"), injection.load_held_out_statements(data))
    events = Events("rewriting")
    folder = folder / f"rewriting-{plan.scale}-{plan.seed}"
    settings = BiasClassifierSettings(
        plan.classifier_base, _CLASSIFIER_STEPS[plan.scale], seed=plan.seed, device=device
    )
    classifier = load_bias_classifier(data, settings, folder / "judge", events=events)
    notes: list[str] = []
    rows: dict[str, _Row] = {}
    cache = ScoreCache(folder / "judged.json")
    before = classifier.read([pair.source for pair in texts.pairs])
    engine = Engine.load()
    for name in plan.rows or TITLES:
        try:
            found = _outputs(
                name, data, plan, texts, folder=folder, device=device, events=events, engine=engine
            )
        except BundleError as error:
            notes.append(f"{TITLES[name]}: {error}")
            continue
        rows[name] = _score(
            name, found, texts, classifier=classifier, before=before, cache=cache, engine=engine
        )
    return _build_table(rows, texts, before, notes=notes, resamples=plan.resamples)


def training_pairs(data: Path, injected: Path | None) -> tuple[list[SentencePair], list[SentencePair]]:
    """Pairs to train on, real ones four times, and pairs for early stopping; none is near a scored pair.

    Raises CorpusError.
    """
    scored = NearDuplicateIndex(
        side for pair in load_pairs(data, "dev") for side in (pair.source, pair.target)
    )
    real = [pair for pair in load_pairs(data, "train") if not scored.has_near_duplicate(pair.source)]
    train = [pair for number, pair in enumerate(real) if number % _EARLY_STOPPING_SHARE] * _REAL_REPEATS
    dev = real[::_EARLY_STOPPING_SHARE]
    if injected is not None:
        rows = injection.read_injected(injected)
        made = {
            part: [SentencePair(row.biased, row.neutral, row.group) for row in rows if row.part == part]
            for part in ("train", "dev")
        }
        train += made["train"]
        dev += made["dev"][:: max(1, len(made["dev"]) // _MAX_INJECTED_DEV)]
    return train, dev


def _outputs(
    name: str,
    data: Path,
    plan: Plan,
    texts: _Texts,
    *,
    folder: Path,
    device: str,
    events: Events,
    engine: Engine,
) -> tuple[list[str], list[str] | None]:
    """A system's outputs for the dev pairs and the featured statements; a trained generator's are read from files."""
    sources = [pair.source for pair in texts.pairs]
    if name == "copy":
        return sources, texts.featured
    if name == "references":
        return [pair.target for pair in texts.pairs], None
    paths = [folder / f"{name}.{part}.txt" for part in ("dev", "featured")]
    if name not in generators.TRAINED or not all(path.is_file() for path in paths):
        rewrite = _system(name, data, plan, folder=folder, device=device, events=events, engine=engine)
        folder.mkdir(parents=True, exist_ok=True)
        for path, some in zip(paths, (sources, texts.featured), strict=True):
            path.write_text("".join(f"{line}\n" for line in rewrite(some)), encoding="utf-8")
    dev, featured = (path.read_text(encoding="utf-8").split("\n")[:-1] for path in paths)
    return dev, featured


def _system(
    name: str, data: Path, plan: Plan, *, folder: Path, device: str, events: Events, engine: Engine
) -> Rewrite:
    if name == "delete":
        return lambda sources: product.delete_flagged(sources, engine)
    if name in _PRODUCT:
        suggester = Suggester.load(engine, plan.rewriter)
        return lambda sources: _PRODUCT[name](sources, suggester)
    generator = generators.make_generator(name)
    settings = scaled(plan.scale, seed=plan.seed, device=device, detector_base=plan.detector_base)
    train, dev = training_pairs(data, plan.injected)
    generator.fit(train, dev=dev, settings=settings, folder=folder / name, events=events)
    return generator.generate


def _score(
    name: str,
    found: tuple[list[str], list[str] | None],
    texts: _Texts,
    *,
    classifier: BiasClassifier,
    before: np.ndarray,
    cache: ScoreCache,
    engine: Engine,
) -> _Row:
    made, featured = found
    sources = [pair.source for pair in texts.pairs]
    references = [pair.target for pair in texts.pairs]
    key = f"{name}-{hashlib.sha256(chr(10).join(made).encode()).hexdigest()[:16]}"
    if key not in cache:
        after = classifier.read(made)
        same = [_is_same(one, pair.source) for one, pair in zip(made, texts.pairs, strict=True)]
        worse = [
            bool(now > then) and not unchanged
            for now, then, unchanged in zip(after, before, same, strict=True)
        ]
        cache.put(key, {"neutral": share((after < 0.5).tolist()), "worse": share(worse)})
    shifts = _leaning_shifts(engine, sources, made)
    return _Row(
        stats=(counted := sentence_stats(made, references)),
        bleu=bleu(made, references),
        exact=100.0 * float(counted.exact.mean()),
        neutral=cache[key]["neutral"],
        unchanged=share([_is_same(one, pair.source) for one, pair in zip(made, texts.pairs, strict=True)]),
        worse=cache[key]["worse"],
        shift=float(shifts.mean()),
        shift_exact=100.0 * float(shifts @ counted.exact) / max(float(shifts.sum()), 1e-12),
        featured=None
        if featured is None
        else share([_is_same(one, other) for one, other in zip(featured, texts.featured, strict=True)]),
    )


def _leaning_shifts(engine: Engine, sources: Sequence[str], made: Sequence[str]) -> NDArray[np.float64]:
    """Absolute shift of the leaning of each source [rows]."""
    before, after = (
        np.array([leaning_position(reading) for reading in engine.reader.read(texts)])
        for texts in (sources, made)
    )
    return np.asarray(np.abs(after - before))


def _is_same(one: str, other: str) -> bool:
    return tokens(one) == tokens(other)


def _build_table(
    rows: dict[str, _Row],
    texts: _Texts,
    before: NDArray[np.float64],
    *,
    notes: Sequence[str],
    resamples: int,
) -> Table:
    scores = [
        (
            TITLES[name],
            *(f"{one:.2f}" for one in (row.bleu, row.exact, row.neutral, row.unchanged, row.worse)),
            f"{row.shift:.4f}",
            *_published(TITLES[name]),
        )
        for name, row in rows.items()
    ]
    scores.append(("BART (paper)", *[""] * 6, *_published("BART")))
    comparisons = [
        _comparison(TITLES[name], TITLES[other], compare(row.stats, rows[other].stats, resamples=resamples))
        for name, row in rows.items()
        for other in ("copy", "delete", *(_VARIANTS if name == "evenhand" else ()))
        if other in rows and name not in ("copy", "references", other)
    ]
    featured = [
        (TITLES[name], f"{row.featured:.2f}") for name, row in rows.items() if row.featured is not None
    ]
    shift = [(TITLES[name], f"{row.shift_exact:.2f}") for name, row in rows.items() if row.shift]
    return Table(
        "WIKIBIAS, Table 8: neutral rewriting",
        (
            Block(
                f"{len(texts.pairs)} WNC dev pairs; published on WIKIBIAS's own test pairs",
                _HEADER,
                tuple(scores),
            ),
            Block(
                f"differences, paired bootstrap of {resamples:,} resamples (p: share in which it is no better)",
                ("system", "against", "exact", "p", "BLEU", "p"),
                tuple(comparisons),
            ),
            Block(
                f"{len(texts.featured)} held-out featured statements",
                ("system", "unchanged"),
                tuple(featured),
            ),
            Block("leaning shift", ("system", "in sentences equal to the editor's"), tuple(shift)),
        ),
        (
            *notes,
            "In percent, except for the leaning shift.",
            "exact (Sent Acc): equal after lower-casing and without regard to spaces around punctuation.",
            "Acc: the bias classifier reads neutral (below 0.5). worse: changed, and read as more biased than the "
            "source.",
            "delete reworded findings: the findings that evenhand rewords, deleted. no leaning penalty: shifting the "
            "leaning costs nothing.",
            "leaning shift: mean absolute shift of the leaning, political times (right - left), by the reader.",
            f"The bias classifier reads {share((before >= 0.5).tolist()):.2f}% of the sources as biased.",
            "BLEU: NLTK's corpus_bleu over lower-cased words and marks; Pryzant et al. 2020 use a token-level BLEU, "
            "WIKIBIAS does not say which. The published MODULAR was trained on WNC, the other systems on AUTO.",
        ),
    )


def _published(title: str) -> list[str]:
    scores = WIKIBIAS_TABLE_8.get(title, (None, None, None))
    return ["–" if one is None else f"{one:.2f}" for one in scores]


def _comparison(title: str, other: str, found: Comparison) -> tuple[str, ...]:
    return (
        title,
        other,
        f"{found.exact:+.2f}",
        f"{found.exact_p:.4f}",
        f"{found.bleu:+.2f}",
        f"{found.bleu_p:.4f}",
    )
