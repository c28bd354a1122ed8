"""All settings as one table, and the chosen values. No text of a draft is stored in them.

Storage, validation, dialog, reset and help follow from the table. Only values that differ from the default are stored.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal

from app.settings.interface_language import KEY as LANGUAGE_KEY
from app.settings.private_store import open_private_settings
from app.settings.schema import Setting, parse, serialize, validate
from core.i18n import languages, tr
from core.types import ALL_KINDS, Kind

MAX_RECENT = 10
PAGES: dict[str, str] = {
    "general": tr("General"),
    "checking": tr("Checking"),
    "spelling": tr("Spelling"),
    "style": tr("House style"),
    "models": tr("Models and training"),
    "network": tr("Network"),
    "accessibility": tr("Accessibility"),
}
PAGE_NOTES: dict[str, str] = {
    "style": tr(
        "A style pack is a list of rules from a newsroom or a wiki. What a rule flags is listed "
        "with the findings of the reader, as a kind of its own."
    ),
    "network": tr("Evenhand sends nothing on its own. It does the following only when you ask for it."),
}
# Each language by its own name.
_LANGUAGE_NAMES = {"en": "English", "de": "Deutsch"}
_KIND_NAMES = {
    Kind.FRAMING: tr("Framing"),
    Kind.EPISTEMOLOGICAL: tr("Epistemological"),
    Kind.DEMOGRAPHIC: tr("Demographic"),
    Kind.STYLE: tr("Style rules"),
}

SETTINGS: tuple[Setting, ...] = (
    Setting(
        name="theme",
        control_type="choice",
        default="system",
        page="general",
        key="view/theme",
        label=tr("Theme"),
        help=tr("Light, dark, or like the system."),
        choices=(("system", tr("Like the system")), ("light", tr("Light")), ("dark", tr("Dark"))),
    ),
    Setting(
        name="text_size",
        control_type="int",
        default=0,
        page="general",
        key="view/zoom",
        label=tr("Text size"),
        help=tr(
            "Text size of the draft, in points above or below the default. Ctrl and the mouse wheel change it "
            "too."
        ),
        minimum=-4,
        maximum=20,
        end_labels=(tr("smaller"), tr("larger")),
        zero_label=tr("default"),
        unit=tr("pt"),
    ),
    Setting(
        name="language",
        control_type="choice",
        default="system",
        page="general",
        key=LANGUAGE_KEY,
        label=tr("Language"),
        help=tr("The language of menus and messages. In drafts, only English text is analysed."),
        choices=(
            ("system", tr("Like the system")),
            *((code, _LANGUAGE_NAMES.get(code, code)) for code in languages()),
        ),
        needs_restart=True,
    ),
    Setting(
        name="history_days",
        control_type="choice",
        default=365,
        page="general",
        label=tr("Keep earlier versions"),
        help=tr(
            "How long earlier versions of a draft are kept on this computer. Only days on which "
            "you use Evenhand count. Older versions are deleted permanently, except those with a name."
        ),
        choices=(
            (7, tr("for a week")),
            (30, tr("for a month")),
            (90, tr("for three months")),
            (365, tr("for a year")),
            (0, tr("until I remove them")),
        ),
    ),
    Setting(
        name="author",
        control_type="text",
        default="",
        page="general",
        label=tr("Author of tracked changes"),
        help=tr(
            "Your name in the tracked changes and comments of Word and OpenDocument files. If "
            "this is empty, the full name of your user account is used."
        ),
    ),
    Setting(
        name="explain_changes",
        control_type="bool",
        default=True,
        page="general",
        label=tr("Explain tracked changes"),
        help=tr(
            "Each suggestion that you use gets a comment in the Word or OpenDocument file, with the "
            "reason and the guide."
        ),
    ),
    Setting(
        name="show_revisions",
        control_type="bool",
        default=True,
        page="general",
        key="view/show_revisions",
        label=tr("Show tracked changes"),
        help=tr(
            "Tracked changes in Word and OpenDocument files are marked in the text, in a colour for each author. "
            "Right-click one to accept or reject it."
        ),
    ),
    Setting(
        name="include_quotes",
        control_type="bool",
        default=False,
        page="checking",
        key="review/include_quotes",
        label=tr("Mark quoted words too"),
        help=tr("Words in quotation marks are the speaker's. They are not marked unless this is on."),
    ),
    Setting(
        name="by_sentence",
        control_type="bool",
        default=False,
        page="checking",
        key="review/by_sentence",
        label=tr("Review by sentence"),
        help=tr(
            "“Review all” goes from sentence to sentence and rewords each as a whole, instead of going from finding to "
            "finding."
        ),
    ),
    Setting(
        name="kinds",
        control_type="flags",
        default=tuple(kind.value for kind in ALL_KINDS),
        page="checking",
        label=tr("Kinds of findings"),
        help=tr("Only findings of these kinds are marked and listed."),
        choices=tuple((kind.value, _KIND_NAMES[kind]) for kind in ALL_KINDS),
    ),
    Setting(
        name="sensitivity",
        control_type="int",
        default=0,
        page="checking",
        label=tr("Sensitivity"),
        help=tr("Further to the right, more wording is marked, but more of the findings are wrong."),
        minimum=-12,
        maximum=12,
        end_labels=(tr("fewer"), tr("more")),
        zero_label=tr("default"),
    ),
    Setting(
        name="sink_on_word",
        control_type="bool",
        default=True,
        page="checking",
        label=tr("List term-dependent findings last"),
        help=tr(
            "A finding is term-dependent if it disappears when a more general word replaces the "
            "term. The finding is then caused by the term, not by what is said with it."
        ),
    ),
    Setting(
        name="show_leaning",
        control_type="bool",
        default=False,
        page="checking",
        label=tr("Show the political leaning"),
        help=tr(
            "The document panel, the dashboard and reports also show whether the wording resembles that of the left or "
            "of the right. This estimate is often wrong."
        ),
    ),
    Setting(
        name="allowed",
        control_type="list",
        default=(),
        page="checking",
        label=tr("Always allowed words"),
        help=tr("These words are never marked in any draft. Add names and terms of your field."),
        stored_elsewhere=True,
    ),
    Setting(
        name="spelling",
        control_type="bool",
        default=True,
        page="spelling",
        label=tr("Check spelling"),
        help=tr(
            "Words that are not in the dictionary get a thin wavy underline. Right-click a word "
            "to see corrections. Code, addresses and markup are not checked."
        ),
    ),
    Setting(
        name="dictionary",
        control_type="dictionary",
        default="",
        page="spelling",
        label=tr("Dictionary"),
        help=tr(
            "The Hunspell dictionaries on this computer, including those of LibreOffice. Nothing "
            "is downloaded."
        ),
    ),
    Setting(
        name="spell_quotations",
        control_type="bool",
        default=True,
        page="spelling",
        label=tr("Check quotations"),
        help=tr("Misspelled words in quotations are marked too."),
    ),
    Setting(
        name="spell_capitals",
        control_type="bool",
        default=False,
        page="spelling",
        label=tr("Check words in capitals"),
        help=tr("Words such as NATO are checked too."),
    ),
    Setting(
        name="own_words",
        control_type="list",
        default=(),
        page="spelling",
        label=tr("Personal dictionary"),
        help=tr("These words count as correct in every draft. “Add to dictionary” adds to them."),
        stored_elsewhere=True,
    ),
    Setting(
        name="style_packs",
        control_type="packs",
        default=(),
        page="style",
        label=tr("Style packs"),
        help=tr(
            "Which packs are used for your drafts. If the folder of a draft has a project file (.evenhand.toml) that "
            "names packs, those are used instead."
        ),
    ),
    Setting(
        name="style_rules_off",
        control_type="list",
        default=(),
        page="style",
        label=tr("Rules that are off"),
        help=tr("Rules that you have switched off on a card. Remove one to switch it on again."),
        stored_elsewhere=True,
    ),
    Setting(
        name="keep_corrections",
        control_type="bool",
        default=False,
        page="models",
        label=tr("Record my corrections for training"),
        help=tr(
            "When you use a suggestion or ignore a finding, the sentence is recorded on this computer. No model "
            "learns from it until you choose it under “Corrections”."
        ),
    ),
    Setting(
        name="wikipedia",
        control_type="bool",
        default=False,
        page="network",
        label=tr("Open Wikipedia articles"),
        help=tr(
            "When you open an article, its title is sent to Wikimedia's servers, which also see your network "
            "address. Drafts are never sent."
        ),
    ),
    Setting(
        name="get_models",
        control_type="bool",
        default=False,
        page="network",
        label=tr("Download models"),
        help=tr(
            "When you download models, the server at the address that you enter sees your network address. "
            "Drafts are never sent."
        ),
    ),
    Setting(
        name="high_contrast",
        control_type="choice",
        default="system",
        page="accessibility",
        label=tr("High contrast"),
        help=tr("Black and white, strong borders and thicker underlines."),
        choices=(("system", tr("Like the system")), ("on", tr("On")), ("off", tr("Off"))),
    ),
    Setting(
        name="underline_weight",
        control_type="choice",
        default="normal",
        page="accessibility",
        label=tr("Underlines"),
        help=tr("The thickness of the lines under marked words. It scales with the text and the screen."),
        choices=(("thin", tr("Thin")), ("normal", tr("Normal")), ("thick", tr("Thick"))),
    ),
    Setting(
        name="reduced_motion",
        control_type="bool",
        default=False,
        page="accessibility",
        label=tr("Reduced motion"),
        help=tr("Underlines appear at once instead of fading in."),
    ),
    Setting(
        name="announce",
        control_type="bool",
        default=True,
        page="accessibility",
        label=tr("Announce findings"),
        help=tr("A screen reader announces the finding at the caret, and how many findings there are."),
    ),
    Setting(name="tour_seen", control_type="bool", default=False),
    Setting(name="recent_commands", control_type="list", default=()),
    Setting(name="corpora_folders", control_type="list", default=()),
    Setting(name="base_models", control_type="list", default=()),
    Setting(name="generators", control_type="list", default=()),
    Setting(name="compass_models", control_type="list", default=()),
    Setting(name="pairs_files", control_type="list", default=()),
)
SETTINGS_BY_NAME: dict[str, Setting] = {setting.name: setting for setting in SETTINGS}


class Settings(QObject):
    """The chosen values in a ``QSettings``; an invalid stored value counts as the default.

    ``changed`` carries the name of a setting whose value changed, or ``shortcuts``.
    """

    changed = Signal(str)

    def __init__(self, store: QSettings | None = None) -> None:
        super().__init__()
        self._store = store if store is not None else open_private_settings()

    def value(self, name: str) -> Any:
        """The value of a setting: str, bool, int or a tuple of str. Raises KeyError for an unknown name."""
        setting = SETTINGS_BY_NAME[name]
        raw = self._store.value(_storage_key(setting))
        if raw is None:
            return setting.default
        try:
            return parse(setting, raw)
        except ValueError:
            return setting.default

    def set(self, name: str, value: object) -> None:
        """Store a value. Raises ValueError if it is not allowed."""
        setting = SETTINGS_BY_NAME[name]
        new, old = validate(setting, value), self.value(name)
        if new == setting.default:
            self._store.remove(_storage_key(setting))
        else:
            self._store.setValue(_storage_key(setting), serialize(setting, new))
        if new != old:
            self.changed.emit(name)

    def is_default(self, name: str) -> bool:
        """Whether a setting has its default value."""
        return bool(self.value(name) == SETTINGS_BY_NAME[name].default)

    def reset(self, *names: str) -> None:
        """Reset these settings to their defaults."""
        for name in names:
            self.set(name, SETTINGS_BY_NAME[name].default)

    def reset_page(self, page: str) -> None:
        """Reset the settings of a page of the dialog."""
        self.reset(
            *(setting.name for setting in SETTINGS if setting.page == page and not setting.stored_elsewhere)
        )

    def reset_all(self) -> None:
        """Reset all settings that the dialog shows."""
        for page in PAGES:
            self.reset_page(page)

    @property
    def shortcuts(self) -> dict[str, tuple[str, ...]]:
        """The changed shortcuts by command, as portable text; an empty tuple means no shortcut."""
        self._store.beginGroup("shortcuts")
        stored = {name: str(self._store.value(name)) for name in self._store.childKeys()}
        self._store.endGroup()
        return {name: tuple(key for key in keys.split("\n") if key) for name, keys in stored.items()}

    def set_shortcut(self, name: str, keys: tuple[str, ...] | None) -> None:
        """Store other shortcuts for a command; None restores its default."""
        if keys is None:
            self._store.remove(f"shortcuts/{name}")
        else:
            self._store.setValue(f"shortcuts/{name}", "\n".join(keys))
        self.changed.emit("shortcuts")

    @property
    def recent(self) -> list[Path]:
        """The recently opened files, newest first, at most ``MAX_RECENT``."""
        value = self._store.value("files/recent", [])
        names = [value] if isinstance(value, str) else value
        return [Path(str(name)) for name in names][:MAX_RECENT] if isinstance(names, list) else []

    def add_recent(self, path: Path) -> None:
        """Put a file first among the recent ones."""
        self._set_recent([path, *(other for other in self.recent if other != path)])

    def remove_recent(self, path: Path) -> None:
        """Remove a file from the recent ones."""
        self._set_recent([other for other in self.recent if other != path])

    def clear_recent(self) -> None:
        """Remove all recent files."""
        self._set_recent([])

    @property
    def last_version(self) -> str:
        """The version of Evenhand that was started last; empty at the first start."""
        return str(self._store.value("app/version", ""))

    @last_version.setter
    def last_version(self, value: str) -> None:
        self._store.setValue("app/version", value)

    @property
    def window(self) -> tuple[QByteArray, QByteArray]:
        """Geometry and layout of the window; both empty at the first start."""
        values = [self._store.value(f"window/{name}") for name in ("geometry", "state")]
        geometry, state = (v if isinstance(v, QByteArray) else QByteArray() for v in values)
        return geometry, state

    @window.setter
    def window(self, value: tuple[QByteArray, QByteArray]) -> None:
        self._store.setValue("window/geometry", value[0])
        self._store.setValue("window/state", value[1])

    def to_json(self) -> str:
        """All stored values as JSON, without the geometry of the window; kept as a backup before an update."""
        stored = {
            key: self._store.value(key) for key in self._store.allKeys() if not key.startswith("window/")
        }
        return json.dumps(stored, ensure_ascii=False, indent=1, default=str)

    def sync(self) -> None:
        """Write to disk now."""
        self._store.sync()

    def _set_recent(self, paths: list[Path]) -> None:
        self._store.setValue("files/recent", [str(path) for path in paths[:MAX_RECENT]])


def _storage_key(setting: Setting) -> str:
    return setting.key or f"settings/{setting.name}"
