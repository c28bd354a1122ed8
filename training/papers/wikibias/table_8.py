"""Neutral wordings on WNC's dev pairs: every generator beside WIKIBIAS's Table 8, and what each does to neutral text.

What a generator learnt and its sentences (one a line) are kept, so that a stopped table goes on where it was; rows
that need no training are made anew, since reader and rewriter change. Generators learn from WNC's train pairs and
injected pairs; a twentieth of the former and the latter's own dev part stop them, so that nothing is chosen on a
scored pair.
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
from training.loop.events import Events
from training.loop.result_cache import ScoreCache
from training.metrics.generation import Comparison, Marks, bleu, compare, marks, share, tokens
from training.papers.harness import check_rows
from training.papers.wikibias import generators
from training.papers.wikibias.generators import product
from training.papers.wikibias.generators.base import DETECTOR_BASE, scaled
from training.papers.wikibias.published import WIKIBIAS_TABLE_8
from training.text.near_duplicates import NearDuplicateIndex

TITLES = {
    "copy": "copy",
    "delete": "delete the flagged words",
    "lstm": "LSTM",
    "copynet": "CopyNet",
    "transformer": "Transformer",
    "modular": "MODULAR",
    "there": "delete, same marks",
    "heedless": "evenhand, leaning free",
    "evenhand": "evenhand",
    "references": "references",
}
_OURS: dict[str, Callable[[Sequence[str], Suggester], list[str]]] = {
    "there": product.delete_there,
    "heedless": lambda sources, suggester: product.generate(sources, product.heedless(suggester)),
    "evenhand": product.generate,
}
"""The shipped rewriter, and what is made from its marks and from it without the leaning's price."""

_STOPPED_BY = 20
_DEV_INJECTED = 200
_REAL_TIMES = 4
_JUDGE_STEPS = {"smoke": 4, "cpu": 400, "full": 4000}
Rewrite = Callable[[Sequence[str]], list[str]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run: encoders of the judge and of MODULAR's detector by hub name or folder, the injected pairs (None:
    WNC's alone), the rewriter bundle (None: the bundled one), the scale of the generators, and the rows (none: all).
    """

    judge_base: str = BIAS_CLASSIFIER_BASE
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
    """A system's figures in percent: ``neutral`` and ``worse`` as the judge reads them.

    ``shift`` is how far it moves the leaning of a pair's source on average, in [0, 2], as the reader reads it;
    ``wanted`` the part of it, in percent, that sentences equal to the editor's make.
    """

    marks: Marks
    bleu: float
    exact: float
    neutral: float
    unchanged: float
    worse: float
    shift: float
    wanted: float
    featured: float | None


def run(data: Path, plan: Plan, folder: Path, *, device: str) -> str:
    """Fit, rewrite and score what is not there yet; returns the table as text.

    Raises CorpusError, TrainingError, OSError (a base that cannot be had) and BundleError (the reader's).
    """
    check_rows(plan.rows, TITLES)
    texts = _Texts(load_pairs(data, "dev"), injection.load_held_out_statements(data))
    events = Events("rewriting")
    folder = folder / f"rewriting-{plan.scale}-{plan.seed}"
    settings = BiasClassifierSettings(
        plan.judge_base, _JUDGE_STEPS[plan.scale], seed=plan.seed, device=device
    )
    judge = load_bias_classifier(data, settings, folder / "judge", events=events)
    notes: list[str] = []
    rows: dict[str, _Row] = {}
    cells = ScoreCache(folder / "judged.json")
    sources = [pair.source for pair in texts.pairs]
    before = judge.read(sources)
    engine = Engine.load()
    for name in plan.rows or TITLES:
        try:
            found = _outputs(
                name, data, plan, texts, folder=folder, device=device, events=events, engine=engine
            )
        except BundleError as error:
            notes.append(f"{TITLES[name]}: {error}")
            continue
        rows[name] = _scored(name, found, texts, judge=judge, before=before, cells=cells, engine=engine)
    return _table(rows, texts, before, notes=notes, resamples=plan.resamples)


def training_pairs(data: Path, injected: Path | None) -> tuple[list[SentencePair], list[SentencePair]]:
    """Pairs to learn from, real ones four times, and pairs to stop by; none is near a scored pair.

    Raises CorpusError.
    """
    scored = NearDuplicateIndex(
        side for pair in load_pairs(data, "dev") for side in (pair.source, pair.target)
    )
    real = [pair for pair in load_pairs(data, "train") if not scored.has_near_duplicate(pair.source)]
    train = [pair for number, pair in enumerate(real) if number % _STOPPED_BY] * _REAL_TIMES
    dev = real[::_STOPPED_BY]
    if injected is not None:
        rows = injection.read_injected(injected)
        made = {
            part: [SentencePair(row.biased, row.neutral, row.group) for row in rows if row.part == part]
            for part in ("train", "dev")
        }
        train += made["train"]
        dev += made["dev"][:: max(1, len(made["dev"]) // _DEV_INJECTED)]
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
    """A system's sentences for the dev pairs and for the featured statements, a generator's from its files."""
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
    if name in _OURS:
        suggester = Suggester.load(engine, plan.rewriter)
        return lambda sources: _OURS[name](sources, suggester)
    generator = generators.make(name)
    settings = scaled(plan.scale, seed=plan.seed, device=device, detector_base=plan.detector_base)
    train, dev = training_pairs(data, plan.injected)
    generator.fit(train, dev=dev, settings=settings, folder=folder / name, events=events)
    return generator.generate


def _scored(
    name: str,
    found: tuple[list[str], list[str] | None],
    texts: _Texts,
    *,
    judge: BiasClassifier,
    before: np.ndarray,
    cells: ScoreCache,
    engine: Engine,
) -> _Row:
    made, featured = found
    sources = [pair.source for pair in texts.pairs]
    references = [pair.target for pair in texts.pairs]
    key = f"{name}-{hashlib.sha256(chr(10).join(made).encode()).hexdigest()[:16]}"
    if key not in cells:
        after = judge.read(made)
        kept = [_same(one, pair.source) for one, pair in zip(made, texts.pairs, strict=True)]
        worse = [bool(now > then) and not same for now, then, same in zip(after, before, kept, strict=True)]
        cells.put(key, {"neutral": share((after < 0.5).tolist()), "worse": share(worse)})
    moved = _moved(engine, sources, made)
    return _Row(
        marks=(counted := marks(made, references)),
        bleu=bleu(made, references),
        exact=100.0 * float(counted.exact.mean()),
        neutral=cells[key]["neutral"],
        unchanged=share([_same(one, pair.source) for one, pair in zip(made, texts.pairs, strict=True)]),
        worse=cells[key]["worse"],
        shift=float(moved.mean()),
        wanted=100.0 * float(moved @ counted.exact) / max(float(moved.sum()), 1e-12),
        featured=None
        if featured is None
        else share([_same(one, other) for one, other in zip(featured, texts.featured, strict=True)]),
    )


def _moved(engine: Engine, sources: Sequence[str], made: Sequence[str]) -> NDArray[np.float64]:
    """How far the leaning of each source moves [rows]."""
    before, after = (
        np.array([leaning_position(reading) for reading in engine.reader.read(texts)])
        for texts in (sources, made)
    )
    return np.asarray(np.abs(after - before))


def _same(one: str, other: str) -> bool:
    return tokens(one) == tokens(other)


def _table(
    rows: dict[str, _Row], texts: _Texts, before: np.ndarray, *, notes: Sequence[str], resamples: int
) -> str:
    lines = [
        f"{len(texts.pairs)} WNC dev pairs{'':40}published (WIKIBIAS, Table 8, its own test pairs)",
        f"{'system':26}{'BLEU':>7}{'exact':>7}{'Acc':>7}{'same':>7}{'worse':>7}{'shift':>8}"
        f"   {'BLEU':>7}{'exact':>7}{'Acc':>7}",
    ]
    for name, row in rows.items():
        figures = (row.bleu, row.exact, row.neutral, row.unchanged, row.worse)
        lines.append(
            f"{TITLES[name]:26}{''.join(f'{one:7.2f}' for one in figures)}{row.shift:8.4f}   {_published(TITLES[name])}"
        )
    lines.append(f"{'BART (paper)':26}{'':43}   {_published('BART')}")
    lines += [
        "",
        f"differences, paired bootstrap of {resamples:,} resamples (p: share in which it is no better)",
    ]
    lines.append(f"{'system':26}{'against':>26}{'exact':>8}{'p':>8}{'BLEU':>8}{'p':>8}")
    for name, row in rows.items():
        for other in ("copy", "delete", *(("there", "heedless") if name == "evenhand" else ())):
            if other in rows and name not in ("copy", "references", other):
                lines.append(
                    _compared(TITLES[name], other, compare(row.marks, rows[other].marks, resamples=resamples))
                )
    lines += ["", f"{len(texts.featured)} held-out featured statements left unchanged, %"]
    lines += [
        f"{TITLES[name]:26}{row.featured:7.2f}" for name, row in rows.items() if row.featured is not None
    ]
    lines += ["", "of the shift, made by sentences that equal the editor's, %"]
    lines += [f"{TITLES[name]:26}{row.wanted:7.2f}" for name, row in rows.items() if row.shift]
    lines += ["", *notes]
    lines += [
        "exact (Sent Acc): equal after lower-casing, spaces around punctuation left out of account. same: unchanged.",
        "Acc: the judge reads neutral (below 0.5). worse: changed, and the judge reads more bias than in the source.",
        "delete, same marks: without the findings that evenhand rewords. leaning free: moving it costs nothing.",
        "shift: mean absolute shift of the leaning, political times (right - left), as the reader reads it.",
        f"The judge reads {share((before >= 0.5).tolist()):.2f}% of the sources as biased.",
        "BLEU: NLTK's corpus_bleu over lower-cased words and marks; Pryzant et al. 2020 use a token-level BLEU of",
        "their own, WIKIBIAS does not say which. The published MODULAR was trained on WNC, the other systems on AUTO.",
    ]
    return "\n".join(lines)


def _published(title: str) -> str:
    figures = WIKIBIAS_TABLE_8.get(title)
    return "".join(f"{'–' if one is None else f'{one:.2f}':>7}" for one in figures or (None, None, None))


def _compared(title: str, other: str, found: Comparison) -> str:
    return f"{title:26}{TITLES[other]:>26}{found.exact:+8.2f}{found.exact_p:8.4f}{found.bleu:+8.2f}{found.bleu_p:8.4f}"
