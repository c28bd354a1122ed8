"""A minimal Debian root: created once, unpacked anew for every run."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from installer.examine.results import CannotExamineError, FailedError

SUITE = "bookworm"
USER, USER_ID = "writer", 1000
_TARGETS = ("apt-get", "indextargets", "--format", "$(REPO_URI)|$(RELEASE)|$(CREATED_BY)")
_NO_DAEMONS = "#!/bin/sh\nexit 101\n"
_PYTHONS = ("usr/bin/python*", "usr/local/bin/python*", "usr/lib/python3*", "usr/lib/*/libpython*")


def mirror_in(targets: str) -> str:
    """The mirror of SUITE in the output of ``apt-get indextargets``. Raises CannotExamineError."""
    for line in targets.splitlines():
        address, release, what = line.split("|")
        if release == SUITE and what == "Packages":
            return address
    raise CannotExamineError(
        f"This machine's apt knows no mirror of Debian {SUITE}. Add one to /etc/apt/sources.list.d."
    )


def get_archive(folder: Path) -> Path:
    """The archive of a clean root in ``folder``, created by debootstrap if it is missing."""
    archive = folder / f"{SUITE}.tar"
    if archive.is_file():
        return archive
    folder.mkdir(parents=True, exist_ok=True)
    targets = subprocess.run(_TARGETS, capture_output=True, text=True, check=True).stdout
    with tempfile.TemporaryDirectory(dir=folder) as made:
        root, part = Path(made, "root"), Path(made, archive.name)
        command = ["debootstrap", "--variant=minbase", SUITE, str(root), mirror_in(targets)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            last = (done.stdout + done.stderr).strip().rpartition("\n")[2]
            raise CannotExamineError(f"debootstrap could not make a clean root ({last}).")
        _tar("--create", part, root, ".")
        part.replace(archive)
    return archive


def unpack(archive: Path, root: Path) -> None:
    """Unpack a clean root; the folder must not exist."""
    root.mkdir(parents=True)
    _tar("--extract", archive, root)


def _tar(action: str, archive: Path, root: Path, *files: str) -> None:
    owners = ("--numeric-owner", "--xattrs")
    subprocess.run(["tar", action, *owners, "--file", archive, "--directory", root, *files], check=True)


@dataclass(frozen=True, slots=True)
class Root:
    """The root unpacked at ``path``."""

    path: Path

    @property
    def home(self) -> Path:
        """The home folder of its only user, as a path on this machine."""
        return self.path / "home" / USER

    def set_up(self, display_sockets: Path) -> None:
        """Set up devices, processes, the display's socket, a name server and a user.

        Mounts file systems: call it in a mount namespace of its own.
        """
        self.mount("/dev", "dev", "--rbind")
        self.mount("/sys", "sys", "--rbind")
        subprocess.run(["mount", "-t", "proc", "proc", str(self.path / "proc")], check=True)
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(self.path / "dev" / "shm")], check=True)
        self.mount(str(display_sockets), "tmp/.X11-unix", "--bind")
        shutil.copyfile("/etc/resolv.conf", self.path / "etc" / "resolv.conf")
        daemons = self.path / "usr" / "sbin" / "policy-rc.d"
        daemons.write_text(_NO_DAEMONS, encoding="ascii")
        daemons.chmod(0o755)
        self.as_root("useradd", "--create-home", "--uid", str(USER_ID), USER)
        self.as_root("apt-get", "update")

    def mount(self, source: str, place: str, *how: str) -> None:
        """Mount a folder of this machine at ``place`` in the root."""
        target = self.path / place
        target.mkdir(parents=True, exist_ok=True)
        subprocess.run(["mount", *how, source, str(target)], check=True)

    def as_root(self, *command: str) -> str:
        """Run a command in the root as root, with a network; returns its output. Raises FailedError."""
        variables = ("PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8")
        done = subprocess.run(
            ["chroot", str(self.path), "/usr/bin/env", "-i", *variables, *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode != 0:
            last = " / ".join(done.stdout.strip().splitlines()[-3:])
            raise FailedError(f"{' '.join(command)} ended with {done.returncode}: {last}")
        return done.stdout

    def install(self, *packages: str) -> None:
        """Install packages with their dependencies, without recommended ones."""
        self.as_root("apt-get", "install", "--yes", "--quiet", "--no-install-recommends", *packages)

    def install_file(self, package: Path) -> None:
        """Install a package file of this machine with its dependencies."""
        inside = self.path / "tmp" / package.name
        shutil.copyfile(package, inside)
        self.install(f"/tmp/{package.name}")
        inside.unlink()

    def packages(self) -> set[str]:
        """The names of the installed packages."""
        listed = self.as_root("dpkg-query", "--show", "--showformat", "${db:Status-Abbrev}|${Package}\n")
        return {
            name
            for status, _, name in (line.partition("|") for line in listed.splitlines())
            if status[1] == "i"
        }

    def pythons(self) -> list[str]:
        """The paths of Pythons in the root, other than Evenhand's own."""
        found = (path for pattern in _PYTHONS for path in self.path.glob(pattern))
        return sorted(str(path.relative_to(self.path)) for path in found)

    def named(self, word: str) -> list[str]:
        """Every file and folder outside the homes with this word in its name."""
        found = subprocess.run(
            ["find", ".", "-xdev", "-path", "./home", "-prune", "-o", "-iname", f"*{word}*", "-print"],
            cwd=self.path,
            capture_output=True,
            text=True,
            check=True,
        )
        return sorted(line.removeprefix(".") for line in found.stdout.splitlines())
