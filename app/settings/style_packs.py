"""The settings of house style: the list of packs with a choice for each, and the rules that are switched off."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QToolButton, QVBoxLayout, QWidget

from app.settings.controls import Control
from app.settings.schema import Setting, Value
from app.settings.settings import Settings
from app.widgets.flow_layout import FlowLayout
from app.widgets.form_fields import ComboBox, make_button
from app.widgets.labels import WrapLabel
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import PlainLabel, plain_text
from core.documents.format_specs import FORMATS
from core.documents.types import Format
from core.i18n import ntr, tr
from core.paths import start_folder
from core.storage.files import FileError
from core.style.library import bundled_folder, pack_paths
from core.style.own_packs import import_pack, remove_pack
from core.style.packs import StylePack, load_pack
from core.style.toml_source import StyleError

SETTING, RULES_OFF = "style_packs", "style_rules_off"
_ON, _OFF = "=on", "=off"
_MOST_PROBLEMS = 5
_CHOICES: dict[object, bool | None] = {"default": None, "on": True, "off": False}
_DATA = {on: data for data, on in _CHOICES.items()}


def read_choices(values: tuple[str, ...]) -> dict[str, bool]:
    """The packs that are chosen or switched off, from the value of the setting."""
    on = {value.removesuffix(_ON): True for value in values if value.endswith(_ON)}
    return on | {value.removesuffix(_OFF): False for value in values if value.endswith(_OFF)}


def write_choices(choices: Mapping[str, bool]) -> tuple[str, ...]:
    """The value of the setting for these choices."""
    return tuple(f"{name}{_ON if on else _OFF}" for name, on in sorted(choices.items()))


class RulesOff:
    """The rules that are switched off, as a ``WordList`` for the settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def words(self) -> list[str]:
        """The keys of the rules, in alphabetical order."""
        return sorted(self._settings.value(RULES_OFF))

    def add(self, word: str) -> None:
        """Switch a rule off."""
        self._settings.set(RULES_OFF, (*self._settings.value(RULES_OFF), word))

    def remove(self, word: str) -> None:
        """Switch a rule on again."""
        self._settings.set(RULES_OFF, tuple(one for one in self._settings.value(RULES_OFF) if one != word))


class PackListControl(Control):
    """Each pack: its name, what it is, and whether it is used. Own packs can be imported and removed."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._choices: dict[str, bool] = {}
        self._packs: dict[str, Path] = {}
        self.boxes: dict[str, ComboBox] = {}
        self.remove_buttons: dict[str, QToolButton] = {}
        self._rows = QWidget()
        self._import_file = make_button(tr("&Import a pack…"), self._choose_file)
        self._import_vale = make_button(tr("Import a &Vale style…"), self._choose_folder)
        self._label_control(self._import_file, tr("Import a pack"))
        self.message = WrapLabel()
        self.message.hide()
        buttons = FlowLayout(spacing=6)
        buttons.addWidget(self._import_file)
        buttons.addWidget(self._import_vale)
        self._column = make_column(self._rows, buttons, self.message, spacing=10)
        self.layout_row.addLayout(self._column, 1)

    def show_value(self, value: Value) -> None:
        """Show the available packs and what is chosen for each."""
        self._choices = read_choices(value) if isinstance(value, tuple) else {}
        packs = pack_paths()
        if packs == self._packs:  # The boxes stay, and so does the keyboard focus.
            for name, box in self.boxes.items():
                box.setCurrentIndex(box.findData(_DATA[self._choices.get(name)]))
            return
        self._packs = packs
        rows = QWidget()
        column = make_column(parent=rows, spacing=4)
        self.boxes, self.remove_buttons = {}, {}
        for name, path in packs.items():
            self._add_pack(column, name, path)
        self._column.replaceWidget(self._rows, rows)
        self._rows.hide()
        self._rows.deleteLater()
        self._rows = rows

    def import_path(self, path: Path) -> None:
        """Import a pack or a Vale style, switch it on, and say what is wrong with it."""
        try:
            pack, problems = import_pack(path)
        except (StyleError, FileError) as error:
            self._say(str(error))
            return
        said = ntr("{name}: 1 rule imported.", "{name}: {count:,} rules imported.", len(pack.rules))
        self._packs = {}  # The description may have changed.
        self._say("\n".join([said.format(name=pack.name, count=len(pack.rules)), *problems[:_MOST_PROBLEMS]]))
        self._choose(pack.id, True)

    def _add_pack(self, column: QVBoxLayout, name: str, path: Path) -> None:
        try:
            pack = load_pack(path, find=pack_paths().get)
        except StyleError as error:
            column.addWidget(WrapLabel(str(error)))
            pack = None
        controls = make_row(spacing=10)
        if pack is not None:
            column.addWidget(_description(pack))
            box = self.boxes[name] = ComboBox(pack.name, _choices(pack))
            box.setCurrentIndex(box.findData(_DATA[self._choices.get(name)]))
            box.activated.connect(lambda _: self._choose(name, _CHOICES[box.currentData()]))
            controls.addWidget(box)
        if path.parent != bundled_folder():
            button = self.remove_buttons[name] = QToolButton()
            button.setText(tr("Remove"))
            button.setProperty("outlined", "true")
            button.setAccessibleName(tr("Remove: {name}").format(name=name))
            button.clicked.connect(lambda: self._remove(name, path))
            controls.addWidget(button)
        controls.addStretch(1)
        column.addLayout(controls)
        column.addSpacing(8)

    def _choose(self, name: str, on: bool | None) -> None:
        choices = {key: value for key, value in self._choices.items() if key != name}
        if on is not None:
            choices[name] = on
        self.value_chosen.emit(write_choices(choices))
        self.show_value(write_choices(choices))

    def _remove(self, name: str, path: Path) -> None:
        try:
            remove_pack(path)
        except StyleError as error:
            self._say(str(error))
        else:
            self._choose(name, None)

    def _choose_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self, tr("Import a pack"), str(start_folder()), tr("Style packs (*.toml)")
        )
        if name:
            self.import_path(Path(name))

    def _choose_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self, tr("Import a Vale style"), str(start_folder()))
        if name:
            self.import_path(Path(name))

    def _say(self, text: str) -> None:
        self.message.setText(text)
        self.message.show()


def _description(pack: StylePack) -> QWidget:
    """The name of a pack, its description, and how many rules it has."""
    rules = ntr("1 rule", "{count:,} rules", len(pack.rules)).format(count=len(pack.rules))
    more = [pack.description, rules]
    if pack.problems:
        more.append(tr("Part of this pack cannot be used: {problem}").format(problem=pack.problems[0]))
    row = QWidget()
    name = PlainLabel(pack.name)
    make_column(name, WrapLabel(" ".join(filter(None, more)), muted=True), parent=row, spacing=2)
    row.setToolTip(plain_text(str(pack.path)))
    return row


def _choices(pack: StylePack) -> list[tuple[object, str]]:
    """What can be chosen for a pack; the first is the default."""
    if pack.formats:
        names = ", ".join(FORMATS[Format(name)].name for name in pack.formats if name in tuple(Format))
        return [
            ("default", tr("On in {formats}").format(formats=names)),
            ("on", tr("Always on")),
            ("off", tr("Off")),
        ]
    return [("default", tr("Off")), ("on", tr("On"))]
