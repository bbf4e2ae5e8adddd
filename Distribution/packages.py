"""Packs the bundle of ``bundle.py``, and a program that is linked with the system's libraries.

    packages.py tar BUNDLE FOLDER
    packages.py npm BUNDLE FOLDER
    packages.py deb PROGRAM FOLDER PAGES
    packages.py sums FOLDER

Each prints the file that it makes below FOLDER. The times of all entries are SOURCE_DATE_EPOCH, or the time
of the commit, so that the same contents give the same bytes.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NODE = ROOT / "clients/node"
NPM_PROCESSORS = {"x86_64": "x64", "aarch64": "arm64"}
MAINTAINER = "The authors of Reelwire <reelwire@example.org>"


def output(*command: str | Path, folder: Path = ROOT) -> str:
    words = [str(word) for word in command]
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, cwd=folder).stdout.strip()


def release_time() -> int:
    named = os.environ.get("SOURCE_DATE_EPOCH")
    return int(named or output("git", "log", "-1", "--format=%ct"))


def version_of(program: Path) -> str:
    return output(program, "--version")


def add_tree(archive: tarfile.TarFile, folder: Path, name: str, time: int) -> None:
    """Adds a folder in the order of its names, without an owner."""

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = time
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry

    archive.add(folder, name, recursive=False, filter=plain)
    for path in sorted(folder.iterdir()):
        if path.is_dir() and not path.is_symlink():
            add_tree(archive, path, f"{name}/{path.name}", time)
        else:
            archive.add(path, f"{name}/{path.name}", recursive=False, filter=plain)


def make_tar(bundle: Path, folder: Path) -> Path:
    name = f"reelwire-{version_of(bundle / 'bin/reelwire')}-linux-{platform.machine()}"
    path = folder / f"{name}.tar.xz"
    with lzma.open(path, "wb", preset=9) as file, tarfile.open(fileobj=file, mode="w") as archive:
        add_tree(archive, bundle, name, release_time())
    return path


def make_npm(bundle: Path, folder: Path) -> Path:
    """A package as ``npm pack`` makes it, with the engine inside."""
    with tempfile.TemporaryDirectory() as scratch:
        package = Path(scratch, "package")
        facts = json.loads((NODE / "package.json").read_text())
        # Of the whole, and for this kind of machine.
        facts |= {
            "license": "GPL-3.0-or-later",
            "bin": {"reelwire": "bin/reelwire"},
            "cpu": [NPM_PROCESSORS[platform.machine()]],
            "libc": ["glibc"],
        }
        shutil.copytree(NODE / "src", package / "src")
        for name in ["bin", "lib"]:
            shutil.copytree(bundle / name, package / name)
        for name in ["LICENSE", "NOTICE", "COPYING.GPLv3", "THIRD-PARTY.txt", "sbom.cdx.json"]:
            shutil.copyfile(bundle / name, package / name)
        shutil.copyfile(NODE / "README.md", package / "README.md")
        facts["files"] = sorted(path.name for path in package.iterdir())
        (package / "package.json").write_text(json.dumps(facts, indent=2) + "\n")
        path = folder / f"reelwire-{facts['version']}.tgz"
        # Without a name and a time in the header.
        with gzip.GzipFile("", "wb", 9, path.open("wb"), 0) as file, tarfile.open(fileobj=file, mode="w") as archive:
            add_tree(archive, package, "package", release_time())
    return path


# MARK: Debian

def compress(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.GzipFile("", "wb", 9, path.open("wb"), 0) as file:
        file.write(text.encode())


def shared_library_packages(program: Path, scratch: Path) -> str:
    """The Debian packages that the program's libraries are of, as ``Depends`` has them."""
    (scratch / "debian").mkdir()
    (scratch / "debian/control").write_text("Source: reelwire\n\nPackage: reelwire\nArchitecture: any\n")
    line = output("dpkg-shlibdeps", "-O", program, folder=scratch)
    return line.removeprefix("shlibs:Depends=")


def make_deb(program: Path, folder: Path, manual: Path) -> Path:
    """A Debian package of a program that is linked with the system's libraries."""
    version, processor = version_of(program), output("dpkg", "--print-architecture")
    time = release_time()
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch, "tree")
        installed = tree / "usr/bin/reelwire"
        installed.parent.mkdir(parents=True)
        shutil.copyfile(program, installed)
        installed.chmod(0o755)
        output("strip", installed)
        for shell, place in {
            "bash": "usr/share/bash-completion/completions/reelwire",
            "zsh": "usr/share/zsh/vendor-completions/_reelwire",
            "fish": "usr/share/fish/vendor_completions.d/reelwire.fish",
        }.items():
            script = output(program, "--generate-completion-script", shell)
            (tree / place).parent.mkdir(parents=True)
            # Completions are read by a shell, not run.
            (tree / place).write_text(re.sub(r"\A#!.*\n", "", script) + "\n")
        for page in manual.glob("*.1"):
            compress(tree / "usr/share/man/man1" / f"{page.name}.gz", page.read_text())
        documents = tree / "usr/share/doc/reelwire"
        date = output("date", "-R", "-u", "-d", f"@{time}")
        compress(
            documents / "changelog.gz",
            f"reelwire ({version}) unstable; urgency=medium\n\n  * See CHANGELOG.md of the sources.\n\n"
            f" -- {MAINTAINER}  {date}\n",
        )
        (documents / "copyright").write_text(
            (ROOT / "NOTICE").read_text() + "\n" + (ROOT / "LICENSE").read_text()
        )
        size = sum(path.stat().st_size for path in tree.rglob("*") if path.is_file()) // 1024
        control = tree / "DEBIAN/control"
        control.parent.mkdir()
        control.write_text(
            f"Package: reelwire\nVersion: {version}\nArchitecture: {processor}\nMaintainer: {MAINTAINER}\n"
            f"Installed-Size: {size}\nDepends: {shared_library_packages(installed, Path(scratch))}\n"
            "Recommends: libcurl4 | libcurl3-gnutls, ca-certificates, libass9\nSuggests: pulseaudio | pipewire-pulse\nSection: video\nPriority: optional\n"
            "Description: inspects, decodes, cuts, converts, plays and records media\n"
            " A process with AVFoundation's object model as JSON-RPC 2.0 over stdin and\n"
            " stdout, and commands: exact frames at exact times, trims without encoding,\n"
            " exports, samples, compositions, playback and capture.\n"
        )
        path = folder / f"reelwire_{version}_{processor}.deb"
        for entry in [tree, *tree.rglob("*")]:
            os.utime(entry, (time, time))
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(time)}
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(tree), str(path)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    return path


def make_sums(folder: Path) -> Path:
    path = folder / "SHA256SUMS"
    files = sorted(item for item in folder.iterdir() if item.is_file() and item != path)
    lines = [f"{hashlib.sha256(item.read_bytes()).hexdigest()}  {item.name}\n" for item in files]
    path.write_text("".join(lines))
    return path


def main() -> None:
    kind, *paths = sys.argv[1:] or [""]
    folders = [Path(path).resolve() for path in paths]
    if kind in ("tar", "npm", "deb") and len(folders) > 1:
        folders[1].mkdir(parents=True, exist_ok=True)
    if kind == "sums" and len(folders) == 1:
        print(make_sums(folders[0]))
    elif kind in ("tar", "npm") and len(folders) == 2:
        print({"tar": make_tar, "npm": make_npm}[kind](*folders))
    elif kind == "deb" and len(folders) == 3:
        print(make_deb(*folders))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
