"""A compass made up for tests: six statements, models wherever they are wanted."""

from __future__ import annotations

from core.runs.political_compass import (
    ANSWERS,
    PROMPTS,
    WORDINGS,
    Agreement,
    CompassPoint,
    CompassReport,
    ConfidenceEllipse,
    Detector,
    DetectorScore,
    DownstreamTask,
    ModelPosition,
    StatementAnswer,
)

STATEMENTS = tuple(f"Statement {number} is put to every model, at some length." for number in range(1, 7))
PLANNED = 8


def a_position(
    model: str,
    at: tuple[float, float] = (-2.0, 3.0),
    *,
    unclear: int = 1,
    done: int = PLANNED,
    stance_method: str = "lexicon",
) -> ModelPosition:
    """Where a model stands that agrees and disagrees in turn, but for the last ``unclear`` statements."""
    economic, social = at
    count = len(STATEMENTS)
    replies = [
        StatementAnswer("", 0.01, 0, 2)
        if number >= count - unclear
        else StatementAnswer(ANSWERS[3 - number % 4], 0.6, 2, 2)
        for number in range(count)
    ]
    seeded = stance_method != "lexicon"
    return ModelPosition(
        model=model,
        stance_method=stance_method,
        done=done,
        planned=PLANNED,
        point=CompassPoint(economic, social),
        low=CompassPoint(max(-10.0, economic - unclear), max(-10.0, social - unclear / 2)),
        high=CompassPoint(min(10.0, economic + unclear), min(10.0, social + unclear / 2)),
        forced=CompassPoint(economic + unclear / 4, social),
        over_prompts=CompassPoint(0.8, 0.5) if done == PLANNED else None,
        over_seeds=CompassPoint(0.3, 0.2) if seeded else None,
        ellipse=ConfidenceEllipse(CompassPoint(economic, social), 1.8, 0.9, 30.0)
        if done == PLANNED
        else None,
        answers=tuple(replies),
        agreements={PROMPTS: Agreement(7, 0.42, None, 0.12), WORDINGS: Agreement(3, 0.61, 0.7, 0.08)},
    )


def a_compass(*stands: str | ModelPosition, problems: tuple[tuple[str, str], ...] = ()) -> CompassReport:
    """A compass that was asked for the models *one* and *two*, or those of ``stands`` where others stand there."""
    found = tuple(a_position(one) if isinstance(one, str) else one for one in stands)
    named = tuple(one.model for one in found)
    models = named if set(named) - {"one", "two"} else ("one", "two")
    return CompassReport(models, "log-probability", "smoke", 3, STATEMENTS, found, problems)


GROUPS = {"all": 1283, "republican": 580, "democrat": 410, "none": 216, "other": 77}


def a_downstream(
    *models: str,
    task: str = "liar",
    seeds: tuple[int, int] = (1, 1),
    problems: tuple[tuple[str, str], ...] = (),
) -> DownstreamTask:
    """Detectors on these models, each a little better than the one before; of *other* nobody has balanced accuracy."""
    made = []
    for at, model in enumerate(models):
        scores = {
            group: {
                name: DetectorScore(
                    value := 0.52 + 0.06 * at + 0.01 * place, value - 1.2 / rows**0.5, value + 1.2 / rows**0.5
                )
                for name in ("bacc", "f1")
                if (group, name) != ("other", "bacc")
            }
            for place, (group, rows) in enumerate(GROUPS.items())
        }
        made.append(Detector(model, *seeds, scores))
    return DownstreamTask(task, GROUPS if made else {}, tuple(made), 311 if len(made) > 1 else None, problems)
