"""The packages of a bundle, made of a folder whose program is a script: their contents, and their
installation and removal without files of others."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ROOT / "Distribution/packages.py"
TEXTS = ["LICENSE", "NOTICE", "COPYING.GPLv3", "THIRD-PARTY.txt"]


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A folder as bundle.py makes it, with a script for a program and a library that nothing loads."""
    folder = tmp_path / "bundle"
    for path, text in {
        "bin/reelwire": "#!/bin/sh\necho 0.1.0\n",
        "lib/libav.so.1": "library",
        "share/completions/reelwire.bash": "complete",
        "share/completions/_reelwire": "complete",
        "share/completions/reelwire.fish": "complete",
        "share/man/man1/reelwire.1": "page",
        "share/man/man1/reelwire-export.1": "page",
        **{name: name for name in TEXTS},
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    for path in ["bin/reelwire", "lib/libav.so.1"]:
        (folder / path).chmod(0o755)
    properties = [{"name": "reelwire:glibc", "value": "2.35"}]
    facts = {"metadata": {"component": {"properties": properties}}}
    (folder / "sbom.cdx.json").write_text(json.dumps(facts))
    shutil.copy(ROOT / "Distribution/install.sh", folder)
    return folder


def pack(*arguments: str | Path) -> Path:
    command = [sys.executable, str(PACKAGES), *map(str, arguments)]
    env = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
    ended = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True)
    return Path(ended.stdout.strip())


@pytest.mark.parametrize("kind", ["tar", "npm"])
def test_the_same_folder_gives_the_same_bytes(kind: str, bundle: Path, tmp_path: Path) -> None:
    first = pack(kind, bundle, tmp_path / "first").read_bytes()
    for path in bundle.rglob("*"):
        os.utime(path, (1, 1))
    assert pack(kind, bundle, tmp_path / "second").read_bytes() == first


@pytest.mark.parametrize("kind", ["tar", "npm"])
def test_entries_are_of_root_and_of_one_time(kind: str, bundle: Path, tmp_path: Path) -> None:
    with tarfile.open(pack(kind, bundle, tmp_path)) as archive:
        entries = archive.getmembers()
    names = [entry.name.split("/", 1)[-1] for entry in entries]
    assert {"bin/reelwire", "lib/libav.so.1", "sbom.cdx.json", *TEXTS} <= set(names)
    assert {(entry.uid, entry.gid, entry.mtime) for entry in entries} == {(0, 0, 1_700_000_000)}
    modes = {name: entry.mode for name, entry in zip(names, entries)}
    assert (modes["bin/reelwire"], modes["LICENSE"]) == (0o755, 0o644)


def test_a_node_package_has_its_platform_and_licence(bundle: Path, tmp_path: Path) -> None:
    with tarfile.open(pack("npm", bundle, tmp_path)) as archive:
        content = archive.extractfile("package/package.json")
        assert content
        facts = json.load(content)
        names = archive.getnames()
    assert facts["license"] == "GPL-3.0-or-later"
    assert facts["bin"] == {"reelwire": "bin/reelwire"}
    assert (facts["os"], facts["libc"], len(facts["cpu"])) == (["linux"], ["glibc"], 1)
    assert "package/src/index.js" in names
    assert not any("/test" in name for name in names)


def test_an_extension_has_the_libraries(bundle: Path, tmp_path: Path) -> None:
    package = tmp_path / "reelwire.vsix"
    command = [sys.executable, str(ROOT / "clients/vscode/pack.py"), "--bundle", str(bundle)]
    subprocess.run([*command, "--output", str(package)], check=True, stdout=subprocess.DEVNULL)
    inside = "extension/node_modules/reelwire"
    with zipfile.ZipFile(package) as archive:
        types = archive.read("[Content_Types].xml").decode()
        for name in ["bin/reelwire", "lib/libav.so.1"]:
            mode = archive.getinfo(f"{inside}/{name}").external_attr >> 16
            assert stat.S_IMODE(mode) == 0o755
            assert f'PartName="/{inside}/{name}"' in types
        assert archive.read(f"{inside}/THIRD-PARTY.txt") == b"THIRD-PARTY.txt"


def test_sums_are_those_of_all_files(tmp_path: Path) -> None:
    for name in ["b", "a"]:
        (tmp_path / name).write_text(name)
    lines = pack("sums", tmp_path).read_text().splitlines()
    assert lines == [f"{hashlib.sha256(name.encode()).hexdigest()}  {name}" for name in ["a", "b"]]
    pack("sums", tmp_path)
    check = ["sha256sum", "--check", "--quiet", "SHA256SUMS"]
    subprocess.run(check, cwd=tmp_path, check=True)


# MARK: The installer


def install(bundle: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = ["sh", str(bundle / "install.sh"), *map(str, arguments)]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


def test_it_is_installed_again_and_removed(bundle: Path, tmp_path: Path) -> None:
    prefix = tmp_path / "the prefix"
    assert install(bundle, prefix).returncode == 0
    program = prefix / "bin/reelwire"
    assert subprocess.check_output([program], text=True) == "0.1.0\n"
    before = files(prefix)
    assert "share/man/man1/reelwire-export.1" in before
    (bundle / "lib/libav.so.1").rename(bundle / "lib/libav.so.2")
    (bundle / "share/man/man1/reelwire-export.1").rename(bundle / "share/man/man1/reelwire-cut.1")
    ended = install(bundle, prefix)
    assert (ended.returncode, ended.stderr) == (0, "")
    # Files of the earlier version that this one doesn't have are gone.
    now = [name.replace(".so.2", ".so.1").replace("wire-cut.1", "wire-export.1") for name in files(prefix)]
    assert sorted(now) == before
    assert "share/bash-completion/completions/reelwire" in before
    assert install(bundle, "--remove", prefix).returncode == 0
    assert files(prefix) == []


@pytest.mark.parametrize("name", ["bin/reelwire", "lib/reelwire/theirs"])
def test_what_is_of_others_stays(bundle: Path, tmp_path: Path, name: str) -> None:
    prefix = tmp_path / "prefix"
    theirs = prefix / name
    theirs.parent.mkdir(parents=True)
    theirs.write_text("theirs")
    for arguments in [[prefix], ["--remove", prefix]]:
        ended = install(bundle, *arguments)
        assert ended.returncode == 1
        assert "is not of this package" in ended.stderr
        assert files(prefix) == [name]
    assert theirs.read_text() == "theirs"


@pytest.mark.parametrize("name", ["zsh/site-functions/_reelwire", "man/man1/reelwire.1", "man/man1/reelwire-x.1"])
def test_files_of_others_stay(bundle: Path, tmp_path: Path, name: str) -> None:
    theirs = tmp_path / "share" / name
    theirs.parent.mkdir(parents=True)
    theirs.write_text("theirs")
    for arguments in [[tmp_path], ["--remove", tmp_path]]:
        assert install(bundle, *arguments).returncode == 0
        assert theirs.read_text() == "theirs"


def test_a_wrong_option_installs_nothing(bundle: Path, tmp_path: Path) -> None:
    ended = install(bundle, "--prefix", tmp_path / "prefix")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert not (tmp_path / "prefix").exists()


# MARK: Reproducible files


@pytest.mark.parametrize(
    "command",
    [
        [str(ROOT / "Distribution/ffmpeg"), "FOLDER"],
        [sys.executable, str(ROOT / "Distribution/bundle.py"), "/bin/true", "FOLDER", "--ffmpeg", ".", "--manual", "."],
    ],
    ids=["ffmpeg", "bundle"],
)
def test_a_folder_of_others_stays(command: list[str], tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.write_text("theirs")
    words = [str(tmp_path) if word == "FOLDER" else word for word in command]
    ended = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert ended.returncode == 1
    assert "holds other files; they stay" in ended.stderr
    assert files(tmp_path) == ["theirs"]
    assert theirs.read_text() == "theirs"
