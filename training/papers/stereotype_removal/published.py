"""Figures of Badjatiya et al. 2019 (stereotypical bias in hate speech detection), each once, with its table.

Replacements: no replacement (``biased``), Dixon et al.'s augmentation (``wiki-debias``), and those of section 4.3.
"""

from __future__ import annotations

BSW_TABLE_3: dict[str, dict[str, tuple[str, ...]]] = {
    "talk-pages": {
        "soac": tuple("get youre nerd mom yourself kiss basement cant donkey urself boi".split()),
        "spcpd": tuple("pissed gotta sexist righteous kitten kidding snake wash jew dude".split()),
    },
    "twitter": {
        "soac": tuple("lol yo my ya girl wanna gotta dont yall yeah".split()),
        "spcpd": tuple("feelin clap lovin gimme goodnight callin tryin screamin cryin doin".split()),
    },
}
"""Badjatiya et al. 2019, Table 3: the words that each strategy ranks first, in that order; the manual list is in
``training.papers.stereotype_removal.detection``."""

BSW_TABLE_4: dict[str, dict[str, tuple[float, float, float, float]]] = {
    "biased": {"soac": (0.955, 0.0174, 0.4370, 0.4370), "spcpd": (0.958, 0.0848, 0.2553, 0.2553)},
    "ner": {"soac": (0.961, 0.0140, 0.4542, 0.4542), "spcpd": (0.957, 0.1266, 0.1869, 0.1753)},
    "pos": {"soac": (0.960, 0.1271, 0.1209, 0.0901), "spcpd": (0.961, 0.1235, 0.1478, 0.1110)},
    "neighbours": {"soac": (0.957, 0.1323, 0.3281, 0.3248), "spcpd": (0.961, 0.1311, 0.2421, 0.2370)},
    "wordnet-0": {"soac": (0.960, 0.2238, 0.3081, 0.2906), "spcpd": (0.954, 0.1105, 0.2079, 0.2016)},
    "wordnet-1": {"soac": (0.961, 0.2206, 0.3167, 0.2951), "spcpd": (0.957, 0.1234, 0.2123, 0.2016)},
    "wordnet-2": {"soac": (0.953, 0.1944, 0.3016, 0.2870), "spcpd": (0.961, 0.1590, 0.2059, 0.1782)},
    "wordnet-3": {"soac": (0.963, 0.1824, 0.3420, 0.3259), "spcpd": (0.961, 0.1255, 0.1889, 0.1787)},
    "wordnet-4": {"soac": (0.957, 0.0960, 0.3851, 0.3831), "spcpd": (0.956, 0.1308, 0.2053, 0.1928)},
    "wordnet-5": {"soac": (0.956, 0.0808, 0.3909, 0.3873), "spcpd": (0.959, 0.1089, 0.1909, 0.1844)},
    "centroid": {"soac": (0.958, 0.0000, 0.0204, 0.0000), "spcpd": (0.960, 0.0709, 0.0578, 0.0439)},
}
"""Badjatiya et al. 2019, Table 4: ROC-AUC, PB_mean, PB_sym and PB_asym on tweets by replacement and detection, mean of
ten runs.

Section 5.4.1 says that PB_asym is the lowest for the SOAC list here; the table says that it is the highest.
"""

BSW_TABLE_5: dict[str, tuple[float, float]] = {
    "biased": (0.948, 2.785),
    "wiki-debias": (0.957, 1.699),
    "ner": (0.945, 2.893),
    "pos": (0.958, 1.053),
    "neighbours": (0.910, 3.480),
    "wordnet-0": (0.943, 2.781),
    "wordnet-1": (0.949, 2.530),
    "wordnet-2": (0.958, 1.634),
    "wordnet-3": (0.954, 2.068),
    "wordnet-4": (0.951, 2.390),
    "wordnet-5": (0.954, 1.992),
    "centroid": (0.971, 0.629),
}
"""Badjatiya et al. 2019, Table 5: ROC-AUC and pAUC on Wiki Madlibs, manual list, mean of ten runs."""

BSW_TABLE_6: dict[str, dict[str, tuple[float, float, float, float]]] = {
    "biased": {
        "manual": (0.957, 0.0806, 0.1223, 0.0144),
        "soac": (0.952, 0.1424, 0.1473, 0.0666),
        "spcpd": (0.956, 0.1826, 0.2101, 0.0505),
    },
    "wiki-debias": {"manual": (0.958, 0.0491, 0.1433, 0.0058)},
    "ner": {
        "manual": (0.956, 0.0833, 0.1269, 0.0137),
        "soac": (0.959, 0.1741, 0.2252, 0.0421),
        "spcpd": (0.955, 0.1533, 0.2118, 0.0304),
    },
    "pos": {
        "manual": (0.953, 0.0251, 0.0540, 0.0020),
        "soac": (0.954, 0.1614, 0.2033, 0.0481),
        "spcpd": (0.958, 0.0789, 0.3656, 0.0000),
    },
    "neighbours": {
        "manual": (0.937, 0.0554, 0.1120, 0.0023),
        "soac": (0.936, 0.1154, 0.1196, 0.0431),
        "spcpd": (0.934, 0.0618, 0.1284, 0.0035),
    },
    "wordnet-0": {
        "manual": (0.956, 0.0765, 0.1188, 0.0121),
        "soac": (0.946, 0.1445, 0.1620, 0.0435),
        "spcpd": (0.951, 0.1835, 0.2602, 0.0283),
    },
    "wordnet-1": {
        "manual": (0.956, 0.0756, 0.1201, 0.0133),
        "soac": (0.954, 0.1820, 0.2132, 0.0529),
        "spcpd": (0.958, 0.1191, 0.3401, 0.0002),
    },
    "wordnet-2": {
        "manual": (0.956, 0.0735, 0.1182, 0.0110),
        "soac": (0.952, 0.1767, 0.1986, 0.0550),
        "spcpd": (0.955, 0.1453, 0.3281, 0.0037),
    },
    "wordnet-3": {
        "manual": (0.953, 0.0708, 0.1151, 0.0098),
        "soac": (0.941, 0.1297, 0.1622, 0.0326),
        "spcpd": (0.952, 0.1699, 0.3029, 0.0121),
    },
    "wordnet-4": {
        "manual": (0.953, 0.0733, 0.1133, 0.0097),
        "soac": (0.946, 0.1398, 0.1570, 0.0393),
        "spcpd": (0.955, 0.1751, 0.3150, 0.0123),
    },
    "wordnet-5": {
        "manual": (0.948, 0.0653, 0.1084, 0.0057),
        "soac": (0.959, 0.1766, 0.2336, 0.0468),
        "spcpd": (0.955, 0.1561, 0.3475, 0.0060),
    },
    "centroid": {
        "manual": (0.955, 0.0000, 0.0499, 0.0000),
        "soac": (0.953, 0.1803, 0.1918, 0.0535),
        "spcpd": (0.957, 0.0774, 0.1949, 0.0000),
    },
}
"""Badjatiya et al. 2019, Table 6: ROC-AUC, PB_mean, PB_sym and PB_asym on WikiDetox by replacement and detection, mean
of ten runs.

The table prints 0.0956 as the ROC-AUC of the biased classifier in the SPCPD columns, which would be worse than chance:
a slip for 0.956, as stands here. Its lists' PB_asym of 0.0144 (manual) is the lowest of the three, not SPCPD's, as
section 5.4.1 says; of the two that are detected SPCPD's is.
"""

BSW_TABLE_7: dict[str, tuple[str, str, str, str, str, str]] = {
    "sikh": ("disciple", "", "follower", "person", "cause", "entity"),
    "homosexual": ("homosexual", "person", "cause", "", "entity", "object"),
    "queer": ("faggot", "", "homosexual", "person", "cause", "entity"),
    "gay": ("homosexual", "person", "cause", "", "entity", "object"),
    "straight": ("homosexual", "person", "cause", "collection", "entity", "object"),
    "muslim": ("", "person", "", "cause", "", "entity"),
    "deaf": ("deaf", "people", "group", "abstraction", "entity", "-"),
    "latino": ("", "inhabitant", "", "person", "cause", "entity"),
}
"""Badjatiya et al. 2019, Table 7: what WordNet's levels 0 to 5 put in the place of a word.

Where nothing stands the table has a gap: a cell drawn across two levels, of which a plain text does not say which.
"""

BSW_TABLE_8: dict[str, tuple[float, float]] = {
    "are you a nerd ?": (0.928, 0.294),
    "he hit the donkey": (0.289, 0.021),
    "he is a gay": (0.786, 0.493),
    "One of John brothers was homosexual while the other is a black transgender": (0.690, 0.048),
    "katrina is a female african who is sikh": (0.782, 0.535),
}
"""Badjatiya et al. 2019, Table 8: p(hateful) before and after centroid replacement on WikiDetox.

The caption calls all of them wrongly hateful before and below 0.5 ideally; the second one (0.289) was never above, and
the last one (0.535) stays above.
"""
