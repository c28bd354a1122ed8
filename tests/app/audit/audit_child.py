"""A fake ``evenhand train`` for audits: it replays the recorded events of an audit.

``FAKE_CHILD`` selects how it goes: ``finish``, ``wait`` (half way, for an order or for a file ``go`` in its folder),
``fail``, ``refuse`` (before it has recorded itself).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "training"))

from fake_child import Child, answered

from core.runs.folder import runs_folder
from core.runs.generator_audit import Audit, AuditPart, read_audit, texts_file, write_audit
from core.runs.recipes import DEBIASING_MODES
from core.runs.types import Status

TITLES = {
    "vanilla": "vanilla",
    "emb": "word embedding (mode 1)",
    "cls": "classifier (mode 2)",
    "emb-token": "token reweighting by words (ours)",
    "token": "token reweighting by a classifier (ours)",
}
OPTIONS = {
    "gender": ("male", "female"),
    "location": ("blue", "red", "lean blue", "lean red"),
    "topic": ("domestic", "foreign", "economics", "electoral", "healthcare", "immigration", "social"),
}
PROMPTS = (("indirect", "{} said it was"), ("liberal", "{} is a democrat."))
ASKED = "asked.json"
BIAS = {"vanilla": 0.4, "emb": 0.2, "cls": 0.1, "emb-token": 0.16, "token": 0.08}


def metrics(system: str, attribute: str) -> dict[str, float]:
    """The metrics of a part, the first option leaning more than the others."""
    found: dict[str, float] = {"texts": 8.0, "perplexity": 30.0 / BIAS[system], "vanilla_perplexity": 75.0}
    for kind in ("indirect", "direct"):
        for at, option in enumerate(("overall", *OPTIONS[attribute])):
            value = BIAS[system] / (1 + at) / (1 if kind == "indirect" else 2)
            scores = {
                "value": value,
                "low": value - 0.02,
                "high": value + 0.02,
                "null": 0.03,
                "null_high": 0.05,
                "excess": value - 0.03,
                "corrected": value - 0.01,
                "corrected_gone": 1 - BIAS[system] / 0.4,
            }
            found |= {f"{kind}, {option}, {name}": one for name, one in scores.items()}
            found[f"rate indirect, {option}, mean"] = 0.5 + value / 4
    del found["rate indirect, overall, mean"]
    return found


def texts(system: str, attribute: str) -> str:
    """What a system wrote, as the file of a part holds it."""
    rows = [
        {
            "option": option,
            "keyword": f"{option}-{keyword}",
            "trigger": trigger,
            "prompt": prompt.format(f"{option}-{keyword}"),
            "number": number,
            "text": f" written {TITLES[system]}: {option}-{keyword}, {trigger}, {number}",
            "liberal": BIAS[system] + number / 10,
        }
        for option in OPTIONS[attribute]
        for keyword in ("one", "two")
        for trigger, prompt in PROMPTS
        for number in range(2)
    ]
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def begun(options: argparse.Namespace) -> Audit:
    """An audit of which nothing is measured yet."""
    return Audit(
        generator=Path(options.base).name,
        ideology_classifier="linear models of words, by side and by publisher",
        scale=options.scale,
        seed=options.seed,
        options={name: OPTIONS[name] for name in options.attribute},
        systems=("vanilla", *options.modes),
        classifier_score=0.55,
    )


def with_part(folder: Path, audit: Audit, system: str, attribute: str) -> Audit:
    """One part more, in the folder too."""
    part = AuditPart(system, attribute, "key", metrics(system, attribute))
    fields = {name: getattr(audit, name) for name in Audit.__slots__}
    paces = audit.paces | {system: {"per_100": 0.1 / BIAS[system], "vanilla_per_100": 0.25}}
    audit = Audit(**(fields | {"parts": (*audit.parts, part), "paces": paces}))
    (folder / texts_file(system, attribute)).write_text(texts(system, attribute), encoding="utf-8")
    write_audit(folder, audit)
    return audit


def run(options: argparse.Namespace) -> int:
    how = os.environ.get("FAKE_CHILD", "finish")
    if how == "refuse":
        print("evenhand train: Another training is going on.", file=sys.stderr)
        return 2
    if options.resume:
        kept = json.loads((runs_folder() / options.resume / ASKED).read_text(encoding="utf-8"))
        options = argparse.Namespace(**kept | {"resume": options.resume})
    child = Child(options)
    (child.folder / ASKED).write_text(json.dumps(vars(options)), encoding="utf-8")
    child.write_event("start", message="audit")
    child.write_event("stage", message="reading the articles")
    audit = read_audit(child.folder) or begun(options)
    whole = 8 * len(audit.options) * len(audit.systems)
    for at, (attribute, system) in enumerate((a, s) for a in audit.options for s in audit.systems):
        if audit.part(system, attribute) is not None:
            continue
        for done in range(2, 9, 2):
            step = 8 * at + done
            stage = f"{TITLES[system]}, {attribute}, seed {options.seed}"
            child.write_event("step", stage=stage, step=step, steps=whole, eta_s=(whole - step) * 30.0)
            if at == 1 and done == 4 and how == "wait" and not (child.folder / "go").exists():
                order = child.hold()
                if order:
                    status = Status.PAUSED if order == "pause" else Status.CANCELLED
                    child.write_event("end", stage=stage, message=status.value)
                    return child.end(status, status.value)
            if at == 1 and done == 4 and how == "fail":
                said = "One text alone does not fit into memory. Choose a smaller generator."
                child.write_event("error", stage=stage, message=said)
                print(f"evenhand train: {said}", file=sys.stderr)
                return child.end(Status.FAILED, said)
        audit = with_part(child.folder, audit, system, attribute)
        child.write_event("eval", stage=f"{attribute}, {system}", metrics=audit.parts[-1].metrics)
    child.write_event("end", stage="audit", message="the audit is done", metrics={"macro_f1_of_judge": 0.55})
    return child.end(Status.FINISHED, result={"macro_f1_of_judge": 0.55})


def main() -> int:
    arguments = sys.argv[2:]
    if arguments[0] in ("devices", "data"):
        return answered(arguments)
    parser = argparse.ArgumentParser()
    parser.add_argument("recipe")
    for name in ("--data", "--base", "--device", "--scale", "--ideology-classifier", "--run-id", "--resume"):
        parser.add_argument(name, default="")
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--attribute", nargs="+", default=[])
    parser.add_argument("--modes", nargs="*", default=list(DEBIASING_MODES))
    parser.add_argument("--detached", action="store_true")
    parser.add_argument("--dry-run", action="store_true")
    parser.set_defaults(device="auto", scale="cpu")
    options = parser.parse_args(arguments)
    if options.dry_run:
        metrics = {"estimated_s": 7500, "estimated_memory_mib": 3174, "estimated_disk_mib": 12}
        print(json.dumps({"event": "end", "stage": "dry run", "metrics": metrics}))
        return 0
    return run(options)


if __name__ == "__main__":
    sys.exit(main())
