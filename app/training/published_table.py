"""What papers have published beside what a run has reached."""

from __future__ import annotations

from collections.abc import Sequence

from app.training.plain_table import PlainTable
from core.language import tr
from core.runs.figures import Published


class PublishedTable(PlainTable):
    """A row a figure: what, which metric, ours, published, how far ours lies above, and the paper's table."""

    def __init__(self) -> None:
        super().__init__(tr("Published figures beside ours"))

    def show_figures(self, figures: Sequence[Published]) -> None:
        """Show these in the place of those before."""
        head = (tr("What"), tr("Metric"), tr("Ours"), tr("Published"), tr("Difference"), tr("Source"))
        self.show_rows(head, [_row(one) for one in figures], right={2, 3, 4})


def _row(one: Published) -> tuple[str, ...]:
    difference = f"{one.ours - one.published:+.3f}"
    return one.name, one.metric, f"{one.ours:.3f}", f"{one.published:.3f}", difference, one.source
