"""How fast the reader is, beside the same encoder with its heads in transformers on torch in the same run.

    python -m tests.benchmarks.reader_speed [--checkpoint FOLDER] [--sentences FILE] [--bundle FOLDER]

The peer reads fp32 in batches of 16 in input order with as many threads. Its time does not depend on its
weights, so without a checkpoint it is built from sizes. Prints figures and asserts nothing: run it on a quiet
machine.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from core.cores import physical_cores
from core.documents import Format, detect, parse, prose
from core.engine import Engine, bundled_reader
from core.reader import MOST_THREADS, Reader
from resources import ROOT

SENTENCES = 1000
ROUNDS = 3
SAMPLE = ROOT / "samples" / "sample.md"
READER = {
    "vocab_size": 30522,
    "hidden_size": 384,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 1536,
    "max_position_embeddings": 512,
}
MEMORY = """
import sys
from core.reader import Reader
reader = Reader.load(sys.argv[1])
reader.read(sys.stdin.read().split("\\n"))
import resource
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
try:
    lines = open("/proc/self/status").read().splitlines()
    peak = int(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) * 1024
except OSError:
    pass
print(peak)
"""


def main() -> None:
    """Print the figures."""
    arguments = _arguments()
    threads = min(MOST_THREADS, physical_cores())
    sentences = _sentences(arguments.sentences)
    words = statistics.fmean(len(sentence.split()) for sentence in sentences)
    print(
        f"{len(sentences)} sentences of {words:.1f} words on average, {threads} threads, medians of {ROUNDS}"
    )
    peer = _peer(arguments.checkpoint, arguments.bundle, threads)
    all_ours, all_theirs = [], []
    for _ in range(ROUNDS):
        all_theirs.append(_seconds(lambda: peer(sentences)))
        reader = Reader.load(arguments.bundle, threads=threads)
        reader.read(["Warm."])
        all_ours.append(_seconds(lambda: reader.read(sentences)))  # noqa: B023
    ours, theirs = statistics.median(all_ours), statistics.median(all_theirs)
    print(f"reader               {len(sentences) / ours:8.1f} sentences a second")
    print(f"transformers, torch  {len(sentences) / theirs:8.1f} sentences a second")
    print(f"ratio                {theirs / ours:8.2f}")
    _edits(arguments.bundle, sentences)
    _whole_process()
    _memory(arguments.bundle, sentences)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Reader speed beside transformers on torch.")
    parser.add_argument("--checkpoint", type=Path, help="folder with the encoder's config.json")
    parser.add_argument("--sentences", type=Path, help="a UTF-8 file with a sentence a line")
    parser.add_argument("--bundle", type=Path, default=bundled_reader(), help="folder of the reader")
    return parser.parse_args()


def _sentences(path: Path | None) -> list[str]:
    """1,000 different sentences: of the file, or of words of the samples in the lengths of theirs."""
    if path is not None:
        lines = path.read_text(encoding="utf-8").splitlines()
        return list(dict.fromkeys(line for line in lines if line.strip()))[:SENTENCES]
    texts = []
    for sample in sorted((ROOT / "samples").iterdir()):
        if sample.suffix in (".md", ".wikitext", ".txt"):
            source = sample.read_text(encoding="utf-8")
            document = parse(source, detect(str(sample), source))
            texts += [prose(document, sentence).text for sentence in document.sentences]
    words = [word for text in texts for word in text.split()]
    lengths = [len(text.split()) for text in texts]
    chance = random.Random(13)
    return [" ".join(chance.choices(words, k=chance.choice(lengths))) for _ in range(SENTENCES)]


def _peer(checkpoint: Path | None, bundle: Path, threads: int) -> Callable[[Sequence[str]], Any]:
    """The encoder with three heads in torch, as a function that reads sentences."""
    import torch
    from transformers import AutoConfig, BertConfig, BertModel, PreTrainedTokenizerFast

    torch.set_num_threads(threads)
    config = AutoConfig.from_pretrained(checkpoint) if checkpoint else BertConfig(**READER)
    encoder = BertModel(config, add_pooling_layer=False).eval()
    heads = [torch.nn.Linear(config.hidden_size, size) for size in (7, 1, 4)]
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(bundle / "tokenizer.json"), pad_token="[PAD]")

    def read(sentences: Sequence[str]) -> None:
        with torch.inference_mode():
            for at in range(0, len(sentences), 16):
                batch = tokenizer(
                    list(sentences[at : at + 16]),
                    padding=True,
                    truncation=True,
                    max_length=128,
                    return_tensors="pt",
                )
                tokens = encoder(
                    input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]
                ).last_hidden_state
                kept = batch["attention_mask"].unsqueeze(-1)
                pooled = (tokens * kept).sum(1) / kept.sum(1)
                _ = heads[0](tokens), heads[1](pooled), heads[2](pooled)

    read(["Warm."])
    return read


def _edits(bundle: Path, sentences: Sequence[str]) -> None:
    """One word more in one sentence of a document of 200: the sentence alone, and the whole analysis."""
    engine = Engine.load(bundle)
    text = [f"{sentence.rstrip('.')}." for sentence in sentences[:200]]
    engine.analyse(parse("\n\n".join(text), Format.PLAIN))
    alone, whole = [], []
    for number in range(20):
        text[number * 7] = f"Indeed {text[number * 7]}"
        alone.append(_seconds(lambda: engine.reader.read([f"{text[number * 7]} Now"])))  # noqa: B023
        document = parse("\n\n".join(text), Format.PLAIN)
        whole.append(_seconds(lambda: engine.analyse(document)))  # noqa: B023
    print(f"one edited sentence  {statistics.median(alone) * 1000:8.1f} ms")
    print(f"its document again   {statistics.median(whole) * 1000:8.1f} ms (200 sentences, without parsing)")


def _whole_process() -> None:
    """``evenhand check`` on the sample, from the start of the interpreter to its end."""
    command = [sys.executable, "-m", "app.entry", "check", str(SAMPLE)]
    if not (bundled_reader() / "bundle.json").is_file():
        print("evenhand check       not measured: there is no bundled reader")
        return

    def check() -> None:
        subprocess.run(command, stdout=subprocess.DEVNULL, check=False, cwd=ROOT.parent)

    check()
    print(f"evenhand check       {statistics.median(_seconds(check) for _ in range(5)):8.2f} s")


def _memory(bundle: Path, sentences: Sequence[str]) -> None:
    """Peak resident memory of a process that has read everything."""
    text = "\n".join(sentences)
    command = [sys.executable, "-c", MEMORY, str(bundle)]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=ROOT.parent)
    print(f"peak memory          {int(done.stdout) / 1024 / 1024:8.0f} MB")


def _seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
