"""Builds what this system can: ``python -m installer.build`` (the frozen program), and on Linux its two packages.

The program is left in ``build/package/dist/evenhand``, packages and SHA256SUMS in ``dist``. The Python that runs this
must hold the extra ``package`` and no torch; ``make package`` makes one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from core.packaging import licences
from installer import archive, icons, needs
from installer.linux import deb
from installer.project import ROOMS, ROOT, TITLE, Facts, epoch, facts

WORK = ROOT / "build" / "package"
OUT = ROOT / "dist"
_NO_COPY = shutil.ignore_patterns("__pycache__", "models")


def main() -> None:
    """Build everything, from nothing."""
    about = facts()
    check_machine()
    os.environ |= {"SOURCE_DATE_EPOCH": str(epoch()), "PYTHONHASHSEED": "0"}
    shutil.rmtree(WORK, ignore_errors=True)
    wheel = build_wheel(WORK / "wheel")
    prepare(wheel, WORK / "prepared")
    program = freeze(WORK, about)
    lay_wheel(wheel, program)
    if sys.platform.startswith("linux"):
        strip_debug(program)
        package_for_linux(program, WORK / "prepared", about)


def check_machine() -> None:
    """End with a line that says what to install where something is missing that is no Python package."""
    tools = ("objdump", "strip") if sys.platform.startswith("linux") else ()
    lacking = [tool for tool in tools if shutil.which(tool) is None]
    if lacking:
        sys.exit(f"There is no {' and no '.join(lacking)}. Install: sudo apt-get install -y binutils")
    try:
        import PySide6.QtSvg  # noqa: F401
    except ImportError as error:
        sys.exit(f"Qt cannot be loaded ({error}). On Debian, install what make -s qt-libraries names.")


def build_wheel(folder: Path) -> Path:
    """The wheel of this project for the environment that trains, without the models: the program brings those."""
    source = folder / "source"
    for room in ROOMS:
        shutil.copytree(ROOT / room, source / room, ignore=_NO_COPY)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    told = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", "--no-build-isolation")
    _run(sys.executable, "-m", "pip", "wheel", *told, "--wheel-dir", str(folder), str(source))
    shutil.rmtree(source)
    return next(folder.glob("*.whl"))


def prepare(wheel: Path, folder: Path) -> None:
    """What is made for the program before it is frozen: its icons, and what it says about itself."""
    import zipfile

    icons.draw(folder / "icons")
    shutil.copy(icons.SOURCE, folder / "icons" / "evenhand.svg")
    with zipfile.ZipFile(wheel) as held:
        for name in held.namelist():
            if name.endswith(".dist-info/METADATA"):
                held.extract(name, folder / "inside")


def freeze(work: Path, about: Facts) -> Path:
    """Run PyInstaller; the folder of the program."""
    os.environ["EVENHAND_PREPARED"] = str(work / "prepared")
    folders = ("--distpath", str(work / "dist"), "--workpath", str(work / "work"))
    spec = ROOT / "installer" / "evenhand.spec"
    _run(sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR", *folders, str(spec))
    return work / "dist" / about.name


def lay_wheel(wheel: Path, program: Path) -> None:
    """Put the wheel where `core.training_env.project` looks for it: in ``wheels`` beside the executable."""
    (program / "wheels").mkdir()
    shutil.copy(wheel, program / "wheels" / wheel.name)


def strip_debug(program: Path) -> None:
    """Take out what only a debugger reads. No symbol that is linked at run time goes."""
    for path in needs.elf_files(program):
        if ".debug_info" in needs.dump("-h", path):
            _run("strip", "--strip-debug", str(path))


def package_for_linux(program: Path, prepared: Path, about: Facts) -> None:
    """The .deb, the archive that runs from any folder, and their checksums."""
    OUT.mkdir(exist_ok=True)
    when = epoch()
    depends = needs.depends(program)
    parts = licences.load_parts(program / "_internal" / "resources" / "licences")
    members = deb.contents(program, prepared / "icons", deb.copyright_text(about, parts), about)
    package = OUT / deb.file_name(about)
    deb.write(members, package, about=about, depends=depends, epoch=when)
    name = f"{about.name}-{about.version}-linux-x86_64"
    loose = OUT / f"{name}.tar.zst"
    guide = archive.Member(f"{name}/README.txt", content=tell(about, depends).encode())
    archive.write_tar_zst(archive.with_folders([*archive.tree(program, name), guide]), loose, epoch=when)
    (OUT / "SHA256SUMS").write_text(archive.checksums([package, loose]), encoding="ascii")


def tell(about: Facts, depends: list[str]) -> str:
    """The text beside the program in the archive that runs from any folder."""
    return (
        f"{TITLE} {about.version}: {about.description}\n\n"
        "Start it with ./evenhand, or ./evenhand FILE. Keep this folder together; it may lie anywhere.\n"
        "./evenhand --help tells the commands that need no display.\n\n"
        "It uses these libraries of your system, by their names in Debian and Ubuntu; a desktop has them:\n"
        f"{', '.join(depends)}\n\n"
        "Drafts and settings lie in your home. To remove the program, remove this folder.\n"
        "Licences of all parts: Help > Licences, or _internal/resources/licences.\n"
    )


def _run(*command: str) -> None:
    subprocess.run(command, check=True, cwd=ROOT)


if __name__ == "__main__":
    main()
