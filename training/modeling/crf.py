"""A linear-chain CRF on top of any tagger (Lafferty et al. 2001; as in Ma and Hovy 2016, section 2.3)."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

_NEVER = -1e4
"""The score of a forbidden transition in training: never taken, and finite, so that the loss of a wrong tag is, too."""


class LinearChainCrf(nn.Module):
    """Scores of whole tag sequences; ``labels`` are BIO labels of any types (``O``, ``B-x``, ``I-x``).

    An I-x stands only after a B-x or I-x: other steps to it have a fixed low score. ``mask`` may be of any pattern:
    the positions inside it are one sequence, those between are skipped. Raises ValueError for labels that are
    not BIO.
    """

    def __init__(self, labels: Sequence[str]) -> None:
        super().__init__()
        self.labels = tuple(labels)
        for label in self.labels:
            if label != "O" and label[:2] not in ("B-", "I-"):
                raise ValueError(f"{label} is no BIO label.")
            if label.startswith("I-") and f"B-{label[2:]}" not in self.labels:
                raise ValueError(f"{label} has no B-{label[2:]} beside it.")
        count = len(self.labels)
        self.start = nn.Parameter(torch.zeros(count))
        self.end = nn.Parameter(torch.zeros(count))
        self.transitions = nn.Parameter(torch.zeros(count, count))
        self._no_start: Tensor
        self._no_step: Tensor
        no_start = [label.startswith("I-") for label in self.labels]
        no_step = [[_forbidden(last, label) for label in self.labels] for last in self.labels]
        self.register_buffer("_no_start", torch.tensor(no_start), persistent=False)
        self.register_buffer("_no_step", torch.tensor(no_step), persistent=False)

    def loss(self, emissions: Tensor, tags: Tensor, mask: Tensor) -> Tensor:
        """Mean negative log-likelihood of the sentences: emissions [B, T, L], tags int64 [B, T], mask bool [B, T].

        Tags outside the mask may be anything. Sentences with nothing in the mask are left out. In fp32 at least.
        """
        emissions, mask, order = _closed_up(emissions, mask)
        tags = tags.gather(1, order).masked_fill(~mask, 0)
        there = mask.any(1)
        likelihood = self._score(emissions, tags, mask) - self._partition(
            self._forward(emissions, mask)[:, -1]
        )
        return -likelihood.masked_fill(~there, 0.0).sum() / there.sum().clamp(min=1)

    @torch.no_grad()
    def decode(self, emissions: Tensor, mask: Tensor) -> list[list[int]]:
        """The best allowed sequence of each sentence (Viterbi), as many label numbers as its mask has positions."""
        emissions, mask, _ = _closed_up(emissions, mask)
        start, steps = self._steps(float("-inf"))
        score = start + emissions[:, 0]
        stay = torch.arange(len(self.labels), device=emissions.device).expand_as(score)
        came: list[Tensor] = []
        for at in range(1, emissions.shape[1]):
            inside = mask[:, at, None]
            top, source = (score.unsqueeze(2) + steps).max(1)
            score = torch.where(inside, top + emissions[:, at], score)
            came.append(torch.where(inside, source, stay))
        last = (score + self.end).argmax(1, keepdim=True)
        path = [last]
        for source in reversed(came):
            path.append(source.gather(1, path[-1]))
        rows = torch.cat(path[::-1], 1).tolist()
        return [row[:length] for row, length in zip(rows, mask.sum(1).tolist(), strict=True)]

    def _steps(self, never: float) -> tuple[Tensor, Tensor]:
        return self.start.masked_fill(self._no_start, never), self.transitions.masked_fill(
            self._no_step, never
        )

    def _forward(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """Log sums of all sequences up to each position [B, T, L]; past a sentence's end its last one."""
        start, steps = self._steps(_NEVER)
        sums = [start + emissions[:, 0]]
        for at in range(1, emissions.shape[1]):
            here = (sums[-1].unsqueeze(2) + steps).logsumexp(1) + emissions[:, at]
            sums.append(torch.where(mask[:, at, None], here, sums[-1]))
        return torch.stack(sums, 1)

    def _partition(self, last: Tensor) -> Tensor:
        return (last + self.end).logsumexp(1)

    def _score(self, emissions: Tensor, tags: Tensor, mask: Tensor) -> Tensor:
        """The score of each sentence's own sequence [B]."""
        start, steps = self._steps(_NEVER)
        said = emissions.gather(2, tags.unsqueeze(2)).squeeze(2) * mask
        stepped = steps[tags[:, :-1], tags[:, 1:]] * mask[:, 1:]
        last = tags.gather(1, (mask.sum(1, keepdim=True) - 1).clamp(min=0)).squeeze(1)
        return said.sum(1) + stepped.sum(1) + start[tags[:, 0]] + self.end[last]


def _forbidden(last: str, label: str) -> bool:
    return label.startswith("I-") and last[2:] != label[2:]


def _closed_up(emissions: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Emissions (fp32 at least) and mask with the positions inside the mask first, and where they came from [B, T]."""
    mask = mask.bool()
    order = (~mask).long().argsort(dim=1, stable=True)
    wide = emissions.to(torch.promote_types(emissions.dtype, torch.float32))
    return wide.gather(1, order.unsqueeze(-1).expand_as(wide)), mask.gather(1, order), order
