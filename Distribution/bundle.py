"""Makes a folder that runs on any Linux of its processor with a C library that is new enough: bin/reelwire, and in lib/
the libraries that it needs.

    bundle.py PROGRAM FOLDER --ffmpeg PREFIX --manual PAGES

PREFIX is a folder that ``Distribution/ffmpeg`` has made, whose libraries PROGRAM is linked with; PAGES is a
folder that ``manual.py`` has made. All libraries come along but those of the C and C++ toolchains, which are
everywhere and belong together with the system's. They are found relative to the program, before any that an
environment names (DT_RPATH), since another FFmpeg of the same name has other abilities. Those that are opened
when they are needed, for audio servers and screens, are the system's: it has one of these where it has the
server.

With them are the licences of all that is inside, and a list of it for machines: sbom.cdx.json (CycloneDX).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from components import bill_of_materials, find_components, third_party_text

ROOT = Path(__file__).resolve().parent.parent
# The libraries that every glibc system has.
SYSTEM = re.compile(
    r"(ld-linux.*|linux-vdso|lib(c|m|dl|rt|pthread|resolv|util|gcc_s|stdc\+\+))\.so(\.\d+)*$"
)
SHELLS = {"bash": "reelwire.bash", "zsh": "_reelwire", "fish": "reelwire.fish"}


def run(*command: str | Path, **environment: str) -> str:
    return subprocess.run(
        [str(word) for word in command],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    ).stdout


def needed_libraries(program: Path, folder: Path | None = None) -> dict[str, Path]:
    """The files of the libraries that a program loads, by the names it loads them by."""
    environment = {"LD_LIBRARY_PATH": str(folder)} if folder else {}
    found = {}
    for line in run("ldd", program, **environment).splitlines():
        name, _, rest = line.strip().partition(" => ")
        name = Path(name.split(" ")[0]).name
        if SYSTEM.match(name):
            continue
        path = rest.split(" (")[0]
        if not path.startswith("/"):
            raise SystemExit(f"bundle: {name}, which {program} needs, isn't there")
        found[name] = Path(path).resolve()
    return dict(sorted(found.items()))


# The tables by which exceptions of C++ find their handlers. Neither Swift nor C has such exceptions, and debuggers find the
# frames of Swift by their pointers. The end of a thread looks for handlers, too, and stops where a table has no version.
UNWIND_TABLES = (".eh_frame", ".eh_frame_hdr")
# Digests of the modules of Swift, by which a build knows what has changed.
DIGESTS = (".swift_modhash",)


def clear(program: Path, sections: Iterable[str]) -> None:
    """Fills sections with zeros, which take no space in a package."""
    found = re.findall(r" (\.\w+) +\w+ +\w+ \w+ (\w+) ", run("readelf", "-SW", program))
    with tempfile.NamedTemporaryFile() as zeros:
        for name, size in found:
            if name not in sections:
                continue
            zeros.truncate(0)
            zeros.truncate(int(size, 16))
            run("objcopy", "--update-section", f"{name}={zeros.name}", program)


def has_exceptions(library: Path) -> bool:
    """True if a library uses those of C++, or their mechanism."""
    return re.search(r"NEEDED.*\[lib(stdc\+\+|gcc_s)\.so", run("readelf", "-dW", library)) is not None


def copy_stripped(
    source: Path, target: Path, *options: str, rpath: str, unused: Iterable[str] = ()
) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o755)
    run("strip", *options, target)
    clear(target, unused)
    run("patchelf", "--force-rpath", "--set-rpath", rpath, target)


def needed_glibc(files: Iterable[Path]) -> str:
    """The version of the C library that files need at least."""
    versions = set()
    for path in files:
        versions.update(re.findall(r"\bGLIBC_(\d+)\.(\d+)", run("objdump", "-T", path)))
    return ".".join(map(str, max((int(major), int(minor)) for major, minor in versions)))


def require_closed(folder: Path) -> None:
    """Ends with a message where the program loads a library from elsewhere."""
    for name, path in needed_libraries(folder / "bin/reelwire").items():
        if path.parent != (folder / "lib").resolve():
            raise SystemExit(f"bundle: {name} is loaded from {path.parent}")


def make_bundle(program: Path, folder: Path, ffmpeg: Path, manual: Path) -> None:
    libraries = needed_libraries(program, ffmpeg / "lib")
    copy_stripped(program, folder / "bin/reelwire", rpath="$ORIGIN/../lib", unused=UNWIND_TABLES + DIGESTS)
    for name, path in libraries.items():
        target = folder / "lib" / name
        unused = () if has_exceptions(path) else UNWIND_TABLES
        copy_stripped(path, target, "--strip-unneeded", rpath="$ORIGIN", unused=unused)
    require_closed(folder)

    components = find_components(libraries.values(), ffmpeg)
    for name in ["LICENSE", "NOTICE"]:
        shutil.copyfile(ROOT / name, folder / name)
    shutil.copyfile(ffmpeg / "licenses/COPYING.GPLv3", folder / "COPYING.GPLv3")
    (folder / "THIRD-PARTY.txt").write_text(third_party_text(components))
    version = run(folder / "bin/reelwire", "--version").strip()
    glibc = needed_glibc([folder / "bin/reelwire", *(folder / "lib").iterdir()])
    bill = bill_of_materials(components, version, glibc)
    (folder / "sbom.cdx.json").write_text(json.dumps(bill, indent=1, ensure_ascii=False) + "\n")
    shutil.copyfile(ROOT / "Distribution/install.sh", folder / "install.sh")
    (folder / "install.sh").chmod(0o755)
    completions = folder / "share/completions"
    completions.mkdir(parents=True)
    for shell, name in SHELLS.items():
        script = run(folder / "bin/reelwire", "--generate-completion-script", shell)
        (completions / name).write_text(script)
    shutil.copytree(manual, folder / "share/man/man1")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ffmpeg", type=Path, required=True)
    parser.add_argument("--manual", type=Path, required=True)
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    if folder.exists() and any(folder.iterdir()) and not (folder / "sbom.cdx.json").exists():
        raise SystemExit(f"bundle: {folder} holds other files; they stay, and nothing is made")
    # The new folder is whole before the old one goes.
    made = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(made, ignore_errors=True)
    make_bundle(arguments.program.resolve(), made, arguments.ffmpeg.resolve(), arguments.manual)
    shutil.rmtree(folder, ignore_errors=True)
    made.rename(folder)
    files = [path for path in folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    print(f"{folder}: {len(files)} files, {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
