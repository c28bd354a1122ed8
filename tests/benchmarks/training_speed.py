"""How many tokens a second the loop trains, beside a plain Hugging Face ``Trainer`` in the same run.

    python -m tests.benchmarks.training_speed [--base FOLDER] [--data DIR] [--steps N] [--rounds N] [--device D]

Both train the same encoder with the same sentence head on the same sentences (BABE SG2, or the sample draft's over and
over), in batches of 32 with the same optimiser and precision; both pad a batch to its longest row. The Trainer takes
rows in random order, as it does by default. Tokens are real ones, without padding. Rounds alternate; the figure is the
ratio of medians. Needs ``accelerate``, which Trainer asks for. Prints figures and asserts nothing.
"""

from __future__ import annotations

import argparse
import io
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import BertConfig, BertModel, Trainer, TrainingArguments

from core.engine.cues import Lexicon
from resources import ROOT
from training.corpora import babe
from training.loop.batches import EncodedExample, Stream, collate, encode, plan_batches
from training.loop.devices import autocast
from training.loop.events import Events
from training.loop.training_loop import TrainingSettings, choose_device, train
from training.modeling.reader import ReaderModel, load_base, reader_loss
from training.text.edits import KindFinder
from training.types import Example

SIZE = 32
SAMPLE = ROOT / "samples" / "sample.md"


class Peer(nn.Module):
    """The same model as Trainer wants it: a dictionary with the loss."""

    def __init__(self, model: ReaderModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, attention_mask: Tensor, labels: Tensor) -> dict[str, Tensor]:
        """The loss of the sentence label."""
        logits = self.model(input_ids, attention_mask).bias.float()
        return {"loss": nn.functional.binary_cross_entropy_with_logits(logits, labels)}


def main() -> None:
    """Print the figures."""
    options = _arguments()
    device = choose_device(options.device)
    model, tokenizer = _model(options.base)
    rows = encode(_examples(options.data), tokenizer, max_tokens=128)
    lengths = [len(row) for row in rows]
    print(f"{len(rows)} sentences, {statistics.fmean(lengths):.1f} tokens each, batches of {SIZE}, {device}")
    start = {name: value.clone() for name, value in model.state_dict().items()}
    ours: list[float] = []
    theirs: list[float] = []
    for number in range(options.rounds):
        for figures, measure in ((ours, _ours), (theirs, _theirs)):
            model.load_state_dict(start)
            figures.append(measure(model, rows, options.steps, device, seed=number))
    one, other = statistics.median(ours), statistics.median(theirs)
    print(f"the loop: {one:,.0f} tokens/s; Trainer: {other:,.0f} tokens/s; ratio {one / other:.2f}")


def _ours(
    model: ReaderModel, rows: Sequence[EncodedExample], steps: int, device: torch.device, *, seed: int
) -> float:
    stream = Stream("babe", rows, 1.0, ("bias",))
    settings = TrainingSettings(steps=steps, batch_size=SIZE, learning_rate=5e-5, seed=seed)
    tokens = sum(
        len(rows[at])
        for _, batch in plan_batches([stream], steps=steps, batch_size=SIZE, seed=seed)
        for at in batch
    )
    events = Events("benchmark", stream=io.StringIO())
    began = time.perf_counter()
    train(
        model,
        [stream],
        settings,
        loss_fn=reader_loss(model, device),
        backbone=model.encoder,
        device=device,
        events=events,
    )
    return tokens / (time.perf_counter() - began)


def _theirs(
    model: ReaderModel, rows: Sequence[EncodedExample], steps: int, device: torch.device, *, seed: int
) -> float:
    taken = 0

    def together(chosen: Sequence[EncodedExample]) -> dict[str, Tensor]:
        nonlocal taken
        taken += sum(len(row) for row in chosen)
        batch = collate(chosen)
        labels = torch.tensor([float(row.example.bias or 0) for row in chosen])
        return {"input_ids": batch.ids, "attention_mask": batch.attention_mask, "labels": labels}

    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(
            model=Peer(model),
            args=TrainingArguments(
                output_dir=folder,
                max_steps=steps,
                per_device_train_batch_size=SIZE,
                learning_rate=5e-5,
                weight_decay=0.01,
                optim="adamw_torch_fused",
                bf16=_bf16(device),
                use_cpu=device.type == "cpu",
                seed=seed,
                remove_unused_columns=False,
                save_strategy="no",
                logging_strategy="no",
                report_to=[],
                disable_tqdm=True,
            ),
            train_dataset=list(rows),  # type: ignore[arg-type]
            data_collator=together,
        )
        began = time.perf_counter()
        trainer.train()
        return taken / (time.perf_counter() - began)


def _bf16(device: torch.device) -> bool:
    """Whether the loop would train in bf16 here: the peer then does, too."""
    with autocast(device):
        return torch.is_autocast_enabled(device.type)


def _model(base: str) -> tuple[ReaderModel, Any]:
    if base:
        return load_base(base)
    from tests.training.tiny_corpora import make_base

    with tempfile.TemporaryDirectory() as folder:
        _, tokenizer = load_base(make_base(Path(folder)))
    sizes = {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536}
    config = BertConfig(vocab_size=len(tokenizer), **sizes)
    return ReaderModel(BertModel(config, add_pooling_layer=False), 384), tokenizer


def _examples(data: Path | None) -> list[Example]:
    if data is not None:
        return babe.load(data, KindFinder(Lexicon.load()))
    words = SAMPLE.read_text(encoding="utf-8").split()
    chooser = random.Random(1)
    return [
        Example(
            " ".join(chooser.choices(words, k=round(chooser.lognormvariate(3.2, 0.5)))),
            "x",
            bias=float(at % 2),
        )
        for at in range(2000)
    ]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", default="", help="encoder (default: an untrained one of MiniLM's size)")
    parser.add_argument("--data", type=Path, help="folder of the corpora, for BABE's sentences")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--device", default="auto")
    return parser.parse_args()


if __name__ == "__main__":
    main()
