"""English forms by rule: verbs by Penn tag, plurals, and a or an."""

from __future__ import annotations

import re

_IRREGULAR = {
    "abide": ("abided", "abided"), "be": ("was", "been"), "beat": ("beat", "beaten"), "beget": ("begot", "begotten"),
    "beg": ("begged", "begged"), "blow": ("blew", "blown"), "break": ("broke", "broken"), "burst": ("burst", "burst"),
    "buy": ("bought", "bought"), "cast": ("cast", "cast"), "come": ("came", "come"), "cut": ("cut", "cut"),
    "do": ("did", "done"), "feed": ("fed", "fed"), "fight": ("fought", "fought"), "flee": ("fled", "fled"),
    "fly": ("flew", "flown"), "forsake": ("forsook", "forsaken"), "get": ("got", "gotten"), "give": ("gave", "given"),
    "go": ("went", "gone"), "grow": ("grew", "grown"), "have": ("had", "had"), "hit": ("hit", "hit"),
    "hurt": ("hurt", "hurt"), "keep": ("kept", "kept"), "know": ("knew", "known"), "lead": ("led", "led"),
    "leave": ("left", "left"), "let": ("let", "let"), "lose": ("lost", "lost"), "make": ("made", "made"),
    "mislead": ("misled", "misled"), "meet": ("met", "met"), "overrun": ("overran", "overrun"),
    "overthrow": ("overthrew", "overthrown"), "pay": ("paid", "paid"), "ride": ("rode", "ridden"),
    "rise": ("rose", "risen"), "run": ("ran", "run"), "see": ("saw", "seen"), "shed": ("shed", "shed"),
    "shine": ("shone", "shone"), "show": ("showed", "shown"), "shut": ("shut", "shut"),
    "slay": ("slew", "slain"), "slink": ("slunk", "slunk"),
    "spread": ("spread", "spread"), "stand": ("stood", "stood"), "steal": ("stole", "stolen"),
    "strike": ("struck", "struck"), "sweep": ("swept", "swept"), "swell": ("swelled", "swollen"),
    "take": ("took", "taken"), "tear": ("tore", "torn"), "throw": ("threw", "thrown"),
    "undergo": ("underwent", "undergone"), "understand": ("understood", "understood"), "wage": ("waged", "waged"),
    "weep": ("wept", "wept"), "win": ("won", "won"), "write": ("wrote", "written"),
}  # fmt: skip
_DOUBLED = frozenset(
    "admit bag ban bar beg blot brag commit compel con cut dub expel extol flog gag get grab gun gut hit "
    "jab jut let mar mob net outwit overrun patrol plan plot plug pop prop propel ram rebel rip rob rot "
    "rub run scrap shed ship shun shut slam slap snag snap snub spam spot squat stab star stem step stir "
    "stop strip submit swap tag tap trap trek trim whip win worship wrap zap".split()
)
_FINITE = {
    "be": {"VBZ": "is", "VBP": "are"},
    "have": {"VBZ": "has"},
    "do": {"VBZ": "does"},
    "go": {"VBZ": "goes"},
}
_PLURALS = {
    "man": "men", "woman": "women", "child": "children", "person": "people", "wife": "wives", "elite": "elites",
    "thief": "thieves", "crisis": "crises", "leaf": "leaves", "life": "lives", "propaganda": "propaganda",
    "nonsense": "nonsense", "pseudoscience": "pseudoscience", "heritage": "heritage", "superstar": "superstars",
    "lady": "ladies", "faithful": "faithful", "mankind": "mankind", "folk": "folk", "butchery": "butchery",
    "martyrdom": "martyrdom", "genius": "geniuses", "hero": "heroes", "exposé": "exposés", "barbarity": "barbarities",
    "monopoly": "monopolies", "loss": "losses", "magnum opus": "magnum opuses", "infanticide": "infanticide",
}  # fmt: skip
_LONG_U = r"ni(?!n|mp|mag|l)|nan|s[aeiu]|[bkt][aei]|ran|r[aeiu]|topi|fo"
_VOWEL_SOUND = re.compile(rf"(?:[aeio]|u(?!{_LONG_U})|hono|hour|heir|honest)", re.IGNORECASE)
_CONSONANT_SOUND = re.compile(r"(?:eu|ew|one\b|once\b|one-|ouija)", re.I)
_LETTERS = re.compile(r"[A-Z]{2,}\b|[A-Z]\b|[A-Z]\.")


def verb(phrase: str, tag: str) -> str:
    """``phrase`` in the form of the Penn ``tag``; its first word that is no -ly adverb is the verb."""
    words = phrase.split()
    at = next((number for number, word in enumerate(words) if not word.endswith("ly")), 0)
    words[at] = _verb(words[at], tag)
    return " ".join(words)


def _verb(lemma: str, tag: str) -> str:
    if tag in ("VB", "VBP"):
        return _FINITE.get(lemma, {}).get(tag, lemma)
    if tag == "VBZ":
        return _FINITE.get(lemma, {}).get(tag) or _with_s(lemma)
    if tag == "VBG":
        return _stem(lemma, ing=True) + "ing"
    if lemma in _IRREGULAR:
        return _IRREGULAR[lemma][tag == "VBN"]
    stem = _stem(lemma, ing=False)
    return stem + "ed"


def _stem(lemma: str, *, ing: bool) -> str:
    if lemma in _DOUBLED:
        return lemma + lemma[-1]
    if ing and lemma in ("die", "lie", "tie"):
        return lemma[:-2] + "y"
    if ing and lemma.endswith("ee"):
        return lemma
    if lemma.endswith("e"):
        return lemma[:-1]
    if not ing and lemma.endswith("y") and lemma[-2] not in "aeiou":
        return lemma[:-1] + "i"
    if lemma.endswith("c"):
        return lemma + "k"
    return lemma


def _with_s(word: str) -> str:
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + (
        "es" if word.endswith(("s", "x", "z", "ch", "sh")) or word in ("hero", "veto", "echo") else "s"
    )


def plural(phrase: str) -> str:
    """The plural of a noun phrase: of the word before *of* or *for*, else of its last word."""
    if phrase in _PLURALS:
        return _PLURALS[phrase]
    words = phrase.split()
    small = [number for number, word in enumerate(words) if word in ("of", "for") and number]
    at = small[0] - 1 if small else len(words) - 1
    word = words[at]
    if word in _PLURALS:
        words[at] = _PLURALS[word]
    elif word.endswith("man") and word not in ("human", "german", "shaman", "talisman"):
        words[at] = word[:-3] + "men"
    else:
        words[at] = _with_s(word)
    return " ".join(words)


def article(following: str) -> str:
    """``a`` or ``an`` before ``following``, by the sound of its first word."""
    word = following.lstrip("\"'“‘(")
    letters = _LETTERS.match(word)
    if letters:
        return "an" if word[0] in "AEFHILMNORSX" else "a"
    if word[:1].isdigit():
        return "an" if re.match(r"8|11(?!\d\d\b)|18(?:\D|$|\d\d\b)", word) else "a"
    if _CONSONANT_SOUND.match(word):
        return "a"
    return "an" if _VOWEL_SOUND.match(word) else "a"
