"""The forms of English verbs: by rules, and by a list of irregular verbs that reports and guides use."""

from __future__ import annotations

from enum import StrEnum
from functools import cache


class VerbForm(StrEnum):
    """The five forms of a verb."""

    BASE = "base"
    THIRD = "third"
    PAST = "past"
    PARTICIPLE = "participle"
    ING = "ing"


_IRREGULAR = {
    verb: (past, participle)
    for verb, past, participle in (
        row.split()
        for row in """
        be was been; bear bore borne; beat beat beaten; become became become; begin began begun; bend bent bent;
        bet bet bet; bite bit bitten; bleed bled bled; blow blew blown; break broke broken; breed bred bred;
        bring brought brought; build built built; burst burst burst; buy bought bought; cast cast cast;
        catch caught caught; choose chose chosen; come came come; cost cost cost; creep crept crept; cut cut cut;
        deal dealt dealt; dig dug dug; do did done; draw drew drawn; drink drank drunk; drive drove driven;
        eat ate eaten; fall fell fallen; feed fed fed; feel felt felt; fight fought fought; find found found;
        flee fled fled; fling flung flung; fly flew flown; forget forgot forgotten; forgive forgave forgiven;
        freeze froze frozen; get got got; give gave given; go went gone; grind ground ground; grow grew grown;
        hang hung hung; have had had; hear heard heard; hide hid hidden; hit hit hit; hold held held; hurt hurt hurt;
        keep kept kept; know knew known; lay laid laid; lead led led; leave left left; lend lent lent; let let let;
        light lit lit; lose lost lost; make made made; mean meant meant; meet met met; pay paid paid;
        put put put; quit quit quit; read read read; rid rid rid; ride rode ridden; ring rang rung; rise rose risen;
        run ran run; say said said; see saw seen; seek sought sought; sell sold sold; send sent sent; set set set;
        shake shook shaken; shed shed shed; shine shone shone; shoot shot shot; show showed shown; shut shut shut;
        sing sang sung; sink sank sunk; sit sat sat; slay slew slain; sleep slept slept; slide slid slid;
        sling slung slung; speak spoke spoken; spend spent spent; spin spun spun; split split split;
        spread spread spread; spring sprang sprung; stand stood stood; steal stole stolen; stick stuck stuck;
        sting stung stung; strike struck struck; strive strove striven; swear swore sworn; sweep swept swept;
        swell swelled swollen; swim swam swum; swing swung swung; take took taken; teach taught taught;
        tear tore torn; tell told told; think thought thought; throw threw thrown; thrust thrust thrust;
        tread trod trodden; cling clung clung;
        understand understood understood; undertake undertook undertaken; wear wore worn; weave wove woven;
        weep wept wept; win won won; wind wound wound; write wrote written; overrun overran overrun
        """.split(";")
    )
}
_DOUBLED = frozenset(
    "admit allot beg begin bet blot bog brag chat chop clap clip commit compel control cram crop cut defer "
    "deter dig dim dip dispel drag drop drum equip excel expel fit flag flip flog forget gag get grab grin "
    "grip gun hit hop hug incur infer jam jog kid knit knot label lag let map mar mob mop nab nag net nip nod "
    "occur omit overrun patrol permit pin plan plot plug pop prefer prod prop put quip quit ram refer regret "
    "repel rid rip rob rub run scan scrap set shop shut sit skip slam slap slip slot snap snub sob spin split "
    "spot squat stem step stir stop strip strut stun submit sum swap swim tag tap tip top transfer transmit trap "
    "trim tug wed win wrap zip".split()
)


@cache
def verb_forms(verb: str) -> dict[VerbForm, str]:
    """Every form of a verb in lower case, given in its base form."""
    stem = f"{verb}{verb[-1]}" if verb in _DOUBLED else verb
    after_y = verb.endswith("y") and verb[-2:-1] not in tuple("aeiou")
    third = (
        {"be": "is", "have": "has", "do": "does", "go": "goes"}.get(verb)
        or (f"{verb[:-1]}ies" if after_y else "")
        or (f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s")
    )
    regular = f"{verb}d" if verb.endswith("e") else f"{verb[:-1]}ied" if after_y else f"{stem}ed"
    past, participle = _IRREGULAR.get(verb, (regular, regular))
    return {
        VerbForm.BASE: verb,
        VerbForm.THIRD: third,
        VerbForm.PAST: past,
        VerbForm.PARTICIPLE: participle,
        VerbForm.ING: _ing(verb, stem),
    }


def _ing(verb: str, stem: str) -> str:
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb != "be":
        return f"{verb[:-1]}ing"
    return f"{stem}ing"
