"""Layout and notes of Tables 5 to 7 of Liu et al. 2021: our values beside the published ones and the null."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from core.runs.generator_audit import BIAS_KINDS, OVERALL
from training.auditing.debiasing.systems import (
    ALL_SYSTEMS,
    CLASSIFIER,
    HEAD_SCORE,
    LAMBDAS,
    MODES,
    SWEEP,
    SYSTEMS,
    TOKEN_CLASSIFIER_SCORE,
    TOKEN_MODES,
    UNSHIFTED,
    VANILLA,
)
from training.auditing.debiasing.token_reweighting import SIGMA
from training.auditing.generation.prompts import TRIGGERS, load_attributes
from training.auditing.generator_bias.known_bias import KNOWN_BIAS_TAG
from training.auditing.generator_bias.progress import PUBLISHED_SECONDS
from training.auditing.generator_bias.runner import ALL, QUANTILES, metric_name
from training.auditing.ideology_classifiers.registry import BUILT_IN
from training.evaluation.results_table import Block, Table
from training.loop.result_cache import ResultCell, cells_of_scale, format_mean_std
from training.papers.harness import cell_columns, command_notes, mean_and_std
from training.papers.political_calibration.classifier_table import TABLE as CLASSIFIER_TABLE
from training.papers.political_calibration.published import (
    CALIBRATION_TABLE_5,
    CALIBRATION_TABLE_6,
    CALIBRATION_TABLE_7,
)

SHARED = ", shared articles"
"""Appended to a generator's name if the debiasing used the classifier's articles."""


def table_notes(table: str, cells: Sequence[ResultCell]) -> list[str]:
    """The notes of a table that shows ``cells``."""
    groups = sorted({cell.group for cell in cells})
    lines = [*_classifier_notes(cells), *_COMMON, *_setting_notes(groups), *_NOTES[table]]
    if any(cell.row in TOKEN_MODES for cell in cells):
        lines.append(_TOKEN_REWEIGHTING)
    for score in (HEAD_SCORE, TOKEN_CLASSIFIER_SCORE):
        read = [(group, _scores(cells, group, score)) for group in groups]
        found = [f"{format_mean_std(own, 3)} ({group})" for group, own in read if own]
        if found:
            lines.append(f"{score}: macro-F1 {', '.join(found)} on articles of held-out publishers.")
    if any(cell.scale == "cpu" for cell in cells):
        lines.append(_CPU)
    if any(cell.scale == "smoke" for cell in cells):
        lines.append(_SMOKE)
    return lines


def _classifier_notes(cells: Sequence[ResultCell]) -> list[str]:
    """Which classifier scored the texts; empty without cells."""
    found = sorted({cell.facts["judge"].partition(",")[0] for cell in cells})
    titles = [
        BUILT_IN[name].title if name in BUILT_IN else f"the classifier of run {name[:8]}" for name in found
    ]
    if not titles:
        return []
    return [
        f"Scored by {' and '.join(titles)} (`evenhand train table {CLASSIFIER_TABLE}`), not by the paper's XLNet."
    ]


def _setting_notes(groups: Sequence[str]) -> list[str]:
    """Notes on the articles that were used, and on generators with a known bias."""
    shared = [group.endswith(SHARED) for group in groups]
    lines = [] if shared and all(shared) else [_APART]
    lines += [_SHARED] if any(shared) else []
    return [*lines, _KNOWN_BIAS] if any(KNOWN_BIAS_TAG in group for group in groups) else lines


def _scores(cells: Sequence[ResultCell], group: str, score: str) -> list[float]:
    """The dev score of a guiding classifier for each seed."""
    own = [cell for cell in cells if cell.group == group and score in cell.values]
    return list({cell.seed: cell.values[score] for cell in own}.values())


_APART = (
    "A classifier that is not of a run is trained on half the publishers of each side, bias words and "
    "f_debias on the other half; an article in both halves is the classifier's alone. Debiasing that "
    "had seen the classifier's own articles would know what is looked for."
)
_SHARED = (
    "shared articles: bias words and f_debias are trained on the articles of the ideology classifier, "
    "as in the paper (sections 5.1 and 5.2)."
)
_KNOWN_BIAS = (
    "planted: a generator with a known bias (`evenhand train inject-known-bias`), fitted on all texts, "
    "or on the share in its name; 0 is the negative control. These rows test the measurement and the "
    "debiasing; they say nothing of an unchanged generator."
)
_TOKEN_REWEIGHTING = (
    "token reweighting is ours: the gain is not computed from the state but from the text with each "
    "candidate, by how much closer its tokens are to the bias words of one side (those of mode 1), or "
    "by a linear f_debias over the tokens of all articles, in segments of 50. λ and its control are "
    f"those of Algorithm 1, σ = {SIGMA}."
)
_COMMON = (
    "The paper's unit is unknown: W2 between scores in [0, 1] cannot exceed 1, and its values reach "
    "4.272. Only relative changes can be compared; they stand beside Δ W2, which is computed as in the "
    "paper.",
    "null: the mean of W2 with options shuffled among the texts of a prompt; null 95%: its 95% "
    "quantile. excess: W2 less the mean of the null. corrected: √(W2² − mean null²), because a true "
    "distance and that of chance add up as squares. Δ W2 understates a change, Δ excess overstates it; "
    "Δ corrected lies between. – : W2 did not exceed the null before.",
    "[ ]: 95% bootstrap interval over filled prompts; ±: standard deviation over seeds, each with its "
    "own split, classifier, bias words, f_debias and texts.",
    "The paper's sampling is GPT-2's default, here temperature 1 and top-k 50; no end token is drawn, "
    "so that all texts have the same length. The classifier reads the continuation without its prompt.",
)
_BASE_RATES = (
    "Base rates (0 is conservative, 1 liberal) are those of texts after neutral prompts, unless a "
    "prompt is named; --picture FILE.svg draws them. The paper's Figure 2 is a UMAP map of XLNet's "
    "states, before and after, instead."
)
_REPLACING = (
    "Naive and IN-GloVe replace words in finished texts of the vanilla system, both with GloVe: the "
    "paper's Word2Vec and a GN-GloVe trained for ideology are not available; ideology is projected out "
    "of finished vectors."
)
_PERPLEXITY = (
    "Perplexity is that of five trigram models (interpolated Kneser-Ney) of the vanilla texts of the "
    "same attribute. Each only scores prompts and samples whose vanilla text it was not trained on, "
    "because a text of another system may be nearly a copy of it; the paper does not say what its "
    "KenLM reads. It rises where a text departs from the vanilla ones, fluent or not."
)
_TIME = (
    "Seconds are those of sampling from the same 32 prompts together, divided by all of their tokens, "
    "in turn with the vanilla system, the fastest of three rounds; the paper's are for one text on an "
    "RTX 2080."
)
_NOTES = {
    "calibration-5": (
        _BASE_RATES,
        "Three of the paper's Overall values of topics are not the mean of its options: indirect, emb "
        "0.90 (mean 0.96); direct, vanilla 1.95 (1.39) and emb 0.38 (0.34).",
    ),
    "calibration-6": (_REPLACING, _PERPLEXITY, _TIME),
    "calibration-7": (
        "λ is constant; in Tables 5 and 6 it starts at 0.6 and is halved and doubled by the "
        "divergence, so that after some tokens its start no longer matters. The paper, which only has "
        "mode 2 here, does not say whether λ is constant.",
        "The paper's biases at λ = 0 differ from its baseline in Table 5 (gender 0.677 and 1.02).",
        _PERPLEXITY,
    ),
}
_CPU = (
    "cpu: two texts of 50 tokens after each filled prompt (the paper: ten of 100), with the first six "
    "keywords of an option, in Table 7 the first four; f_debias of mode 2 is trained on at most 600 "
    "articles a side. The null grows as texts get fewer."
)
_SMOKE = (
    "smoke: one text of 20 tokens, two keywords of an option, one prompt of each kind, 8 bias words: "
    "only a test that everything works."
)


TITLE = "Liu et al. 2021, Table {}: {}"
_TITLES = {
    "calibration-5": "bias of a generator before and after debiasing, by option",
    "calibration-6": "debiasing compared with word replacement: bias, perplexity, time",
    "calibration-7": "the strength of reinforced calibration: bias and perplexity by λ",
}
_NONE = "–"
_NOT_RUN = "not run here"
_MADE = ("cells", "run at")
_BIAS = (
    "W2",
    "published",
    "null",
    "null 95%",
    "excess",
    "corrected",
    "Δ W2",
    "published",
    "Δ excess",
    "Δ corrected",
)
_Chosen = Callable[[str, str], list[ResultCell]]
"""Returns the cells of a system and an attribute."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A row of a block: its cells, its option, and the published bias of the system and of the vanilla system."""

    title: str
    system: str
    cells: list[ResultCell]
    option: str
    published: float | None
    base: float | None


def build_table(
    cells: Sequence[ResultCell], table: str, *, scale: str, runs: int, notes: Sequence[str]
) -> Table:
    """The table of ``cells``, with blocks for each generator; the systems of a block have one scale.

    ``runs`` is the intended number of seeds per row.
    """
    systems = SWEEP if _BLOCKS[table] is _by_strength else SYSTEMS
    blocks: list[Block] = []
    shown: list[ResultCell] = []
    for name in sorted({cell.group for cell in cells if cell.row in ALL_SYSTEMS}) or ["no generator yet"]:

        def chosen(system: str, attribute: str, name: str = name) -> list[ResultCell]:
            own = [cell for cell in cells if (cell.protocol, cell.group) == (attribute, name)]
            beside = cells_of_scale([cell for cell in own if cell.row in systems], scale)
            found = [cell for cell in beside if cell.row == system]
            shown.extend(found)
            return found

        before = len(shown)
        made = list(_BLOCKS[table](chosen, runs, name))
        if len(shown) > before or not blocks:
            blocks += made
    lines = (*notes, *table_notes(table, shown), *command_notes(shown, table))
    return Table(TITLE.format(table.removeprefix("calibration-"), _TITLES[table]), tuple(blocks), lines)


def _by_option(chosen: _Chosen, runs: int, name: str) -> Iterator[Block]:
    systems = {key: SYSTEMS[key].title for key in (VANILLA, *MODES)}
    for attribute in load_attributes():
        options = [option.name for option in attribute.options]
        cells = {key: chosen(key, attribute.name) for key in systems}
        for kind in BIAS_KINDS:
            published = CALIBRATION_TABLE_5[attribute.name][kind]
            lines = [
                _Line(
                    f"{option}: {title}",
                    key,
                    cells[key],
                    option,
                    published.get(key, {}).get(option),
                    published[VANILLA][option],
                )
                for option in (*options, OVERALL)
                for key, title in systems.items()
            ]
            yield _bias_block(f"{attribute.name}, {kind} bias, {name}", kind, lines, runs)
        rows = [
            (f"{option}: {title}", *_rates(cells[key], option))
            for option in options
            for key, title in systems.items()
        ]
        head = (
            "option and system",
            "mean",
            "deviation",
            *(f"{int(name[1:])}%" for name in QUANTILES),
        )
        triggered = tuple(f"mean, {trigger} prompts" for trigger in TRIGGERS[1:])
        yield Block(
            f"{attribute.name}, base rates: p(liberal) of texts, {name}", (*head, *triggered), tuple(rows)
        )


def _beside(chosen: _Chosen, runs: int, name: str) -> Iterator[Block]:
    cells = {key: chosen(key, ALL) for key in SYSTEMS}
    for at, kind in enumerate(BIAS_KINDS):
        lines = [
            _Line(
                system.title,
                key,
                cells[key],
                OVERALL,
                _table_6(key)[at],
                _table_6(VANILLA)[at],
            )
            for key, system in SYSTEMS.items()
        ]
        yield _bias_block(f"mean of all attributes, {kind} bias, {name}", kind, lines, runs)
    rows = []
    for key, system in SYSTEMS.items():
        perplexity, base = _table_6(key)[2], _table_6(VANILLA)[2]
        seconds = PUBLISHED_SECONDS.get(key)
        took = "" if seconds is None else f"{seconds:.1f}"
        rows.append(
            (
                system.title,
                *_perplexity(cells[key], perplexity, base),
                mean_and_std(cells[key], "per_100", 3),
                took or _NONE,
                _times(cells[key], "per_100", "vanilla_per_100"),
                f"{seconds / PUBLISHED_SECONDS[VANILLA]:.2f}" if seconds else _NONE,
                _device(cells[key]),
                *cell_columns(cells[key], runs),
            )
        )
    head = ("system", "perplexity", "published", "× vanilla", "published", "s / 100 tokens", "published")
    yield Block(
        f"perplexity and time, {name}",
        (*head, "× vanilla", "published", "on", *_MADE),
        tuple(rows),
    )


def _by_strength(chosen: _Chosen, runs: int, name: str) -> Iterator[Block]:
    for attribute in (*(one.name for one in load_attributes()), ALL):
        cells = {key: chosen(key, attribute) for key in SWEEP}
        for kind in BIAS_KINDS:
            lines = []
            for key, system in SWEEP.items():
                found = _table_7(attribute, kind, key)
                base = _table_7(attribute, kind, UNSHIFTED)
                published = (
                    None if found is None or base is None else base + (found if key != UNSHIFTED else 0.0)
                )
                lines.append(_Line(system.title, key, cells[key], OVERALL, published, base))
            yield _bias_block(f"{_attribute_title(attribute)}, {kind} bias, {name}", kind, lines, runs)
        rows = [
            (
                system.title,
                *_perplexity(
                    cells[key],
                    _table_7(attribute, "perplexity", key),
                    _table_7(attribute, "perplexity", UNSHIFTED),
                ),
                *cell_columns(cells[key], runs),
            )
            for key, system in SWEEP.items()
        ]
        head = ("system", "perplexity", "published", "× λ = 0", "published", *_MADE)
        yield Block(f"{_attribute_title(attribute)}, perplexity, {name}", head, tuple(rows))


_BLOCKS: dict[str, Callable[[_Chosen, int, str], Iterator[Block]]] = {
    "calibration-5": _by_option,
    "calibration-6": _beside,
    "calibration-7": _by_strength,
}


def _table_6(key: str) -> tuple[float, float, float] | tuple[None, None, None]:
    """The row of Table 6 for a system; None for ours."""
    return CALIBRATION_TABLE_6.get(key, (None, None, None))


def _table_7(attribute: str, what: str, key: str) -> float | None:
    """The value of Table 7 for vanilla and mode 2."""
    figures = CALIBRATION_TABLE_7.get(attribute, {}).get(what)
    if figures is None or SWEEP[key].mode not in (VANILLA, CLASSIFIER):
        return None
    strength = SWEEP[key].strength
    return figures[0 if strength is None else 1 + LAMBDAS.index(strength)]


def _attribute_title(attribute: str) -> str:
    return "mean of all attributes" if attribute == ALL else attribute


def _bias_block(title: str, kind: str, lines: Sequence[_Line], runs: int) -> Block:
    rows = tuple((line.title, *_bias(kind, line), *cell_columns(line.cells, runs)) for line in lines)
    return Block(title, ("system", *_BIAS, *_MADE), rows)


def _bias(kind: str, line: _Line) -> tuple[str, ...]:
    def name(what: str) -> str:
        return metric_name(kind, line.option, what)

    first = ALL_SYSTEMS[line.system].mode == VANILLA
    value = _ranged(line.cells, name("value"), name("low"), name("high")) or _NOT_RUN
    changed = None
    if line.published is not None and line.base is not None and not first:
        changed = 1 - line.published / line.base
    gone = [
        "" if first else _changes(line.cells, name(part))
        for part in ("gone", "excess_gone", "corrected_gone")
    ]
    return (
        value,
        _NONE if line.published is None else f"{line.published:.3f}",
        *(mean_and_std(line.cells, name(what), 4) for what in ("null", "null_high", "excess", "corrected")),
        gone[0],
        "" if first else _NONE if changed is None else _change(changed),
        *gone[1:],
    )


def _rates(cells: Sequence[ResultCell], option: str) -> tuple[str, ...]:
    indirect, *triggered = TRIGGERS
    own = [metric_name(f"rate {indirect}", option, what) for what in ("mean", "deviation", *QUANTILES)]
    names = [*own, *(metric_name(f"rate {trigger}", option, "mean") for trigger in triggered)]
    found = [mean_and_std(cells, name, 3) for name in names]
    return (found[0] or _NOT_RUN, *found[1:])


def _perplexity(cells: Sequence[ResultCell], published: float | None, base: float | None) -> tuple[str, ...]:
    return (
        mean_and_std(cells, "perplexity", 2) or _NOT_RUN,
        _NONE if published is None else f"{published:.2f}",
        _times(cells, "perplexity", "vanilla_perplexity"),
        _NONE if published is None or base is None else f"{published / base:.2f}",
    )


def _times(cells: Sequence[ResultCell], name: str, base: str) -> str:
    """The ratio to the vanilla system of the same run, over seeds."""
    found = [cell.values[name] / cell.values[base] for cell in cells if cell.values.get(base)]
    return format_mean_std(found, 2) if found else ""


def _device(cells: Sequence[ResultCell]) -> str:
    return ", ".join(sorted({"GPU" if cell.values.get("cuda") else "CPU" for cell in cells}))


def _ranged(cells: Sequence[ResultCell], name: str, low: str, high: str) -> str:
    """The value of one cell with its interval; mean and standard deviation of several."""
    if len(cells) != 1 or high not in cells[0].values:
        return mean_and_std(cells, name, 4)
    value, bottom, top = (cells[0].values[one] for one in (name, low, high))
    return f"{value:.4f} [{bottom:.4f}, {top:.4f}]"


def _changes(cells: Sequence[ResultCell], name: str) -> str:
    """A reduction as a change in percent: of one cell with its interval, of several with the standard deviation.

    Cells without a bias before are left out.
    """
    found = [cell.values for cell in cells if name in cell.values]
    if not found:
        return _NONE if cells else ""
    mean = _change(fmean(values[name] for values in found))
    if len(found) > 1:
        lacking = f", {len(found)} of {len(cells)}" if len(found) < len(cells) else ""
        return f"{mean} ± {100 * stdev(values[name] for values in found):.0f}%{lacking}"
    most, least = (found[0].get(f"{name}_{end}") for end in ("high", "low"))
    if most is None:
        return mean
    return f"{mean} [{_change(most)}, {'+∞' if least is None else _change(least)}]"


def _change(gone: float) -> str:
    return f"{-100 * gone:+.0f}%"
