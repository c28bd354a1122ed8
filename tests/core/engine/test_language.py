"""Protects who is read: no English sentence goes unread, and a sentence in another language changes nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents import Format, parse
from core.documents.types import Sentence
from core.documents.unread import unread_note
from core.engine import language
from core.engine.cues import Lexicon
from core.engine.engine import Engine
from core.engine.language import MIN_WORDS, Language, detect_language, find_foreign, without_foreign
from core.engine.reader import Reader
from core.reports.html_report import ReportContext, render_page
from core.reports.html_tables import ReportEntry
from core.reports.json_report import file_entry
from core.reports.terminal import render_text
from core.stereotypes.word_effects import word_effects
from core.types import Report, Unread, UnreadKind

ENGLISH = """\
The council voted against the plan on Monday.
the council voted against the plan on monday , and the mayor left .
Macron and Scholz argue in Paris
Zelenskyy slams Orbán
Bayern München beats Paris Saint-Germain
Luiz Inácio Lula da Silva, Gabriel Boric, Javier Milei
Chancellor Friedrich Merz visits Tel Aviv
Gilets jaunes, again
Schadenfreude!
Déjà vu
Outrage
No.
OK
Angela Merkel (CDU)
RADICAL MOB STORMS CITY HALL
nicolaus copernicus, astronomer
born in são paulo, brazil
hugo chávez, president of venezuela
gimnazija jovan jovanović zmaj is a school in novi sad , serbia .
Die Hard is a film.
Al-Qaeda or al-Qa'ida
for (int i = 0; i < n; i++) { total += values[i]; }
def main(argv): return run(argv)
pip install numpy
{{npov}}
1971 - 1984
+2.5 (-102) o131.5
12.5 %
H2O, CO2
😀
α = β
Tesla, Rivian, Lucid
lol wtf
The film "Das Boot" by Wolfgang Petersen won.
He said “Je ne regrette rien, je ne regrette rien” and left the stage.
Senator Bernie Sanders, I-Vt.
far-right AfD surges
Thugs, liars and cowards run Washington
Shameful, disgraceful, disastrous politicians betray taxpayers
""".splitlines()

FOREIGN = """\
Der Minister wies am Dienstag alle Vorwürfe der Opposition scharf zurück.
die regierung hat am dienstag ein neues gesetz vorgestellt .
Le maire a rejeté toutes les accusations pendant la séance de mardi.
El alcalde rechazó todas las acusaciones durante la sesión del martes.
Il sindaco ha respinto tutte le accuse durante la seduta di martedì.
O prefeito rejeitou todas as acusações durante a sessão de terça-feira.
De burgemeester wees dinsdag alle beschuldigingen van de oppositie af.
Borgmästaren avvisade alla anklagelser under mötet i tisdags.
Burmistrz odrzucił wczoraj wszystkie zarzuty opozycji podczas sesji rady.
Belediye başkanı salı günü bütün suçlamaları sert bir dille reddetti.
Мэр отверг все обвинения.
Правда
Ο δήμαρχος απέρριψε τις κατηγορίες.
市长否认了所有指控。
市長はすべての非難を否定した。
رفض العمدة كل الاتهامات.
ראש העיר דחה את ההאשמות.
महापौर ने सभी आरोपों को खारिज किया।
시장은 모든 혐의를 부인했다.
""".splitlines()

READ = (
    "The senator reveals a shameful record.",
    "This is new.",
    "He claims that it is a disastrous law.",
    "Outrage, and there is no end to it!",
)
UNREAD = (FOREIGN[0], FOREIGN[3], FOREIGN[10])


@pytest.fixture(scope="module")
def engine(tiny_bundle: Path) -> Engine:
    """An engine that has read other texts."""
    return Engine(Reader.load(tiny_bundle, threads=1), Lexicon.load())


def analyse(engine: Engine, source: str) -> Report:
    return engine.analyse(parse(source, Format.PLAIN))


@pytest.mark.parametrize("text", ENGLISH)
def test_no_english_sentence_is_taken_for_another_language(text: str) -> None:
    assert detect_language(text) is not Language.FOREIGN


@pytest.mark.parametrize("text", FOREIGN)
def test_a_sentence_in_another_language_is_told(text: str) -> None:
    assert detect_language(text) is Language.FOREIGN


@given(st.text(max_size=60))
def test_any_text_has_an_answer(text: str) -> None:
    assert detect_language(text) in Language


def test_a_very_long_sentence_is_told_by_its_beginning() -> None:
    assert detect_language(" ".join([FOREIGN[0]] * 10_000)) is Language.FOREIGN
    assert detect_language("The law is what they said it was. " * 10_000) is Language.ENGLISH


def test_plain_sentences_need_no_detector(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_loaded() -> None:
        raise AssertionError

    monkeypatch.setattr(language, "_detector", not_loaded)
    for text in (
        "The mayor said that she had not seen the letter before.",
        "It was 2 of the 10.",
        "",
        "12",
        "–",
    ):
        assert detect_language.__wrapped__(text) is Language.ENGLISH
    assert detect_language.__wrapped__("Мэр отверг обвинения") is Language.FOREIGN


def test_without_room_for_the_detector_everything_in_latin_letters_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("py3langid.langid.LanguageIdentifier.from_model_file", full)
    language._detector.cache_clear()
    assert detect_language.__wrapped__(FOREIGN[0]) is Language.ENGLISH
    language._detector.cache_clear()


@pytest.mark.parametrize("source", [" ".join(UNREAD[:2]), "\n\n".join(FOREIGN)])
def test_a_text_in_another_language_is_not_read(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    seen: list[str] = []
    read = engine.reader.read

    def noted(texts: Sequence[str], **options: object) -> object:
        seen.extend(texts)
        return read(texts, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(engine.reader, "read", noted)
    report = analyse(Engine(engine.reader, engine.lexicon), source)
    assert "".join(seen) == ""
    assert (report.sentences, report.findings, report.paragraphs, report.summary.leaning) == (
        (),
        (),
        (),
        None,
    )
    assert report.summary.sentences == 0
    assert [(one.kind, source[one.start : one.end]) for one in report.unread] == [
        (UnreadKind.FOREIGN, source)
    ]
    assert unread_note(report) == "Not read: 1 passage in another language."


@pytest.mark.parametrize("format", [Format.DOCX, Format.HTML])
def test_a_passage_of_a_file_is_shown_though_it_is_not_read(engine: Engine, format: Format) -> None:
    kept = [Unread(UnreadKind.COMMENT)]
    report = engine.analyse(parse(f"{READ[0]} {FOREIGN[0]}", format, unread=kept))
    assert unread_note(report) == (
        "Not read: 1 passage in another language. Kept in the file but not shown or read here: 1 comment."
    )


def test_each_output_says_it_once(engine: Engine) -> None:
    source = f"{READ[0]} {FOREIGN[0]} {READ[1]}\n\n{FOREIGN[3]}"
    report = analyse(engine, source)
    said = "Not read: 2 passages in another language."
    assert render_text(report, source, lexicon=engine.lexicon).count(said) == 1
    context = ReportContext(__import__("datetime").datetime.now(), "1", ())
    page = render_page([ReportEntry("a.txt", report, source)], context, lexicon=engine.lexicon)
    assert page.count(said) == 1
    parts = file_entry(report, {}, lexicon=engine.lexicon)["unread"]
    assert [source[part["start"] : part["end"]] for part in parts] == [FOREIGN[0], FOREIGN[3]]
    assert all("Only English is read" in part["why"] for part in parts)
    assert json.dumps(parts)


def told(report: Report, source: str) -> list[tuple[object, ...]]:
    """Everything of a report but where it stands."""
    return [
        *(
            (one.text, one.kind, one.confidence, one.quoted, one.why, one.fingerprint)
            for one in report.findings
        ),
        *((source[one.start : one.end], one.bias, one.biased, one.leaning) for one in report.sentences),
        (report.summary.sentences, report.summary.biased_sentences, report.summary.leaning),
    ]


@settings(max_examples=60)
@given(
    english=st.lists(st.sampled_from(READ), min_size=1, max_size=6),
    foreign=st.lists(st.tuples(st.sampled_from(UNREAD), st.integers(0, 6)), min_size=1, max_size=4),
    between=st.sampled_from([" ", "\n", "\n\n"]),
)
def test_sentences_in_another_language_change_nothing_of_the_others(
    engine: Engine, english: list[str], foreign: list[tuple[str, int]], between: str
) -> None:
    mixed = [READ[0], *english]
    for sentence, at in foreign:
        mixed.insert(at, sentence)
    before = between.join([READ[0], *english])
    after = between.join(mixed)
    first, second = analyse(engine, before), analyse(engine, after)
    assert told(second, after) == told(first, before)
    assert second.summary.bias == pytest.approx(first.summary.bias)
    assert sorted("".join(after[one.start : one.end].split()) for one in second.unread) == sorted(
        "".join(group.split()) for group in _runs(mixed)
    )


def _runs(sentences: Sequence[str]) -> list[str]:
    runs: list[str] = []
    previous = ""
    for one in sentences:
        if one in UNREAD:
            runs[-1:] = [runs[-1] + one] if previous in UNREAD else [*runs[-1:], one]
        previous = one
    return runs


SHORT = "Das stimmt nicht."


@pytest.mark.parametrize(
    ("source", "unread"),
    [
        (SHORT, ""),
        (f"{SHORT} {FOREIGN[0]}", f"{SHORT} {FOREIGN[0]}"),
        (f"{SHORT}\n\n{FOREIGN[0]}", f"{SHORT}\n\n{FOREIGN[0]}"),
        (f"{SHORT} {FOREIGN[0]} {READ[0]}", FOREIGN[0]),
        (f"{READ[0]}\n\n{SHORT}\n\n{FOREIGN[0]}", FOREIGN[0]),
        (f"{READ[0]}\n\n{SHORT} {FOREIGN[0]}", f"{SHORT} {FOREIGN[0]}"),
        (f"{FOREIGN[0]} Outrage. {READ[0]}", FOREIGN[0]),
    ],
)
def test_a_sentence_too_short_to_tell_goes_with_what_is_certain_around_it(
    engine: Engine, source: str, unread: str
) -> None:
    assert detect_language(SHORT) is Language.LIKELY_FOREIGN
    assert len(SHORT.split()) < MIN_WORDS
    assert [source[one.start : one.end] for one in analyse(engine, source).unread] == [unread][: bool(unread)]


LANGUAGES = st.lists(st.lists(st.sampled_from(Language), min_size=1, max_size=4), max_size=5)


@given(LANGUAGES, st.data())
def test_no_sentence_goes_unread_for_a_neighbour_where_one_is_english(
    paragraphs: list[list[Language]], data: st.DataObject
) -> None:
    """Whatever foreign sentence is added to a paragraph with English, the same others are read."""
    languages = [language for paragraph in paragraphs for language in paragraph]
    found = find_foreign(languages, *_laid_out(paragraphs))
    assert all(languages[at] is not Language.ENGLISH for at in found)
    assert {at for at, one in enumerate(languages) if one is Language.FOREIGN} <= set(found)
    with_english = [number for number, one in enumerate(paragraphs) if Language.ENGLISH in one]
    if not with_english:
        return
    number = data.draw(st.sampled_from(with_english))
    more = [list(paragraph) for paragraph in paragraphs]
    more[number].append(Language.FOREIGN)
    added = sum(map(len, more[: number + 1])) - 1
    after = find_foreign([one for paragraph in more for one in paragraph], *_laid_out(more))
    assert [at - (at > added) for at in after if at != added] == found


def _laid_out(paragraphs: list[list[Language]]) -> tuple[list[Sentence], list[tuple[int, int]]]:
    sentences: list[Sentence] = []
    spans = []
    for paragraph in paragraphs:
        start = len(sentences) * 2
        sentences += [Sentence(start + 2 * at, start + 2 * at + 1, False) for at in range(len(paragraph))]
        spans.append((start, len(sentences) * 2 - 1))
    return sentences, spans


def test_words_in_another_language_have_no_effect(engine: Engine) -> None:
    document = parse(f"{READ[0]} {FOREIGN[0]}", Format.PLAIN)
    assert [one.start for one in without_foreign(document).sentences] == [0]
    assert not any(
        row.word.casefold() in FOREIGN[0].casefold().split() for row in word_effects(engine.reader, document)
    )
