"""Exporting a run as a zip file: settings, metrics, events and results."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from core.bundles.manifest import CARD
from core.i18n import tr
from core.runs.folder import BUNDLE, RunError, has_bundle
from core.runs.generator_audit import AUDIT_FILE
from core.runs.political_compass import COMPASS_FILE
from core.runs.types import EVENTS, METRICS_FILE, Artefact, MetricPoint, Run
from core.storage.disk import replacing
from core.storage.files import describe_os_error


def write_archive(
    run: Run,
    points: Sequence[MetricPoint],
    artefacts: Sequence[Artefact],
    *,
    target: Path,
    with_bundle: bool = False,
) -> None:
    """Write ``target`` atomically. Raises RunError.

    It holds run.json, points.csv, and from the run's folder the events, metrics, results of an audit or the compass,
    and the card of the model, or the whole model with ``with_bundle``.
    """
    if not run.folder.is_dir():
        message = tr("The folder of the run {id} ({folder}) no longer exists, so the run cannot be exported.")
        raise RunError(message.format(id=run.id, folder=run.folder))
    if with_bundle and not has_bundle(run):
        raise RunError(tr("The run {id} has no model to export.").format(id=run.id))
    try:
        with (
            replacing(Path(os.path.realpath(target))) as descriptor,
            open(descriptor, "wb", closefd=False) as file,
            ZipFile(file, "w", ZIP_DEFLATED, strict_timestamps=False) as archive,
        ):
            archive.writestr("run.json", run_as_json(run, artefacts))
            archive.writestr("points.csv", _as_csv(points))
            for path, name in _files(run, with_bundle=with_bundle):
                archive.write(path, name)
    except (OSError, ValueError) as error:
        message = tr("{name} was not written: {cause}.")
        raise RunError(message.format(name=target.name or target, cause=describe_os_error(error))) from error


def run_as_dict(run: Run) -> dict[str, object]:
    """A run as a JSON object, without its folder."""
    fields = asdict(run) | {
        "made_at": run.made_at.isoformat(),
        "ended_at": run.ended_at.isoformat() if run.ended_at else None,
    }
    del fields["folder"]
    return fields


def run_as_json(run: Run, artefacts: Sequence[Artefact]) -> str:
    """A run and its artefacts, as JSON text."""
    fields = run_as_dict(run) | {"artefacts": [asdict(one) for one in artefacts]}
    return json.dumps(fields, ensure_ascii=False, indent=1) + "\n"


def _as_csv(points: Sequence[MetricPoint]) -> str:
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(("stage", "step", "event", "name", "value"))
    writer.writerows((point.stage, point.step, point.event, point.name, point.value) for point in points)
    return table.getvalue()


def _files(run: Run, *, with_bundle: bool) -> Iterator[tuple[Path, str]]:
    """The files to include and their names in the archive. Links are left out."""
    bundle = run.folder / BUNDLE
    single = [run.folder / name for name in (EVENTS, METRICS_FILE, AUDIT_FILE, COMPASS_FILE)]
    inside = sorted(bundle.rglob("*")) if with_bundle else [bundle / CARD]
    for path in (*single, *inside):
        if path.is_file() and not path.is_symlink():
            yield path, path.relative_to(run.folder).as_posix()
