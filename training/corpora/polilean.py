"""The statements of the political compass and the public weights of their answers (`training.compass.statements`)."""

from __future__ import annotations

from training.corpora.base import CorpusFacts

PLACE = "polilean/pct_scoring_weights.json"
FACTS = CorpusFacts(
    key="compass",
    name="Political compass statements and weights",
    home="https://github.com/BunsenFeng/PoliLean",
    licence="MIT (release of the statements); CC BY 4.0 (weights, https://github.com/paul-rottger/llm-values-pct)",
    files=(PLACE,),
    person="Take the statements from response/example.jsonl of the release and the weights from pct_helpers.py of "
    "Röttger et al., and write both into polilean/pct_scoring_weights.json: econ_init, soc_init, and items with id, "
    "statement, econ and soc, each four numbers from strongly disagree to strongly agree.",
)
