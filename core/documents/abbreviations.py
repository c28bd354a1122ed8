"""Abbreviations that end in a full stop, by what the stop can mean. All in lower case, without the last stop."""

from __future__ import annotations


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

# The stop may end the sentence too: only a word that opens sentences says that it does.
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

# Words that open a sentence far more often than they follow an abbreviation with a capital letter.
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

# Of those, the ones that tell even where there are no capital letters.
SUBJECTS = _words("he she it they we i this these those there")

# Verbs of saying: a quotation, a name and one of these are one sentence.
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
