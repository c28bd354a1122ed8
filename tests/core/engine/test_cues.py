"""Protects the cue lists and their matcher: even-handed lists, exact offsets, honest explanations."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import resources
from core.engine.cue_classes import LexiconError, explain_without_cue, guide_url
from core.engine.cues import Lexicon
from core.text.tokens import WORD
from core.types import GUIDE_CLASSES, KINDS, Cue, Finding, Kind

BUNDLED = resources.ROOT / "lexicons"
CLASSES_OF_THE_GUIDE = {
    Kind.FRAMING: "puffery contentious_label editorialising strong_subjective weak_subjective "
    "positive_opinion negative_opinion effect_verb euphemism cliche",
    Kind.EPISTEMOLOGICAL: "factive_verb assertive_verb implicative_verb report_verb hedge doubt "
    "unsupported_attribution entailment",
    Kind.DEMOGRAPHIC: "gendered_default group_presupposition generic_pronoun",
}
LEXICON = Lexicon.load()


def rows() -> list[dict[str, str]]:
    lines = (BUNDLED / "cues.tsv").read_text(encoding="utf-8").splitlines()
    header = lines[0].split("\t")
    return [dict(zip(header, line.split("\t"), strict=True)) for line in lines[1:]]


ROWS = rows()


def surfaces(key: str | None = None) -> list[str]:
    return [
        form
        for row in ROWS
        if key is None or row["class"] == key
        for form in [row["phrase"], *filter(None, row["forms"].split("|"))]
    ]


def matched(text: str) -> list[tuple[str, str]]:
    return [(text[start:end], key) for start, end, key in LEXICON.match(text)]


def span(sentence: str, words: str) -> tuple[int, int]:
    start = sentence.index(words)
    return start, start + len(words)


# ---- the lists


@pytest.mark.parametrize("kind", KINDS)
def test_the_classes_of_the_guide_are_there_with_their_kind(kind: Kind) -> None:
    expected = set(CLASSES_OF_THE_GUIDE[kind].split())
    assert {key for key, cue_class in LEXICON.classes.items() if cue_class.kind is kind} == expected


@pytest.mark.parametrize("key", LEXICON.classes)
def test_every_class_has_entries_and_no_duplicates(key: str) -> None:
    forms = [form.casefold().replace("-", " ") for form in surfaces(key)]
    assert len(forms) >= (8 if key == "generic_pronoun" else 40)
    assert len(forms) == len(set(forms))


def test_every_entry_is_found_by_the_matcher_in_its_own_class() -> None:
    for row in ROWS:
        if LEXICON.classes[row["class"]].only_own_kind:
            continue
        for form in [row["phrase"], *filter(None, row["forms"].split("|"))]:
            text = f"{form}tail" if form.endswith("-") else form
            assert (form.rstrip("-"), row["class"]) in matched(text)


def test_entries_are_lower_case_and_name_a_source() -> None:
    for row in ROWS:
        assert row["phrase"] == row["phrase"].lower()
        assert row["source"]


def test_the_words_of_the_guide_are_in_their_class() -> None:
    expected = {
        "puffery": "legendary iconic world-class renowned",
        "contentious_label": "cult extremist terrorist controversial",
        "editorialising": "notably tragically arguably",
        "strong_subjective": "shameful brilliant",
        "weak_subjective": "long rather",
        "positive_opinion": "talented",
        "negative_opinion": "disastrous",
        "effect_verb": "bolster undermined",
        "factive_verb": "reveals realised realized regretted knew",
        "assertive_verb": "claims insisted alleges",
        "report_verb": "argued admitted denies warns",
        "implicative_verb": "dared coerced",
        "hedge": "apparently may somewhat",
        "doubt": "so-called alleged supposed",
        "entailment": "murdered massacre",
        "gendered_default": "mankind chairman",
    }
    for key, words in expected.items():
        for word in words.split():
            assert (word, key) in matched(word)


# ---- even-handed


def test_a_lone_man_or_woman_is_never_a_cue() -> None:
    for word in (
        "man",
        "woman",
        "men",
        "women",
        "male",
        "female",
        "boy",
        "girl",
        "lady",
        "gentleman",
        "wife",
        "husband",
    ):
        sentence = f"The {word} left."
        for kind in (None, *KINDS):
            assert LEXICON.cues(sentence, *span(sentence, word), kind) == ()


def test_identity_terms_come_with_their_counterpart() -> None:
    forms = {
        form.casefold() for key in ("gendered_default", "group_presupposition") for form in surfaces(key)
    }
    assert {"lady doctor", "gentleman doctor", "male nurse", "female nurse"} <= forms
    swaps = {
        "male": "female",
        "lady": "gentleman",
        "man": "woman",
        "men": "women",
        "gay": "straight",
        "gays": "straights",
        "blacks": "whites",
        "homosexual": "heterosexual",
    }
    both = swaps | {right: left for left, right in swaps.items()}
    leads = {form for form in forms if form.split()[0] in both and len(form.split()) == 2}
    leads -= {"man up", "man-made", "gay agenda", "homosexual agenda"}
    leads -= {form for form in leads if form.split()[1] in ("sized", "hour")}
    for form in leads:
        first, second = form.split()
        assert f"{both[first]} {second}" in forms, form


def test_roles_in_man_and_woman_come_in_pairs() -> None:
    forms = {form.casefold() for form in surfaces("gendered_default")}
    no_pair = {"middleman"}
    for form in forms - no_pair:
        if form.endswith("woman"):
            assert f"{form[:-5]}man" in forms, form
        elif form.endswith("man") and form.isalpha():
            assert f"{form[:-3]}woman" in forms, form


def test_pronouns_explain_demographic_findings_of_either_gender_only() -> None:
    for left, right in (("he", "she"), ("him", "her"), ("himself", "herself")):
        for word in (left, right):
            sentence = f"Each doctor said {word} agreed."
            at = span(sentence, word)
            assert [cue.category for cue in LEXICON.cues(sentence, *at, Kind.DEMOGRAPHIC)] == [
                "generic_pronoun"
            ]
            assert LEXICON.cues(sentence, *at, Kind.FRAMING) == ()
            assert LEXICON.match(sentence) == ()


# ---- matching


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A World-Class plan", [("World-Class", "puffery")]),
        ("a world class plan", [("world class", "puffery")]),
        ("the so - called plan", [("so - called", "doubt")]),
        ("SHAMEFUL!", [("SHAMEFUL", "strong_subjective")]),
        ("the terrorist's phone", [("terrorist", "contentious_label")]),
        ("He pointed\nout a gap", [("pointed\nout", "assertive_verb")]),
        ("She pointed. Out of here", []),
        ("a know-how centre, a non-terrorist", []),
        ("a pseudo-philosopher", [("pseudo", "contentious_label")]),
        ("pseudo", []),
        ("an expose\u0301", [("expose\u0301", "entailment")]),
        ("\U0001f600 a freedom fighter \U0001f600", [("freedom fighter", "contentious_label")]),
        ("the shamefulness of it", []),
        ("an old wives' tale", [("old wives' tale", "gendered_default")]),
        ("", []),
    ],
)
def test_match(text: str, expected: list[tuple[str, str]]) -> None:
    assert matched(text) == expected


@pytest.mark.parametrize("apostrophe", ["'", "’", "ʼ"])
def test_apostrophes_of_any_kind(apostrophe: str) -> None:
    text = f"He took the lion{apostrophe}s share, in layman{apostrophe}s terms."
    assert matched(text) == [
        (f"lion{apostrophe}s share", "cliche"),
        (f"layman{apostrophe}s", "gendered_default"),
    ]


def test_the_longest_phrase_wins() -> None:
    assert matched("It should be noted that it rained.") == [("It should be noted that", "editorialising")]


@given(
    st.lists(
        st.sampled_from([*surfaces(), "the", "x", "don't", "-", ".", "\u0301", "“", "”", "'", "😀"]),
        max_size=12,
    )
)
def test_matches_are_whole_words_in_order(parts: list[str]) -> None:
    text = " ".join(parts)
    previous = (0, 0)
    for start, end, key in LEXICON.match(text):
        assert 0 <= start < end <= len(text)
        assert key in LEXICON.classes
        assert not (start and text[start - 1].isalnum() and text[start].isalnum())
        assert not (end < len(text) and text[end - 1].isalnum() and text[end].isalnum())
        assert text[start:end] == text[start:end].strip()
        assert start >= previous[1] or (start, end) == previous
        previous = (start, end)


@given(st.text(max_size=80), st.integers(0, 80), st.integers(0, 80))
def test_any_text_is_read_without_an_error(text: str, one: int, other: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    for cue in LEXICON.cues(text, start, end):
        assert cue.cue
        assert LEXICON.explain(cue)


def test_a_very_long_line_costs_each_finding_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "“a " * 30_000 + "the shameful record " + "b” " * 30_000
    read: list[int] = []
    inner = Lexicon._hits
    monkeypatch.setattr(Lexicon, "_hits", lambda self, text: read.append(len(text)) or inner(self, text))
    assert [cue.cue for cue in LEXICON.cues(line, *span(line, "shameful"))] == ["shameful"]
    assert max(read) < 200


# ---- cues of a span


def test_a_phrase_counts_where_it_overlaps_the_span() -> None:
    sentence = "Yet some people say the plan is dead."
    cue = Cue("some people say", "unsupported_attribution", "MOS:WEASEL")
    assert LEXICON.cues(sentence, *span(sentence, "people say")) == (cue,)
    assert LEXICON.cues(sentence, *span(sentence, "plan is dead")) == ()


def test_cues_of_the_kind_come_first_and_each_once() -> None:
    sentence = "The shameful chairman reveals a shameful plan."
    for kind, first in (
        (Kind.FRAMING, "shameful"),
        (Kind.EPISTEMOLOGICAL, "reveals"),
        (Kind.DEMOGRAPHIC, "chairman"),
    ):
        found = LEXICON.cues(sentence, 0, len(sentence), kind)
        assert found[0].cue == first
        assert sorted(cue.cue for cue in found) == ["chairman", "reveals", "shameful"]


@pytest.mark.parametrize(
    "quoted", ["“peace” talks", "the 'peace' talks", "«peace» talks", '"peace" talks', "‘peace’ talks"]
)
def test_scare_quotes_are_doubt(quoted: str) -> None:
    sentence = f"They held {quoted} today."
    cue = Cue("peace", "doubt", "MOS:SCAREQUOTES")
    assert LEXICON.cues(sentence, *span(sentence, "peace")) == (cue,)
    assert "quotation marks" in LEXICON.explain(cue)


@pytest.mark.parametrize(
    "sentence",
    [
        "“Peace,” he said.",
        "She said “peace is what we want most today” again.",
        "the boys' peace of the dogs'",
        "“peace",
    ],
)
def test_a_quotation_or_an_apostrophe_is_no_scare_quote(sentence: str) -> None:
    at = sentence.casefold().index("peace")
    assert LEXICON.cues(sentence, at, at + 5) == ()


# ---- kinds


@pytest.mark.parametrize(
    ("phrase", "kind"),
    [
        ("the shameful chairman claimed", Kind.DEMOGRAPHIC),
        ("brilliantly claimed", Kind.EPISTEMOLOGICAL),
        ("may be legendary", Kind.FRAMING),
        ("very long", Kind.FRAMING),
        ("perhaps long", Kind.EPISTEMOLOGICAL),
        ("murdered", Kind.EPISTEMOLOGICAL),
        ("liberated", Kind.FRAMING),
        ("his", None),
        ("table", None),
        ("", None),
    ],
)
def test_kind_of(phrase: str, kind: Kind | None) -> None:
    assert LEXICON.kind_of(phrase) is kind


# ---- explanations


def test_every_class_and_kind_has_a_sentence() -> None:
    for key, cue_class in LEXICON.classes.items():
        sentence = LEXICON.explain(Cue("word", key, cue_class.guide or "a study"))
        assert sentence.startswith(f"“word” is {cue_class.reads}: ")
        assert sentence.endswith(".")
        assert cue_class.guide in sentence
    for kind in KINDS:
        assert LEXICON.explain_kind(kind).endswith(".")
        assert kind.value in explain_without_cue(kind)


def test_the_sentence_names_word_class_and_guide() -> None:
    (cue,) = LEXICON.cues("She reveals it.", 4, 11)
    assert (
        LEXICON.explain(cue)
        == "“reveals” is a factive verb: it presents what it introduces as established fact (MOS:SAID)."
    )


@pytest.mark.parametrize(
    ("word", "caveat"),
    [
        ("claimed", "technical term"),
        ("alleged", "In law"),
        ("renowned", "Titles and proper names"),
        ("awful", "speaker"),
    ],
)
def test_caveats(word: str, caveat: str) -> None:
    (cue,) = LEXICON.cues(word, 0, len(word))
    assert caveat in LEXICON.explain(cue)


def test_guide_url() -> None:
    assert guide_url("MOS:PUFFERY") == "https://en.wikipedia.org/wiki/MOS:PUFFERY"
    assert guide_url("Berant et al. 2012") is None
    assert guide_url("MOS:X/../evil") is None


def test_every_guide_class_explains_and_advises_in_a_sentence() -> None:
    assert list(LEXICON.guide_classes) == list(GUIDE_CLASSES)
    for key, one in LEXICON.guide_classes.items():
        assert (one.key, one.kind) == (key, GUIDE_CLASSES[key])
        for sentence in (one.explanation, one.advice):
            assert re.fullmatch(r"[A-Z][^.]+\.", sentence)
        assert one.text == f"{one.heading}: {one.explanation} {one.advice} ({'; '.join(one.guides)})"
        assert one.heading[0].isupper()
        assert any(guide_url(guide) for guide in one.guides) or key == "entailment"
    titles = [one.title for one in LEXICON.guide_classes.values()]
    assert len(set(titles)) == len(titles)


def test_only_a_finding_with_a_class_has_one() -> None:
    finding = Finding(0, 4, "word", Kind.FRAMING, 0.9, False)
    assert LEXICON.guide_class(finding) is None
    named = LEXICON.guide_class(replace(finding, guide_class="puffery"))
    assert named is not None
    assert named.key == "puffery"


def test_an_unknown_class_is_refused() -> None:
    with pytest.raises(LexiconError, match="no_such_class"):
        LEXICON.explain(Cue("word", "no_such_class", ""))


# ---- bad files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("cues.tsv", "classes.tsv", "kinds.tsv", "guide_classes.tsv"):
        shutil.copy(BUNDLED / name, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize("name", ["cues.tsv", "classes.tsv", "kinds.tsv", "guide_classes.tsv"])
@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe\x00", b"one\ttwo\n"])
def test_a_missing_or_foreign_file_is_named(folder: Path, name: str, content: bytes | None) -> None:
    (folder / name).unlink() if content is None else (folder / name).write_bytes(content)
    with pytest.raises(LexiconError, match=name) as caught:
        Lexicon.load(folder)
    assert "einstall Evenhand" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "line", "what"),
    [
        ("cues.tsv", "odd\tpuffery", "2 columns instead of 6"),
        ("cues.tsv", "\t\tpuffery\t\t\tus", "'phrase' is empty"),
        ("cues.tsv", "odd\t\tpufery\t\t\tus", "'pufery' is not in classes.tsv"),
        ("cues.tsv", "odd\t\tpuffery\t\t\t", "'source' is empty"),
        ("cues.tsv", "odd\t\tpuffery\thttp:x\t\tus", "not a guide pointer"),
        ("cues.tsv", "odd\t...\tpuffery\t\t\tus", "contains no word"),
        ("cues.tsv", "Iconic\t\tpuffery\t\t\tus", "'iconic' appears twice"),
        ("classes.tsv", "odd\tframed\t\todd\todd\todd\t\tany", "unknown kind 'framed'"),
        ("classes.tsv", "puffery\tframing\t\todd\todd\todd\t\tany", "appears twice"),
        ("classes.tsv", "odd\tframing\t\todd\todd\todd\t\tall", "'scope' must be"),
        ("guide_classes.tsv", "odd\todd\tIt is odd.", "3 columns instead of 5"),
        ("guide_classes.tsv", "odd\todd\tIt is odd.\tDo so.\tus", "no class 'odd' in the annotation guide"),
        ("guide_classes.tsv", "puffery\todd\tIt is odd.\tDo so.\tus", "the class 'puffery' appears twice"),
    ],
)
def test_a_malformed_row_is_named_with_its_line(folder: Path, name: str, line: str, what: str) -> None:
    path = folder / name
    path.write_text(path.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    number = len(path.read_text(encoding="utf-8").splitlines())
    with pytest.raises(LexiconError) as caught:
        Lexicon.load(folder)
    assert f"{name}, line {number}: " in str(caught.value)
    assert what in str(caught.value)


def test_a_missing_kind_is_named(folder: Path) -> None:
    path = folder / "kinds.tsv"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(line for line in lines if not line.startswith("framing")), encoding="utf-8")
    with pytest.raises(LexiconError, match="no row for framing"):
        Lexicon.load(folder)


@pytest.mark.parametrize("column", range(1, 5))
def test_an_empty_cell_of_a_guide_class_is_named(folder: Path, column: int) -> None:
    path = folder / "guide_classes.tsv"
    lines = path.read_text(encoding="utf-8").splitlines()
    cells = lines[3].split("\t")
    name = lines[0].split("\t")[column]
    lines[3] = "\t".join([*cells[:column], "", *cells[column + 1 :]])
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(LexiconError, match=rf"guide_classes.tsv, line 4: the column '{name}' is empty"):
        Lexicon.load(folder)


@pytest.mark.parametrize("guides", ["MOS:puffery", "AP Stylebook;", "; AP Stylebook", "http://x.org"])
def test_what_is_no_guide_is_named(folder: Path, guides: str) -> None:
    path = folder / "guide_classes.tsv"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("\tMOS:PUFFERY\n", f"\t{guides}\n"), encoding="utf-8")
    with pytest.raises(LexiconError, match=r"guide_classes.tsv, line 2: '.*' is neither a guide pointer"):
        Lexicon.load(folder)


def test_a_missing_guide_class_is_named(folder: Path) -> None:
    path = folder / "guide_classes.tsv"
    lines = path.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if not line.startswith(("weasel", "label"))]
    path.write_text("\n".join(kept), encoding="utf-8")
    with pytest.raises(LexiconError, match="no row for label, weasel"):
        Lexicon.load(folder)


def test_windows_line_ends_are_read(folder: Path) -> None:
    for path in folder.iterdir():
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert Lexicon.load(folder).match("an iconic place") == ((3, 9, "puffery"),)


# ---- the samples


def test_the_samples_show_all_three_kinds() -> None:
    for name in ("sample.md", "sample.wikitext"):
        text = (resources.ROOT / "samples" / name).read_text(encoding="utf-8")
        found = {LEXICON.classes[key].kind for _, _, key in LEXICON.match(text)}
        assert found == set(KINDS)


@pytest.mark.parametrize(
    ("words", "read_as", "named"),
    [
        ("so-called", Kind.FRAMING, Kind.EPISTEMOLOGICAL),
        ("chairman", Kind.FRAMING, Kind.DEMOGRAPHIC),
        ("legendary", Kind.DEMOGRAPHIC, Kind.DEMOGRAPHIC),
        ("the so-called and wholly disastrous plan", Kind.FRAMING, Kind.FRAMING),
        ("zebra crossing", Kind.EPISTEMOLOGICAL, Kind.EPISTEMOLOGICAL),
    ],
)
def test_a_cue_of_a_rarer_kind_names_the_kind(words: str, read_as: Kind, named: Kind) -> None:
    assert Lexicon.load().correct_kind(words, read_as) is named


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The tax, widely regarded as a so-called reform.", ["widely", "regarded", "as", "so-called"]),
        ("The law is new.", []),
        ("", []),
    ],
)
def test_the_words_of_a_cue_are_marked_one_by_one(text: str, expected: list[str]) -> None:
    words = [match[0] for match in WORD.finditer(text)]
    marked = LEXICON.cue_words(text)
    assert [word for word, cue in zip(words, marked, strict=True) if cue] == expected


@given(st.text(max_size=60))
def test_a_word_is_marked_if_an_entry_touches_it(text: str) -> None:
    found = LEXICON.match(text)
    touched = [
        any(a < match.end() and match.start() < b for a, b, _ in found) for match in WORD.finditer(text)
    ]
    assert LEXICON.cue_words(text).tolist() == touched
