"""Builds the frozen program, and on Linux its two packages: ``python -m installer.build``.

The program is written to ``build/package/dist/evenhand``, packages and SHA256SUMS to ``dist``. The Python that runs
this must have the extra ``package`` and no torch; ``make package`` creates one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from core.packaging import licences
from installer import archive, dependencies, icons
from installer.linux import deb
from installer.project import PACKAGES, ROOT, TITLE, Facts, epoch, facts

WORK = ROOT / "build" / "package"
OUT = ROOT / "dist"
_NO_COPY = shutil.ignore_patterns("__pycache__", "models")


def main() -> None:
    """Build everything from scratch."""
    about = facts()
    check_machine()
    os.environ |= {"SOURCE_DATE_EPOCH": str(epoch()), "PYTHONHASHSEED": "0"}
    shutil.rmtree(WORK, ignore_errors=True)
    wheel = build_wheel(WORK / "wheel")
    prepare(wheel, WORK / "prepared")
    program = freeze(WORK, about)
    add_wheel(wheel, program)
    if sys.platform.startswith("linux"):
        strip_debug(program)
        package_for_linux(program, WORK / "prepared", about)


def check_machine() -> None:
    """Exit with a message on what to install where a tool or library is missing."""
    tools = ("objdump", "strip") if sys.platform.startswith("linux") else ()
    lacking = [tool for tool in tools if shutil.which(tool) is None]
    if lacking:
        sys.exit(f"There is no {' and no '.join(lacking)}. Install: sudo apt-get install -y binutils")
    try:
        import PySide6.QtSvg  # noqa: F401
    except ImportError as error:
        sys.exit(f"Qt cannot be loaded ({error}). On Debian, install what make -s qt-libraries names.")


def build_wheel(folder: Path) -> Path:
    """Build the wheel for the training environment, without the models, which the program has."""
    source = folder / "source"
    for package in PACKAGES:
        shutil.copytree(ROOT / package, source / package, ignore=_NO_COPY)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    options = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", "--no-build-isolation")
    _run(sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", str(folder), str(source))
    shutil.rmtree(source)
    return next(folder.glob("*.whl"))


def prepare(wheel: Path, folder: Path) -> None:
    """Prepare what PyInstaller includes: icons and package metadata."""
    import zipfile

    icons.draw(folder / "icons")
    shutil.copy(icons.SOURCE, folder / "icons" / "evenhand.svg")
    with zipfile.ZipFile(wheel) as held:
        for name in held.namelist():
            if name.endswith(".dist-info/METADATA"):
                held.extract(name, folder / "inside")


def freeze(work: Path, about: Facts) -> Path:
    """Run PyInstaller and return the folder of the program."""
    os.environ["EVENHAND_PREPARED"] = str(work / "prepared")
    folders = ("--distpath", str(work / "dist"), "--workpath", str(work / "work"))
    spec = ROOT / "installer" / "evenhand.spec"
    _run(sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR", *folders, str(spec))
    return work / "dist" / about.name


def add_wheel(wheel: Path, program: Path) -> None:
    """Put the wheel where `core.training_env.project` looks for it: in ``wheels`` next to the executable."""
    (program / "wheels").mkdir()
    shutil.copy(wheel, program / "wheels" / wheel.name)


def strip_debug(program: Path) -> None:
    """Remove debug sections; symbols that are linked at run time stay."""
    for path in dependencies.elf_files(program):
        if ".debug_info" in dependencies.dump("-h", path):
            _run("strip", "--strip-debug", str(path))


def package_for_linux(program: Path, prepared: Path, about: Facts) -> None:
    """Write the .deb, the portable archive, and their checksums."""
    OUT.mkdir(exist_ok=True)
    when = epoch()
    depends = dependencies.debian_dependencies(program)
    parts = licences.load_parts(program / "_internal" / "resources" / "licences")
    members = deb.contents(program, prepared / "icons", deb.copyright_text(about, parts), about)
    package = OUT / deb.file_name(about)
    deb.write(members, package, about=about, depends=depends, epoch=when)
    name = f"{about.name}-{about.version}-linux-x86_64"
    loose = OUT / f"{name}.tar.zst"
    guide = archive.Member(f"{name}/README.txt", content=readme(about, depends).encode())
    archive.write_tar_zst(archive.with_folders([*archive.tree(program, name), guide]), loose, epoch=when)
    (OUT / "SHA256SUMS").write_text(archive.checksums([package, loose]), encoding="ascii")


def readme(about: Facts, depends: list[str]) -> str:
    """The README of the portable archive."""
    return (
        f"{TITLE} {about.version}: {about.description}\n\n"
        "Start it with ./evenhand, or ./evenhand FILE. Keep this folder together; it may be anywhere.\n"
        "./evenhand --help lists the commands that need no display.\n\n"
        "It uses these libraries of your system, by their names in Debian and Ubuntu; a desktop has them:\n"
        f"{', '.join(depends)}\n\n"
        "Drafts and settings are in your home folder. To remove the program, remove this folder.\n"
        "Licences of all parts: Help > Licences, or _internal/resources/licences.\n"
    )


def _run(*command: str) -> None:
    subprocess.run(command, check=True, cwd=ROOT)


if __name__ == "__main__":
    main()
