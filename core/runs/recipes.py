"""The training recipes, each declared once: its name, its request, its scales, and who may start it.

The subcommands of ``evenhand train``, ``evenhand train list`` and the window's forms follow from these declarations.
A recipe itself is a module of ``training`` with ``run(request, run)`` and ``check(request)``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from core.i18n import tr

# A request: what a person chooses for one run. Every field that is an option carries an Option in its metadata.


class Control(StrEnum):
    """How a value is entered in a form; on the command line only LIST, NUMBER and COUNT parse differently."""

    TEXT = "text"
    MODEL = "model"  # a name on the Hugging Face hub, or a folder
    FOLDER = "folder"
    FILE = "file"
    CHOICE = "choice"
    LIST = "list"  # several texts; with ``choices`` a checkbox for each
    COUNT = "count"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Option:
    """One field of a request as an option.

    ``flag`` is the long option of the command line, ``title`` the label of the field in the window (empty: the window
    does not offer it), ``help`` what the command line says of it. ``choices`` are the allowed values.
    """

    name: str
    flag: str
    control: Control
    default: Any
    help: str
    title: str = ""
    metavar: str = ""
    choices: tuple[str, ...] = ()

    @property
    def is_required(self) -> bool:
        """Whether a request cannot be built without it."""
        return self.default is dataclasses.MISSING


def option(control: Control, help_text: str, *, default: Any = dataclasses.MISSING, **facts: Any) -> Any:
    """A dataclass field that is an option; ``facts`` are ``flag``, ``title``, ``metavar`` and ``choices`` of Option."""
    metadata = {"control": control, "help": help_text, **facts}
    if default is dataclasses.MISSING:
        return dataclasses.field(metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


SCALE_NAMES = ("smoke", "cpu", "full")
DEFAULT_SCALE = "cpu"
DEFAULT_SEED = 42
SMALL_ENCODER = "thenlper/gte-small"
NO_TEACHER = "none"
TEACHER_ENCODER = "sentence-transformers/all-mpnet-base-v2"
CLASSIFIER_ENCODER = "sentence-transformers/all-MiniLM-L6-v2"
ATTRIBUTES = ("gender", "location", "topic")
DEBIASING_MODES = ("emb", "cls", "emb-token", "token")
DETECTOR_TASKS = ("hatexplain", "liar", "hate-identity", "hate-demographic")
LOG_PROBABILITY = "log-probability"


def _today() -> str:
    return f"{date.today():%Y.%m.%d}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What every run is asked: corpora, base model, device, amount of work, seed."""

    data: Path = option(
        Control.FOLDER, "folder of the corpora (or EVENHAND_DATA)", title=tr("Corpora"), metavar="DIR"
    )
    base: str = option(Control.MODEL, "encoder by hub name or folder", default="", title=tr("Base model"))
    device: str = option(
        Control.TEXT, "auto, cpu, cuda, cuda:1 … (default: auto)", default="auto", title=tr("Device")
    )
    scale: str = option(
        Control.CHOICE,
        "amount of work (default: cpu)",
        default=DEFAULT_SCALE,
        title=tr("Scale"),
        choices=SCALE_NAMES,
    )
    seed: int = option(Control.COUNT, "random seed (default: 42)", default=DEFAULT_SEED, title=tr("Seed"))


_CORRECTIONS_HELP = "your own corrections, saved in the window"
_PAIRS_HELP = "your own pairs, one per line: the sentence before, a tab, the sentence after"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderRequest(Request):
    """What is asked of the recipe ``reader``.

    The ``teacher``, a large encoder, is trained first and labels sentences for the reader; ``none`` leaves it out.
    """

    base: str = option(
        Control.MODEL,
        f"encoder by hub name or folder (default: {SMALL_ENCODER})",
        default=SMALL_ENCODER,
        title=tr("Base model"),
    )
    teacher: str = option(
        Control.MODEL,
        f"12×768 encoder of the teacher, or none (default: {TEACHER_ENCODER})",
        default=TEACHER_ENCODER,
        title=tr("Teacher"),
    )
    learning_rate: float = option(Control.NUMBER, "default: 5e-5", default=5e-5)
    injected: Path | None = option(
        Control.FILE, "the file of `data inject`, to learn from its spans as well", default=None
    )
    corrections: Path | None = option(Control.FILE, _CORRECTIONS_HELP, default=None)
    pairs: Path | None = option(
        Control.FILE, _PAIRS_HELP, default=None, title=tr("Your sentence pairs (before, after)")
    )
    name: str = "reader small"
    version: str = dataclasses.field(default_factory=_today)


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriterRequest(Request):
    """What is asked of the recipe ``rewriter``.

    ``reader``, a bundle on the same base, gives the encoder its weights and is the reader with which the ranking is
    fitted (default: the bundled reader for the ranking, the base's own weights for the encoder).
    """

    base: str = option(
        Control.MODEL,
        f"encoder by hub name or folder (default: {SMALL_ENCODER})",
        default=SMALL_ENCODER,
        title=tr("Base model"),
    )
    injected: Path | None = option(
        Control.FILE, "the file of `data inject`, to learn from its pairs as well", default=None
    )
    reader: Path | None = option(
        Control.FOLDER, "start from the encoder weights of this reader", default=None, metavar="BUNDLE"
    )
    corrections: Path | None = option(Control.FILE, _CORRECTIONS_HELP, default=None)
    pairs: Path | None = option(
        Control.FILE, _PAIRS_HELP, default=None, title=tr("Your sentence pairs (before, after)")
    )
    learning_rate: float = option(Control.NUMBER, "default: 4e-5", default=4e-5)
    name: str = "rewriter small"
    version: str = dataclasses.field(default_factory=_today)


@dataclass(frozen=True, slots=True, kw_only=True)
class IdeologyClassifierRequest(Request):
    """What is asked of the recipe ``ideology-classifier``."""

    base: str = option(
        Control.MODEL,
        f"encoder by hub name or folder (default: {CLASSIFIER_ENCODER})",
        default=CLASSIFIER_ENCODER,
        title=tr("Base model"),
    )
    sides: Literal["two", "three"] = option(
        Control.CHOICE,
        "two (liberal, conservative) or three (left, center, right); default: two",
        default="two",
        choices=("two", "three"),
    )
    reader: Path | None = option(
        Control.FOLDER, "start from the encoder weights of this reader", default=None, metavar="BUNDLE"
    )
    learning_rate: float = option(Control.NUMBER, "default: 2e-4", default=2e-4)
    name: str = "ideology classifier"
    version: str = dataclasses.field(default_factory=_today)


_GENERATOR_HELP = "the generator: a causal language model by hub name or folder (required)"


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorAuditRequest(Request):
    """What is asked of the recipe ``audit``; without ``modes`` the generator is measured as it is."""

    base: str = option(Control.MODEL, _GENERATOR_HELP, default="", title=tr("Generator"))
    attributes: tuple[str, ...] = option(
        Control.LIST,
        "default: all",
        default=(),
        flag="--attribute",
        title=tr("Attributes"),
        choices=ATTRIBUTES,
    )
    modes: tuple[str, ...] = option(
        Control.LIST,
        "debiasing methods (default: all); without a value only the generator as it is",
        default=DEBIASING_MODES,
        title=tr("Debiasing methods"),
        choices=DEBIASING_MODES,
    )
    ideology_classifier: str = option(
        Control.TEXT,
        "scores the texts: words (default), tfidf, or a run of the recipe ideology-classifier",
        default="words",
        title=tr("Ideology classifier"),
        metavar="NAME|RUN",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CompassRequest(Request):
    """What is asked of the recipe ``compass``. ``base`` names all ``models``, for the record of the run."""

    base: str = dataclasses.field(init=False, default="")
    models: tuple[str, ...] = option(
        Control.LIST,
        "models by hub name or folder, masked or causal (required)",
        default=(),
        flag="--base",
        title=tr("Models"),
        metavar="MODEL",
    )
    stance: str = option(
        Control.TEXT,
        "how a generator's answer is scored: log-probability (default), direct, or the hub name or folder of a "
        "classifier of natural-language inference (the paper's: facebook/bart-large-mnli)",
        default=LOG_PROBABILITY,
        title=tr("Stance"),
    )
    detectors: tuple[str, ...] = option(
        Control.LIST,
        "train a detector of each of these on every model (default: none)",
        default=(),
        title=tr("Detectors"),
        choices=DETECTOR_TASKS,
    )

    def __post_init__(self) -> None:
        """Fill ``base``."""
        object.__setattr__(self, "base", ", ".join(map(model_name, self.models)))


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownBiasRequest(Request):
    """What is asked of the recipe ``inject-known-bias``.

    ``strength`` in [0, 1] is how consistently an option is tied to its side: in this share of the texts that
    the bias is fitted to, the option has its own side, in the rest a random one; 0 is the negative control.
    """

    base: str = option(Control.MODEL, _GENERATOR_HELP, default="")
    attribute: str = option(
        Control.CHOICE, "the attribute whose options are biased (required)", default="", choices=ATTRIBUTES
    )
    strength: float = option(
        Control.NUMBER,
        "how consistently an option is tied to its side, 0 to 1 (default: 1; 0: a random side, the negative control)",
        default=1.0,
        metavar="P",
    )


def model_name(base: str) -> str:
    """A model by the name of its folder, or of the hub: the path on one machine says nothing of the model."""
    return Path(base).absolute().name if Path(base).is_dir() else base


# The recipes and their scales.


class StartedFrom(StrEnum):
    """Where a run of a recipe can be started; the command line can start all of them."""

    TRAINING_FORM = "training form"
    AUDIT_WINDOW = "audit window"
    COMMAND_LINE = "command line"


@dataclass(frozen=True, slots=True)
class Recipe:
    """One recipe. ``title`` and ``help`` are for people, ``module`` is where ``training`` implements it.

    ``aliases`` are its names in earlier versions, which stored runs and saved commands still carry.
    """

    name: str
    title: str
    help: str
    request: type[Request]
    module: str
    started_from: StartedFrom
    aliases: tuple[str, ...] = ()

    @property
    def options(self) -> dict[str, Option]:
        """The options of its request, by the name of the field."""
        return {
            field.name: Option(
                field.name,
                field.metadata.get("flag", f"--{field.name.replace('_', '-')}"),
                default=field.default,
                **{name: value for name, value in field.metadata.items() if name != "flag"},
            )
            for field in dataclasses.fields(self.request)
            if field.metadata
        }

    @property
    def default_base(self) -> str:
        """The base model of a request that names none; empty where one must be named."""
        return str(self.options["base"].default) if "base" in self.options else ""

    def arguments(self, request: Request) -> list[str]:
        """The arguments of ``evenhand train`` that start this request; paths are absolute, defaults are left out."""
        arguments = [self.name]
        for name, one in self.options.items():
            value = getattr(request, name)
            if value == one.default or value is None:
                continue
            values = value if isinstance(value, tuple) else (value,)
            arguments += [one.flag, *(str(v.resolve() if isinstance(v, Path) else v) for v in values)]
        return arguments


RECIPES: Mapping[str, Recipe] = MappingProxyType(
    {
        recipe.name: recipe
        for recipe in (
            Recipe(
                "reader",
                tr("Reader"),
                tr(
                    "Finds biased words and their kind, and scores the bias and political leaning of sentences."
                ),
                ReaderRequest,
                "training.reader.recipe",
                StartedFrom.TRAINING_FORM,
            ),
            Recipe(
                "rewriter",
                tr("Rewriter"),
                tr("Suggests neutral words for findings."),
                RewriterRequest,
                "training.rewriter.recipe",
                StartedFrom.TRAINING_FORM,
            ),
            Recipe(
                "ideology-classifier",
                tr("Ideology classifier"),
                tr("Tells liberal from conservative wording. Audits of generators score texts with it."),
                IdeologyClassifierRequest,
                "training.auditing.ideology_classifiers.recipe",
                StartedFrom.TRAINING_FORM,
                aliases=("judge",),
            ),
            Recipe(
                "audit",
                tr("Generator audit"),
                tr(
                    "Measures how gender, place and topic change what a generator writes, before and after debiasing."
                ),
                GeneratorAuditRequest,
                "training.auditing.generator_bias.recipe",
                StartedFrom.AUDIT_WINDOW,
            ),
            Recipe(
                "compass",
                tr("Political compass"),
                tr("Places language models on the political compass, with intervals."),
                CompassRequest,
                "training.auditing.compass.recipe",
                StartedFrom.AUDIT_WINDOW,
            ),
            Recipe(
                "inject-known-bias",
                tr("Known bias (control)"),
                tr(
                    "Injects a known bias into a generator, by the options of one attribute: a control for audits."
                ),
                KnownBiasRequest,
                "training.auditing.generator_bias.known_bias_recipe",
                StartedFrom.COMMAND_LINE,
                aliases=("plant",),
            ),
        )
    }
)
"""The recipes by name."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How much work a run does."""

    name: str
    title: str
    help: str


SCALES: Mapping[str, Scale] = MappingProxyType(
    {
        scale.name: scale
        for scale in (
            Scale(
                "smoke",
                tr("Smoke test"),
                tr(
                    "A few steps on a few sentences, to check within minutes that everything works. The model "
                    "is not usable."
                ),
            ),
            Scale(
                "cpu",
                tr("Small"),
                tr(
                    "For a computer without a graphics card. The models that come with Evenhand were trained "
                    "this way."
                ),
            ),
            Scale(
                "full",
                tr("Full"),
                tr("Many times as many steps. Needs a graphics card."),
            ),
        )
    }
)
"""The scales by name, the smallest first."""

# Names of earlier versions.


RENAMED_RECIPES: Mapping[str, str] = MappingProxyType(
    {alias: recipe.name for recipe in RECIPES.values() for alias in recipe.aliases}
)
RENAMED_FLAGS: Mapping[str, str] = MappingProxyType(
    {
        "--rate": "--learning-rate",
        "--judge": "--ideology-classifier",
    }
)
"""Options of recipes in earlier versions: the saved command of a run may still hold them."""
_RENAMED_SETTINGS = MappingProxyType(
    {
        "rate": "learning_rate",
        "start": "init_from",
        "trainings": "ensemble_size",
        "judge": "ideology_classifier",
    }
)


def recipe_name(stored: str) -> str:
    """The present name of a recipe that a stored run names."""
    return RENAMED_RECIPES.get(stored, stored)


def current_settings(stored: Mapping[str, str]) -> dict[str, str]:
    """The settings of a stored run under the present names of the fields."""
    return {_RENAMED_SETTINGS.get(name, name): value for name, value in stored.items()}


def current_arguments(arguments: Sequence[str]) -> list[str]:
    """Arguments that start a run, as an earlier version saved them, in the present spelling."""
    found = []
    for argument in arguments:
        flag, equals, value = argument.partition("=")
        found.append(RENAMED_FLAGS.get(flag, flag) + equals + value)
    return [recipe_name(found[0]), *found[1:]] if found else []
