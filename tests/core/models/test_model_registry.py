"""Protects the models: each lies whole under its own name, one is in use, and nothing that fails changes anything."""

from __future__ import annotations

import errno
import json
import os
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_bundles import Bundled, cut, registry_folder

from core.bundles.manifest import BundleError
from core.models import installation
from core.models import registry as registry_module
from core.models.registry import ModelRegistry
from core.models.types import InUseError, ModelError
from core.runs.types import Run, Status
from core.storage.file_lock import FileLock
from core.storage.store import Store
from tests.core.runs.made_runs import a_run
from tests.tiny import RUN, describe


def the_run(folder: Path, status: Status = Status.FINISHED) -> Run:
    return a_run(id=RUN, status=status, folder=folder)


def names() -> list[str]:
    return sorted(path.name for path in registry_folder().iterdir())


def in_use(registry: ModelRegistry) -> str:
    return registry.active("reader").version


def test_at_first_the_bundled_models_are_in_use(registry: ModelRegistry, tiny_bundle: Path) -> None:
    (reader,) = registry.installed("reader")
    assert (reader.id, reader.active, reader.source, reader.folder) == (None, True, "bundled", tiny_bundle)
    assert (reader.title, reader.run, reader.handle) == ("reader tiny 0.1", RUN, "bundled-reader")
    assert reader.card == tiny_bundle / "README.md"
    assert registry.active("rewriter").title == "rewriter tiny 0.1"
    assert registry.previous("reader") is None


def test_an_imported_model_is_copied_whole_and_is_not_yet_in_use(
    registry: ModelRegistry, bundle: Bundled
) -> None:
    source = bundle("0.2")
    (source / "notes.txt").write_text("of nobody's business", encoding="utf-8")
    added = registry.add_folder(source)
    assert added.id is not None
    assert added.id.startswith("reader-tiny-0.2-")
    assert (added.source, added.active, added.folder) == ("import", False, registry_folder() / added.id)
    shutil.rmtree(source)
    assert sorted(path.name for path in added.folder.iterdir()) == [
        "README.md",
        "bundle.json",
        "reader.onnx",
        "tokenizer.json",
    ]
    assert names() == [added.id]
    assert in_use(registry) == "0.1"
    if os.name == "posix":
        assert added.folder.stat().st_mode & 0o777 == 0o700
        assert {path.stat().st_mode & 0o777 for path in added.folder.iterdir()} == {0o600}


def test_the_same_model_twice_is_one_and_another_byte_is_another(
    registry: ModelRegistry, bundle: Bundled
) -> None:
    first = registry.add_folder(bundle("0.2"))
    again = registry.add_folder(bundle("0.2", folder="again"))
    other = registry.add_folder(bundle("0.2", folder="other", max_tokens=31))
    assert first == again
    assert other.id != first.id
    assert [one.id for one in registry.installed("reader")] == [None, first.id, other.id]


def test_the_model_of_a_run_keeps_the_runs_id(
    registry: ModelRegistry, bundle: Bundled, tmp_path: Path
) -> None:
    bundle("0.3", folder="run/bundle")
    added = registry.add_run(the_run(tmp_path / "run"))
    assert (added.source, added.run, added.version) == ("run", RUN, "0.3")


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (Status.RUNNING, "is still running"),
        (Status.PAUSED, "is paused"),
        (Status.FAILED, "failed"),
        (Status.CANCELLED, "was cancelled"),
        (Status.DIED, "ended unexpectedly"),
    ],
)
def test_an_unfinished_run_is_refused(
    registry: ModelRegistry, bundle: Bundled, tmp_path: Path, status: Status, said: str
) -> None:
    bundle("0.3", folder="run/bundle")
    with pytest.raises(ModelError, match=said):
        registry.add_run(the_run(tmp_path / "run", status))
    assert len(registry.installed("reader")) == 1


def test_a_run_without_a_model_is_refused(registry: ModelRegistry, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="has no model"):
        registry.add_run(the_run(tmp_path))
    (tmp_path / "bundle").mkdir()
    with pytest.raises(ModelError, match=r"has no bundle\.json"):
        registry.add_run(the_run(tmp_path))


def test_promoting_and_going_back(registry: ModelRegistry, bundle: Bundled) -> None:
    two, three = (registry.add_folder(bundle(version)) for version in ("0.2", "0.3"))
    assert registry.promote(two.id, "reader").version == "0.2"
    registry.promote(three.id, "reader")
    registry.promote(None, "reader")
    assert (in_use(registry), registry.active("reader").source) == ("0.1", "bundled")
    before = registry.previous("reader")
    assert before is not None
    assert before.version == "0.3"
    assert [registry.roll_back("reader").version for _ in range(3)] == ["0.3", "0.2", "0.1"]
    with pytest.raises(ModelError, match="no other model to roll back to"):
        registry.roll_back("reader")
    assert registry.active("rewriter").version == "0.1"


def test_a_model_in_use_is_not_promoted_again(registry: ModelRegistry, bundle: Bundled) -> None:
    with pytest.raises(InUseError, match=r"reader tiny 0\.1 is already in use"):
        registry.promote(None, "reader")
    two = registry.add_folder(bundle("0.2"))
    registry.promote(two.id, "reader")
    with pytest.raises(InUseError, match=r"0\.2 is already in use"):
        registry.promote(two.id, "reader")
    registry.roll_back("reader")
    assert in_use(registry) == "0.1"


def test_an_unknown_model_or_one_of_another_role_is_refused(
    registry: ModelRegistry, bundle: Bundled, tiny_rewriter: Path
) -> None:
    two = registry.add_folder(bundle("0.2"))
    with pytest.raises(ModelError, match="no model reader-none"):
        registry.promote("reader-none", "reader")
    with pytest.raises(ModelError, match="There is no model"):
        registry.promote(two.id, "rewriter")
    rewriter = registry.add_folder(Path(shutil.copytree(tiny_rewriter, tiny_rewriter.parent / "copy")))
    assert rewriter.role == "rewriter"
    assert registry.promote(rewriter.id, "rewriter").id == rewriter.id


def _no_graph(folder: Path) -> None:
    (folder / "reader.onnx").write_bytes(b"no graph at all")
    describe(folder)


def _outside(folder: Path) -> None:
    described = json.loads((folder / "bundle.json").read_text(encoding="utf-8"))
    described["sha256"]["../escaped"] = "0" * 64
    (folder / "bundle.json").write_text(json.dumps(described), encoding="utf-8")


def _other_ends(folder: Path) -> None:
    import onnx

    model = onnx.load(folder / "reader.onnx")
    model.graph.output[0].name = model.graph.node[0].output[0] = "elsewhere"
    onnx.save(model, folder / "reader.onnx")
    describe(folder)


@pytest.mark.parametrize("breakage", [cut, _no_graph, _outside, _other_ends])
def test_a_bad_bundle_leaves_the_registry_as_it_was(
    registry: ModelRegistry, bundle: Bundled, breakage: Any
) -> None:
    source = bundle("0.2")
    breakage(source)
    with pytest.raises(BundleError):
        registry.add_folder(source)
    assert not registry_folder().exists() or names() == []
    assert len(registry.installed("reader")) == 1


def test_a_bundle_outside_the_caps_is_refused(
    registry: ModelRegistry, bundle: Bundled, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = bundle("0.2")
    for name, most in (("MAX_FILES", 2), ("MAX_BYTES", 1000)):
        with monkeypatch.context() as patch:
            patch.setattr(installation, name, most)
            with pytest.raises(BundleError, match="has more than"):
                registry.add_folder(source)
    with monkeypatch.context() as patch:
        patch.setattr("core.bundles.manifest.MAX_FILE_BYTES", 100)
        with pytest.raises(BundleError, match="is larger than"):
            registry.add_folder(source)
    assert names() == []


def test_a_full_disk_is_one_sentence_and_changes_nothing(
    registry: ModelRegistry, bundle: Bundled, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(installation, "flush", full)
    with pytest.raises(ModelError, match="the disk is full"):
        registry.add_folder(bundle("0.2"))
    assert names() == []
    assert len(registry.installed("reader")) == 1


def test_a_source_that_changes_while_it_is_copied_is_refused(
    registry: ModelRegistry, bundle: Bundled
) -> None:
    source = bundle("0.2")
    cuts: list[Path] = []

    def meddling() -> bool:
        if not cuts and [*registry_folder().glob(".adding-*")]:
            cut(source)
            cuts.append(source)
        return False

    with pytest.raises(BundleError, match="changed while it was copied"):
        registry.add_folder(source, cancelled=meddling)
    assert (names(), len(registry.installed("reader"))) == ([], 1)


@pytest.mark.parametrize("when", ["trial", "copy"])
def test_adding_can_be_stopped(registry: ModelRegistry, bundle: Bundled, when: str) -> None:
    registry_folder().mkdir(parents=True)

    def stopped() -> bool:
        return when == "trial" or bool([*registry_folder().glob(".adding-*")])

    with pytest.raises(ModelError, match="have not changed"):
        registry.add_folder(bundle("0.2"), cancelled=stopped)
    assert names() == []


def test_what_a_killed_program_left_is_swept_and_a_finished_copy_is_taken(
    registry: ModelRegistry, bundle: Bundled
) -> None:
    source = bundle("0.2")
    added = registry.add_folder(source)
    assert added.id is not None
    registry.remove(added.id)
    # Killed between the renaming and the row, and in the midst of another copy.
    shutil.copytree(source, registry_folder() / added.id)
    (registry_folder() / ".adding-reader-x").mkdir()
    (registry_folder() / ".removed-reader-y").mkdir()
    assert registry.add_folder(source).id == added.id
    assert names() == [added.id]


def test_a_removal_that_was_killed_before_the_store_heard_of_it_is_undone(
    registry: ModelRegistry, bundle: Bundled
) -> None:
    two, three = (registry.add_folder(bundle(version)) for version in ("0.2", "0.3"))
    registry.promote(two.id, "reader")
    registry.promote(three.id, "reader")
    two.folder.rename(registry_folder() / f".removed-{two.id}")
    assert registry.roll_back("reader").version == "0.2"
    assert names() == sorted([str(two.id), str(three.id)])


def test_a_damaged_model_does_not_come_into_use_and_is_mended_by_importing_again(
    registry: ModelRegistry, bundle: Bundled
) -> None:
    source = bundle("0.2")
    two = registry.add_folder(source)
    cut(two.folder)
    with pytest.raises(BundleError, match="does not match its checksum"):
        registry.promote(two.id, "reader")
    assert in_use(registry) == "0.1"
    assert registry.add_folder(source).id == two.id
    assert registry.promote(two.id, "reader").version == "0.2"


def test_going_back_to_a_damaged_model_changes_nothing(registry: ModelRegistry, bundle: Bundled) -> None:
    two, three = (registry.add_folder(bundle(version)) for version in ("0.2", "0.3"))
    registry.promote(two.id, "reader")
    registry.promote(three.id, "reader")
    shutil.rmtree(two.folder)
    with pytest.raises(BundleError):
        registry.roll_back("reader")
    assert in_use(registry) == "0.3"
    registry.remove(str(two.id))
    assert registry.roll_back("reader").version == "0.1"


def test_a_model_whose_files_are_gone_is_listed_with_its_problem(
    registry: ModelRegistry, bundle: Bundled
) -> None:
    two = registry.add_folder(bundle("0.2"))
    (two.folder / "tokenizer.json").unlink()
    assert registry.installed("reader")[1].problem == "tokenizer.json is missing."
    shutil.rmtree(two.folder)
    gone = registry.installed("reader")[1]
    assert (gone.title, "There is no model" in gone.problem) == ("reader tiny 0.2", True)


def test_removing(registry: ModelRegistry, bundle: Bundled) -> None:
    two, three = (registry.add_folder(bundle(version)) for version in ("0.2", "0.3"))
    registry.promote(two.id, "reader")
    with pytest.raises(ModelError, match="is in use"):
        registry.remove(str(two.id))
    registry.promote(three.id, "reader")
    registry.promote(None, "reader")
    registry.remove(str(three.id))
    assert names() == [two.id]
    assert [registry.roll_back("reader").version for _ in range(2)] == ["0.2", "0.1"]
    with pytest.raises(ModelError):
        registry.remove(str(three.id))


def test_a_held_lock_is_waited_for_and_then_reported(
    registry: ModelRegistry, bundle: Bundled, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry_folder().mkdir(parents=True)
    lock = FileLock.acquire(registry_folder() / ".lock")
    assert lock is not None
    with monkeypatch.context() as patch:
        patch.setattr(registry_module, "LOCK_TIMEOUT_S", 0.1)
        with pytest.raises(ModelError, match="Another window of Evenhand"):
            registry.add_folder(bundle("0.2"))
    timer = threading.Timer(0.2, lock.release)
    timer.start()
    try:
        assert registry.add_folder(bundle("0.3")).version == "0.3"
    finally:
        timer.join()


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["a", "b", "none", "back", "remove a", "remove b"]), max_size=9))
def test_going_back_always_leads_to_another_model_and_ends_at_the_bundled_one(
    tiny_bundle: Path, tmp_path_factory: pytest.TempPathFactory, actions: list[str]
) -> None:
    home = tmp_path_factory.mktemp("actions")
    store = Store.open(home / "store.sqlite3")
    registry = ModelRegistry(store, home / "models")
    sources = {}
    for name in "ab":
        sources[name] = Path(shutil.copytree(tiny_bundle, home / name))
        describe(sources[name], version=name)
    ids = {name: registry.add_folder(source).id for name, source in sources.items()}
    try:
        for action in actions:
            try:
                if action == "back":
                    registry.roll_back("reader")
                elif action.startswith("remove"):
                    registry.remove(str(ids[action[-1]]))
                elif action == "none":
                    registry.promote(None, "reader")
                else:
                    registry.promote(registry.add_folder(sources[action]).id, "reader")
            except ModelError:
                pass
            assert sum(one.active for one in registry.installed("reader")) == 1
        seen = [registry.active("reader").id]
        while (before := registry.previous("reader")) is not None:
            assert before.id != seen[-1]
            assert registry.roll_back("reader").id == before.id
            seen.append(before.id)
        assert seen[-1] is None
    finally:
        store.close()
