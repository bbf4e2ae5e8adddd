"""The engine, led by the JSON-RPC clients that editors bring; and our clients for these editors."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, Dict
from xml.etree import ElementTree

HERE = Path(__file__).resolve().parent
CLIENTS = HERE.parents[1] / "clients"


def test_emacs_has_a_client(editor: Any) -> None:
    tests = str(HERE / "jsonrpc-tests.el")
    ended = editor("emacs", "-Q", "--batch", "-l", tests, "-f", "ert-run-tests-batch-and-exit")
    assert ended.returncode == 0, ended.stdout
    assert "Ran 5 tests, 5 results as expected, 0 unexpected" in ended.stdout


def test_neovim_has_a_client(editor: Any) -> None:
    tests = str(HERE / "rpc_tests.lua")
    ended = editor("nvim", "--headless", "--clean", "-n", "-c", f"luafile {tests}", "-c", "cquit!")
    assert ended.returncode == 0, ended.stdout
    assert "5 tests, 0 failures" in ended.stdout


def test_reelwire_for_emacs(editor: Any) -> None:
    folder = CLIENTS / "emacs"
    ended = editor(
        *("emacs", "-Q", "--batch", "-L", str(folder), "-l", str(folder / "reelwire-tests.el")),
        *("-f", "ert-run-tests-batch-and-exit"),
    )
    assert ended.returncode == 0, ended.stdout
    assert "7 results as expected, 0 unexpected" in ended.stdout


def test_reelwire_for_neovim(editor: Any) -> None:
    folder = CLIENTS / "nvim"
    ended = editor(
        *("nvim", "--headless", "--clean", "-n", "--cmd", f"set rtp^={folder}"),
        *("-c", f"luafile {folder}/test/reelwire_tests.lua", "-c", "cquit!"),
    )
    assert ended.returncode == 0, ended.stdout
    assert "5 tests, 0 failures" in ended.stdout


def test_reelwire_for_code_is_whole_when_it_is_packed(
    binary: Path, clips: Dict[str, Path], tmp_path: Path
) -> None:
    """The tests of the extension pass with what is in the package, and its own engine."""
    package = tmp_path / "reelwire.vsix"
    pack = [sys.executable, str(CLIENTS / "vscode/pack.py"), "--output", str(package)]
    subprocess.run([*pack, "--binary", str(binary)], check=True, timeout=120)
    with zipfile.ZipFile(package) as archive:
        archive.extractall(tmp_path)
        names = archive.namelist()
        mode = archive.getinfo("extension/node_modules/reelwire/bin/reelwire").external_attr >> 16
    assert mode & 0o111
    (tmp_path / "extension/node_modules/reelwire/bin/reelwire").chmod(mode)
    assert not [name for name in names if "/test/" in name or name.endswith((".py", ".vsix"))]

    manifest = ElementTree.parse(tmp_path / "extension.vsixmanifest").getroot()
    space = {"v": "http://schemas.microsoft.com/developer/vsx-schema/2011"}
    for asset in manifest.iterfind("v:Assets/v:Asset", space):
        assert asset.attrib["Path"] in names
    types = ElementTree.parse(tmp_path / "[Content_Types].xml").getroot()
    known = {each.attrib.get("Extension") for each in types}
    overridden = {each.attrib.get("PartName", "")[1:] for each in types}
    for name in names:
        assert name in overridden or Path(name).suffix in known or name == "[Content_Types].xml"

    environment = {**os.environ, "REELWIRE_EXTENSION": str(tmp_path / "extension")}
    # Only the program inside can be found.
    environment.pop("REELWIRE_BINARY", None)
    tests = str(CLIENTS / "vscode/test/extension.test.js")
    ended = subprocess.run(
        ["node", "--test", tests], env=environment, capture_output=True, text=True, timeout=300
    )
    assert ended.returncode == 0, ended.stdout
