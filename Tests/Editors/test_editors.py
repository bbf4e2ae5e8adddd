"""The engine, led by the JSON-RPC clients that editors bring; and our clients for these editors."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import termios
import zipfile
from pathlib import Path
from typing import Any, Dict
from xml.etree import ElementTree

import pytest

from waiting import HANG

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
    assert "8 results as expected, 0 unexpected" in ended.stdout


def test_the_package_for_emacs_has_the_form_of_packages(editor: Any) -> None:
    """By checkdoc, which Emacs brings, and by package-lint."""
    ended = editor("emacs", "-Q", "--batch", "-l", str(HERE / "package-form.el"), str(CLIENTS / "emacs/reelwire.el"))
    if "package-lint isn't installed" in ended.stdout:
        pytest.skip("package-lint isn't installed")
    assert ended.returncode == 0 and ended.stdout == "checkdoc and package-lint found nothing\n", ended.stdout


def test_reelwire_for_neovim(editor: Any) -> None:
    folder = CLIENTS / "nvim"
    ended = editor(
        *("nvim", "--headless", "--clean", "-n", "--cmd", f"set rtp^={folder}"),
        *("-c", f"luafile {folder}/test/reelwire_tests.lua", "-c", "cquit!"),
    )
    assert ended.returncode == 0, ended.stdout
    assert "7 tests, 0 failures" in ended.stdout


def blocks(editor: str, language: str) -> str:
    """The settings that the page of an editor's client documents."""
    text = (CLIENTS / editor / "README.md").read_text()
    found = re.findall(rf"^```{language}\n(.*?)^```$", text, re.S | re.M)
    assert found
    return "\n".join(found).replace("/path/to/reelwire", str(CLIENTS.parent))


def test_settings_for_emacs(editor: Any, tmp_path: Path) -> None:
    settings = tmp_path / "init.el"
    check = """
(require 'dired)
(unless (eq (lookup-key dired-mode-map "V") 'reelwire-find-file) (error "There is no key"))
(reelwire-find-file (getenv "REELWIRE_CLIP"))
"""
    settings.write_text(blocks("emacs", "elisp") + check)
    ended = editor("emacs", "-Q", "--batch", "-l", str(settings))
    assert ended.returncode == 0, ended.stdout


def test_settings_for_neovim(editor: Any, clips: Dict[str, Path], tmp_path: Path) -> None:
    settings = tmp_path / "init.lua"
    settings.write_text(blocks("nvim", "lua"))
    check = "lua if vim.bo.filetype == 'reelwire' then vim.cmd('qall!') end"
    # The file can't be overwritten by mistake.
    written = "lua if pcall(vim.cmd, 'write') then vim.cmd('cquit!') end"
    command = ["-c", f"edit {clips['clip']}", "-c", written, "-c", check, "-c", "cquit!"]
    before = clips["clip"].read_bytes()
    ended = editor("nvim", "--headless", "-n", "-u", str(settings), *command)
    assert ended.returncode == 0, ended.stdout
    assert clips["clip"].read_bytes() == before


def test_the_cursor_is_in_the_float_that_neovim_starts_with(
    binary: Path, clips: Dict[str, Path], tmp_path: Path
) -> None:
    """`nvim clip.mp4` in a terminal: without one Neovim starts in another way."""
    if shutil.which("nvim") is None:
        pytest.skip("nvim isn't here, and .ci/setup editors could not install it")
    settings, found = tmp_path / "init.lua", tmp_path / "found"
    # Once the file's length is there, starting is long over.
    check = f"""
local timer = vim.loop.new_timer()
timer:start(0, 20, vim.schedule_wrap(function()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local buffer = vim.api.nvim_win_get_buf(window)
    local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
    if vim.bo[buffer].filetype == 'reelwire' and table.concat(lines):find('0:02%.000') then
      local isThere = window == vim.api.nvim_get_current_win()
      vim.fn.writefile({{ isThere and 'in the float' or 'behind it' }}, '{found}')
      vim.cmd('qall!')
    end
  end
end))
"""
    settings.write_text(blocks("nvim", "lua") + check)
    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    started = subprocess.Popen(
        ["nvim", "-n", "-i", "NONE", "-u", str(settings), str(clips["clip"])],
        stdin=inner,
        stdout=inner,
        stderr=inner,
        start_new_session=True,
        env={**os.environ, "TERM": "xterm", "PATH": f"{binary.parent}:{os.environ['PATH']}"},
    )
    os.close(inner)
    try:
        # Until its end of the terminal is closed.
        while select.select([outer], [], [], HANG)[0]:
            try:
                os.read(outer, 65536)
            except OSError:
                break
        started.wait(HANG)
    finally:
        started.kill()
        os.close(outer)
    assert found.read_text() == "in the float\n"


def test_the_help_of_neovim_has_tags(editor: Any, tmp_path: Path) -> None:
    """`:help reelwire` finds its page, by the tags that Neovim makes of it."""
    check = "lua if vim.fn.expand('%:t') == 'reelwire.txt' then vim.cmd('qall!') end"
    settings = tmp_path / "init.lua"
    settings.write_text(blocks("nvim", "lua"))
    command = ["nvim", "--headless", "-n", "-u", str(settings)]
    ended = editor(*command, "-c", "help reelwire", "-c", check, "-c", "cquit!")
    assert ended.returncode == 0, ended.stdout
    copy = tmp_path / "doc"
    shutil.copytree(CLIENTS / "nvim" / "doc", copy)
    (copy / "tags").unlink()
    subprocess.run(
        ["nvim", "--headless", "--clean", "-c", f"helptags {copy}", "-c", "qall!"],
        check=True,
        timeout=HANG,
    )
    assert (copy / "tags").read_text() == (CLIENTS / "nvim" / "doc" / "tags").read_text()


def test_reelwire_for_code_is_whole_when_it_is_packed(
    binary: Path, clips: Dict[str, Path], tmp_path: Path
) -> None:
    """The tests of the extension pass with the contents of the package, and its own engine."""
    package = tmp_path / "reelwire.vsix"
    pack = [sys.executable, str(CLIENTS / "vscode/pack.py"), "--output", str(package)]
    subprocess.run([*pack, "--binary", str(binary)], check=True, timeout=HANG)
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
    tests = [str(CLIENTS / f"vscode/test/{name}.test.js") for name in ("extension", "playing")]
    ended = subprocess.run(
        ["node", "--test", *tests], env=environment, capture_output=True, text=True, timeout=2 * HANG
    )
    assert ended.returncode == 0, ended.stdout
