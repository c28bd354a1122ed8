"""The preview of a model reads the draft with both readers as the window does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot
from section_driver import STRICT, make_bundle
from shiboken6 import delete

from app.analysis.analysis_worker import AnalysisController, Snapshot
from app.models.model_preview import ModelPreview, PreviewDialog, PreviewResult, summary
from core.bundles.manifest import BundleError
from core.documents.types import Format
from core.engine.engine import Engine
from core.models.comparison import compare_readings
from core.types import Report

TEXT = "The shameful 👍🏽 record. <!-- evenhand off -->The chairman.<!-- evenhand on -->\n\n"
TEXT += 'He said "a shameful policy".\n'


class Bench:
    """An analyst over a tiny reader, and trials that are made with it."""

    def __init__(self, qtbot: QtBot, load: Callable[[], Engine]) -> None:
        self.qtbot = qtbot
        self.parent = QObject()
        self.analysis = AnalysisController(lambda n: self.snapshot(revision=n), load=load, parent=self.parent)
        self.outcomes: list[PreviewResult] = []
        self.shares: list[float] = []

    def snapshot(self, text: str = TEXT, *, revision: int = -1, include_quotes: bool = False) -> Snapshot:
        return Snapshot(revision, text, Format.MARKDOWN, "-", include_quotes=include_quotes)

    def begin(self, folder: Path, snapshot: Snapshot | None = None) -> ModelPreview:
        trial = ModelPreview(self.analysis)
        trial.finished.connect(self.outcomes.append)
        trial.progressed.connect(self.shares.append)
        trial.start(snapshot or self.snapshot(), folder)
        return trial

    def run(self, folder: Path, snapshot: Snapshot | None = None) -> PreviewResult:
        self.begin(folder, snapshot)
        self.qtbot.waitUntil(lambda: bool(self.outcomes))
        return self.outcomes.pop()

    def close(self) -> None:
        """Nothing is left for Python to tidy up in another thread."""
        self.analysis.close()
        delete(self.parent)


@pytest.fixture
def bench(qtbot: QtBot, tiny_bundle: Path) -> Iterator[Bench]:
    one = Bench(qtbot, lambda: Engine.load(tiny_bundle))
    yield one
    one.close()


@pytest.fixture
def strict(tiny_bundle: Path, tmp_path: Path) -> Path:
    return make_bundle(tiny_bundle, tmp_path / "strict", "0.2", thresholds=STRICT)


def words(report: Report | None) -> list[str]:
    assert report is not None
    return [finding.text for finding in report.findings]


def test_both_readers_use_the_settings_of_the_window(bench: Bench, strict: Path, tiny_bundle: Path) -> None:
    outcome = bench.run(strict)
    assert (words(outcome.before), words(outcome.after)) == (["shameful"], [])
    assert outcome.source == TEXT
    quoted = bench.run(tiny_bundle, bench.snapshot(include_quotes=True))
    assert words(quoted.before) == words(quoted.after) == ["shameful", "shameful"]


def test_an_unreadable_candidate_is_reported(bench: Bench, strict: Path) -> None:
    (strict / "reader.onnx").write_bytes(b"x")
    outcome = bench.run(strict)
    assert outcome.before is None
    assert "does not match its checksum" in outcome.message


def test_an_unreadable_current_reader_does_not_block_a_candidate(qtbot: QtBot, strict: Path) -> None:
    def broken() -> Engine:
        raise BundleError("There is no model in /nowhere. Reinstall Evenhand.")

    bench = Bench(qtbot, broken)
    outcome = bench.run(strict)
    assert outcome.before is None
    assert words(outcome.after) == []
    bench.close()


def test_an_unexpected_error_does_not_reveal_the_draft(
    bench: Bench, strict: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object, **__: object) -> Report:
        raise ValueError(TEXT)

    monkeypatch.setattr(Engine, "analyse", failing)
    message = bench.run(strict).message
    assert "ValueError" in message
    assert "shameful" not in message


def test_a_cancelled_preview_reports_nothing(bench: Bench, strict: Path) -> None:
    bench.begin(strict).cancel()
    other = bench.run(strict, bench.snapshot("The chairman.\n"))
    assert words(other.before) == ["chairman"]
    bench.qtbot.wait(30)
    assert bench.outcomes == []


def test_closing_the_window_stops_a_preview(bench: Bench, strict: Path) -> None:
    bench.begin(strict)
    bench.analysis.close()
    bench.qtbot.wait(30)
    assert bench.outcomes == []


def test_the_preview_lists_added_and_removed_findings(bench: Bench, strict: Path, qtbot: QtBot) -> None:
    outcome = bench.run(strict)
    assert outcome.before is not None
    assert outcome.after is not None
    changes = compare_readings(outcome.source, outcome.after, outcome.before)
    assert summary(changes).startswith(
        "In the open draft: 1 finding gained, 0 lost, 0 changed, 0 unchanged.\nMean bias "
    )
    parent = PreviewDialog(None, present="reader a 1", candidate="reader b 2", changes=changes)  # type: ignore[arg-type]
    qtbot.addWidget(parent)
    parent.show()
    assert parent.list.topLevelItem(0).text(0) == "+ gained"
    assert not parent.list.isHidden()
    same = compare_readings(outcome.source, outcome.before, outcome.before)
    quiet = PreviewDialog(parent, present="a", candidate="b", changes=same)
    assert quiet.list.isHidden()
    assert "1 unchanged" in quiet.message_label.text()
