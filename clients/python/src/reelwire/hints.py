"""Hints of the engine for those who use Python: on the wire they name methods and params."""

from __future__ import annotations

import re
from functools import lru_cache

from . import protocol

__all__ = ["argument_name", "python_hint"]

#: What isn't called as its method is, by the method.
_CALLS = {
    "rpc.discover": "Engine.discover()",
    "asset/loadValues": "asset.load()",
    "track/loadValues": "track.load()",
    "asset/tracks": "asset.tracks",
    "assetReader/start": "reader.start()",
    "composition/create": "Engine.composition()",
    "composition/assemble": "Engine.assemble()",
    "composition/import": "Engine.import_composition()",
    "handle/list": "Engine.handles()",
    "blob/release": "release()",
    "library/open": "Engine.library()",
    "library/fetch": "query.fetch()",
    "libraryItem/values": "item.values()",
    "libraryItem/thumbnail": "item.thumbnail()",
}
#: What belongs to another object in Python than on the wire.
_RECEIVERS = {"engine": "Engine", "exportSession/compatiblePresets": "asset"}
_NOUNS = (
    "asset|track|composition|imageGenerator|exportSession|assetReader|sampleCursor|waveform|engine|"
    "handle|blob|library|fetchResult|libraryItem"
)
# Not within a path.
_METHOD = re.compile(rf"\brpc\.discover\b|(?<![\w/.'])(?:{_NOUNS})/[a-z][A-Za-z]+\b")
_NAME = re.compile(r"(?<![\w/.'])[a-z]+[A-Z]\w*")
#: Phrases of hints that are the wire's alone.
_PHRASES = {
    "raise --shm-max": "start the engine with a larger --shm-max",
    "data.libav": "error.data['libav']",
    "data.log": "error.data['log']",
    "data.stage": "error.data['stage']",
    "data.errors": "error.data['errors']",
}


@lru_cache(maxsize=None)
def _params() -> frozenset[str]:
    """The names of members of params that are written otherwise in Python; those of results aren't."""
    names: set[str] = set()
    for title, value in vars(protocol).items():
        if hasattr(value, "__required_keys__") and not title.endswith("Result"):
            names.update(value.__annotations__)
    return frozenset(name for name in names if _snake(name) != name)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _call(method: re.Match[str]) -> str:
    name = method[0]
    if name in _CALLS:
        return _CALLS[name]
    noun, _, verb = name.partition("/")
    receiver = _RECEIVERS.get(name, _RECEIVERS.get(noun, _snake(noun)))
    return f"{receiver}.{_snake(verb)}()"


def argument_name(name: str) -> str:
    """A param's name as an argument's: ``timeRange`` is ``time_range``."""
    return _snake(name) if name in _params() else name


def python_hint(hint: str) -> str:
    """A hint of the engine's with Python's calls and arguments in place of methods and params."""
    for phrase, other in _PHRASES.items():
        hint = hint.replace(phrase, other)
    hint = _METHOD.sub(_call, hint)
    return _NAME.sub(lambda word: argument_name(word[0]), hint)
