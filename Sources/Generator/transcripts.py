"""The transcripts of Tests/Transcripts that protocol.md shows.

The tests of the program and of both clients run every transcript. Those called `protocol-*.json`
are also shown in protocol.md, message by message: the page shows the messages of the tests.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Dict, Iterator, List

from model import GeneratorError

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "Tests" / "Transcripts"
PREFIX = "protocol-"
WIDTH = 100
OMITTED = object()


class Transcript:
    """One transcript, with its values as a reader sees them: files are named from their folder."""

    def __init__(self, path: Path, terminal: Dict[str, str]) -> None:
        self.name = path.stem[len(PREFIX) :]
        script = json.loads(path.read_text(encoding="utf-8"))
        self.fixtures: List[str] = script["fixtures"]
        self.steps: List[Dict[str, Any]] = script["steps"]
        self.variables = {name: fixtures()[name]["file"] for name in self.fixtures}
        self.terminal = terminal
        self.next_id = 0

    def parts(self) -> Dict[str, List[Dict[str, Any]]]:
        """The messages of each part. Steps without a `part` are run, and not shown."""
        self.next_id = 0
        found: Dict[str, List[Dict[str, Any]]] = {}
        for step in self.steps:
            messages = list(self._messages(step))
            if "part" in step:
                found.setdefault(step["part"], []).extend(messages)
        return found

    def _messages(self, step: Dict[str, Any]) -> Iterator[Dict[str, Any]]:
        if "notify" in step:
            yield self._envelope(method=step["notify"], params=self.shown(step["params"]))
            return
        self.next_id += 1
        id = self.next_id
        method = step["request"]
        params = {"params": self.shown(step["params"])} if "params" in step else {}
        yield self._envelope(id=id, method=method, **params)
        if step.get("cancelled"):
            yield self._envelope(method="$/cancelRequest", params={"id": id})
        if "error" in step:
            yield self._envelope(id=id, error=self.shown(step["error"]))
            return
        for pattern in step.get("events", []):
            yield self._envelope(**self.shown(pattern))
        yield self._envelope(id=id, result=self.shown(step["result"]))
        if "end" not in step:
            return
        if "asks" in step:
            yield self._envelope(**self.shown(step["asks"]))
        for inner in step.get("then", []):
            yield from self._messages(inner)
        for name, pattern in step.get("each", {}).items():
            yield self._envelope(method=name, params=self.shown(pattern))
        for pattern in step.get("notifications", []):
            yield self._envelope(**self.shown(pattern))
        yield self._envelope(method=self.terminal[method], params=self.shown(step["end"]))

    @staticmethod
    def _envelope(**members: Any) -> Dict[str, Any]:
        return {"jsonrpc": "2.0", **members}

    def shown(self, pattern: Any) -> Any:
        """A pattern as the value that stands for it on the page."""
        value = self._shown(pattern)
        return None if value is OMITTED else value

    def _shown(self, pattern: Any) -> Any:
        if isinstance(pattern, str):
            return self.filled(pattern)
        if isinstance(pattern, list):
            return [self._shown(element) for element in pattern]
        if not isinstance(pattern, dict):
            return pattern
        if pattern.get("$any") is False:
            return OMITTED
        if any(key.startswith("$") for key in pattern):
            if "$shown" not in pattern:
                raise GeneratorError(f"{self.name}: {json.dumps(pattern)} needs a $shown")
            return self._fitting(pattern)
        values = {key: self._shown(value) for key, value in pattern.items()}
        return {key: value for key, value in values.items() if value is not OMITTED}

    def _fitting(self, pattern: Dict[str, Any]) -> Any:
        """The shown value of one that differs from run to run has to be within its range."""
        value = pattern["$shown"]
        low, high = pattern.get("$range", [value, value])
        fits = (
            low <= value <= high
            if "$range" in pattern
            else "$match" not in pattern or re.search(pattern["$match"], value)
        )
        if not fits:
            raise GeneratorError(f"{self.name}: {json.dumps(pattern)} shows a value that does not fit it")
        if "$set" in pattern:
            self.variables[pattern["$set"]] = value
        return value

    def filled(self, text: str) -> Any:
        text = text.replace("${folder}/", "")
        return re.sub(r"\$\{(\w+)\}", lambda match: self.variables[match.group(1)], text)


def fixtures() -> Dict[str, Any]:
    recipes: Dict[str, Any] = json.loads((FOLDER / "fixtures.json").read_text(encoding="utf-8"))
    return recipes


def shown_transcripts(terminal: Dict[str, str]) -> Dict[str, Transcript]:
    """The transcripts of protocol.md by their names there."""
    found = [Transcript(path, terminal) for path in sorted(FOLDER.glob(f"{PREFIX}*.json"))]
    return {transcript.name: transcript for transcript in found}


def terminal_notifications(document: Dict[str, Any]) -> Dict[str, str]:
    """The notification that ends the work of each request that starts some."""
    methods = document["methods"]
    return {m["name"]: m["x-terminal"] for m in methods if "x-terminal" in m}


def fixture_command(name: str) -> str:
    """The shell command that makes a fixture."""
    fixture = fixtures()[name]
    lines = ["ffmpeg -v error"]
    for option in _options(fixture["ffmpeg"]):
        text = " ".join(_quoted(word) for word in option)
        if len(lines[-1]) + len(text) + 3 > WIDTH:
            lines.append(" ")
        lines[-1] += f" {text}"
    return " \\\n".join([*lines[:-1], f"{lines[-1]} {fixture['file']}"])


def _options(words: List[str]) -> List[List[str]]:
    """An option and its value stay on one line, and so does an input."""
    options: List[List[str]] = []
    for word in words:
        if word.startswith("-") and not (options and options[-1] == ["-f", "lavfi"]):
            options.append([word])
        else:
            options[-1].append(word)
    return options


def _quoted(word: str) -> str:
    return word if re.fullmatch(r"[\w@%+=:,./-]+", word) else f'"{word}"'


def fence(messages: List[Dict[str, Any]]) -> str:
    return "```json\n" + "\n".join(layout(message) for message in messages) + "\n```"


def layout(value: Any, indent: int = 0, column: int = 0) -> str:
    """JSON in lines of at most WIDTH characters where that is possible, as few as possible."""
    flat = json.dumps(value, ensure_ascii=False)
    if column + len(flat) <= WIDTH or not isinstance(value, (dict, list)) or not value:
        return flat
    is_object = isinstance(value, dict)
    items = value.items() if isinstance(value, dict) else ((None, each) for each in value)
    text, column, indent = "{" if is_object else "[", column + 1, indent + 1
    is_broken = False
    for index, (key, member) in enumerate(items):
        name = f"{json.dumps(key, ensure_ascii=False)}: " if is_object else ""
        width = len(name) + len(json.dumps(member, ensure_ascii=False)) + 2
        is_long = is_broken or column + width > WIDTH
        # A container continues where it begins: its own members are broken into lines.
        if is_long and (index or not isinstance(member, (dict, list))):
            text, column = f"{text}{',' if index else ''}\n{' ' * indent}", indent
        elif index:
            text, column = f"{text}, ", column + 2
        item = name + layout(member, indent + 1, column + len(name))
        is_broken = "\n" in item
        column = len(item) - item.rfind("\n") - 1 if is_broken else column + len(item)
        text += item
    return text + ("}" if is_object else "]")
