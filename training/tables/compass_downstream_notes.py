"""How the downstream tables of the compass are to be read, and in what our cells differ from the paper."""

from __future__ import annotations

TABLES = {
    "compass-3": "Feng et al. 2023, Table 3: detectors on partisan models",
    "compass-4": "Feng et al. 2023, Table 4: the same detectors by group",
    "compass-5": "Feng et al. 2023, Tables 5, 14 and 15: where detectors on partisan models disagree",
    "compass-6": "Feng et al. 2023, Table 6: a vote of the partisan models",
    "compass-12": "Feng et al. 2023, Table 12: precision and recall by group",
}
COMMON = (
    "In percent. F1, precision and recall are those of what is to be detected; ±: standard deviation over seeds. "
    "The first model of --base is the base, the others are the partisan ones.",
    "Fine-tuning follows Table 9 (rate 1e-4, batch 32, at most 50 epochs at full scale), with AdamW and a warm-up "
    "for RAdam, and the epoch that is best on dev; how the paper chose one it does not say.",
    "HateXplain and the parties of LIAR stand in for the paper's corpora: published rows are of other texts and "
    "groups, and no cell can be laid beside one of them. LIAR has 12,836 statements; the paper counts 29,556 rows.",
)
SCALES = {
    "cpu": "cpu: 3,000 rows of train, two epochs, 48 tokens of a text, one seed: what chance does is not averaged "
    "out. How a partisan model was pre-trained before, compass-shift tells.",
    "smoke": "smoke: 200 rows, one epoch: this shows that it runs, and nothing else.",
}
NOTES: dict[str, tuple[str, ...]] = {
    "compass-3": (
        "p: paired bootstrap over the test rows of all seeds; the paper has a t-test and does not say over what. It is "
        "not corrected for how many models there are, and of one seed says nothing of another training.",
    ),
    "compass-4": (
        "– : a group without rows of both classes has no balanced accuracy; rows: test texts of the group, of a few "
        "of which the figures say little. Which score the paper's table holds, it does not say.",
    ),
    "compass-5": (
        "The texts are as people wrote them, hate and falsehoods included. ✓ right, ✗ wrong; one seed. Two "
        "trainings of one and the same model would differ, too; on how many texts is not measured.",
    ),
    "compass-6": (
        "mean: ± over models and seeds. vote: the majority of the partisan models; of a tie the side of their mean "
        "probability. mean probability: not in the paper. Which of both is better on dev is told above; of this one "
        "alone a person would take the figure. best: by F1 on the same test rows, as in the paper, which flatters the "
        "single model. [ ] and p: paired bootstrap over test rows, which says nothing of another training.",
    ),
    "compass-12": (
        "– : nothing of that group was found (precision) or is there to be found (recall). rows: test texts of the "
        "group; of a few the figures say little.",
    ),
}
