"""A soup is the mean of those trainings whose mean reads no worse, best first."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from training.loop import checkpoints
from training.loop.events import Events


class _Point(nn.Module):
    """A model that is one number, and a buffer that no mean may touch."""

    def __init__(self) -> None:
        super().__init__()
        self.place = nn.Parameter(torch.zeros(1))
        self.register_buffer("count", torch.tensor(3))


def _members(folder: Path, places: dict[str, float]) -> list[Path]:
    for name, place in places.items():
        save_file({"place": torch.tensor([place]), "count": torch.tensor(3)}, folder / f"{name}.safetensors")
    return [folder / f"{name}.safetensors" for name in places]


@pytest.mark.parametrize(
    ("places", "taken", "mean"),
    [
        ({"start": 4.0, "one": -2.0}, ("one", "start"), 1.0),  # their mean is nearer to 0 than either
        ({"start": 1.0, "one": 9.0}, ("start",), 1.0),  # the mean would be 5
        ({"start": 4.0, "one": -2.0, "two": 30.0, "three": -5.0}, ("one", "start", "three"), -1.0),
    ],
)
def test_what_helps_is_mixed_in(
    tmp_path: Path, places: dict[str, float], taken: tuple[str, ...], mean: float
) -> None:
    model = _Point()
    found = checkpoints.greedy_soup(
        model,
        _members(tmp_path, places),
        eval_fn=lambda: -abs(float(model.place.detach())),
        events=Events("x"),
    )
    assert found == taken
    assert float(model.place.detach()) == pytest.approx(mean)
    assert int(model.count) == 3  # type: ignore[arg-type]
