"""Protects what is remembered between starts, against damage and growth."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings

from app.settings import RECENT, Settings


def stored(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


def test_everything_comes_back(tmp_path: Path) -> None:
    first = Settings(stored(tmp_path))
    first.theme, first.zoom, first.include_quotes = "dark", -2, True
    first.window = (QByteArray(b"a\0b"), QByteArray(b"c"))
    first.remember(Path("/one, two.md"))
    first.save()
    again = Settings(stored(tmp_path))
    assert (again.theme, again.zoom, again.include_quotes) == ("dark", -2, True)
    assert again.window == (QByteArray(b"a\0b"), QByteArray(b"c"))
    assert again.recent == [Path("/one, two.md")]


def test_the_first_start_has_defaults(tmp_path: Path) -> None:
    fresh = Settings(stored(tmp_path))
    assert (fresh.theme, fresh.zoom, fresh.include_quotes, fresh.recent) == ("system", 0, False, [])
    assert fresh.window == (QByteArray(), QByteArray())


def test_recent_files_are_few_newest_first_and_once(tmp_path: Path) -> None:
    settings = Settings(stored(tmp_path))
    for number in range(RECENT + 5):
        settings.remember(Path(f"/{number}.md"))
    settings.remember(Path("/9.md"))
    assert len(settings.recent) == RECENT
    assert settings.recent[:2] == [Path("/9.md"), Path(f"/{RECENT + 4}.md")]
    settings.forget(Path("/9.md"))
    assert Path("/9.md") not in settings.recent
    settings.clear_recent()
    assert settings.recent == []


@pytest.mark.parametrize(
    "key", ["view/theme", "view/zoom", "review/include_quotes", "window/geometry", "files/recent"]
)
def test_damaged_values_count_as_not_there(tmp_path: Path, key: str) -> None:
    store = stored(tmp_path)
    store.setValue(key, "@@nonsense")
    settings = Settings(store)
    assert settings.theme == "system"
    assert settings.zoom == 0
    assert settings.include_quotes is False
    assert settings.window[0] == QByteArray()
    assert all(isinstance(path, Path) for path in settings.recent)
