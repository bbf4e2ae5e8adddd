"""The versions of the program and of the protocol are the same wherever they stand."""

from conftest import Tree

PLACES = {
    "clients/python/pyproject.toml": 'version = "0.1.0"',
    "clients/python/src/reelwire/version.py": 'PROTOCOL_VERSION = "1.0"',
    "clients/node/package.json": '"version": "0.1.0"',
    "clients/node/src/version.js": "PROTOCOL_VERSION = '1.0'",
    "clients/vscode/package.json": '"version": "0.1.0"',
    "clients/emacs/reelwire.el": ";; Version: 0.1.0",
    "CITATION.cff": "version: 0.1.0",
    "protocol.md": "This is version 1.0 of the protocol",
}


def test_each_other_version_is_found(checkout: Tree) -> None:
    assert checkout.violations() == []
    for path, text in PLACES.items():
        checkout.replace(path, text, text.replace("0.1.0", "0.2.0").replace("1.0", "1.1"))
    found = checkout.violations()
    assert len(found) == len(PLACES)
    for path in PLACES:
        assert any(line.startswith(f"{path}:") and "version isn't" in line for line in found), path


def test_a_new_version_is_wanted_everywhere(checkout: Tree) -> None:
    checkout.replace("Sources/EngineServer/Engine.swift", '"0.1.0"', '"0.2.0"')
    # The protocol's stay.
    assert len(checkout.violations()) == 7
