"""What the window remembers between two starts. Never any text of a draft."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from app.theme import Mode

RECENT = 10


class Settings:
    """Typed access to one ``QSettings``; a value that makes no sense counts as not there."""

    def __init__(self, store: QSettings | None = None) -> None:
        self._store = store if store is not None else QSettings("Evenhand", "Evenhand")

    @property
    def theme(self) -> Mode:
        """The chosen theme."""
        value = self._store.value("view/theme", "system")
        return value if value in ("light", "dark") else "system"

    @theme.setter
    def theme(self, mode: Mode) -> None:
        self._store.setValue("view/theme", mode)

    @property
    def zoom(self) -> int:
        """Steps of text size from the usual."""
        try:
            return int(str(self._store.value("view/zoom", 0)))
        except ValueError:
            return 0

    @zoom.setter
    def zoom(self, step: int) -> None:
        self._store.setValue("view/zoom", step)

    @property
    def include_quotes(self) -> bool:
        """Whether wording inside quotations is marked too."""
        return str(self._store.value("review/include_quotes", "false")).lower() == "true"

    @include_quotes.setter
    def include_quotes(self, wanted: bool) -> None:
        self._store.setValue("review/include_quotes", "true" if wanted else "false")

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
    def window(self) -> tuple[QByteArray, QByteArray]:
        """Geometry and layout of the window, both empty at the first start."""
        values = [self._store.value(f"window/{name}") for name in ("geometry", "state")]
        geometry, state = (v if isinstance(v, QByteArray) else QByteArray() for v in values)
        return geometry, state

    @window.setter
    def window(self, value: tuple[QByteArray, QByteArray]) -> None:
        self._store.setValue("window/geometry", value[0])
        self._store.setValue("window/state", value[1])

    def save(self) -> None:
        """Write to disk now."""
        self._store.sync()

    def _set_recent(self, paths: list[Path]) -> None:
        self._store.setValue("files/recent", [str(path) for path in paths[:RECENT]])
