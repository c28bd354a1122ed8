"""The parts of ``python -m tests.benchmarks.bench``: what is measured, how, and how it is laid out."""
