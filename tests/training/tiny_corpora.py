"""Every corpus of the reader in its published layout, a few invented rows each, and a two-layer base encoder."""

from __future__ import annotations

import csv
import json
import lzma
import random
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from string import ascii_lowercase, digits
from typing import IO, Any

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast
from transformers.utils import logging

from core.types import KINDS, Kind
from training.corpora.injected_pairs import write_injected
from training.loop.events import Events
from training.loop.runs import RunContext, describe_request
from training.types import InjectedEdit, InjectedPair

ADJECTIVES = ("shameful", "brilliant", "disastrous", "legendary", "ruthless", "iconic")
NOUNS = (
    "senator",
    "budget",
    "council",
    "treaty",
    "factory",
    "harbour",
    "museum",
    "railway",
    "school",
    "union",
)
VERBS = ("approved", "rejected", "visited", "described", "repaired", "counted", "opened", "closed")
OUTLETS = (
    "Daily Kos",
    "Vox",
    "Politico",
    "The Hill",
    "Axios",
    "Reuters",
    "Townhall",
    "HotAir",
    "Vanity Fair",
    "CNBC",
)
BABE_COLUMNS = ("text", "news_link", "outlet", "topic", "type", "label_bias", "label_opinion", "biased_words")
PARTIES = ("Left", "Lean Left", "Center", "Lean Right", "Right", "Undefined")
SLUGS = ("vox", "the-hill", "slate", "axios", "townhall", "wired")
ADVERBS = ("sadly", "clearly", "bravely", "of course")
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
UNUSED = [f"[unused{number}]" for number in range(1, 12)]


def sentence(draw: random.Random, *, adjective: bool) -> str:
    """An invented sentence, biased by one adjective or neutral."""
    word = f"{draw.choice(ADJECTIVES)} " if adjective else ""
    (first, second), verb = draw.sample(NOUNS, 2), draw.choice(VERBS)
    year, number = draw.randrange(1900, 2020), draw.randrange(10**6)
    return f"In {year} the {word}{first} {verb} the {second} near river {number}."


def make_corpora(folder: Path, *, rows: int = 48, seed: int = 1) -> Path:
    """Write all corpora under ``folder`` and return it."""
    make_required_corpora(folder, rows=rows, seed=seed)
    draw = random.Random(seed + 1)
    for part, pairs in (("train", rows // 2), ("dev", rows // 4)):
        _lines(folder / "wikibias" / f"{part}.jsonl.xz", _wikibias(draw, pairs))
    _lines(folder / "editors" / "sentences.jsonl.xz", _annotated(draw, rows))
    _lines(folder / "anno_lexical" / "sentences.jsonl.xz", _voted(draw, rows))
    _lines(folder / "mpqa2" / "sentences.jsonl.xz", _mpqa(draw, rows // 4))
    _lines(folder / "ptc" / "articles.jsonl.xz", _ptc(draw, rows // 8))
    _lines(folder / "szeged_uncertainty" / "wiki.jsonl.xz", _uncertain(draw, rows // 4))
    table = ["text\tparty\tsource\tarticle\tbias_estimate"]
    for number in range(rows):
        party, outlet = PARTIES[number % len(PARTIES)], SLUGS[number % len(SLUGS)]
        table.append(f"{sentence(draw, adjective=False)}\t{party}\t{outlet}\ta{number // 3}\t1")
    _packed(folder / "news_pool" / "sentences.tsv.xz", table)
    table = ["row\tbiased\tneutral\tsim\tone_deletion"]
    for number in range(rows // 2):
        biased = sentence(draw, adjective=True).lower()
        table.append(f"{50_000 + number}\t{biased}\t{without_adjective(biased)}\t0.9\t1")
    _packed(folder / "wnc" / "pairs_part2.tsv.xz", table)
    _write(folder / "wnc" / "rows_in_wikibias_dev.txt", "50001\n50003\n")
    table = [
        "gendered\tneutral",
        *(f"[the clerk] of desk {n} lost [her] key\tthe clerk of desk {n} lost their key" for n in range(8)),
    ]
    for name in ("winobias_plus", "reddit", "opensubtitles"):
        _packed(folder / "gender_rewriting" / f"{name}.tsv.xz", table)
    _packed(
        folder / "wnc" / "biased_only.txt.xz", [sentence(draw, adjective=True).lower() for _ in range(rows)]
    )
    return folder


def make_required_corpora(folder: Path, *, rows: int = 48, seed: int = 1) -> Path:
    """Write the corpora without which no reader is trained."""
    draw = random.Random(seed)
    _babe(folder / "babe", draw, rows)
    for part in ("train", "dev"):
        _pairs(folder / "wnc" / f"pairs.{part}.tsv", draw, rows // 2)
    _gbnc(folder / "gbnc" / "pairs.tsv")
    for part in ("biased", "neutral_cw-hard", "neutral_featured", "neutral_type_balanced"):
        lines = [sentence(draw, adjective=part == "biased") for _ in range(rows)]
        _write(folder / "cw_hard_npov" / f"statements_{part}", "\n".join(lines) + "\n")
    _articles(folder / "article_bias" / "articles.jsonl.xz", draw)
    _related(folder / "media_bias_tasks", draw, rows)
    return folder


def without_adjective(text: str) -> str:
    """The same sentence as an editor leaves it."""
    return " ".join(word for word in text.split() if word not in ADJECTIVES)


def _wikibias(draw: random.Random, pairs: int) -> Iterator[dict[str, Any]]:
    for number in range(pairs):
        biased = sentence(draw, adjective=True)
        for side, text in enumerate((biased, without_adjective(biased))):
            tokens = [*text[:-1].split(), "."]
            yield {
                "id": f"{number}_{side}",
                "side": ("source", "target")[side],
                "tokens": tokens,
                "tags": ["B-bias" if token in ADJECTIVES else "O" for token in tokens],
                "types": [KINDS[number % len(KINDS)].value] if side == 0 else [],
                "class_label": 1 - side,
            }


def _annotated(draw: random.Random, rows: int) -> Iterator[dict[str, Any]]:
    for number in range(rows):
        text = sentence(draw, adjective=number % 2 == 0)
        words = [word for word in ADJECTIVES if word in text]
        spans = [
            {
                "start": text.index(word),
                "end": text.index(word) + len(word),
                "kind": "framing",
                "class": "judgement",
                "severity": 2 - number % 3 % 2,
                "wordings": [""],
            }
            for word in words
        ]
        yield {"id": number, "source": f"Vox|left|{number // 2}", "text": text, "bias": 2 * len(words)} | {
            "spans": spans
        }


def _voted(draw: random.Random, rows: int) -> Iterator[dict[str, Any]]:
    for number in range(rows):
        votes = ["1.0", "1.0", "0.0"] if number % 2 == 0 else ["0.0", "0.0", "0.0"]
        text = sentence(draw, adjective=number % 2 == 0)
        yield {
            "text": text,
            "source": "vox",
            "label": 1 - number % 2,
            "llm_votes": votes,
            "article": f"a{number}",
        }


def _mpqa(draw: random.Random, rows: int) -> Iterator[dict[str, Any]]:
    for number in range(rows):
        text = sentence(draw, adjective=True)
        start, end = place_of_adjective(text)
        span = [start, end, "expressive-subjectivity", "high", "negative", "w"]
        yield {"doc": f"d{number // 2}", "text": text, "spans": [span]}


def _ptc(draw: random.Random, rows: int) -> Iterator[dict[str, Any]]:
    for number in range(rows):
        lines = [sentence(draw, adjective=at == 1) for at in range(3)]
        text = "\n\n".join(lines)
        start, end = place_of_adjective(text)
        yield {"id": str(number), "text": text, "spans": [[start, end, "Loaded_Language"]]}


def _uncertain(draw: random.Random, rows: int) -> Iterator[dict[str, Any]]:
    for _ in range(rows):
        yield {"text": f"Some believe that {sentence(draw, adjective=False)}", "cues": [[5, 12, "doxastic"]]}


def place_of_adjective(text: str) -> tuple[int, int]:
    """Where the biased word of an invented text stands."""
    (word,) = (word for word in ADJECTIVES if word in text)
    return text.index(word), text.index(word) + len(word)


def _lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    _packed(path, [json.dumps(row) for row in rows])


def _packed(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(path, "wt", encoding="utf-8") as stream:
        stream.writelines(f"{line}\n" for line in lines)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _babe(folder: Path, draw: random.Random, rows: int) -> None:
    folder.mkdir(parents=True)
    for group in ("SG1", "SG2"):
        with (folder / f"final_labels_{group}.csv").open("w", encoding="utf-8-sig", newline="") as stream:
            writer = csv.writer(stream, delimiter=";")
            writer.writerow(
                [
                    "text",
                    "news_link",
                    "outlet",
                    "topic",
                    "type",
                    "label_bias",
                    "label_opinion",
                    "biased_words",
                ]
            )
            for number in range(rows):
                biased = number % 2 == 0
                text = sentence(draw, adjective=biased)
                words = [word for word in ADJECTIVES if word in text]
                label = "Biased" if biased else "Non-biased"
                writer.writerow([text, "", draw.choice(OUTLETS), "x", "left", label, "", str(words)])
            writer.writerow(
                [sentence(draw, adjective=False), "", "Vox", "x", "left", "No agreement", "", "[]"]
            )


def _pairs(path: Path, draw: random.Random, rows: int) -> None:
    lines = ["biased\tneutral"]
    for _ in range(rows):
        biased = sentence(draw, adjective=True).lower()
        lines.append(f"{biased}\t{without_adjective(biased)}")
    _write(path, "\n".join(lines) + "\n")


def _gbnc(path: Path) -> None:
    lines = ["biased\tneutral\ttype"]
    lines += [f"the chairman of board {n} spoke\tthe chair of board {n} spoke\tgender" for n in range(16)]
    _write(path, "\n".join(lines) + "\n")


def _articles(path: Path, draw: random.Random) -> None:
    path.parent.mkdir(parents=True)
    with lzma.open(path, "wt", encoding="utf-8") as stream:
        for number in range(60):
            outlet = OUTLETS[number % len(OUTLETS)]
            body = " ".join(sentence(draw, adjective=number % 3 == 0) for _ in range(8))
            content = f"A title\nWASHINGTON ( {outlet} ) -- {body}\nBy somebody of {outlet}"
            row = {
                "ID": str(number),
                "topic": "x",
                "source": outlet,
                "bias": number % len(OUTLETS) % 3,
                "content": content,
            }
            print(json.dumps(row), file=stream)


def _related(folder: Path, draw: random.Random, rows: int) -> None:
    from training.corpora.auxiliary_tasks import TASKS

    for name in sorted({task.folder for task in TASKS}):
        (folder / name).mkdir(parents=True)
        with lzma.open(folder / name / "preprocessed.csv.xz", "wt", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["text", "label", "Loaded_Language", "label_bias", "label_subj"])
            for number in range(rows):
                label = number % 2
                writer.writerow([sentence(draw, adjective=bool(label)), label, label, label, label])


def _vocabulary() -> dict[str, int]:
    """300 pieces: the marks, every character, and the most frequent words of invented sentences.

    Nothing is trained here: the library's trainer decides between pieces of like frequency anew in every process.
    """
    draw = random.Random(3)
    split = pre_tokenizers.BertPreTokenizer().pre_tokenize_str
    texts = [sentence(draw, adjective=True).lower() for _ in range(300)]
    words = Counter(word for text in texts for word, _ in split(text))
    letters = sorted({letter for word in words for letter in word} | set(ascii_lowercase + digits))
    pieces = [*SPECIAL, *UNUSED, *letters, *(f"##{letter}" for letter in letters)]
    frequent = sorted(words, key=lambda word: (-words[word], word))
    pieces += [word for word in frequent if word not in letters]
    return {piece: at for at, piece in enumerate(pieces[:300])}


def make_base(folder: Path) -> Path:
    """A BERT of two layers of 32, always the same, with a WordPiece vocabulary of invented sentences, as a folder."""
    tokenizer = Tokenizer(models.WordPiece(_vocabulary(), unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    ends = [("[CLS]", 2), ("[SEP]", 3)]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=128,
    )
    logging.disable_progress_bar()  # a bar leaves a thread behind
    with torch.random.fork_rng():
        torch.manual_seed(7)
        BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    names = dict(
        zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), SPECIAL, strict=True)
    )
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(folder)
    return folder


def make_injected(path: Path) -> Path:
    """A file of injected pairs, two in three for training."""
    rows = []
    for number in range(24):
        adverb = ADVERBS[number % len(ADVERBS)]
        neutral = f"The council opened the school near river {number}."
        biased = f"The council {adverb} opened the school near river {number}."
        edit = InjectedEdit(12, 12 + len(adverb), adverb, "", Kind.FRAMING, "editorialising")
        rows.append(
            InjectedPair(
                neutral, biased, (edit,), f"g{number}", "dev" if number % 3 == 0 else "train", "cw_hard"
            )
        )
    write_injected(path, rows)
    return path


def make_running(folder: Path, request: Any, said: IO[str], *, run: str = "") -> RunContext:
    """A run of a recipe under ``folder`` that nobody records; ``run`` goes on with one."""
    name = run or str(uuid.uuid4())
    (folder / name).mkdir(parents=True, exist_ok=True)
    return RunContext(
        name, folder / name, torch.device("cpu"), Events(name, stream=said), describe_request(request)
    )
