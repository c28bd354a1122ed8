"""Protects the reading of style packs: what is wrong is said with file and line, and the rest works."""

from __future__ import annotations

from pathlib import Path

import pytest
from packs_on_disk import HEAD, write_pack

from core.style.packs import Severity, load_pack
from core.style.terms import Forms
from core.style.toml_source import StyleError

GOOD = '\n[[rule]]\nid = "good"\nmessage = "No “{match}”."\nterms = ["very"]\n'


def test_every_key_of_a_rule_is_read(tmp_path: Path) -> None:
    path = write_pack(
        tmp_path,
        """version = "2"
guide = "Stylebook"
address = "https://example.org"

[[rule]]
id = "said"
message = "“{match}” is loaded."
reason = "Say said."
severity = "error"
terms = ["claim", "point out"]
forms = "verb"
except = ["insurance claim"]
replacement = "say"
quotations = true
match = ["He claimed it."]
pass = ["The insurance claim failed."]
""",
    )
    pack = load_pack(path)
    (rule,) = pack.rules
    assert pack.problems == ()
    assert (pack.id, pack.name, pack.version) == ("desk", "Desk", "2")
    assert (rule.key, rule.guide, rule.address) == ("desk/said", "Stylebook", "https://example.org")
    assert (rule.severity, rule.forms, rule.quotations) == (Severity.ERROR, Forms.VERB, True)
    assert rule.replacements == ("say",)


@pytest.mark.parametrize(
    ("rule", "line", "reason"),
    [
        ('id = "x"\nmessage = "m"\npattern = "(("', 5, "regular expression"),
        ('id = "x"\nmessage = "m"\npattern = "(?=a)"', 5, "regular expression"),
        ('id = "x"\nmessage = "m"\npattern = "a*"', 5, "matches empty text"),
        ('id = "x"\nmessage = "m"\nterms = ["a"]\ncolour = "red"', 6, "“colour” is not a key"),
        ('id = "x"\nmessage = "m"\nterms = ["...", "a"]', 5, "contains no word"),
        ('id = "x"\nmessage = "m"', 3, "neither terms nor a pattern"),
        ('id = "x"\nmessage = 3\nterms = ["a"]', 4, "must be text in quotation marks"),
        ('id = "x"\nmessage = "m"\nterms = [1]', 5, "a list of texts"),
        (
            'id = "x"\nmessage = "m"\nterms = ["a"]\nseverity = "fatal"',
            6,
            "one of suggestion, warning, error",
        ),
        ('id = "x"\nmessage = "m"\nterms = ["a"]\nnames = "yes"', 6, "true or false"),
        ('message = "m"\nterms = ["a"]', 2, "“id” is missing"),
    ],
)
def test_a_wrong_rule_is_named_and_the_others_work(tmp_path: Path, rule: str, line: int, reason: str) -> None:
    path = write_pack(tmp_path, f"[[rule]]\n{rule}\n{GOOD}")
    pack = load_pack(path)
    assert len(pack.problems) == 1
    assert pack.problems[0].startswith(f"{path}, line {line}: ")
    assert reason in pack.problems[0]
    assert "desk/good" in [one.key for one in pack.rules]


def test_two_rules_for_one_word_and_two_rules_of_one_name_are_named(tmp_path: Path) -> None:
    again = '\n[[rule]]\nid = "other"\nmessage = "m"\nterms = ["Very", "rather"]\n'
    pack = load_pack(write_pack(tmp_path, GOOD + again + GOOD))
    assert ["“Very” is already in the rule “good”" in one for one in pack.problems] == [True, False]
    assert "the rule “good” appears twice" in pack.problems[1]
    assert [rule.terms for rule in pack.rules] == [("very",), ("rather",)]


@pytest.mark.parametrize(
    ("data", "line", "reason"),
    [
        (b'name = "x"\n\xe9 = 1\n', 2, "not UTF-8"),
        (b'name = "x"\nversion = \n', 2, "not TOML"),
        (b'version = "1"\n', 1, "“name” is missing"),
        (b'name = "x"\nrule = 3\n', 2, "write [[rule]]"),
    ],
)
def test_a_file_that_is_no_pack_is_refused_with_its_line(
    tmp_path: Path, data: bytes, line: int, reason: str
) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(data)
    with pytest.raises(StyleError) as caught:
        load_pack(path)
    assert f"{path}, line {line}: " in str(caught.value)
    assert reason in str(caught.value)


def test_a_file_that_is_not_there_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StyleError, match="cannot be read"):
        load_pack(tmp_path / "none.toml")


def test_a_pack_includes_another_without_some_of_its_rules(tmp_path: Path) -> None:
    write_pack(tmp_path, GOOD + GOOD.replace("good", "more").replace("very", "quite"), "base")
    own = 'include = ["base.toml"]\nwithout = ["base/good"]\n' + GOOD.replace("very", "rather")
    pack = load_pack(write_pack(tmp_path, own))
    assert [rule.key for rule in pack.rules] == ["base/more", "desk/good"]


def test_a_circle_of_includes_and_a_pack_that_is_missing_are_named(tmp_path: Path) -> None:
    write_pack(tmp_path, 'include = ["desk.toml"]\n' + GOOD, "base")
    pack = load_pack(write_pack(tmp_path, 'include = ["base.toml", "none"]\n' + GOOD.replace("very", "so")))
    assert [rule.key for rule in pack.rules] == ["base/good", "desk/good"]
    circle, missing = sorted(pack.problems)
    assert "also includes this pack" in circle
    assert "there is no pack “none”" in missing


def test_fifty_thousand_terms_are_read(tmp_path: Path) -> None:
    terms = ", ".join(f'"term{number} x"' for number in range(50_000))
    path = tmp_path / "large.toml"
    path.write_text(f'{HEAD}[[rule]]\nid = "many"\nmessage = "m"\nterms = [{terms}]\n', encoding="utf-8")
    pack = load_pack(path)
    assert pack.problems == ()
    assert len(pack.rules[0].terms) == 50_000
