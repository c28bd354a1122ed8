"""Protects the text form: right places, nothing that steers the terminal, colour only where it is wanted."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path

import pytest

from core.documents import Format, parse
from core.engine.cues import Lexicon
from core.engine.engine import Engine
from core.engine.reader import Reader
from core.reports.terminal import line_columns, printable, render_text, supports_colour
from core.types import Leaning


@pytest.fixture
def engine(tiny_bundle: Path) -> Engine:
    """The engine on the tiny reader."""
    return Engine(Reader.load(tiny_bundle, threads=1), Lexicon.load())


def shown(engine: Engine, source: str, *, width: int = 80, colour: bool = False) -> str:
    """The text form of the report on ``source``."""
    report = engine.analyse(parse(source, Format.PLAIN), path="draft.txt", include_quotes=True)
    return render_text(report, source, lexicon=engine.lexicon, width=width, colour=colour)


def test_lines_and_columns_count_code_points_from_one() -> None:
    source = "a\r\nb🙂c\rd\ne\u0301f"
    assert line_columns(source, [0, 3, 4, 5, 7, 9, 11]) == [
        (1, 1),
        (2, 1),
        (2, 2),
        (2, 3),
        (3, 1),
        (4, 1),
        (4, 3),
    ]


def test_every_finding_has_a_place_a_kind_and_a_reason(engine: Engine) -> None:
    text = shown(engine, "The law is new.\n\nThe chairman claims a shameful record.")
    rows = [line.split() for line in text.splitlines() if re.match(r"\s+\d+:\d+ ", line)]
    assert [row[0] for row in rows] == ["3:5", "3:14", "3:23"]
    assert [row[2] for row in rows] == ["chairman", "claims", "shameful"]
    assert [row[3] for row in rows] == ["demographic", "epistemological", "framing"]
    assert all(re.fullmatch(r"\.\d\d|1\.00", row[-1]) for row in rows)
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if re.match(r"\s+\d+:\d+ ", line):
            assert lines[number + 1].strip()


def test_a_finding_without_a_cue_says_so(engine: Engine) -> None:
    source = "A shameful record."
    report = engine.analyse(parse(source, Format.PLAIN))
    bare = replace(report, findings=tuple(replace(finding, why=()) for finding in report.findings))
    text = render_text(bare, source, lexicon=engine.lexicon)
    assert "from context" in text
    assert "the model marks it as framing because of its context" in " ".join(text.split())


def test_the_class_comes_first_and_the_cue_after_it(class_bundle: Path) -> None:
    engine = Engine(Reader.load(class_bundle, threads=1), Lexicon.load())
    source = "The senator reveals it."
    text = " ".join(shown(engine, source).split())
    named = engine.lexicon.guide_classes["factive_verb"]
    assert f"reveals epistemological · {named.title} " in text
    assert f"{named.text} “reveals” is a factive verb: " in text
    report = engine.analyse(parse(source, Format.PLAIN))
    bare = replace(report, findings=tuple(replace(finding, why=()) for finding in report.findings))
    alone = " ".join(render_text(bare, source, lexicon=engine.lexicon).split())
    assert named.text in alone
    assert "from context" not in alone
    assert "No word list" not in alone


def test_a_term_dependent_finding_has_a_remark(engine: Engine) -> None:
    source = "A shameful record."
    report = engine.analyse(parse(source, Format.PLAIN))
    plain = render_text(report, source, lexicon=engine.lexicon)
    text = render_text(report, source, lexicon=engine.lexicon, term_dependent=frozenset(report.findings))
    assert report.findings
    assert "depends on the word itself" not in " ".join(plain.split())
    assert " ".join(text.split()).count("depends on the word itself") == len(report.findings)


def test_a_clean_text_says_so(engine: Engine) -> None:
    text = shown(engine, "The law is new.")
    assert "No findings." in text
    assert "0 of 1 sentence reads as biased" in text


def test_notes_and_quotes_are_shown(engine: Engine) -> None:
    source = 'The senator said: "It is a shameful record."'
    report = engine.analyse(parse(source, Format.PLAIN), include_quotes=True)
    text = render_text(replace(report, notes=("Read as cp1252.",)), source, lexicon=engine.lexicon)
    assert "Read as cp1252." in text
    assert " quoted" in text


@pytest.mark.parametrize("width", [40, 60, 100])
def test_reasons_are_wrapped(engine: Engine, width: int) -> None:
    text = shown(engine, "The chairman claims a shameful record.", width=width)
    reasons = [line for line in text.splitlines() if line.startswith(" " * 9)]
    assert reasons
    assert all(len(line) <= width for line in reasons)


def test_colour_changes_nothing_but_colour(engine: Engine) -> None:
    source = "The chairman claims a shameful record."
    plain, painted = shown(engine, source), shown(engine, source, colour=True)
    assert "\x1b" not in plain
    assert "\x1b[4;35mshameful\x1b[0m" in painted
    assert re.sub(r"\x1b\[[\d;]*m", "", painted) == plain


class Screen(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_colour_is_for_terminals_whose_owner_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.platform", "linux")
    assert supports_colour(Screen())
    assert not supports_colour(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not supports_colour(Screen())
    monkeypatch.setenv("NO_COLOR", "")
    monkeypatch.setenv("TERM", "dumb")
    assert not supports_colour(Screen())


def test_nothing_in_a_draft_steers_the_terminal() -> None:
    odd = "a\x1b[31m\x07\x9b2J\u202e\u2066b\nc\td\ud800"
    text = printable(odd)
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", text)
    assert text.startswith("a")
    assert "b c d\\ud800" in text


def test_a_leaning_is_described_as_resemblance_not_as_a_verdict(engine: Engine) -> None:
    """Whose wording it resembles, and that this is weak: never where a text or a person stands."""
    source = "A plan."
    report = engine.analyse(parse(source, Format.PLAIN))
    leaning = replace(report, summary=replace(report.summary, leaning=Leaning(0.2, 0.2, 0.6, 0.1)))
    text = " ".join(render_text(leaning, source, lexicon=engine.lexicon, leaning=True).split())
    assert "The wording most resembles that of right outlets. (left .20, center .20, right .60" in text
    assert "a hint, not a verdict" in text
    assert "eaning" not in render_text(leaning, source, lexicon=engine.lexicon), "only where it is wanted"
