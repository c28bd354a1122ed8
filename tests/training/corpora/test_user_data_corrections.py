"""Protects what is learnt from a person's corrections: what they said, nothing of the words that they said nothing of,
no scored sentence, and the number of a line that does not fit.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from core.corrections import Correction, Verdict
from core.corrections.corpus import write
from core.types import Kind
from tests.training.tiny_corpora import make_base
from training.corpora import user_data
from training.corpora.wikipedia import SentencePair
from training.loop.batches import IGNORED, collate, encode
from training.modeling.reader import load_base, task_loss
from training.text.near_duplicates import NearDuplicateIndex
from training.types import CorpusError, Example, GoldSpan

BEFORE = "The shameful senator approved the iconic treaty near river 7."
ONCE = BEFORE.replace("shameful ", "")
TWICE = ONCE.replace("iconic ", "")
NONE = NearDuplicateIndex([])


def accepted(sentence: str, words: str, rewritten: str, kind: Kind = Kind.FRAMING) -> Correction:
    at = sentence.index(words)
    return Correction(Verdict.ACCEPTED, kind, sentence, at, at + len(words), rewritten)


def rejected(sentence: str, words: str, kind: Kind = Kind.FRAMING) -> Correction:
    at = sentence.index(words)
    return Correction(Verdict.REJECTED, kind, sentence, at, at + len(words))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "corrections.jsonl"


def test_an_accepted_suggestion_is_a_biased_sentence_and_a_clean_one(path: Path) -> None:
    write(path, [accepted(BEFORE, "shameful", ONCE, Kind.DEMOGRAPHIC)])
    assert user_data.load_corrections(path, NONE) == [
        Example(BEFORE, "corrections", (GoldSpan(4, 12, Kind.DEMOGRAPHIC),), 1.0, group="corrections-2"),
        Example(ONCE, "corrections", (), 0.0, group="corrections-2"),
    ]


def test_of_a_rejected_finding_only_its_words_are_known(path: Path) -> None:
    write(path, [rejected(BEFORE, "iconic")])
    assert user_data.load_corrections(path, NONE) == [
        Example(BEFORE, "corrections", (), None, group="corrections-2", labelled_ranges=((34, 40),))
    ]


def test_a_sentence_that_was_reworded_again_was_not_clean(path: Path) -> None:
    write(path, [accepted(BEFORE, "shameful", ONCE), accepted(ONCE, "iconic", TWICE)])
    first, second, end = user_data.load_corrections(path, NONE)
    assert (first.text, first.bias, first.labelled_ranges) == (BEFORE, 1.0, ((4, 12),))
    assert (second.text, second.bias, second.labelled_ranges) == (ONCE, 1.0, None)
    assert (end.text, end.bias, end.spans) == (TWICE, 0.0, ())


def test_two_findings_of_one_sentence_are_spans_of_one_example(path: Path) -> None:
    write(
        path,
        [
            accepted(BEFORE, "iconic", BEFORE.replace("iconic ", "")),
            accepted(BEFORE, "shameful", ONCE),
            rejected(BEFORE, "approved"),
        ],
    )
    (only,) = user_data.load_corrections(path, NONE)
    assert only.spans == (GoldSpan(4, 12, Kind.FRAMING), GoldSpan(34, 40, Kind.FRAMING))


def test_what_contradicts_itself_teaches_nothing(path: Path) -> None:
    write(path, [accepted(BEFORE, "shameful", ONCE), rejected(BEFORE, "shameful senator")])
    assert user_data.load_corrections(path, NONE) == []


def test_what_is_near_a_scored_sentence_is_left_out(path: Path) -> None:
    other = "A legendary harbour was opened in the north of the town."
    write(
        path, [accepted(BEFORE, "shameful", ONCE), rejected(BEFORE, "iconic"), rejected(other, "legendary")]
    )
    assert [example.text for example in user_data.load_corrections(path, NearDuplicateIndex([ONCE]))] == [
        other
    ]
    assert user_data.load_corrections(path, NearDuplicateIndex([BEFORE, other])) == []


def test_pairs_are_the_accepted_ones_each_once(path: Path) -> None:
    one = accepted(BEFORE, "shameful", ONCE)
    write(path, [rejected(BEFORE, "iconic"), one, one])
    assert user_data.load_correction_pairs(path) == [SentencePair(BEFORE, ONCE, "corrections-3")]


def test_an_emoji_moves_no_words(path: Path) -> None:
    write(path, [rejected("So 👍 shameful.", "shameful")])
    (only,) = user_data.load_corrections(path, NONE)
    assert only.labelled_ranges is not None
    assert [only.text[start:end] for start, end in only.labelled_ranges] == ["shameful"]


def test_a_line_that_does_not_fit_is_named(path: Path) -> None:
    write(path, [rejected(BEFORE, "iconic")])
    with path.open("a", encoding="utf-8") as file:
        file.write('{"verdict": "rejected"}\n')
    for load in (
        lambda: user_data.load_corrections(path, NONE),
        lambda: user_data.load_correction_pairs(path),
    ):
        with pytest.raises(CorpusError, match=r"corrections\.jsonl, line 3: .*Save the corrections again"):
            load()


def test_a_file_that_is_not_there_is_named(path: Path) -> None:
    with pytest.raises(CorpusError, match=r"corrections\.jsonl cannot be read: No such file"):
        user_data.load_corrections(path, NONE)


def test_few_corrections_are_not_seen_too_often() -> None:
    assert user_data.sampling_weight(40, steps=1500, size=32) == pytest.approx(8 * 40 / 48000)
    assert user_data.sampling_weight(100_000, steps=1500, size=32) == 0.1


def test_words_of_which_nothing_is_known_have_no_label_and_no_loss(tmp_path: Path, path: Path) -> None:
    write(path, [rejected(BEFORE, "iconic")])
    model, tokenizer = load_base(str(make_base(tmp_path / "base")))
    (row,) = encode(user_data.load_corrections(path, NONE), tokenizer)
    labelled = [
        BEFORE[start:end] for (start, end), tag in zip(row.offsets, row.tags, strict=True) if tag == 0
    ]
    assert "".join(labelled) == "iconic"
    assert set(row.tags) == {0, IGNORED}
    batch = collate([row])
    output = model.eval()(batch.ids, batch.attention_mask)
    loss = task_loss(output, batch, ("spans", "bias"))
    at = [number for number, tag in enumerate(row.tags) if tag == 0]
    alone = torch.nn.functional.cross_entropy(output.spans[0, at], torch.zeros(len(at), dtype=torch.long))
    assert loss.item() == pytest.approx(alone.item(), rel=1e-5)


def test_the_span_of_a_first_suggestion_is_labelled_and_the_rest_is_not(tmp_path: Path, path: Path) -> None:
    write(path, [accepted(BEFORE, "shameful", ONCE), accepted(ONCE, "iconic", TWICE)])
    _, tokenizer = load_base(str(make_base(tmp_path / "base")))
    first, *_ = encode(user_data.load_corrections(path, NONE), tokenizer)
    known = [tag for tag in first.tags if tag != IGNORED]
    assert known[0] == 1
    assert set(known[1:]) <= {2}
