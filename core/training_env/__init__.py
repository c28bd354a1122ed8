"""The Python that trains: this one if torch is installed in it, else an environment that *Set up training* creates.

Environments are ``data_folder()/training/environment-N``. `find_training_python` says which Python trains,
`plan.make_plan` what would be set up here, and `setup.set_up` does it.

An installed program must bring its own wheel, ``evenhand-VERSION-….whl``, in a folder ``wheels`` next to the
executable, with the ``train`` extra in its metadata. A source checkout needs none.
"""

from core.training_env.interpreter import (
    TrainingPython,
    child_environment,
    find_training_python,
    setup_advice,
)

__all__ = ["TrainingPython", "child_environment", "find_training_python", "setup_advice"]
