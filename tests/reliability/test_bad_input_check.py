"""Protects who runs ``evenhand check`` on whatever there is: an answer for every file, one clear line for every fault.

Every call goes through the door that a person uses, and no call may end in a traceback.
"""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app import entry
from core.engine.engine import Engine
from core.types import Report
from tests.reliability.bad_texts import MIXED, UNCLOSED

BIASED = "The chairman reveals a shameful record.\n"
WORDS = ["chairman", "reveals", "shameful"]
ENDINGS = {"plain": ".txt", "markdown": ".md", "wikitext": ".wikitext"}
ON_POSIX = pytest.mark.skipif(os.name == "nt", reason="file names, streams and permissions of POSIX")
AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
DOOR = """
import sys
from pathlib import Path
from core.engine import engine
engine.bundled_reader = lambda: Path(sys.argv[1])
from app.entry import main
sys.exit(main(sys.argv[2:]))
"""


@pytest.fixture(autouse=True)
def _tiny(tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: tiny_bundle)


class Answer:
    """What a call printed and returned."""

    def __init__(self, code: int, out: str, err: str) -> None:
        assert "Traceback" not in out + err
        self.code, self.out, self.err = code, out, err

    @property
    def files(self) -> list[dict[str, Any]]:
        """The entries of a JSON answer."""
        return list(json.loads(self.out)["files"])

    @property
    def words(self) -> list[str]:
        """The words of the findings of the only file."""
        (file,) = self.files
        return [finding["text"] for finding in file["findings"]]

    @property
    def lines(self) -> list[str]:
        """The lines on standard error."""
        return self.err.splitlines()


Call = Callable[..., Answer]
Write = Callable[..., str]


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Call:
    """Run ``evenhand check``."""

    def run(*argv: str) -> Answer:
        code = entry.main(["check", *argv])
        return Answer(code, *capfd.readouterr())

    return run


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file and return its path."""

    def write_file(content: str | bytes, name: str = "draft.txt") -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write_file


def sliced(answer: Answer, source: str) -> list[str]:
    """The words of the findings, cut out of ``source`` by the offsets of the only file."""
    (file,) = answer.files
    assert file["characters"] == len(source)
    cut = [source[finding["start"] : finding["end"]] for finding in file["findings"]]
    assert cut == answer.words
    return cut


def start_process(bundle: Path, *argv: str, **streams: Any) -> subprocess.CompletedProcess[bytes]:
    """The same call in a process of its own."""
    command = [sys.executable, "-c", DOOR, str(bundle), "check", *argv]
    options: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    return subprocess.run(command, cwd=Path(__file__).parents[2], check=False, timeout=60, **options)


# Many files, many faults


def test_every_bad_file_has_its_line_and_the_good_ones_are_checked(
    tiny_bundle: Path, write: Write, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    bad = {
        str(tmp_path / "gone.txt"): "the file or its folder does not exist. Check the name.",
        str(tmp_path / "folder"): "There is no file to check in this folder",
        write(
            bytes(range(256)) * 40, "photo.md"
        ): "looks like a binary file, not text. Save it as plain text",
        write(
            BIASED.encode() + b"\0", "nul.txt"
        ): "looks like a binary file, not text. Save it as plain text",
        write(BIASED.encode("utf-16-le"), "no-mark.txt"): "looks like a binary file",
        write(BIASED.encode("utf-32"), "wide.txt"): "UTF-32, which cannot be read. Save it as UTF-8",
        str(tmp_path / ("n" * 300)): ("the name is too long. Choose a shorter one", "Check the name"),
        write("a plain file", "file") + "/in-it.txt": ("part of its path is not a folder", "Check the name"),
    }
    good = [write(BIASED, "first.txt"), write("", "empty.md"), write(BIASED, "last.txt")]
    paths = [good[0], *bad, *good[1:]]
    done = start_process(tiny_bundle, *paths, "--format", "json")
    answer = Answer(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert answer.code == 2
    assert [file["path"] for file in answer.files] == paths
    assert [file["path"] for file in answer.files if "error" in file] == list(bad)
    assert [len(file["findings"]) for file in answer.files if "error" not in file] == [3, 0, 3]
    assert len(answer.lines) == len(bad)
    for line, (path, said) in zip(answer.lines, bad.items(), strict=True):
        assert line.startswith(f"evenhand: {path}: ")
        assert any(words in line for words in ([said] if isinstance(said, str) else said)), line


def test_the_text_form_goes_on_after_a_bad_file(call: Call, write: Write, tmp_path: Path) -> None:
    answer = call(str(tmp_path / "gone.txt"), write(BIASED))
    assert answer.code == 2
    assert all(word in answer.out for word in WORDS)
    assert len(answer.lines) == 1


# Next to nothing, and very much


def test_an_empty_file_and_one_word_are_no_fault(call: Call, write: Write) -> None:
    for source, code, counted in (
        ("", 0, "0 of 0 sentences read as biased"),
        ("\r\n \n", 0, "0 of 0 sentences read as biased"),
        ("law", 0, "0 of 1 sentence reads as biased"),
        ("shameful", 1, "1 of 1 sentence reads as biased"),
    ):
        answer = call(write(source))
        assert (answer.code, answer.err) == (code, ""), source
        assert counted in answer.out
        assert ("No findings." in answer.out) is (code == 0)


def test_five_megabytes_are_read_to_the_end(call: Call, write: Write) -> None:
    filler = "The law of the people is new to the senator " * 12 + "and to this record.\n"
    half = filler * (2_600_000 // len(filler))
    source = f"{half}{BIASED}{half}{BIASED}"
    assert len(source) > 5_000_000
    answer = call(write(source), "--format", "json")
    assert (answer.code, answer.err) == (1, "")
    assert sliced(answer, source) == WORDS * 2


@pytest.mark.parametrize("form", list(UNCLOSED))
def test_a_line_of_100_000_characters_has_its_place_named(call: Call, write: Write, form: str) -> None:
    source = "the law and the people " * 4400 + "said shameful things " + "x" * 5000
    path = write(source, f"draft{ENDINGS[form]}")
    assert sliced(call(path, "--format", "json"), source) == ["shameful"]
    answer = call(path)
    assert answer.code == 1
    assert f"1:{source.index('shameful') + 1}" in answer.out
    assert max(map(len, answer.out.splitlines())) < 400, "the line itself is not printed"


# Encodings


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("Le café naïf is a shameful law – très.".encode("windows-1252"), "read as Windows-1252"),
        ("Grüße aus Köln: shameful – schön".encode() + b"\xff", "not valid UTF-8"),
        (b"\xed\xa0\xbd shameful \xed\xb0\x80 Gr\xc3\xbc\xc3\x9fe", "not valid UTF-8"),
        (b"\xff\xfe" + "a shameful law".encode("utf-16-le") + b"x", "not valid UTF-16"),
        (b"\xfe\xff\xd8\x3d" + " a shameful law".encode("utf-16-be"), "not valid UTF-16"),
    ],
)
def test_the_encoding_that_was_assumed_is_said(call: Call, write: Write, data: bytes, said: str) -> None:
    path = write(data)
    as_json, as_text = call(path, "--format", "json"), call(path)
    assert (as_json.code, as_json.words, as_text.code) == (1, ["shameful"], 1)
    assert len(as_json.lines) == 1
    assert as_json.err.startswith(f"evenhand: {path}: ")
    assert said in as_json.err
    assert said in " ".join(as_text.out.split())


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_shifts_no_offset_and_needs_no_word(
    call: Call, write: Write, encoding: str
) -> None:
    source = "👍🏽 " + BIASED
    answer = call(write(source.encode(encoding)), "--format", "json")
    assert (answer.code, answer.err) == (1, "")
    assert sliced(answer, source) == WORDS


@ON_POSIX
def test_a_file_name_that_is_no_text_is_printed_and_can_be_found_again(call: Call, tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/dr\xffaft\x1b.txt"
    try:
        Path(os.fsdecode(path)).write_text(BIASED, encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes only names that are text")
    answer = call(os.fsdecode(path), "--format", "json")
    answer.out.encode()
    assert answer.words == WORDS
    assert os.fsencode(answer.files[0]["path"]) == path
    shown = call(os.fsdecode(path))
    assert shown.code == 1
    assert "dr\\udcffaft" in shown.out
    assert "\x1b" not in shown.out


# Writing of the world, line ends, mark-up


@pytest.mark.parametrize("form", list(ENDINGS))
def test_the_offsets_slice_the_words_out_of_the_source(call: Call, write: Write, form: str) -> None:
    sources = [f"{text}\r\n\r\n{text}\n" for text in MIXED.values()]
    paths = [write(source, f"{number}{ENDINGS[form]}") for number, source in enumerate(sources)]
    answer = call(*paths, "--format", "json")
    for source, file in zip(sources, answer.files, strict=True):
        assert file["characters"] == len(source)
        cut = [source[finding["start"] : finding["end"]] for finding in file["findings"]]
        assert cut == ["shameful", "reveals", "chairman"] * 2, source
    for path, text in zip(paths, MIXED.values(), strict=True):
        column = text.index("shameful") + 1
        places = [line.split()[0] for line in call(path).out.splitlines() if " shameful " in f"{line} "]
        assert {f"1:{column}", f"3:{column}"} <= set(places)


def test_each_of_the_mixed_line_ends_counts_as_one(call: Call, write: Write) -> None:
    source = "The law.\rA shameful law.\r\n\r\nIt reveals this.\n\n\rThe chairman said."
    path = write(source)
    assert sliced(call(path, "--format", "json"), source) == ["shameful", "reveals", "chairman"]
    places = [line.split()[0] for line in call(path).out.splitlines() if line[:5].strip()[:1].isdigit()]
    assert places[:3] == ["2:3", "4:4", "7:5"]


@pytest.mark.parametrize("form", list(UNCLOSED))
def test_mark_up_that_is_never_closed_hides_nothing(call: Call, write: Write, form: str) -> None:
    sources = [f"The {opening} shameful law.\n\nThe chairman reveals it.\n" for opening in UNCLOSED[form]]
    paths = [write(source, f"{number}.txt") for number, source in enumerate(sources)]
    answer = call(*paths, "--format", "json", "--input-format", form, "--include-quotes")
    assert (answer.code, answer.err) == (1, "")
    for source, file in zip(sources, answer.files, strict=True):
        cut = [source[finding["start"] : finding["end"]] for finding in file["findings"]]
        assert cut == ["shameful", "chairman", "reveals"], source


# The model


def test_a_broken_model_is_one_line_for_all_files(
    call: Call, write: Write, broken: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, said = broken
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: folder)
    for form in ("text", "json"):
        answer = call(write(BIASED, "a.txt"), write(BIASED, "b.txt"), "--format", form)
        assert (answer.code, answer.out, len(answer.lines)) == (2, "", 1)
        assert said in answer.err
        assert any(advice in answer.err for advice in ("Reinstall Evenhand", "Use another model"))


# Files that cannot be read


def refuse(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let the system refuse to open the file of this name, as it does to all but root."""
    real = os.open

    def guarded(path: Any, *args: Any, **options: Any) -> int:
        if Path(path).name == name:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return real(path, *args, **options)

    monkeypatch.setattr(os, "open", guarded)


def test_a_file_without_permission_says_what_to_change(
    call: Call, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [write(BIASED, "private.txt"), write(BIASED, "open.txt")]
    refuse(monkeypatch, "private.txt")
    answer = call(*paths, "--format", "json")
    assert answer.code == 2
    assert answer.files[0]["error"] == (
        "private.txt cannot be read: you have no permission. Change the permissions of the file or its folder."
    )
    assert len(answer.files[1]["findings"]) == 3


@ON_POSIX
@pytest.mark.skipif(AS_ROOT, reason="root may read every file")
def test_a_file_locked_by_its_mode_is_named(call: Call, write: Write) -> None:
    path = write(BIASED, "private.txt")
    Path(path).chmod(0)
    answer = call(path, write(BIASED, "open.txt"), "--format", "json")
    assert answer.code == 2
    assert "you have no permission" in answer.files[0]["error"]
    assert len(answer.files[1]["findings"]) == 3


def test_a_file_that_vanishes_while_another_is_read_is_named(
    call: Call, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abc":
        write(BIASED, f"{name}.txt")
    listed = sorted(str(path) for path in tmp_path.glob("*.txt"))
    analyse = Engine.analyse

    def slowly(engine: Engine, *args: Any, **options: Any) -> Report:
        (tmp_path / "b.txt").unlink(missing_ok=True)
        return analyse(engine, *args, **options)

    monkeypatch.setattr(Engine, "analyse", slowly)
    answer = call(*listed, "--format", "json")
    assert answer.code == 2
    assert ["error" in file for file in answer.files] == [False, True, False]
    assert "b.txt cannot be read: the file or its folder does not exist" in answer.err


@pytest.mark.parametrize("name", ["n" * 5000, "gone.txt", "gone\0.txt"])
def test_a_path_that_no_window_can_open_is_one_line(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert entry.main([name]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "Check the name" in err


def test_a_folder_that_may_not_be_searched_is_one_line(
    write: Write, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(path: Path, **_: object) -> os.stat_result:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    path = write(BIASED)
    with monkeypatch.context() as guarded:
        guarded.setattr(Path, "stat", locked)
        assert entry.main([path]) == 2
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    assert "cannot be opened (Permission denied)" in err


# Streams that take or give nothing


@ON_POSIX
def test_standard_input_that_cannot_be_read_does_not_stop_the_others(
    tiny_bundle: Path, write: Write, tmp_path: Path
) -> None:
    with (tmp_path / "for-writing").open("wb") as only_written:
        done = start_process(tiny_bundle, "-", write(BIASED), "--format", "json", stdin=only_written)
    answer = Answer(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert answer.code == 2
    assert "Standard input cannot be read" in answer.err
    assert len(answer.files[1]["findings"]) == 3


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_where_the_message_cannot_be_written_the_answer_and_the_code_stay(
    tiny_bundle: Path, tmp_path: Path
) -> None:
    with Path("/dev/full").open("wb") as full:
        done = start_process(tiny_bundle, str(tmp_path / "gone.txt"), "--format", "json", stderr=full)
    assert done.returncode == 2
    assert "error" in json.loads(done.stdout)["files"][0]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_help_that_cannot_be_written_is_one_line() -> None:
    command = [sys.executable, "-c", "from app.entry import main; raise SystemExit(main(['--help']))"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command,
            cwd=Path(__file__).parents[2],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == f"evenhand: The output cannot be written ({os.strerror(errno.ENOSPC)}).\n"


@ON_POSIX
@pytest.mark.parametrize("closed", ["1", "2"])
def test_a_stream_that_was_closed_before_the_start_spoils_nothing(
    tiny_bundle: Path, tmp_path: Path, closed: str
) -> None:
    shell = ["sh", "-c", f'exec "$@" {closed}>&-', "sh"]
    command = [*shell, sys.executable, "-c", DOOR, str(tiny_bundle), "check", str(tmp_path / "gone.txt")]
    done = subprocess.run(
        [*command, "--format", "json"], cwd=Path(__file__).parents[2], capture_output=True, check=False
    )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    if closed == "1":
        assert (done.stdout, done.stderr.count(b"\n")) == (b"", 1)
    else:
        assert "error" in json.loads(done.stdout)["files"][0]
