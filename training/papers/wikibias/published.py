"""Published results of WIKIBIAS (Zhong et al. 2021), each once, with its table."""

from __future__ import annotations

WIKIBIAS_TABLE_5: dict[str, tuple[float, float, float, float]] = {
    "manual": (70.2, 38.6, 52.1, 68.1),
    "auto": (63.6, 67.1, 65.2, 71.8),
    "auto, then manual": (68.0, 63.9, 65.8, 73.0),
    "auto without 5%": (61.6, 68.5, 65.0, 69.9),
    "auto without 10%": (62.0, 72.6, 66.3, 70.0),
}
"""Zhong et al. 2021, Table 5: precision, recall and F1 of the biased class and accuracy of the sentence label, in
percent, mean of three runs.

The manual row's precision and recall give an F1 of 49.8, not 52.1, and the last row's 66.9, not 66.3; a mean of three
runs can only account for part of that. The text says that leaving out 5% helps F1, which the table does not show.
"""

WIKIBIAS_TABLE_6: dict[str, tuple[float, float, float, float]] = {
    "BERT": (33.9, 56.3, 22.0, 24.2),
    "FINETUNED": (39.0, 62.1, 20.5, 35.2),
    "HIERARCHICAL": (41.0, 61.0, 26.5, 35.8),
}
"""Zhong et al. 2021, Table 6: macro-F1 of the kinds, then the F1 of framing, epistemological and demographic bias, in
percent, mean of three runs.

The three F1 of a row have means of 34.2, 39.3 and 41.1, each somewhat above the macro-F1 printed.
"""

WIKIBIAS_TABLE_7: dict[str, tuple[float | None, float | None, float | None, float | None]] = {
    "BiLSTM-CNN-CRF": (32.7, 36.4, None, None),
    "BERT-ATTEN": (29.8, 37.3, None, None),
    "DETECTOR": (26.2, 35.9, None, None),
    "BERT, manual": (35.3, 42.5, None, None),
    "BERT": (47.5, 55.4, None, None),
    "BERT-LING": (47.9, 56.4, None, None),
    "BERT-LING, then manual": (47.9, 56.5, None, None),
    "BERT-LING, relabelled": (48.3, 56.8, None, None),
    "classifier": (None, None, 65.2, 71.8),
    "classifier, then manual": (None, None, 65.7, 73.0),
    "JOINT": (47.0, 55.0, 66.3, 71.2),
    "JOINT-LING": (47.7, 56.0, 67.0, 71.9),
    "people": (83.8, 85.8, 95.3, 92.8),
}
"""Zhong et al. 2021, Table 7: exact and partial F1 of the spans as their script counts (``metrics.tags``), F1 and
accuracy of the sentence label, in percent, mean of three runs. BiLSTM-CNN-CRF and "BERT, manual" learn from the manual
part alone, all others from the auto part. ``people`` is the upper bound, the mean of two annotators.

The classifier that is tuned further has an F1 of 65.8 in Table 5.
"""

WIKIBIAS_HEURISTIC: dict[str, float] = {
    "sentence accuracy": 87.0,
    "span precision": 84.7,
    "span recall": 76.6,
}
"""Zhong et al. 2021, section 2.1: the rules of Appendix C against the 4,099 pairs annotated by hand, in percent."""

WIKIBIAS_TABLE_8: dict[str, tuple[float, float, float | None]] = {
    "copy": (80.10, 0.00, None),
    "LSTM": (82.12, 15.26, 68.20),
    "Transformer": (81.34, 15.49, 65.96),
    "CopyNet": (82.95, 16.31, 65.96),
    "BART": (82.22, 17.84, 75.35),
    "MODULAR": (80.36, 13.76, 51.04),
    "references": (100.0, 100.0, 80.63),
}
"""Zhong et al. 2021, Table 8: BLEU, Sent Acc and Acc in percent on WIKIBIAS's test pairs, trained on its AUTO pairs
(MODULAR off the shelf, trained on WNC); Acc is read by their own best classifier.
"""

WIKIBIAS_TABLE_9: dict[str, float] = {
    "Biden": 21.7,
    "Trump": 14.5,
    "news, liberal": 38.0,
    "news, conservative": 15.4,
    "books, liberal": 25.5,
    "books, conservative": 18.0,
}
"""Zhong et al. 2021, Table 9: partial F1 in percent on 50 sentences of each corpus, whose gold are spans that more
than one of three annotators chose.

The table tells the sides of news and books by the colour of their names alone, so that a plain text of it does not say
which row is which: the side is read from its phrases (liberal news are against Trump, the first row of each).
"""

WIKIBIAS_TABLE_3: dict[str, tuple[str, ...]] = {
    "AUTO": ("210,888", "198,413", "–", "–", "–", "–", "–", "0.94", "2.63"),
    "manual, all three parts": (
        *("4,099", "3,593", "2,654", "808", "131"),
        *("1,525", "2,068", "1.06", "2.93"),
    ),
}
"""Zhong et al. 2021, Table 3, as printed: pairs, biased spans, those of framing, epistemological and demographic bias,
spans of one word and of several (section 2.2), spans per input, and tokens per span.

1.06 is the number of spans for each of the 3,400 biased sources, 0.94 that for each pair of AUTO.
"""

WIKIBIAS_TABLE_4: dict[str, tuple[float, float, float, float]] = {
    "auto": (421_776, 210_888, 210_888, 29.8),
    "manual": (5_028, 2_117, 2_911, 29.2),
    "dev": (1_066, 431, 635, 30.1),
    "test": (2_104, 852, 1_252, 30.1),
}
"""Zhong et al. 2021, Table 4: sentences, biased ones, neutral ones, and tokens per sentence of each part."""
