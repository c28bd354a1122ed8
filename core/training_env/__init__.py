"""The Python that trains: this one where torch is in it, else an environment that *Set up training* makes.

It lies in ``data_folder()/training/environment-N``. `find_training_python` says which Python trains, `planning.make_plan` what would
be set up here, `setting_up.set_up` does it.

An installed program must bring one thing for it: its own wheel, ``evenhand-VERSION-….whl``, in a folder ``wheels``
beside the executable, with the ``train`` extra in its metadata. A source checkout brings itself.
"""

from core.training_env.interpreter import (
    TrainingPython,
    child_environment,
    find_training_python,
    setup_advice,
)

__all__ = ["TrainingPython", "child_environment", "find_training_python", "setup_advice"]
