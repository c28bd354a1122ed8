"""Protects every start: which model is in use is known quickly, and whatever is wrong, one working model loads."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from made_bundles import Bundled, cut

from core.bundles.manifest import BundleError
from core.models.active import active_bundle, active_folder, load_engine, load_suggester, promoted_folder
from core.models.registry import ModelRegistry
from core.paths import data_folder
from core.storage.store import Store
from core.storage.types import FILE


def promoted(registry: ModelRegistry, source: Path) -> Path:
    added = registry.add_folder(source)
    registry.promote(added.id, added.role)
    return added.folder


def test_without_a_store_the_bundled_models_are_in_use_and_none_is_made(tiny_bundle: Path) -> None:
    assert active_folder("reader") == tiny_bundle
    assert promoted_folder("rewriter") is None
    assert not data_folder().exists()


def test_what_is_promoted_is_in_use_while_the_store_is_open_and_after(
    store: Store, registry: ModelRegistry, bundle: Bundled, tiny_bundle: Path, tiny_rewriter: Path
) -> None:
    folder = promoted(registry, bundle("0.2"))
    assert (active_folder("reader"), active_folder("rewriter")) == (folder, tiny_rewriter)
    store.close()
    assert active_folder("reader") == folder
    again = Store.open()
    ModelRegistry(again).roll_back("reader")
    again.close()
    assert active_folder("reader") == tiny_bundle


def _no_database(path: Path) -> None:
    path.write_bytes(b"this is no database" * 300)


def _newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 999")


def _of_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA application_id = 7")


def _without_its_table(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE promotions")


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("breakage", [_no_database, _newer, _of_another_program, _without_its_table, _folder])
def test_a_store_that_cannot_be_asked_promotes_nothing(
    store: Store, registry: ModelRegistry, bundle: Bundled, tiny_bundle: Path, breakage: object
) -> None:
    promoted(registry, bundle("0.2"))
    store.close()
    assert callable(breakage)
    breakage(data_folder() / FILE)
    assert active_folder("reader") == tiny_bundle
    assert load_engine(pytest.fail).bundle.version == "0.1"


def test_a_locked_store_promotes_nothing(
    store: Store, registry: ModelRegistry, bundle: Bundled, tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    promoted(registry, bundle("0.2"))
    store.close()
    monkeypatch.setattr("core.models.active.BUSY_TIMEOUT_S", 0.05)
    with closing(sqlite3.connect(data_folder() / FILE, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        assert active_folder("reader") == tiny_bundle


def test_a_promoted_model_that_does_not_load_gives_way_to_the_bundled_one_with_a_note(
    registry: ModelRegistry, bundle: Bundled, tiny_rewriter: Path, tmp_path: Path
) -> None:
    notes: list[str] = []
    folder = promoted(registry, bundle("0.2"))
    assert load_engine(notes.append).bundle.version == "0.2"
    assert notes == []
    cut(folder)
    engine = load_engine(notes.append)
    assert (engine.bundle.version, active_bundle("reader").version) == ("0.1", "0.1")
    assert len(notes) == 1
    assert "does not match its checksum" in notes[0]
    assert "the reader that came with Evenhand is used" in notes[0]
    rewriter = promoted(registry, Path(shutil.copytree(tiny_rewriter, tmp_path / "rewriter")))
    assert load_suggester(engine, pytest.fail).rewriter.bundle.folder == rewriter  # type: ignore[attr-defined]
    shutil.rmtree(rewriter)
    load_suggester(engine, notes.append)
    assert "the rewriter that came with Evenhand is used" in notes[1]


def test_without_any_model_an_error_is_raised(
    registry: ModelRegistry, bundle: Bundled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut(promoted(registry, bundle("0.2")))
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: tmp_path / "gone")
    with pytest.raises(BundleError, match="There is no model in"):
        load_engine(lambda _: None)


def test_asking_needs_no_sqlalchemy() -> None:
    asked = "import sys; from core.models.active import promoted_folder; promoted_folder('reader'); "
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            asked + "sys.exit('sqlalchemy' in sys.modules or 'onnxruntime' in sys.modules)",
        ],
        check=False,
    )
    assert done.returncode == 0
