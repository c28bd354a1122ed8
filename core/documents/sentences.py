"""Sentence splitting by rules: for English prose, cased or not, with its abbreviations, and for CJK full stops.

Chosen by measurement: ``python -m tests.benchmarks.sentence_splitters`` compares it with four libraries.
"""

from __future__ import annotations

import re

from core.documents.types import Span

# Abbreviations by what their full stop can mean, in lower case and without the last stop.


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# A name or a phrase follows: the stop never ends a sentence.
NEVER_LAST = _words(
    """
    mr mrs ms messrs mx dr drs prof rev revd fr hon rep reps sen sens gov govs gen lt col maj cpl sgt capt cmdr adm
    pres supt det insp amb atty pfc pvt hr frau mme mlle mgr msgr vs cf viz e.g i.e eg ie ca approx incl
    z.b d.h bzw vgl sog
    """
)

# A number follows, or else the stop ends the sentence.
BEFORE_NUMBER = _words("no nos nr nrs p pp vol vols ch chap fig figs sec art arts op par para eq c")
ALSO_WORDS = _words("no art par op fig")

# The stop may end the sentence; only a following word that opens sentences shows that it does.
MAY_BE_LAST = _words(
    """
    inc corp ltd co cos bros plc llc llp assn assoc dept univ inst intl natl govt jr sr esq ph.d m.sc b.sc d.d.s ll.d
    v al ed eds ibid ret hrs oz kg km cm mm mph st ste ave blvd rd hwy rte bldg apt mt mts ft
    jan feb mar apr jun jul aug sep sept oct nov dec tue tues thu thur thurs usw str geb gest
    """
)

# The same for names of states, which are abbreviations only with a capital letter.
STATES = _words(
    """
    ala ariz ark calif colo conn del fla ga ill ind kan ky la md mass mich minn miss mo mont neb nev okla ore pa
    penn tenn tex va vt wash wis wyo ont que
    """
)

# Words that open a sentence much more often than they follow an abbreviation in mid-sentence with a capital letter.
OPENERS = _words(
    """
    a about after again all also although among an and another any as asked at because before both but by
    despite during each even every few finally first for from further he her here his how however i if in instead
    it its just last later many meanwhile more moreover most my no nobody nor not nothing now of on once one only
    or other our over police recently several she since so some someone sometimes soon still such that the their
    then there therefore these they this those though thus to today two under unlike until we what when where
    whether which while who why with within without yes yet you your
    der die das ein eine er sie es im am und aber auch
    """
)

# Those that show it even in a text without capital letters.
SUBJECTS = _words("he she it they we i this these those there")

# Verbs of saying: a quotation, a name and one of these form one sentence.
SAYING = _words(
    """
    added admitted answered argued asked called continued cried declared explained insisted noted quipped recalled
    remarked replied responded said says shouted snapped stated told tweeted whispered wonders wondered wrote yelled
    """
)

# German months and the like, before which a number with a stop is an ordinal.
AFTER_ORDINAL = _words(
    "januar februar märz april mai juni juli august september oktober november dezember jahrhundert"
)


_NOTE = r"\[ (?: \d{1,3} | [a-z] | note[ ]\d{1,2} | citation[ ]needed ) \] | [¹²³⁰⁴-⁹]{1,3}"
"""The mark of a footnote after a full stop."""

_STOP = re.compile(
    rf"""
    (?<![.!?…]) (?P<marks> [.!?…‽؟۔।]++ ) (?P<closers> ["'”’»›)\]}}*_]*+ ) (?: {_NOTE} )*+ \s++
  | [。！？｡]++ ["'”’»）」』】〉》)\]]*+ \s*+
    """,
    re.VERBOSE,
)
_LAST_TOKEN = re.compile(r"[^\s\"'“”‘’«»()\[\]/—–][^\s\"“”«»()\[\]/—–]*$")
_OPENING = re.compile(r"[\"'“”‘’„‚«»‹›(\[{\-–—•*¡¿#@$£€]+\s?")
_WORD = re.compile(r"[^\W_]+")
_SPEAKER = re.compile(r"(?:[^\W\d_][\w.'’-]*\s+){1,4}?([a-z]+)\b")
_SPACED_CLOSER = re.compile(r"(\"|''|”|’|\)|\])(?=\s|$)\s*")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}")
_LOOK_BACK = 40
_LOOK_AHEAD = 80


def split(text: str) -> list[Span]:
    """The sentences of one block of prose: sorted, disjoint spans without white space at the ends.

    Every word character of the text is in one of them. Text without a stop is one sentence, however long.
    """
    cased = any(map(str.isupper, text))
    spans: list[Span] = []
    start = position = 0
    while (stop := _STOP.search(text, position)) is not None:
        position = stop.end()
        if stop["marks"] is None or _ends_sentence(text, start, stop, cased=cased):
            position = _past_spaced_closer(text, start, stop)
            _add(spans, text, start, end=position)
            start = position
    _add(spans, text, start, end=len(text))
    return spans


def _add(spans: list[Span], text: str, start: int, *, end: int) -> None:
    """Add a sentence; text without a word belongs to the sentence before, if there is one."""
    piece = text[start:end]
    first, last = end - len(piece.lstrip()), start + len(piece.rstrip())
    if any(map(str.isalnum, piece)):
        spans.append((first, last))
    elif spans and first < last:
        spans[-1] = (spans[-1][0], last)


def _ends_sentence(text: str, start: int, stop: re.Match[str], *, cased: bool) -> bool:
    before = text[max(start, stop.start() - _LOOK_BACK) : stop.start()]
    ahead = text[stop.end() : stop.end() + _LOOK_AHEAD]
    opening = _OPENING.match(ahead)
    words = ahead[opening.end() :] if opening else ahead
    marks, closers = stop["marks"], stop["closers"]
    if not words or words[0] in ".,;:":
        return not ahead
    if before[-1:].isspace() and not before.rstrip().endswith(".") and ".." not in marks and "…" not in marks:
        return marks != "." or _last_token(before.rstrip()).lower() not in NEVER_LAST
    if words[0].islower() and (cased or closers):
        return False
    if closers and closers[0] in "\"'”’»" and marks != "." and _names_speaker(words):
        return False
    if marks != "." or closers[:1] not in ("", ")", "]"):
        return True
    return _stop_ends(_last_token(before), before, words, cased=cased)


def _stop_ends(token: str, before: str, ahead: str, *, cased: bool) -> bool:
    """Whether a single full stop between a token and the words ahead ends the sentence."""
    found = _WORD.match(ahead)
    following = found.group().lower() if found else ""
    opens = following in OPENERS
    word = token.lower()
    if word in NEVER_LAST:
        return False
    if word in BEFORE_NUMBER:
        return not ahead[0].isdigit() and (opens or word in ALSO_WORDS)
    if word.isdigit():
        return following not in AFTER_ORDINAL
    if len(word) == 1 and word.isalpha():
        return _letter_ends(word, before, opens=opens)
    if word in MAY_BE_LAST or _DOTTED.fullmatch(word) or (cased and word in STATES and token[0].isupper()):
        return opens and (cased or following in SUBJECTS)
    return True


def _letter_ends(letter: str, before: str, *, opens: bool) -> bool:
    """A single letter is an initial (``J. K.``) unless it ends a phrase in lower case (``plan B. The``)."""
    words = before.split()
    previous = words[-2] if len(words) > 1 else ""
    initial = not previous or previous[0].isupper() or previous.endswith(".")
    return opens and (not initial or letter == "i")


def _last_token(before: str) -> str:
    found = _LAST_TOKEN.search(before)
    return found.group() if found else ""


def _names_speaker(ahead: str) -> bool:
    """Whether a quotation is followed by its speaker: ``"Stop!" Anna Lee said.``"""
    speaker = _SPEAKER.match(ahead)
    return speaker is not None and speaker.group(1) in SAYING


def _past_spaced_closer(text: str, start: int, stop: re.Match[str]) -> int:
    """The end of a stop with a separate closing mark after it, as in tokenised text: ``he left . " then``."""
    closer = _SPACED_CLOSER.match(text, stop.end())
    if closer is None or stop["marks"] is None:
        return stop.end()
    if closer[1] == '"' and text.count('"', start, stop.end()) % 2 == 0:
        return stop.end()
    return closer.end()
