"""Protects what scripts build on: the JSON, the exit codes, and one clear line for everything that is wrong."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.cli import main
from core.engine.engine import Engine

BIASED = "The chairman reveals a shameful record.\n"
NEUTRAL = "The law is new.\n"
QUOTING = 'The law is new. "This is a shameful record."\n'


@pytest.fixture(autouse=True)
def _tiny(tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bundled reader is the tiny one."""
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: tiny_bundle)


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """Write a file and return its path."""

    def write_file(content: str | bytes, name: str = "draft.txt") -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write_file


class Answer:
    """What a call printed and returned."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def files(self) -> list[dict[str, Any]]:
        """The entries of a JSON answer."""
        answer = json.loads(self.out)
        assert answer["evenhand"] == "1"
        assert list(answer) == ["evenhand", "files"]
        return list(answer["files"])


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Run the command line."""

    def run(*argv: str) -> Answer:
        code = main.main(argv)
        captured = capsys.readouterr()
        return Answer(code, captured.out, captured.err)

    return run


def typed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Put ``data`` on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_exit_codes(call: Callable[..., Answer], write: Callable[..., str], tmp_path: Path) -> None:
    biased, neutral = write(BIASED, "a.txt"), write(NEUTRAL, "b.txt")
    assert call("check", neutral).code == 0
    assert call("check", neutral, biased).code == 1
    assert call("check", biased, str(tmp_path / "none.txt"), neutral).code == 2


def test_the_json_is_the_contract(call: Callable[..., Answer], write: Callable[..., str]) -> None:
    path = write(BIASED + NEUTRAL)
    (entry,) = call("check", path, "--format", "json").files
    assert list(entry) == ["path", "format", "characters", "summary", "sentences", "findings", "unread"]
    assert (entry["path"], entry["format"], entry["characters"]) == (path, "plain", len(BIASED + NEUTRAL))
    assert list(entry["summary"]) == [
        "sentences",
        "biased_sentences",
        "bias",
        "leaning",
        "no_leaning",
        "kinds",
    ]
    assert (entry["summary"]["leaning"], entry["summary"]["no_leaning"]) == (None, "short")
    assert entry["summary"]["kinds"] == {"framing": 1, "epistemological": 1, "demographic": 1}
    sentence = entry["sentences"][0]
    assert list(sentence) == ["start", "end", "bias", "biased", "quoted", "leaning"]
    assert list(sentence["leaning"]) == ["left", "center", "right"]
    finding = entry["findings"][0]
    assert list(finding) == [
        *(
            "start",
            "end",
            "text",
            "kind",
            "confidence",
            "quoted",
            "why",
            "fingerprint",
            "words",
            "suggestions",
        )
    ]
    assert (finding["text"], finding["kind"], finding["start"]) == ("chairman", "demographic", 4)
    assert list(finding["why"][0]) == ["cue", "category", "source"]
    assert finding["suggestions"] == []


def test_the_json_names_the_class_where_the_reader_tells_it(
    call: Callable[..., Answer],
    write: Callable[..., str],
    class_bundle: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: class_bundle)
    (entry,) = call("check", write(BIASED), "--format", "json").files
    finding = entry["findings"][0]
    assert list(finding) == [
        *("start", "end", "text", "kind", "confidence", "quoted", "guide_class", "why", "fingerprint"),
        *("words", "suggestions"),
    ]
    assert list(finding["guide_class"]) == ["name", "title", "explanation", "advice", "guides"]
    assert finding["guide_class"]["name"] == "gendered_default"
    assert finding["guide_class"]["guides"] == ["MOS:GNL", "AP Stylebook"]
    assert [one["guide_class"]["title"] for one in entry["findings"]] == [
        *("gendered default", "factive verb", "judgement")
    ]


def test_leaning_of_a_long_political_text(call: Callable[..., Answer], write: Callable[..., str]) -> None:
    path = write("The union and the workers said that the policy is new. " * 20)
    (entry,) = call("check", path, "--format", "json").files
    leaning = entry["summary"]["leaning"]
    assert list(leaning) == ["left", "center", "right"]
    assert sum(leaning.values()) == pytest.approx(1)


@pytest.mark.parametrize("form", ["text", "html"])
def test_the_leaning_is_printed_only_where_it_is_wanted(
    form: str, call: Callable[..., Answer], write: Callable[..., str]
) -> None:
    path = write("The union and the workers said that the policy is new. " * 20)
    assert "resembles" not in call("check", path, "--format", form).out
    assert "resembles" in call("check", path, "--format", form, "--leaning").out


def test_standard_input(
    call: Callable[..., Answer], write: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, BIASED.encode())
    answer = call("check", "-", write(NEUTRAL), "--format", "json")
    assert answer.files[0]["path"] == "-"
    assert len(answer.files[0]["findings"]) == 3
    assert answer.code == 1
    typed(monkeypatch, b"")
    assert call("check", "-").code == 0


def test_standard_input_twice_is_wrong(call: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, BIASED.encode())
    answer = call("check", "-", "-", "--format", "json")
    assert answer.code == 2
    assert [list(entry)[-1] for entry in answer.files] == ["unread", "error"]


def test_a_bad_file_does_not_stop_the_others(
    call: Callable[..., Answer], write: Callable[..., str], tmp_path: Path
) -> None:
    missing = str(tmp_path / "missing.txt")
    (tmp_path / "empty").mkdir()
    answer = call("check", missing, str(tmp_path / "empty"), write(BIASED), "--format", "json")
    assert answer.code == 2
    assert [list(entry) == ["path", "error"] for entry in answer.files] == [True, True, False]
    assert answer.files[0]["path"] == missing
    lines = answer.err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(f"evenhand: {missing}: ")
    assert lines[0].endswith(answer.files[0]["error"])


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ((), "required"),
        (("check",), "FILE"),
        (("check", "a", "--kinds", "framing,loud"), "unknown kind loud"),
        (("check", "a", "--kinds", ","), "no kind given"),
        (("check", "a", "--min-confidence", "1.1"), "'1.1' is not a number from 0 to 1"),
        (("check", "a", "--min-confidence", "nan"), "'nan' is not a number from 0 to 1"),
        (("check", "a", "--min-confidence", "much"), "'much' is not a number from 0 to 1"),
        (("check", "a", "--format", "xml"), "xml"),
        (("check", "a", "--input-format", "rtf"), "rtf"),
        (("check", "a", "--loud"), "--loud"),
        (("models", "burn"), "burn"),
    ],
)
def test_a_wrong_call_is_one_clear_line(
    call: Callable[..., Answer], argv: tuple[str, ...], said: str
) -> None:
    answer = call(*argv)
    assert answer.code == 2
    assert answer.out == ""
    assert len(answer.err.splitlines()) == 1
    assert answer.err.startswith("evenhand: ")
    assert said in answer.err


def test_kinds_and_confidence(call: Callable[..., Answer], write: Callable[..., str]) -> None:
    path = write(BIASED)

    def kinds(*options: str) -> list[str]:
        (entry,) = call("check", path, "--format", "json", *options).files
        return [finding["kind"] for finding in entry["findings"]]

    assert kinds("--kinds", "framing") == ["framing"]
    assert kinds("--kinds", "Framing, demographic") == ["demographic", "framing"]
    assert kinds("--min-confidence", "1") == []
    assert kinds("--min-confidence", "0") == ["demographic", "epistemological", "framing"]
    assert call("check", path, "--min-confidence", "1").code == 0


def test_quotes_count_only_if_asked(call: Callable[..., Answer], write: Callable[..., str]) -> None:
    path = write(QUOTING)
    without = call("check", path, "--format", "json")
    with_quotes = call("check", path, "--format", "json", "--include-quotes")
    assert (without.code, with_quotes.code) == (0, 1)
    assert without.files[0]["findings"] == []
    assert without.files[0]["sentences"] == with_quotes.files[0]["sentences"]
    assert with_quotes.files[0]["findings"][0]["quoted"] is True


def test_the_input_format_can_be_given(call: Callable[..., Answer], write: Callable[..., str]) -> None:
    path = write("A `shameful` law.\n", "draft.md")
    assert call("check", path, "--format", "json").files[0]["format"] == "markdown"
    assert call("check", path).code == 0
    assert call("check", path, "--input-format", "plain").code == 1


def test_the_text_form_names_place_words_kind_and_why(
    call: Callable[..., Answer], write: Callable[..., str]
) -> None:
    answer = call("check", write("The law is new.\r\n🙂 a shameful record.\r\n"))
    assert answer.code == 1
    assert "2:5" in answer.out
    assert "shameful" in answer.out
    assert "framing" in answer.out
    assert "1 of 2 sentences read as biased" in answer.out
    assert "\x1b" not in answer.out
    assert answer.err == ""


def test_odd_text_prints_as_utf_8(call: Callable[..., Answer], write: Callable[..., str]) -> None:
    source = "é 🙂 漢字 שלום \x1b[31m a shameful record \x07."
    path = write(source, "drâft\x1b.txt")
    answer = call("check", path)
    assert answer.code == 1
    assert "\x1b" not in answer.out
    (entry,) = call("check", path, "--format", "json").files
    (finding,) = entry["findings"]
    assert source[finding["start"] : finding["end"]] == finding["text"] == "shameful"


def test_a_wrong_encoding_is_reported(call: Callable[..., Answer], write: Callable[..., str]) -> None:
    path = write("Le café is a shameful law.".encode("cp1252"))
    as_text, as_json = call("check", path), call("check", path, "--format", "json")
    assert as_text.code == as_json.code == 1
    assert as_json.err.startswith(f"evenhand: {path}: ")
    note = as_json.err.removeprefix(f"evenhand: {path}: ").split()
    assert note[0] in as_text.out


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"word", b"\0\0\0", bytes(range(256)), b"\xff\xfeA\0", b"\xed\xa0\x80 x"]
)
def test_any_bytes_get_an_answer(call: Callable[..., Answer], write: Callable[..., str], data: bytes) -> None:
    answer = call("check", write(data), "--format", "json")
    assert answer.code in (0, 2)
    assert len(answer.files) == 1
    assert (answer.code == 2) == ("error" in answer.files[0])


def test_a_lone_surrogate_stays_in_the_json(
    call: Callable[..., Answer], write: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.storage.files import decode

    file = decode(b"x")
    odd = type(file)("\ud83d Shameful \udc00.", file.encoding, file.editable, file.note)
    monkeypatch.setattr("core.formats.loader.decode", lambda _data, **_named: odd)
    answer = call("check", write(""), "--format", "json")
    answer.out.encode("utf-8")
    assert [finding["text"] for finding in answer.files[0]["findings"]] == ["Shameful"]


def test_a_missing_model_is_one_clear_line(
    call: Callable[..., Answer], write: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: tmp_path / "gone")
    answer = call("check", write(BIASED))
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("evenhand: There is no model in ")
    assert answer.err.count("\n") == 1


def test_a_damaged_model_is_one_clear_line(
    call: Callable[..., Answer],
    write: Callable[..., str],
    tiny_bundle: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = Path(shutil.copytree(tiny_bundle, tmp_path / "reader"))
    with (folder / "reader.onnx").open("ab") as file:
        file.write(b"x")
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: folder)
    answer = call("check", write(BIASED))
    assert answer.code == 2
    assert "does not match its checksum. Reinstall Evenhand" in answer.err


def test_models_list(call: Callable[..., Answer], tiny_bundle: Path) -> None:
    answer = call("models", "list")
    assert answer.code == 0
    assert answer.out.startswith("reader tiny 0.1\n")
    assert str(tiny_bundle / "README.md") in answer.out


def test_ctrl_c_is_clean(
    call: Callable[..., Answer], write: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_args: object, **_kwargs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Engine, "analyse", interrupt)
    answer = call("check", write(BIASED))
    assert (answer.code, answer.out, answer.err) == (130, "", "")


SCRIPT = """
import sys
from core.cli import main as cli
from core.engine import engine
engine.bundled_reader = lambda: sys.argv[1]
sys.exit(cli.main(sys.argv[2:]))
"""


@pytest.mark.skipif(os.name == "nt", reason="pipes close otherwise on Windows")
def test_a_closed_pipe_is_no_traceback(write: Callable[..., str], tiny_bundle: Path) -> None:
    command = [sys.executable, "-c", SCRIPT, str(tiny_bundle), "check", write(BIASED * 2000)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        complaints = process.stderr.read()
    assert complaints == b""
    assert process.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_clear_line(write: Callable[..., str], tiny_bundle: Path) -> None:
    command = [sys.executable, "-c", SCRIPT, str(tiny_bundle), "check", write(BIASED)]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("evenhand: The output cannot be written (")
    assert done.stderr.count("\n") == 1
