"""Every setting as one table, and the values that a person chose. Never any text of a draft.

The table drives storage, checks, the dialog, reset and help. Only what differs from the default is stored.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal

from app.settings.interface_language import KEY as LANGUAGE_KEY
from app.settings.schema import Setting, checked, read, written
from core.i18n import languages, tr
from core.types import Kind

RECENT = 10
PAGES: dict[str, str] = {
    "general": tr("General"),
    "checking": tr("Checking"),
    "models": tr("Models and training"),
    "network": tr("Network"),
    "accessibility": tr("Accessibility"),
}
PAGE_NOTES: dict[str, str] = {
    "network": tr("Evenhand sends nothing by itself. What stands here is done only when you ask for it."),
}
# A language is named in itself: who looks for it reads it.
_LANGUAGE_NAMES = {"en": "English", "de": "Deutsch"}
_KIND_NAMES = {
    Kind.FRAMING: tr("Framing"),
    Kind.EPISTEMOLOGICAL: tr("Epistemological"),
    Kind.DEMOGRAPHIC: tr("Demographic"),
}

TABLE: tuple[Setting, ...] = (
    Setting(
        name="theme",
        form="choice",
        default="system",
        page="general",
        key="view/theme",
        label=tr("Theme"),
        help=tr("Light or dark, or whatever the system asks for."),
        choices=(("system", tr("Like the system")), ("light", tr("Light")), ("dark", tr("Dark"))),
    ),
    Setting(
        name="text_size",
        form="int",
        default=0,
        page="general",
        key="view/zoom",
        label=tr("Text size"),
        help=tr(
            "Of the draft, in points more or fewer than the usual. Ctrl and the mouse wheel change it too."
        ),
        least=-4,
        most=20,
        ends=(tr("smaller"), tr("larger")),
        zero=tr("usual"),
        unit=tr("pt"),
    ),
    Setting(
        name="language",
        form="choice",
        default="system",
        page="general",
        key=LANGUAGE_KEY,
        label=tr("Language"),
        help=tr("Of menus and messages. The draft is read as English whatever is chosen here."),
        choices=(
            ("system", tr("Like the system")),
            *((code, _LANGUAGE_NAMES.get(code, code)) for code in languages()),
        ),
        restart=True,
    ),
    Setting(
        name="history_days",
        form="choice",
        default=365,
        page="general",
        label=tr("Keep earlier versions"),
        help=tr(
            "How long the earlier versions of a draft are kept on this computer. Older ones are removed for good."
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
        name="include_quotes",
        form="bool",
        default=False,
        page="checking",
        key="review/include_quotes",
        label=tr("Mark quoted words too"),
        help=tr("Words in quotation marks are the speaker's. They are passed over unless this is on."),
    ),
    Setting(
        name="kinds",
        form="flags",
        default=tuple(kind.value for kind in Kind),
        page="checking",
        label=tr("Kinds of bias"),
        help=tr("Only these kinds are marked and listed. The others are found, but not shown."),
        choices=tuple((kind.value, _KIND_NAMES[kind]) for kind in Kind),
    ),
    Setting(
        name="sensitivity",
        form="int",
        default=0,
        page="checking",
        label=tr("Sensitivity"),
        help=tr("Further right, more wording is marked, and more of the marks are mistaken."),
        least=-12,
        most=12,
        ends=(tr("fewer"), tr("more")),
        zero=tr("usual"),
    ),
    Setting(
        name="sink_on_word",
        form="bool",
        default=True,
        page="checking",
        label=tr("Flags leaning on a word come last"),
        help=tr(
            "A flag that is gone once a more general word stands in its place comes from the word, not from what is "
            "said with it. Such flags stand at the end of the list."
        ),
    ),
    Setting(
        name="allowed",
        form="list",
        default=(),
        page="checking",
        label=tr("Always allowed words"),
        help=tr("These words are never marked, in no draft. Names and terms of your field belong here."),
        provided=True,
    ),
    Setting(
        name="keep_corrections",
        form="bool",
        default=False,
        page="models",
        label=tr("Keep my corrections for retraining"),
        help=tr(
            "The sentence is kept, on this computer, whenever you use another wording or ignore a finding. Nothing is "
            "learnt from it until you choose so under “Corrections”."
        ),
    ),
    Setting(
        name="wikipedia",
        form="bool",
        default=False,
        page="network",
        label=tr("Open Wikipedia articles"),
        help=tr(
            "When you ask for an article, its title is sent to Wikimedia's servers, which see your network address "
            "too. A draft is never sent."
        ),
    ),
    Setting(
        name="get_models",
        form="bool",
        default=False,
        page="network",
        label=tr("Get models"),
        help=tr(
            "When you ask for models, the server of the address that you give sees your network address. A draft is "
            "never sent."
        ),
    ),
    Setting(
        name="high_contrast",
        form="choice",
        default="system",
        page="accessibility",
        label=tr("High contrast"),
        help=tr("Black and white, strong borders and thicker underlines instead of soft grounds."),
        choices=(("system", tr("Like the system")), ("on", tr("On")), ("off", tr("Off"))),
    ),
    Setting(
        name="underline_weight",
        form="choice",
        default="normal",
        page="accessibility",
        label=tr("Underlines"),
        help=tr("How strong the lines under marked words are. They grow with the text and with the screen."),
        choices=(("thin", tr("Thin")), ("normal", tr("Normal")), ("thick", tr("Thick"))),
    ),
    Setting(
        name="reduced_motion",
        form="bool",
        default=False,
        page="accessibility",
        label=tr("Reduced motion"),
        help=tr("Marks appear at once instead of fading in."),
    ),
    Setting(
        name="announce",
        form="bool",
        default=True,
        page="accessibility",
        label=tr("Announce findings"),
        help=tr(
            "A screen reader is told what is marked where the caret arrives, and how many findings there are."
        ),
    ),
    Setting(name="tour_seen", form="bool", default=False),
    Setting(name="recent_commands", form="list", default=()),
    Setting(name="corpora_folders", form="list", default=()),
    Setting(name="base_models", form="list", default=()),
    Setting(name="generators", form="list", default=()),
    Setting(name="compass_models", form="list", default=()),
    Setting(name="injected_files", form="list", default=()),
    Setting(name="pairs_files", form="list", default=()),
)
ROWS: dict[str, Setting] = {row.name: row for row in TABLE}


class Settings(QObject):
    """The chosen values over one ``QSettings``; a stored value that makes no sense counts as the default.

    ``changed``: the name of a setting whose value is another one now, or ``shortcuts``.
    """

    changed = Signal(str)

    def __init__(self, store: QSettings | None = None) -> None:
        super().__init__()
        self._store = store if store is not None else QSettings("Evenhand", "Evenhand")

    def value(self, name: str) -> Any:
        """The value of a setting: str, bool, int or a tuple of str, by its row. KeyError for no such setting."""
        row = ROWS[name]
        raw = self._store.value(_key(row))
        if raw is None:
            return row.default
        try:
            return read(row, raw)
        except ValueError:
            return row.default

    def set(self, name: str, value: object) -> None:
        """Choose a value. Raises ValueError for one that is not allowed."""
        row = ROWS[name]
        new, old = checked(row, value), self.value(name)
        if new == row.default:
            self._store.remove(_key(row))
        else:
            self._store.setValue(_key(row), written(row, new))
        if new != old:
            self.changed.emit(name)

    def is_default(self, name: str) -> bool:
        """Whether a setting stands at its default."""
        return bool(self.value(name) == ROWS[name].default)

    def reset(self, *names: str) -> None:
        """Put these settings back to their defaults."""
        for name in names:
            self.set(name, ROWS[name].default)

    def reset_page(self, page: str) -> None:
        """Put what stands on a page of the dialog back to its defaults."""
        self.reset(*(row.name for row in TABLE if row.page == page and not row.provided))

    def reset_all(self) -> None:
        """Put everything that the dialog shows back to its defaults."""
        for page in PAGES:
            self.reset_page(page)

    @property
    def shortcuts(self) -> dict[str, tuple[str, ...]]:
        """The keys of the commands whose keys were changed, as portable text; an empty tuple means no keys."""
        self._store.beginGroup("shortcuts")
        held = {name: str(self._store.value(name)) for name in self._store.childKeys()}
        self._store.endGroup()
        return {name: tuple(key for key in keys.split("\n") if key) for name, keys in held.items()}

    def set_shortcut(self, name: str, keys: tuple[str, ...] | None) -> None:
        """Keep other keys for a command; None gives it its own again."""
        if keys is None:
            self._store.remove(f"shortcuts/{name}")
        else:
            self._store.setValue(f"shortcuts/{name}", "\n".join(keys))
        self.changed.emit("shortcuts")

    @property
    def recent(self) -> list[Path]:
        """The files that were open last, newest first, at most ``RECENT``."""
        value = self._store.value("files/recent", [])
        names = [value] if isinstance(value, str) else value
        return [Path(str(name)) for name in names][:RECENT] if isinstance(names, list) else []

    def remember(self, path: Path) -> None:
        """Put a file at the head of the recent ones."""
        self._set_recent([path, *(other for other in self.recent if other != path)])

    def forget(self, path: Path) -> None:
        """Take a file out of the recent ones."""
        self._set_recent([other for other in self.recent if other != path])

    def clear_recent(self) -> None:
        """Forget all recent files."""
        self._set_recent([])

    @property
    def version(self) -> str:
        """The version of Evenhand that was started last; empty where none has said so."""
        return str(self._store.value("app/version", ""))

    @version.setter
    def version(self, value: str) -> None:
        self._store.setValue("app/version", value)

    @property
    def window(self) -> tuple[QByteArray, QByteArray]:
        """Geometry and layout of the window, both empty at the first start."""
        values = [self._store.value(f"window/{name}") for name in ("geometry", "state")]
        geometry, state = (v if isinstance(v, QByteArray) else QByteArray() for v in values)
        return geometry, state

    @window.setter
    def window(self, value: tuple[QByteArray, QByteArray]) -> None:
        self._store.setValue("window/geometry", value[0])
        self._store.setValue("window/state", value[1])

    def as_text(self) -> str:
        """All that is stored, as JSON, to be kept before an update; the geometry of the window is left out."""
        held = {key: self._store.value(key) for key in self._store.allKeys() if not key.startswith("window/")}
        return json.dumps(held, ensure_ascii=False, indent=1, default=str)

    def save(self) -> None:
        """Write to disk now."""
        self._store.sync()

    def _set_recent(self, paths: list[Path]) -> None:
        self._store.setValue("files/recent", [str(path) for path in paths[:RECENT]])


def _key(row: Setting) -> str:
    return row.key or f"settings/{row.name}"
