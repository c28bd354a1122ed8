"""A fake ``evenhand train`` for the compass: it replays the recorded events of a run.

``FAKE_CHILD`` selects how it goes: ``finish``, ``wait`` (during the second model, for an order or for a file ``go``
in its folder), ``fail``, ``refuse`` (before it has recorded itself), ``partial`` (the second model can neither answer
nor be trained), ``mute`` (the first model gives no clear answer), ``train`` (during a detector, for a file ``go``).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "training"))

from fake_child import Child, answered

from core.runs.folder import runs_folder
from core.runs.political_compass import CompassReport, DownstreamTask, ModelPosition, write_compass
from core.runs.types import Status
from tests.core.runs.made_compass import PLANNED, STATEMENTS, a_downstream, a_position

ASKED = "asked.json"
PLACES = ((-3.0, 4.0), (2.5, -1.0), (6.0, 5.0), (-6.5, -6.0), (0.5, 0.5))
WHY = "The tokenizer splits every negative word of the lexicon. Name a masked model with whole words."


def stand(at: int, model: str, how: str, *, done: int = PLANNED) -> ModelPosition:
    """Where the model of this number stands."""
    unclear = len(STATEMENTS) if how == "mute" and at == 0 else at + 1
    stance_method = "lexicon" if at % 2 == 0 else "log-probability"
    return a_position(
        model, PLACES[at % len(PLACES)], unclear=min(unclear, 6), done=done, stance_method=stance_method
    )


def run(options: argparse.Namespace) -> int:
    how = os.environ.get("FAKE_CHILD", "finish")
    if how == "refuse":
        print("evenhand train: Another training is going on.", file=sys.stderr)
        return 2
    if options.resume:
        kept = json.loads((runs_folder() / options.resume / ASKED).read_text(encoding="utf-8"))
        options = argparse.Namespace(**kept | {"resume": options.resume})
    models = tuple(Path(one).name for one in options.models)
    options.base = ", ".join(models)
    child = Child(options)
    (child.folder / ASKED).write_text(json.dumps(vars(options)), encoding="utf-8")
    child.write_event("start", message="compass")
    whole = len(models) * PLANNED * len(STATEMENTS)
    stands: list[ModelPosition] = []
    trained: list[DownstreamTask] = []
    problems: tuple[tuple[str, str], ...] = ()

    def kept_so_far(now: list[ModelPosition]) -> None:
        known = CompassReport(
            models, options.stance, options.scale, options.seed, STATEMENTS, tuple(now), problems
        )
        write_compass(child.folder, replace(known, tasks=tuple(options.detectors), downstream=tuple(trained)))

    for at, model in enumerate(models):
        child.write_event("stage", stage=model, message=f"asking {model}")
        if how == "partial" and at == 1:
            problems = ((model, WHY),)
            child.write_event("warning", stage=model, message=WHY)
            continue
        for done in range(2, PLANNED + 1, 2):
            kept_so_far([*stands, stand(at, model, how, done=done)])
            step = (at * PLANNED + done) * len(STATEMENTS)
            child.write_event("step", stage=model, step=step, steps=whole, eta_s=(whole - step) * 30.0)
            if at == 1 and done == 4 and how == "wait" and not (child.folder / "go").exists():
                order = child.hold()
                if order:
                    status = Status.PAUSED if order == "pause" else Status.CANCELLED
                    child.write_event("end", stage=model, message=status.value)
                    return child.end(status, status.value)
            if at == 1 and how == "fail":
                said = "The disk is full. What is there stays."
                child.write_event("error", stage=model, message=said)
                return child.end(Status.FAILED, said)
        stands.append(stand(at, model, how))
        kept_so_far(stands)
        child.write_event("eval", stage=model, metrics={"economic": stands[-1].point.economic})
    kept_so_far(stands)
    able = [one.model for one in stands]
    lost = tuple((model, WHY) for model, _ in problems)
    epochs = 3 * len(able) * len(options.detectors)
    for at, task in enumerate(options.detectors):
        stage = f"{task}: {able[-1]}"
        child.write_event("step", stage=stage, step=3 * at + 1, steps=epochs, eta_s=600.0)
        if how == "train" and not (child.folder / "go").exists() and child.hold():
            return child.end(Status.CANCELLED, "cancelled")
        trained.append(a_downstream(*able, task=task, problems=lost))
        kept_so_far(stands)
        child.write_event("eval", stage=stage, metrics={"all bacc": 0.5})
    result = {f"economic_{one.model}": one.point.economic for one in stands}
    child.write_event("end", stage="compass", message="the compass is done", metrics=result)
    return child.end(Status.FINISHED, result=result)


def main() -> int:
    arguments = sys.argv[2:]
    if arguments[0] in ("devices", "data"):
        return answered(arguments)
    parser = argparse.ArgumentParser()
    parser.add_argument("recipe")
    for name in ("--data", "--stance", "--device", "--scale", "--run-id", "--resume"):
        parser.add_argument(name, default="")
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--base", dest="models", nargs="+", default=[])
    parser.add_argument("--detectors", nargs="+", default=[])
    parser.add_argument("--detached", action="store_true")
    parser.add_argument("--dry-run", action="store_true")
    parser.set_defaults(device="auto", scale="cpu")
    options = parser.parse_args(arguments)
    if options.dry_run:
        if os.environ.get("FAKE_CHILD") == "partial":
            print(json.dumps({"event": "warning", "stage": "dry run", "message": WHY}))
        metrics = {"estimated_s": 7500, "estimated_memory_mib": 3174, "estimated_disk_mib": 12}
        print(json.dumps({"event": "end", "stage": "dry run", "metrics": metrics}))
        return 0
    return run(options)


if __name__ == "__main__":
    sys.exit(main())
