"""Protects the names of a person's files: settings are readable by their owner only, from the first start on."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from app.settings.private_store import open_private_settings
from app.settings.settings import Settings

pytestmark = pytest.mark.skipif(
    sys.platform in ("win32", "darwin"), reason="Windows and macOS keep settings in no file of ours"
)


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    """Where this user's settings are, once there are any."""
    usual = Path(QSettings("Evenhand", "Evenhand").fileName()).parent.parent
    where = (QSettings.Format.NativeFormat, QSettings.Scope.UserScope)
    QSettings.setPath(*where, str(tmp_path / "conf"))
    mask = os.umask(0o022)
    yield tmp_path / "conf" / "Evenhand" / "Evenhand.conf"
    os.umask(mask)
    QSettings.setPath(*where, str(usual))


def _keep_a_name() -> None:
    settings = Settings()
    settings.add_recent(Path("/home/me/a source.md"))
    settings._store.sync()


def test_settings_are_private_at_the_first_start_and_after_each_change(file: Path) -> None:
    for _ in range(2):
        _keep_a_name()
        assert "a source.md" in file.read_text()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert {stat.S_IMODE(folder.stat().st_mode) for folder in (file.parent, file.parent.parent)} == {
            0o700
        }


def test_settings_of_an_earlier_version_become_private_and_stay(file: Path) -> None:
    file.parent.mkdir(parents=True, mode=0o755)
    file.write_text("[view]\ntheme=dark\n")
    file.chmod(0o644)
    assert Settings().value("theme") == "dark"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.parent.parent.stat().st_mode) == 0o755, (
        "other programs have their settings there"
    )


def test_what_a_link_leads_to_keeps_its_permissions(file: Path, tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles"
    kept.write_text("")
    kept.chmod(0o644)
    file.parent.mkdir(parents=True)
    file.symlink_to(kept)
    open_private_settings()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o644


def test_settings_that_cannot_be_protected_are_still_read(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.parent.mkdir(parents=True)
    file.write_text("[view]\ntheme=dark\n")
    file.chmod(0o644)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "chmod", refuse)
    assert Settings().value("theme") == "dark"
