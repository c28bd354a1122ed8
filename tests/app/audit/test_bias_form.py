"""The form offers the ideology classifiers with their measured scores, and the results name the one used."""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import replace

from audit_child import ASKED, begun
from audit_drivers import BiasAuditDriver

from app.audit import audit_strings
from app.audit.audit_strings import BUILT_IN_CLASSIFIERS
from core.runs.run_store import RunStore
from core.runs.trained_models import measured_scores
from core.runs.types import Status
from tests.core.runs.made_runs import a_run, made_classifier


def test_the_built_in_classifiers_stand_there_with_their_measured_scores(
    bias_driver: BiasAuditDriver,
) -> None:
    field = bias_driver.page.form.classifier_field
    for at, name in enumerate(BUILT_IN_CLASSIFIERS):
        field.choice.setCurrentIndex(at)
        assert field.selected == name
        scores = measured_scores()[name]
        told = f"{scores.random:.2f} on articles of known publishers, {scores.grouped:.2f}"
        assert told in field.help_text
        assert "This classifier is trained at the start" in field.help_text


def test_a_classifier_that_was_trained_here_is_offered_and_taken(bias_driver: BiasAuditDriver) -> None:
    bias_driver.wait_until_ready()
    assert bias_driver.window.components.store_access.store is not None
    trained = a_run(recipe="ideology-classifier", base="some/encoder", status=Status.FINISHED)
    three = a_run(recipe="ideology-classifier", base="other/encoder", status=Status.FINISHED)
    for run, sides in ((trained, "two"), (three, "three")):
        made_classifier(run.folder, sides=sides)
        RunStore(bias_driver.window.components.store_access.store).begin(run)
        RunStore(bias_driver.window.components.store_access.store).finish(run.id, Status.FINISHED)
    field = bias_driver.page.form.classifier_field
    bias_driver.page.refresh()
    bias_driver.until(lambda: field.choice.count() == len(BUILT_IN_CLASSIFIERS) + 1)
    field.choice.setCurrentIndex(len(BUILT_IN_CLASSIFIERS))
    assert "0.81 on articles of known publishers, 0.53 on those of unseen ones" in field.help_text
    assert "used unchanged" in field.help_text
    bias_driver.page.refresh()
    bias_driver.until(lambda: bias_driver.page.form.start.isEnabled())
    assert field.selected == str(trained.folder)
    bias_driver.start("finish")
    run = bias_driver.wait_until_ended()
    request = json.loads((run.folder / ASKED).read_text(encoding="utf-8"))
    assert request["ideology_classifier"] == str(trained.folder)


def test_the_classifier_is_described(bias_driver: BiasAuditDriver) -> None:
    known = begun(Namespace(base="x", scale="smoke", seed=1, attribute=["gender"], modes=[]))
    assert (
        "Ideology classifier: Linear models on words, by side and by outlet."
        in audit_strings.classifier_note(known)
    )
    earlier = replace(known, ideology_classifier="linear models of words, by side and by house")
    assert audit_strings.classifier_note(earlier) == audit_strings.classifier_note(known)
    trained = replace(known, ideology_classifier="some/encoder", classifier_run="0123456789")
    assert "Ideology classifier: trained here on encoder (run 01234567)." in audit_strings.classifier_note(
        trained
    )
