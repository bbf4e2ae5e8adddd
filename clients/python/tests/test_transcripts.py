"""The conversations of Tests/Transcripts, by the transport of this client."""

import asyncio
import json
import re
import subprocess
from pathlib import Path

import pytest
from conftest import run
from waiting import eventually_async, turn

import reelwire
from reelwire.protocol import TERMINAL_NOTIFICATIONS

TRANSCRIPTS = Path(__file__).resolve().parents[3] / "Tests" / "Transcripts"
FIXTURES = json.loads((TRANSCRIPTS / "fixtures.json").read_text())
FILES = sorted(path for path in TRANSCRIPTS.glob("*.json") if path.name != "fixtures.json")

MISSING = object()
TYPES = {
    "string": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


@pytest.fixture(scope="module")
def fixture(tmp_path_factory):
    """Makes the fixtures that a transcript names, each once."""
    folder = tmp_path_factory.mktemp("transcripts")

    def make(name):
        recipe = FIXTURES[name]
        path = folder / recipe["file"]
        if not path.exists():
            if "text" in recipe:
                path.write_text(recipe["text"])
            else:
                command = ["ffmpeg", "-nostdin", "-loglevel", "error", *recipe["ffmpeg"], str(path)]
                subprocess.run(command, check=True)
        return str(path)

    return make


class Conversation:
    """A transcript's steps with an engine, and the values that they have set."""

    def __init__(self, engine, variables):
        self.transport = engine.transport
        self.variables = variables
        #: The engine's requests for drawing.
        self.asked = asyncio.Queue()
        self.transport.compositors.deliver = self.asked.put_nowait
        #: The notifications of players since the last comparison.
        self.told = []
        self.transport.playback.deliver = lambda *event: self.told.append(event)

    def filled(self, value):
        """A value with its variables filled in."""
        if isinstance(value, str):
            if whole := re.fullmatch(r"\$\{(\w+)\}", value):
                return self.variables[whole[1]]
            return re.sub(r"\$\{(\w+)\}", lambda found: str(self.variables[found[1]]), value)
        if isinstance(value, list):
            return [self.filled(each) for each in value]
        if isinstance(value, dict):
            return {key: self.filled(each) for key, each in value.items()}
        return value

    def problem(self, pattern, value, at=""):
        """The reason for which a value doesn't fit a pattern; ``None`` when it does."""
        if isinstance(pattern, dict) and any(key.startswith("$") for key in pattern):
            return self._special(pattern, value, at)
        if isinstance(pattern, list):
            if not isinstance(value, list) or len(value) != len(pattern):
                return f"{at} is {value!r}, not {len(pattern)} elements"
            pairs = zip(pattern, value)
            problems = (self.problem(*pair, f"{at}/{index}") for index, pair in enumerate(pairs))
        elif isinstance(pattern, dict):
            if not isinstance(value, dict):
                return f"{at} is {value!r}, no object"
            problems = (
                self.problem(each, value.get(key, MISSING), f"{at}/{key}")
                for key, each in pattern.items()
            )
        else:
            wanted = self.filled(pattern)
            is_same = wanted == value and isinstance(wanted, bool) == isinstance(value, bool)
            return None if is_same else f"{at} is {value!r}, not {wanted!r}"
        return next((problem for problem in problems if problem), None)

    def _special(self, pattern, value, at):
        if pattern.get("$any") is False:
            return None if value is MISSING else f"{at} is {value!r}, and should not be there"
        if value is MISSING:
            return None if pattern.get("$optional") else f"{at} is missing"
        if "$type" in pattern and not TYPES[pattern["$type"]](value):
            return f"{at} is {value!r}, no {pattern['$type']}"
        if "$match" in pattern:
            expression = self.filled(pattern["$match"])
            if not isinstance(value, str) or not re.search(expression, value):
                return f"{at} is {value!r}, which does not match {expression}"
        if "$range" in pattern:
            low, high = self.filled(pattern["$range"])
            if not TYPES["number"](value) or not low <= value <= high:
                return f"{at} is {value!r}, not between {low} and {high}"
        for each in pattern.get("$includes", ()):
            elements = value if isinstance(value, list) else []
            if all(self.problem(each, element) for element in elements):
                return f"{at} is {value!r}, without {each!r}"
        if "$set" in pattern:
            self.variables[pattern["$set"]] = value
        return None

    def check(self, pattern, value, what):
        assert self.problem(pattern, value, what) is None

    async def step(self, step):
        """One request or notification, and all that becomes of it."""
        params = self.filled(step.get("params") or {})
        if "notify" in step:
            self.transport.notify(step["notify"], params)
            return
        method = step["request"]
        if step.get("cancelled"):
            task = asyncio.ensure_future(self.transport.send_request(method, params))
            await turn()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        elif "error" in step:
            with pytest.raises(reelwire.ReelwireError) as caught:
                await self.transport.send_request(method, params)
            error = caught.value
            wire = {"code": error.code, "message": error.message, "data": error.data}
            self.check(step["error"], wire, f"{method} error")
            assert error.name == error.data["name"]
        elif "end" in step:
            await self.work(step, await self.transport.start(method, params))
        else:
            result = await self.transport.send_request(method, params)
            if "events" in step:
                self.compare(step["events"])
            self.check(step["result"], result, f"{method} result")

    def compare(self, events):
        """Compares the notifications of players, in their order."""
        told, self.told[:] = list(self.told), []
        assert [method for method, _ in told] == [event["method"] for event in events]
        for event, (method, params) in zip(events, told):
            self.check(event["params"], params, method)

    async def work(self, step, operation):
        """Work from its answer to its end."""
        self.check(step["result"], {"operation": operation.handle}, f"{step['request']} result")
        if "asks" in step:
            self.check(step["asks"]["params"], await self.asked.get(), step["asks"]["method"])
        for each in step.get("then", ()):
            await self.step(each)
        expected = list(step.get("notifications", ()))
        while True:
            method, params = await operation.next()
            if method == TERMINAL_NOTIFICATIONS[step["request"]]:
                break
            if method in step.get("each", ()):
                self.check(step["each"][method], params, method)
                continue
            item = {"method": method, "params": params}
            fitting = [pattern for pattern in expected if self.problem(pattern, item) is None]
            assert fitting, f"{item} was not expected"
            expected.remove(fitting[0])
        assert expected == []
        self.check(step["end"], params, method)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_transcript(binary, fixture, tmp_path, path):
    transcript = json.loads(path.read_text())
    variables = {name: fixture(name) for name in transcript["fixtures"]}
    variables["folder"] = str(tmp_path)

    async def job():
        async with reelwire.AsyncEngine(binary) as engine:
            conversation = Conversation(engine, variables)
            for step in transcript["steps"]:
                await conversation.step(step)
            assert await engine.handles() == []

            async def has_ended():
                return not (await engine.stats())["operations"]

            await eventually_async("the end of all operations", has_ended)
            assert (await engine.stats())["leases"] == 0

    run(job())


def test_there_are_transcripts():
    assert len(FILES) > 5
