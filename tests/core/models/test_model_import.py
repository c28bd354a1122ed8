"""Protects the ways in for models of others: archives and addresses bring whole models or nothing at all."""

from __future__ import annotations

import hashlib
import stat
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from made_bundles import Bundled, cut, registry_folder

from core.bundles.manifest import BundleError
from core.models.model_import import INCOMING, download_models, import_models, promote_where_missing
from core.models.registry import ModelRegistry
from core.models.types import InstalledModel, ModelError
from core.network.https import FetchCancelled, NetworkCall
from core.paths import data_folder
from tests.homepages import Home, serving

HTTP = frozenset({"http"})
Packed = Callable[..., Path]


@pytest.fixture
def home() -> Iterator[Home]:
    with serving(Home()) as served:
        yield served


@pytest.fixture
def packed(tmp_path: Path) -> Packed:
    """Packs folders into a zip archive, each under a name; more members by name and bytes."""

    def make(folders: dict[str, Path], more: dict[str | zipfile.ZipInfo, bytes] | None = None) -> Path:
        archive = tmp_path / "models.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as book:
            for name, folder in folders.items():
                for path in sorted(folder.rglob("*")):
                    book.write(path, f"{name}/{path.relative_to(folder)}" if name else path.name)
            for member, body in (more or {}).items():
                book.writestr(member, body)
        return archive

    return make


def titles(models: list[InstalledModel]) -> list[str]:
    return [one.title for one in models]


def added(registry: ModelRegistry) -> list[str]:
    """What lies on the registry besides the bundled models."""
    return [one.title for role in ("reader", "rewriter") for one in registry.installed(role) if one.id]


def incoming() -> list[str]:
    place = data_folder() / INCOMING
    return sorted(path.name for path in place.iterdir()) if place.exists() else []


# Archives


def test_an_archive_of_both_models(
    registry: ModelRegistry, bundle: Bundled, tiny_rewriter: Path, packed: Packed
) -> None:
    archive = packed({"evenhand/reader": bundle(), "evenhand/rewriter": tiny_rewriter})
    assert titles(import_models(registry, archive)) == ["reader tiny 0.2", "rewriter tiny 0.1"]
    assert sorted(added(registry)) == ["reader tiny 0.2", "rewriter tiny 0.1"]
    assert incoming() == []
    assert archive.exists()


def test_one_model_without_a_folder_around_it(
    registry: ModelRegistry, bundle: Bundled, packed: Packed
) -> None:
    more = {"__MACOSX/._bundle.json": b"x", "notes.txt": b"read me"}
    (brought,) = import_models(registry, packed({"": bundle()}, more))
    assert brought.problem == ""
    assert sorted(path.name for path in brought.folder.iterdir()) == sorted(
        path.name for path in bundle(folder="again").iterdir()
    )


def test_a_folder_is_imported_as_it_is(registry: ModelRegistry, bundle: Bundled) -> None:
    assert titles(import_models(registry, bundle())) == ["reader tiny 0.2"]


@pytest.mark.parametrize(
    "name",
    ["../evil.txt", "/evil.txt", "a/../../evil.txt", "C:\\evil.txt", "..\\evil.txt", "a\\..\\..\\evil"],
)
def test_a_name_that_leads_outside(
    registry: ModelRegistry, bundle: Bundled, packed: Packed, name: str
) -> None:
    archive = packed({"reader": bundle()}, {name: b"evil"})
    before = sorted(str(path) for path in data_folder().parent.rglob("*evil*"))
    with pytest.raises(ModelError, match=r"^models\.zip is refused: it names a file outside its folder"):
        import_models(registry, archive)
    assert added(registry) == []
    assert sorted(str(path) for path in data_folder().parent.rglob("*evil*")) == before == []


def test_a_link_is_refused(registry: ModelRegistry, bundle: Bundled, packed: Packed) -> None:
    link = zipfile.ZipInfo("reader/link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with pytest.raises(ModelError, match="reader/link is a link, or encrypted"):
        import_models(registry, packed({"reader": bundle()}, {link: b"/etc/passwd"}))
    assert added(registry) == []


def test_a_duplicate_name_is_refused(registry: ModelRegistry, bundle: Bundled, packed: Packed) -> None:
    archive = packed({"reader": bundle()})
    with zipfile.ZipFile(archive, "a") as book, pytest.warns(UserWarning, match="Duplicate"):
        book.writestr("reader/tokenizer.json", b"other")
    with pytest.raises(ModelError, match="it contains a name twice"):
        import_models(registry, archive)


def test_what_unpacks_to_more_than_the_caps(
    registry: ModelRegistry, bundle: Bundled, packed: Packed, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = packed({"reader": bundle()}, {"reader/zeros": b"0" * 200_000})
    monkeypatch.setattr("core.models.model_import.MAX_BYTES", 200_000)
    with pytest.raises(ModelError, match="it has more than 512 files or 0 MB"):
        import_models(registry, archive)
    assert incoming() == []


@pytest.mark.parametrize("damage", ["half", "text", "inside"])
def test_a_damaged_archive(registry: ModelRegistry, bundle: Bundled, packed: Packed, damage: str) -> None:
    archive = packed({"reader": bundle()})
    whole = archive.read_bytes()
    middle = len(whole) // 2
    archive.write_bytes(
        {
            "half": whole[:middle],
            "text": b"<html>Please log in</html>",
            "inside": whole[:middle]
            + bytes(byte ^ 0xFF for byte in whole[middle : middle + 64])
            + whole[middle + 64 :],
        }[damage]
    )
    with pytest.raises((ModelError, BundleError), match="damaged"):
        import_models(registry, archive)
    assert added(registry) == []
    assert incoming() == []


def test_an_archive_without_a_model(registry: ModelRegistry, packed: Packed) -> None:
    with pytest.raises(ModelError, match=r"it contains no model \(no bundle\.json\)"):
        import_models(registry, packed({}, {"readme.txt": b"nothing here"}))


def test_a_damaged_model_keeps_the_sound_one_beside_it_out(
    registry: ModelRegistry, bundle: Bundled, packed: Packed
) -> None:
    other = bundle("0.3")
    cut(other)
    with pytest.raises(BundleError, match="does not match its checksum"):
        import_models(registry, packed({"a": bundle(), "b": other}))
    assert added(registry) == []
    assert not registry_folder().exists() or not [*registry_folder().iterdir()]


def test_stopping_it_leaves_nothing(registry: ModelRegistry, bundle: Bundled, packed: Packed) -> None:
    with pytest.raises(ModelError, match="Stopped"):
        import_models(registry, packed({"reader": bundle()}), cancelled=lambda: True)
    assert added(registry) == []
    assert incoming() == []


def test_what_a_killed_program_left_unpacked_is_cleared_away(
    registry: ModelRegistry, bundle: Bundled, packed: Packed
) -> None:
    left = data_folder() / INCOMING / "unpacked-x"
    left.mkdir(parents=True)
    (left / "half").write_bytes(b"x")
    import_models(registry, packed({"reader": bundle()}))
    assert incoming() == []


def test_an_archive_on_this_disk_has_its_checksum_too(
    registry: ModelRegistry, bundle: Bundled, packed: Packed
) -> None:
    archive = packed({"reader": bundle()})
    with pytest.raises(ModelError, match="SHA-256 differs"):
        import_models(registry, archive, sha256="0" * 64)
    right = hashlib.sha256(archive.read_bytes()).hexdigest()
    assert titles(import_models(registry, archive, sha256=right)) == ["reader tiny 0.2"]


def test_what_comes_is_used_only_where_nothing_works(
    registry: ModelRegistry,
    bundle: Bundled,
    tiny_rewriter: Path,
    packed: Packed,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken = bundle("0.1", folder="broken")
    cut(broken)
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: broken)
    brought = import_models(registry, packed({"reader": bundle(), "rewriter": tiny_rewriter}))
    assert titles(promote_where_missing(registry, brought)) == ["reader tiny 0.2"]
    assert registry.active("reader").title == "reader tiny 0.2"
    assert registry.active("rewriter").id is None
    assert promote_where_missing(registry, brought) == []


# Addresses


def test_an_archive_is_downloaded_checked_and_imported(
    registry: ModelRegistry, bundle: Bundled, packed: Packed, home: Home
) -> None:
    home.files["models.zip"] = body = packed({"reader": bundle()}).read_bytes()
    told: list[tuple[int, int]] = []
    digest = hashlib.sha256(body).hexdigest()
    brought = download_models(
        registry,
        f" {home.url('models.zip')}\n",
        sha256=f"{digest.upper()} ",
        on_progress=lambda *row: told.append(row),
        schemes=HTTP,
    )
    assert titles(brought) == added(registry) == ["reader tiny 0.2"]
    assert told[-1] == (len(body), len(body))
    assert incoming() == []


def test_it_goes_on_where_it_broke_off(
    registry: ModelRegistry, bundle: Bundled, packed: Packed, home: Home
) -> None:
    home.files["models.zip"] = packed({"reader": bundle()}).read_bytes()
    home.cut = 1000
    with pytest.raises(ModelError, match=r"The part of models\.zip that was received is kept"):
        download_models(registry, home.url("models.zip"), schemes=HTTP)
    home.cut = None
    assert titles(download_models(registry, home.url("models.zip"), schemes=HTTP)) == ["reader tiny 0.2"]
    assert home.asked[-1] == ("/models.zip", "bytes=1000-")


def test_a_home_that_knows_no_ranges(
    registry: ModelRegistry, bundle: Bundled, packed: Packed, home: Home
) -> None:
    home.files["models.zip"], home.ranges = packed({"reader": bundle()}).read_bytes(), False
    home.cut = 1000
    with pytest.raises(ModelError, match="was interrupted"):
        download_models(registry, home.url("models.zip"), schemes=HTTP)
    home.cut = None
    assert titles(download_models(registry, home.url("models.zip"), schemes=HTTP)) == ["reader tiny 0.2"]


def test_another_archive_than_was_promised_is_not_even_unpacked(
    registry: ModelRegistry, bundle: Bundled, packed: Packed, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.files["models.zip"] = packed({"reader": bundle()}).read_bytes()
    monkeypatch.setattr("core.models.model_import.unpack_models", None)
    with pytest.raises(ModelError, match="SHA-256 differs"):
        download_models(registry, home.url("models.zip"), sha256="0" * 64, schemes=HTTP)
    assert added(registry) == []
    assert incoming() == []


@pytest.mark.parametrize("sha256", ["abc", "g" * 64, "0" * 63])
def test_an_invalid_checksum_is_reported_before_any_download(
    registry: ModelRegistry, home: Home, sha256: str
) -> None:
    with pytest.raises(ModelError, match="not a SHA-256"):
        download_models(registry, home.url("models.zip"), sha256=sha256, schemes=HTTP)
    assert home.asked == []


def test_only_https_unless_a_test_says_so(registry: ModelRegistry, home: Home) -> None:
    with pytest.raises(ModelError, match="only https addresses"):
        download_models(registry, home.url("models.zip"))
    assert home.asked == []


def test_more_than_may_come_is_refused(
    registry: ModelRegistry, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.files["models.zip"] = b"x" * 5000
    monkeypatch.setattr("core.models.model_import.MAX_BYTES", 1000)
    with pytest.raises(ModelError, match=r"is larger \(5,000 bytes\) than allowed"):
        download_models(registry, home.url("models.zip"), schemes=HTTP)
    assert incoming() == []


def test_what_came_but_is_no_model_is_not_kept(registry: ModelRegistry, home: Home) -> None:
    home.files["models.zip"] = b"<html>Please log in</html>"
    for _ in range(2):
        with pytest.raises(ModelError, match="it is damaged or not a zip archive"):
            download_models(registry, home.url("models.zip"), schemes=HTTP)
        assert incoming() == []


def test_hanging_up_keeps_what_came_for_the_next_time(
    registry: ModelRegistry, bundle: Bundled, packed: Packed, home: Home
) -> None:
    home.files["models.zip"] = packed({"reader": bundle()}).read_bytes()
    home.cut = 1000
    home.stalls.set()
    call, came = NetworkCall(), threading.Event()
    ender = threading.Thread(target=lambda: came.wait(30) and call.cancel())
    ender.start()
    with pytest.raises(FetchCancelled):
        download_models(
            registry,
            home.url("models.zip"),
            on_progress=lambda done, _total: came.set() if done == 1000 else None,
            call=call,
            schemes=HTTP,
        )
    ender.join()
    home.cut = None
    home.stalls.clear()
    assert titles(download_models(registry, home.url("models.zip"), schemes=HTTP)) == ["reader tiny 0.2"]
    assert home.asked[-1] == ("/models.zip", "bytes=1000-")


def test_what_came_of_another_archive_goes(
    registry: ModelRegistry, bundle: Bundled, packed: Packed, home: Home
) -> None:
    home.files["models.zip"] = home.files["other.zip"] = packed({"reader": bundle()}).read_bytes()
    home.cut = 1000
    for name in ("models.zip", "other.zip"):
        with pytest.raises(ModelError, match="was interrupted"):
            download_models(registry, home.url(name), schemes=HTTP)
    assert len(incoming()) == 2
