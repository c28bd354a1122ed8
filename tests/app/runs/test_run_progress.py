"""Progress, curves and log show the last state of a run, also after it was stopped and resumed."""

from __future__ import annotations

from app.runs.run_progress import Event, Progress


def step(number: int, stage: str = "reader", steps: int = 10, **metrics: float) -> Event:
    return Event("step", stage, number, steps, metrics or {"loss": 1 / number}, eta_s=60)


def progress(*events: Event) -> Progress:
    made = Progress()
    made.add_events(events)
    return made


def test_steps_are_counted_over_all_stages() -> None:
    made = progress(
        Event("start", message="on cpu"),
        Event("stage", "related", steps=10),
        step(5, "related"),
        step(10, "related"),
        Event("stage", "reader", steps=20),
        step(5, steps=20),
        Event("eval", "reader", 5, 20, {"dev": 0.5}),
        Event("eval", "leaning", metrics={"f1": 0.4}),
    )
    assert {name: line.xs for name, line in made.losses.items()} == {"related": [5, 10], "reader": [15]}
    assert {name: line.xs for name, line in made.scores.items()} == {"dev": [15], "f1": [30]}
    assert (made.stage, made.step, made.steps) == ("leaning", 0, 0)


def test_repeated_steps_count_once() -> None:
    """After a kill the child goes on from its last checkpoint and writes on in the same file."""
    made = progress(step(1), step(2), step(3), step(4), Event("start"), step(3, loss=9.0), step(4, loss=8.0))
    assert made.losses["reader"].xs == [1, 2, 3, 4]
    assert made.losses["reader"].ys[2:] == [9.0, 8.0]


def test_losses_of_several_corpora_form_one_curve() -> None:
    assert progress(step(1, loss_a=1.0, loss_b=3.0, rate=7.0)).losses["reader"].ys == [2.0]
    assert progress(step(1, rate=7.0)).losses == {}


def test_remaining_time_is_kept_between_steps_and_cleared_with_the_stage() -> None:
    made = progress(step(1), Event("eval", "reader", 1, 10, {"dev": 0.1}))
    assert made.eta_s == 60
    made.add_events([Event("stage", "export")])
    assert made.eta_s == 0


def test_the_log_distinguishes_errors_and_warnings() -> None:
    made = progress(
        step(1),
        Event("warning", "reader", message="a file differs"),
        Event("checkpoint", "reader", 1200),
        Event("error", message=""),
    )
    assert [(one.kind, one.text) for one in made.log] == [
        ("warning", "reader: a file differs"),
        ("plain", "reader: checkpoint at step 1,200"),
        ("error", "The training run failed for an unknown reason."),
    ]


def test_a_resumed_run_is_active() -> None:
    made = progress(Event("start"), Event("end", message="paused"))
    assert made.ended
    made.add_events([Event("start")])
    assert not made.ended
