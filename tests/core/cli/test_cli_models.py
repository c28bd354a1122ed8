"""Protects ``evenhand models``: what is listed, chosen and imported, and one clear line for all that is wrong."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from core.paths import data_folder
from core.runs.folder import runs_folder
from core.runs.run_store import RunStore
from core.runs.types import Status
from core.storage.store import Store
from core.storage.types import FILE
from tests.core.runs.made_runs import a_run
from tests.homepages import Home, serving, trusted_context
from tests.tiny import RUN, describe

Call = Callable[..., tuple[int, str, str]]

pytestmark = pytest.mark.usefixtures("tiny_models")
OTHER_RUN = "6f0d9999-2f1c-4b5e-9d3a-0c3f7a1e9b42"


@pytest.fixture
def other(tiny_bundle: Path, tmp_path: Path) -> Path:
    """A reader that marks nothing, in a folder of its own."""
    folder = Path(shutil.copytree(tiny_bundle, tmp_path / "other"))
    describe(folder, version="0.2", thresholds={"span": 1.0, "bias": 1.0, "political": 1.0})
    return folder


@pytest.fixture
def finish(tiny_bundle: Path) -> Callable[..., Path]:
    """Records a run that made a reader, and gives its folder."""

    def made(run_id: str, version: str, status: Status = Status.FINISHED) -> Path:
        folder = runs_folder() / run_id
        describe(Path(shutil.copytree(tiny_bundle, folder / "bundle")), version=version, run=run_id)
        store = Store.open()
        run = a_run(id=run_id, status=status, folder=folder)
        RunStore(store).begin(run)
        RunStore(store).finish(run_id, status)
        store.close()
        return folder

    return made


def in_use(out: str) -> list[str]:
    """The titles of the models that a list calls in use."""
    lines = out.splitlines()
    marked = [at for at, line in enumerate(lines) if line == "  in use  yes"]
    return [lines[at - 2] for at in marked]


def handle(out: str, title: str) -> str:
    lines = out.splitlines()
    return lines[lines.index(title) + 3].removeprefix("  id      ")


def test_the_list_needs_no_store_and_makes_none(call: Call, tiny_bundle: Path) -> None:
    code, out, err = call("models", "list")
    assert (code, err) == (0, "")
    assert in_use(out) == ["reader tiny 0.1", "rewriter tiny 0.1"]
    assert f"  run     {RUN}\n" in out
    assert f"  card    {tiny_bundle / 'README.md'}\n" in out
    assert not data_folder().exists()


def test_importing_using_and_going_back(call: Call, other: Path, tmp_path: Path) -> None:
    draft = tmp_path / "draft.txt"
    draft.write_text("A shameful record.\n", encoding="utf-8")
    assert call("check", str(draft))[0] == 1
    code, out, _ = call("models", "import", str(other))
    assert code == 0
    assert out.startswith("reader tiny 0.2 was added as reader-tiny-0.2-")
    assert in_use(call("models", "list")[1])[0] == "reader tiny 0.1"
    name = handle(call("models", "list")[1], "reader tiny 0.2")
    code, out, _ = call("models", "promote", name[:-3])
    assert (code, out) == (
        0,
        "reader tiny 0.2 is in use now. To go back: evenhand models rollback reader\n",
    )
    assert call("check", str(draft))[0] == 0
    assert in_use(call("models", "list")[1])[0] == "reader tiny 0.2"
    assert call("models", "promote", name) == (0, "reader tiny 0.2 is already in use.\n", "")
    assert call("models", "rollback")[1] == "reader tiny 0.1 is in use again.\n"
    assert call("check", str(draft))[0] == 1
    code, out, err = call("models", "rollback")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "no other model to roll back to" in err


def test_import_and_use_in_one_and_back_to_the_bundled_one_by_name(call: Call, other: Path) -> None:
    assert "0.2 is in use now" in call("models", "import", str(other), "--use")[1]
    assert "0.1 is in use now" in call("models", "promote", "bundled-reader")[1]
    assert "0.2 is in use again" in call("models", "rollback", "reader")[1]


def test_a_rewriter_comes_into_use_on_its_own(call: Call, tiny_rewriter: Path, tmp_path: Path) -> None:
    from tests.tiny_rewriter import describe_rewriter

    folder = Path(shutil.copytree(tiny_rewriter, tmp_path / "rewriter"))
    describe_rewriter(folder, version="0.2")
    assert call("models", "import", str(folder), "--use")[0] == 0
    assert in_use(call("models", "list")[1]) == ["reader tiny 0.1", "rewriter tiny 0.2"]
    assert "rewriter tiny 0.1 is in use again" in call("models", "rollback", "rewriter")[1]


def test_the_model_of_a_run_is_named_by_the_beginning_of_its_id(
    call: Call, finish: Callable[..., Path]
) -> None:
    finish(RUN, "0.5")
    finish(OTHER_RUN, "0.6")
    code, _, err = call("models", "promote", "6f0d")
    assert code == 2
    assert RUN in err
    assert OTHER_RUN in err
    assert call("models", "promote", "6F0D8")[0] == 0
    _, out, _ = call("models", "list")
    assert in_use(out)[0] == "reader tiny 0.5"
    assert "  from    a training run, " in out
    shutil.rmtree(runs_folder())
    assert call("models", "promote", "bundled-reader")[0] == 0
    assert call("models", "rollback")[1] == "reader tiny 0.5 is in use again.\n"


def test_an_unfinished_run_is_refused(call: Call, finish: Callable[..., Path]) -> None:
    finish(RUN, "0.5", Status.CANCELLED)
    code, out, err = call("models", "promote", RUN)
    assert (code, out) == (2, "")
    assert err == "evenhand: The run 6f0d8c52 was cancelled. Start another one.\n"


def test_what_is_not_there_is_one_line(call: Call, tmp_path: Path) -> None:
    for argv, said in (
        (("promote", "nothing"), "There is no run and no model 'nothing'."),
        (("import", str(tmp_path / "gone")), "is not a model: it has no bundle.json"),
        (("rollback", "rewriter"), "no other model to roll back to"),
    ):
        code, out, err = call("models", *argv)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert said in err
    for wrong in (("models",), ("models", "burn"), ("models", "rollback", "painter"), ("models", "promote")):
        assert call(*wrong)[0] == 2


def test_a_damaged_import_changes_nothing(call: Call, other: Path) -> None:
    (other / "reader.onnx").write_bytes(b"x")
    code, out, err = call("models", "import", str(other), "--use")
    assert (code, out) == (2, "")
    assert "does not match its checksum" in err
    assert in_use(call("models", "list")[1])[0] == "reader tiny 0.1"


def test_a_damaged_model_in_use_is_replaced_with_a_message(call: Call, other: Path, tmp_path: Path) -> None:
    draft = tmp_path / "draft.txt"
    draft.write_text("A shameful record.\n", encoding="utf-8")
    call("models", "import", str(other), "--use")
    name = handle(call("models", "list")[1], "reader tiny 0.2")
    (data_folder() / "models" / name / "tokenizer.json").unlink()
    code, out, err = call("check", str(draft), "--format", "json")
    assert (code, err.count("\n")) == (1, 1)
    assert "Until then the reader that came with Evenhand is used." in err
    assert '"shameful"' in out
    assert "cannot be used  tokenizer.json is missing." in call("models", "list")[1]


def test_a_store_that_cannot_be_opened_hides_no_bundled_model(call: Call) -> None:
    data_folder().mkdir(parents=True)
    (data_folder() / FILE).mkdir()
    code, out, err = call("models", "list")
    assert (code, err) == (0, "")
    (data_folder() / FILE).rmdir()
    with closing(sqlite3.connect(data_folder() / FILE)) as connection:
        connection.execute("CREATE TABLE another (thing)")
    code, out, err = call("models", "list")
    assert (code, err.count("\n")) == (0, 1)
    assert in_use(out) == ["reader tiny 0.1", "rewriter tiny 0.1"]


def zipped(folder: Path, archive: Path) -> Path:
    with zipfile.ZipFile(archive, "w") as book:
        for path in folder.iterdir():
            book.write(path, path.name)
    return archive


def test_an_archive_is_imported_as_a_folder_is(call: Call, other: Path, tmp_path: Path) -> None:
    code, out, _ = call("models", "import", str(zipped(other, tmp_path / "other.zip")), "--use")
    assert code == 0
    assert "reader tiny 0.2 is in use now" in out


def test_getting_an_archive_and_using_it(
    call: Call, other: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = zipped(other, tmp_path / "other.zip").read_bytes()
    with serving(Home(files={"other.zip": body}), context=trusted_context(tmp_path, monkeypatch)) as home:
        address, right = home.url("other.zip"), hashlib.sha256(body).hexdigest()
        code, out, err = call("models", "get", address, "--sha256", "0" * 64)
        assert (code, out) == (2, "")
        assert err.splitlines()[-1].startswith(
            "evenhand: The download of other.zip is not the published file"
        )
        code, out, err = call("models", "get", address, "--sha256", right, "--use")
    assert code == 0
    assert "(100%) bytes" in err
    assert in_use(call("models", "list")[1])[0] == "reader tiny 0.2"
    assert call("models", "get", address.replace("https", "http"))[0] == 2


def test_without_a_reader_check_says_in_one_line_how_to_get_one(
    call: Call, other: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: tmp_path / "nothing")
    draft = tmp_path / "draft.txt"
    draft.write_text("A shameful record.\n", encoding="utf-8")
    for argv in (("check", str(draft)), ("check", str(draft), "--format", "json"), ("rewrite", str(draft))):
        code, out, err = call(*argv)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "evenhand models get ADDRESS --use" in err
        assert "evenhand models import FOLDER --use" in err
    assert call("models", "import", str(other), "--use")[0] == 0
    assert call("check", str(draft))[0] == 0
