"""Settings: one table, only changed values stored, damaged values ignored."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings

from app.settings.schema import Setting, Value, parse, serialize, validate
from app.settings.settings import MAX_RECENT, PAGES, SETTINGS, SETTINGS_BY_NAME, Settings

OTHERS: dict[str, Value] = {
    "theme": "dark",
    "text_size": -2,
    "language": "en",
    "history_days": 0,
    "include_quotes": True,
    "kinds": ("demographic",),
    "sensitivity": 2,
    "allowed": ("one, two", "“three”\n"),
    "wikipedia": True,
    "high_contrast": "on",
    "underline_weight": "thick",
    "reduced_motion": True,
    "announce": False,
    "sink_on_word": False,
    "tour_seen": True,
    "recent_commands": ("open",),
}
NONSENSE: dict[str, object] = {
    "choice": "purple",
    "bool": 1,
    "int": 99,
    "flags": "framing",
    "text": " two  spaces",
}


def stored(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


def other(row: Setting) -> Value:
    """An allowed value of a row that is not its default; a new row of a known form needs nothing here."""
    if row.name in OTHERS:
        return OTHERS[row.name]
    made: dict[str, Value] = {
        "bool": not row.default,
        "int": row.minimum if row.default != row.minimum else row.maximum,
        "flags": (),
        "list": ("word",),
        "text": "A name",
        "packs": ("words-to-watch=off",),
        "dictionary": "en_GB",
    }
    if row.control_type in made:
        return made[row.control_type]
    return next(value for value, _ in row.choices if value != row.default)


@pytest.mark.parametrize("row", SETTINGS, ids=lambda row: row.name)
def test_every_setting_is_complete(row: Setting) -> None:
    """A row without a label, a help or a sound default would show in the dialog as a riddle."""
    assert row.is_hidden or (row.page in PAGES and row.label and row.help)
    assert validate(row, row.default) == row.default
    assert parse(row, serialize(row, row.default)) == row.default


def test_names_and_keys_are_unique() -> None:
    assert len(SETTINGS_BY_NAME) == len(SETTINGS)
    keys = [row.key for row in SETTINGS if row.key]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("row", SETTINGS, ids=lambda row: row.name)
def test_a_value_comes_back_after_a_restart_and_a_default_leaves_no_trace(
    tmp_path: Path, row: Setting
) -> None:
    first = Settings(stored(tmp_path))
    heard: list[str] = []
    first.changed.connect(heard.append)
    first.set(row.name, other(row))
    first.set(row.name, other(row))
    first.sync()
    again = Settings(stored(tmp_path))
    assert again.value(row.name) == other(row)
    assert type(again.value(row.name)) is type(other(row))
    assert not again.is_default(row.name)
    assert heard == [row.name]
    first.reset(row.name)
    first.sync()
    assert Settings(stored(tmp_path)).value(row.name) == row.default
    assert stored(tmp_path).allKeys() == []
    assert heard == [row.name, row.name]


@pytest.mark.parametrize("row", SETTINGS, ids=lambda row: row.name)
@pytest.mark.parametrize("damage", ["@@nonsense", "", "null", "9" * 40, "[1]", "nan"])
def test_a_damaged_value_counts_as_the_default_and_is_left_alone(
    tmp_path: Path, row: Setting, damage: str
) -> None:
    """What a newer version wrote, or a hand, must not stop the window; nor be thrown away."""
    store = stored(tmp_path)
    key = row.key or f"settings/{row.name}"
    store.setValue(key, damage)
    settings = Settings(store)
    assert settings.value(row.name) == row.default
    assert store.value(key) == damage


@pytest.mark.parametrize(
    "row", [row for row in SETTINGS if row.control_type in NONSENSE], ids=lambda row: row.name
)
def test_an_invalid_value_is_refused(tmp_path: Path, row: Setting) -> None:
    settings = Settings(stored(tmp_path))
    settings.set(row.name, other(row))
    with pytest.raises(ValueError, match=row.name):
        settings.set(row.name, NONSENSE[row.control_type])
    assert settings.value(row.name) == other(row)


def test_kinds_keep_their_order(tmp_path: Path) -> None:
    settings = Settings(stored(tmp_path))
    settings.set("kinds", {"epistemological", "framing"})
    assert settings.value("kinds") == ("framing", "epistemological")
    settings.set("kinds", ())
    assert settings.value("kinds") == ()


def test_reset_affects_only_the_shown_settings(tmp_path: Path) -> None:
    settings = Settings(stored(tmp_path))
    for row in SETTINGS:
        settings.set(row.name, other(row))
    settings.add_recent(Path("/kept.md"))
    settings.reset_page("checking")
    assert settings.is_default("sensitivity")
    assert not settings.is_default("theme")
    settings.reset_all()
    left = {row.name for row in SETTINGS if not settings.is_default(row.name)}
    assert left == {row.name for row in SETTINGS if row.is_hidden or row.stored_elsewhere}
    assert settings.recent == [Path("/kept.md")]


def test_unknown_names_raise(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        Settings(stored(tmp_path)).value("colour_of_the_sky")


def test_the_window_and_the_files_come_back(tmp_path: Path) -> None:
    first = Settings(stored(tmp_path))
    assert (first.window, first.recent) == ((QByteArray(), QByteArray()), [])
    first.window = (QByteArray(b"a\0b"), QByteArray(b"c"))
    first.add_recent(Path("/one, two.md"))
    first.sync()
    again = Settings(stored(tmp_path))
    assert again.window == (QByteArray(b"a\0b"), QByteArray(b"c"))
    assert again.recent == [Path("/one, two.md")]


def test_recent_files_are_limited_unique_and_newest_first(tmp_path: Path) -> None:
    settings = Settings(stored(tmp_path))
    for number in range(MAX_RECENT + 5):
        settings.add_recent(Path(f"/{number}.md"))
    settings.add_recent(Path("/9.md"))
    assert len(settings.recent) == MAX_RECENT
    assert settings.recent[:2] == [Path("/9.md"), Path(f"/{MAX_RECENT + 4}.md")]
    settings.remove_recent(Path("/9.md"))
    assert Path("/9.md") not in settings.recent
    settings.clear_recent()
    assert settings.recent == []


@pytest.mark.parametrize("key", ["window/geometry", "files/recent"])
def test_damaged_window_state_is_ignored(tmp_path: Path, key: str) -> None:
    store = stored(tmp_path)
    store.setValue(key, "@@nonsense")
    settings = Settings(store)
    assert settings.window[0] == QByteArray()
    assert all(isinstance(path, Path) for path in settings.recent)


def test_keys_are_kept_only_where_they_differ(tmp_path: Path) -> None:
    settings = Settings(stored(tmp_path))
    assert settings.shortcuts == {}
    settings.set_shortcut("open", ("Ctrl+E", "Ctrl+,"))
    settings.set_shortcut("save", ())
    settings.sync()
    assert Settings(stored(tmp_path)).shortcuts == {"open": ("Ctrl+E", "Ctrl+,"), "save": ()}
    settings.set_shortcut("open", None)
    settings.set_shortcut("save", None)
    assert settings.shortcuts == {}
