"""``python -m installer.examine.requirements``: what a training environment is made of, one requirement a line."""

from __future__ import annotations

from core.training_env.project import this_project

if __name__ == "__main__":
    print("\n".join(this_project().requirements))
