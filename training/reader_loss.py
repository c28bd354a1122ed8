"""The reader's losses: span tags, bias, leaning, related tasks, and a teacher's soft answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from training.batches import IGNORED, TAG_COUNT, Batch, Encoded, Stream, collate
from training.model import ReaderModel, ReaderOutput


def reader_loss(
    model: ReaderModel, device: torch.device
) -> Callable[[Stream[Encoded], Sequence[Encoded]], Tensor]:
    """The loss of a batch of one of the reader's streams, for ``loop.train``."""

    def of_batch(stream: Stream[Encoded], rows: Sequence[Encoded]) -> Tensor:
        return _step_loss(model, collate(rows).to(device), stream.tasks)

    return of_batch


def loss_of(output: ReaderOutput, batch: Batch, tasks: tuple[str, ...]) -> Tensor:
    """Sum of the losses of the answers that ``tasks`` names, over the rows that know them."""
    examples = [row.example for row in batch.rows]
    total = output.bias.new_zeros(())
    if "spans" in tasks and bool((batch.tags != IGNORED).any()):
        total = total + nn.functional.cross_entropy(
            output.spans.float().view(-1, TAG_COUNT), batch.tags.view(-1), ignore_index=IGNORED
        )
    known = [at for at, example in enumerate(examples) if example.bias is not None]
    if "bias" in tasks and known:
        gold = torch.tensor([float(examples[at].bias or 0.0) for at in known], device=output.bias.device)
        total = total + nn.functional.binary_cross_entropy_with_logits(output.bias[known].float(), gold)
    known = [at for at, example in enumerate(examples) if example.leaning is not None]
    if "leaning" in tasks and known:
        gold_leaning = torch.tensor(
            [int(examples[at].leaning or 0) for at in known], device=output.bias.device
        )
        total = total + nn.functional.cross_entropy(output.leaning[known].float(), gold_leaning)
    return total + _distilled(output, batch)


def _distilled(output: ReaderOutput, batch: Batch) -> Tensor:
    """Cross-entropy against a teacher's probabilities, for the rows that have them (Hinton et al. 2015)."""
    total = output.bias.new_zeros(())
    taught = [(at, row.soft) for at, row in enumerate(batch.rows) if row.soft is not None]
    for at, soft in taught:
        tags = torch.from_numpy(soft.tags).to(output.spans.device)
        leaning = torch.from_numpy(soft.leaning).to(output.spans.device)
        bias = output.bias.new_full((), soft.bias).float()
        spans = output.spans[at, : len(tags)].float().log_softmax(-1)
        total = (
            total
            - (tags * spans).sum(-1).mean()
            - (leaning * output.leaning[at].float().log_softmax(-1)).sum()
        )
        total = total + nn.functional.binary_cross_entropy_with_logits(output.bias[at].float(), bias)
    return total / max(1, len(taught))


def _step_loss(model: ReaderModel, batch: Batch, tasks: tuple[str, ...]) -> Tensor:
    if len(tasks) == 1 and tasks[0] in model.related:
        logits = model.related_logits(batch.ids, batch.mask, tasks[0]).float()
        gold = torch.tensor([row.example.label for row in batch.rows], device=logits.device)
        return nn.functional.cross_entropy(logits, gold)
    return loss_of(model(batch.ids, batch.mask), batch, tasks)
