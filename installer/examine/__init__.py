"""The examination of a package: what a person does with it on a machine that has nothing, without a network.

``make examine DEB=evenhand.deb`` or ``python -m installer.examine DEB --out FOLDER [--wheels FOLDER] [--only NAME …]``
as root, on a Debian-like machine with ``debootstrap``, ``Xvfb``, ``xdotool``, ``openbox``, ``strace`` and ``unshare``.
It tells one line for each examination, leaves screenshots, outputs and ``results.json`` in FOLDER, and exits with 0
only if all passed (1: one failed, 2: it could not begin).

A clean root is made with debootstrap (minbase; kept as an archive under ``~/.cache/evenhand-examine``) from the mirror
that this machine's own apt uses. It has no Python, no fonts and no desktop: what Evenhand needs, its package must ask
for. The examination runs in namespaces of its own for mounts and processes, so that nothing of it stays behind; what is
examined runs as an ordinary user in a network namespace without a network. The window is driven from the outside only:
keys and clicks (xdotool), titles, pixels of the screen, files on the disk.

The examination of training needs a folder of wheels for Python 3.11, the one of Debian bookworm. It is made once, with
pip's own settings for where packages come from (a CPU build of torch is enough)::

    python -m installer.examine.requirements > requirements.txt
    python -m pip download --only-binary :all: --dest FOLDER --requirement requirements.txt

A ``.tar.zst`` beside the package is examined too. Which examinations there are: ``installer.examine.examinations``.
"""
