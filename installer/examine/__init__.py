"""The examination of a package: it is used like a user would, in a minimal system without a network.

``make examine DEB=evenhand.deb`` or ``python -m installer.examine DEB --out FOLDER [--wheels FOLDER] [--only NAME …]``
as root, on a Debian-like machine with ``debootstrap``, ``Xvfb``, ``xdotool``, ``openbox``, ``strace`` and ``unshare``.
It prints one line for each examination, writes screenshots, outputs and ``results.json`` to FOLDER, and exits with 0
only if all passed (1: one failed, 2: it could not start).

A clean root is created with debootstrap (minbase; kept as an archive under ``~/.cache/evenhand-examine``) from the
mirror that this machine's own apt uses. It has no Python, no fonts and no desktop: the package must declare what
Evenhand needs. The examination runs in mount and process namespaces of its own, so that it leaves nothing behind; the
program runs as an ordinary user in a network namespace without a network. The window is controlled from outside only:
keys and clicks (xdotool), titles, pixels of the screen, files on disk.

The examination of training needs a folder of wheels for Python 3.11, the one of Debian bookworm. Create it once, with
pip's settings for the package index (a CPU build of torch is enough)::

python -m installer.examine.requirements > requirements.txt python -m pip download --only-binary :all: --dest FOLDER
--requirement requirements.txt

A ``.tar.zst`` next to the package is examined as well. The examinations are in ``installer.examine.examinations``.
"""
