"""The engine, led by the JSON-RPC clients that editors bring; and our clients for these editors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

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
