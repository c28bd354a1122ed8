"""Data that the app carries: lexicons, samples, icons and the bundled models."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent
