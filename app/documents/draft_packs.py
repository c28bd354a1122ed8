"""The style packs of the open draft alone: which are on or off in it, whatever the settings and a project file say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QWidget

from app.background.jobs import JobQueue
from app.background.store import StoreAccess
from app.documents.document_controller import DocumentController
from app.documents.session import stored_uid, uid_to_read
from app.settings.settings import Settings
from app.settings.style_packs import SETTING, read_choices
from app.widgets.dialogs import OpenDialogs, button_row
from app.widgets.form_fields import make_button
from app.widgets.labels import WrapLabel
from app.widgets.layouts import make_column, make_scroll_area
from core.i18n import tr
from core.style.library import StyleLibrary, pack_paths
from core.style.packs import StylePack
from core.style.toml_source import StyleError

if TYPE_CHECKING:
    from core.storage.store import Store


class DraftPacks(QObject):
    """The choices of packs that belong to the open draft. Without a store, they last as long as the draft is open.

    ``choices``: by the id of a pack, whether it is on in this draft; a pack without one is as the settings or the
    project have it. ``changed``: the choices have changed.
    """

    changed = Signal()

    def __init__(
        self,
        window: QWidget,
        documents: DocumentController,
        settings: Settings,
        *,
        store_access: StoreAccess,
        background: JobQueue,
    ) -> None:
        super().__init__(window)
        self._window, self._documents, self._settings = window, documents, settings
        self._store_access, self._background = store_access, background
        self._library = StyleLibrary()
        self._dialogs = OpenDialogs()
        self._draft = self._edits = 0
        self.choices: dict[str, bool] = {}

    # Drafts

    def open_draft(self) -> None:
        """Read from the store what was chosen for the draft that was opened."""
        self.forget_draft()
        self._read_store()

    def forget_draft(self) -> None:
        """Forget what was chosen for the draft; the store is not changed."""
        self._draft += 1
        self._dialogs.close()
        if self.choices:
            self._set({})

    def store_opened(self) -> None:
        """Write to the store what was chosen before it was opened, and read what it holds."""
        for pack, on in self.choices.items():
            self._submit(_choosing(pack, on))
        self._read_store()

    def _read_store(self) -> None:
        store, session = self._store_access.store, self._documents.session
        draft, edits = self._draft, self._edits
        if store is None:
            return

        def read() -> dict[str, bool]:
            return store.draft_packs(uid_to_read(store, session))

        def show(found: dict[str, bool]) -> None:
            if (self._draft, self._edits) == (draft, edits) and found != self.choices:
                self._set(found)

        self._background.submit(read, show)

    # Choosing

    def usual_packs(self) -> frozenset[str]:
        """The ids of the packs that are on in the draft by the settings or its project."""
        session, choices = self._documents.session, read_choices(self._settings.value(SETTING))
        for path in (session.path, None):
            with suppress(StyleError):  # A project file that cannot be read chooses nothing.
                return frozenset(self._library.packs_for(path, session.format, choices=choices)[1])
        return frozenset()

    def choose(self, pack: str, on: bool | None) -> None:
        """Switch a pack on or off in this draft; None: as the settings or the project have it."""
        self._edits += 1
        choices = {name: value for name, value in self.choices.items() if name != pack}
        self._set(choices if on is None else {**choices, pack: on})
        self._submit(_choosing(pack, on))

    def packs(self) -> dict[str, StylePack]:
        """The packs at hand that can be read, by id."""
        found = {}
        for name, path in pack_paths().items():
            with suppress(StyleError):
                found[name] = self._library.pack(path)
        return found

    def show_dialog(self) -> None:
        """Open the dialog in which the packs of this draft are chosen."""
        self._dialogs.show(
            "packs", lambda: DraftPacksDialog(self, self._documents.session.name, self._window)
        )

    def close(self) -> None:
        """Close the dialog."""
        self._dialogs.close()

    def _set(self, choices: Mapping[str, bool]) -> None:
        self.choices = dict(choices)
        self.changed.emit()

    def _submit(self, change: Callable[[Store, str], None]) -> None:
        store, session = self._store_access.store, self._documents.session
        if store is not None:
            self._background.submit(lambda: change(store, stored_uid(store, session)))


def _choosing(pack: str, on: bool | None) -> Callable[[Store, str], None]:
    return lambda store, uid: store.choose_pack(uid, pack, on)


class DraftPacksDialog(QDialog):
    """A box for each pack, checked where it is used in the draft. Changes take effect at once."""

    def __init__(self, draft_packs: DraftPacks, draft: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Style packs for this draft"))
        self._draft_packs = draft_packs
        self._usual = draft_packs.usual_packs()
        self.boxes: dict[str, QCheckBox] = {}
        page = QWidget()
        column = make_column(parent=page, spacing=4, margins=None)
        for name, pack in draft_packs.packs().items():
            box = self.boxes[name] = QCheckBox(pack.name.replace("&", "&&"))
            box.clicked.connect(lambda on, name=name: self._choose(name, on))
            box.setAccessibleDescription(pack.description)
            column.addWidget(box)
            column.addWidget(WrapLabel(pack.description, muted=True))
            column.addSpacing(8)
        column.addStretch(1)
        note = WrapLabel(
            tr("Your choice applies only to “{draft}”, and is kept for the next time you open it.").format(
                draft=draft
            )
        )
        self.usual_button = make_button(tr("As in the &settings"), self._choose_usual)
        area = make_scroll_area(page, tr("Style packs"))
        make_column(
            note, (area, 1), button_row(self, self.usual_button), parent=self, spacing=10, margins=None
        )
        draft_packs.changed.connect(self.refresh)
        self.refresh()
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * 60)
        self.resize(self.minimumWidth(), self.fontMetrics().height() * 26)

    def refresh(self) -> None:
        """Check the boxes of the packs that are used now."""
        for name, box in self.boxes.items():
            box.setChecked(self._draft_packs.choices.get(name, name in self._usual))
        self.usual_button.setEnabled(bool(self._draft_packs.choices))

    def _choose(self, name: str, on: bool) -> None:
        self._draft_packs.choose(name, None if on == (name in self._usual) else on)

    def _choose_usual(self) -> None:
        for name in [*self._draft_packs.choices]:
            self._draft_packs.choose(name, None)
