"""The program behaves as protocol.md shows, and derived values in the page are checked.

Tests/Transcripts/protocol-*.json are run here once more, over the streams of `reelwire serve` and
in the folder of the files that they name, and compared exactly: an answer must not have members
that the page doesn't show. Only values with a pattern of their own may differ from run to run.
"""

import json
import os
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest

from waiting import HANG

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Sources/Generator"))

import examples  # noqa: E402
import links  # noqa: E402
import pages  # noqa: E402
import transcripts  # noqa: E402
from model import GeneratorError  # noqa: E402

BINARY = Path(os.environ.get("REELWIRE_BINARY", ROOT / ".build/debug/reelwire")).resolve()
TERMINAL = transcripts.terminal_notifications(
    json.loads((ROOT / "docs/openrpc.json").read_text("utf-8"))
)
SHOWN = transcripts.shown_transcripts(TERMINAL)
TYPES = {"string": str, "number": (int, float), "boolean": bool, "array": list, "object": dict}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Makes the files that transcripts name, each once."""
    folder = tmp_path_factory.mktemp("fixtures")

    def make(name):
        recipe = transcripts.fixtures()[name]
        path = folder / recipe["file"]
        if not path.exists():
            command = ["ffmpeg", "-nostdin", "-v", "error", *recipe["ffmpeg"], str(path)]
            subprocess.run(command, check=True)
        return path

    return make


class Server:
    """`reelwire serve`, a line at a time."""

    def __init__(self, folder):
        self.process = subprocess.Popen(
            [BINARY, "serve"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        status = self.process.wait(HANG)
        self.process.stdout.close()
        assert status == 0

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")

    def receive(self):
        while b"\n" not in self.rest:
            readable, _, _ = select.select([self.process.stdout], [], [], HANG)
            assert readable, "nothing comes"
            piece = self.process.stdout.read(1 << 16)
            assert piece, "the program has ended"
            self.rest += piece
        line, _, self.rest = self.rest.partition(b"\n")
        return json.loads(line)

    def answer(self, id):
        """The answer to a request, and the notifications before it."""
        notifications = []
        while (message := self.receive()).get("id") != id:
            notifications.append(message)
        return message, notifications


def is_optional(pattern):
    return isinstance(pattern, dict) and pattern.get("$optional") is True


PLAYERS = "(player|playerItem|timeObserver|videoOutput|playerLooper|audioPlayer)/"


def is_of_object(message):
    """True if it is about a player, a capture session or one of their things, and not of work."""
    if re.match("capture(Session|Output)/", message["method"]):
        return "operation" not in message["params"]
    return re.match(PLAYERS, message["method"])


class Comparison:
    """A transcript that is run, and compared with the page's text."""

    def __init__(self, transcript, server):
        self.transcript = transcript
        self.server = server
        self.id = 0
        #: The notifications about objects that have arrived since the last comparison.
        self.told = []

    def run(self):
        for step in self.transcript.steps:
            self.step(step)

    def step(self, step, work=None):
        """One step; messages before the answer belong to the work that is under way, if there is one."""
        params = self.transcript.shown(step.get("params", {}))
        if "notify" in step:
            self.server.send({"jsonrpc": "2.0", "method": step["notify"], "params": params})
            return
        self.id += 1
        message = {"jsonrpc": "2.0", "id": self.id, "method": step["request"], "params": params}
        self.server.send(message)
        if step.get("cancelled"):
            params = {"id": self.id}
            self.server.send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": params})
        answer, notifications = self.server.answer(self.id)
        self.told += [each for each in notifications if is_of_object(each)]
        notifications = [each for each in notifications if not is_of_object(each)]
        if step.get("cancelled") and "result" in answer:
            return
        member = "error" if "error" in step else "result"
        assert member in answer, answer
        if "events" in step:
            told, self.told = self.told, []
            assert len(told) == len(step["events"]), told
            for event, message in zip(step["events"], told):
                assert message["method"] == event["method"]
                self.compare(event["params"], message["params"], event["method"])
        self.compare(step[member], answer[member], step["request"])
        if "end" in step:
            self.work(step, notifications)
        elif work is not None:
            work += notifications
        else:
            # With the completion "response" the work's progress comes before the answer. Notifications that
            # aren't of work, such as the end of a resource, may come at any time.
            of_work = [each["method"] for each in notifications if "operation" in each["params"]]
            assert all(method.endswith("didProgress") for method in of_work)

    def work(self, step, notifications):
        if "asks" in step:
            asked = notifications.pop(0) if notifications else self.server.receive()
            assert asked["method"] == step["asks"]["method"]
            self.compare(step["asks"]["params"], asked["params"], asked["method"])
        for inner in step.get("then", []):
            self.step(inner, notifications)
        expected = list(step.get("notifications", []))
        end = self.transcript.terminal[step["request"]]
        while True:
            received = notifications.pop(0) if notifications else self.server.receive()
            method, params = received["method"], received["params"]
            if method == end:
                break
            if method in step.get("each", {}):
                self.compare(step["each"][method], params, method)
                continue
            assert "index" in params, received
            index = [pattern["params"]["index"] for pattern in expected].index(params["index"])
            self.compare(expected.pop(index)["params"], params, method)
        assert not expected
        self.compare(step["end"], params, end)

    def compare(self, pattern, value, at):
        if not isinstance(pattern, dict) or not any(key.startswith("$") for key in pattern):
            assert type(pattern) is type(value) or isinstance(value, (int, float)), at
        if isinstance(pattern, list):
            assert len(pattern) == len(value), f"{at}: {value}"
            for index, pair in enumerate(zip(pattern, value)):
                self.compare(*pair, f"{at}/{index}")
        elif not isinstance(pattern, dict):
            assert value == (
                self.transcript.filled(pattern) if isinstance(pattern, str) else pattern
            ), at
        elif any(key.startswith("$") for key in pattern):
            low, high = pattern.get("$range", (None, None))
            assert low is None or low <= value <= high, f"{at}: {value}"
            assert re.search(pattern.get("$match", ""), str(value)), f"{at}: {value}"
            assert isinstance(value, TYPES[pattern.get("$type", "string")]) or "$range" in pattern
            if "$set" in pattern:
                self.transcript.variables[pattern["$set"]] = value
        else:
            optional = {key for key, member in pattern.items() if is_optional(member)}
            members = f"{at}: the members are {sorted(value)}"
            assert set(pattern) - optional <= set(value) <= set(pattern), members
            for key in value:
                self.compare(pattern[key], value[key], f"{at}/{key}")


@pytest.mark.parametrize("name", SHOWN)
def test_the_page_shows_what_happens(made, tmp_path, name):
    transcript = SHOWN[name]
    for fixture in transcript.fixtures:
        path = made(fixture)
        (tmp_path / path.name).symlink_to(path)
    with Server(tmp_path) as server:
        Comparison(transcript, server).run()


def guides() -> str:
    """The pages that are written by hand, one after the other."""
    return "".join((ROOT / name).read_text("utf-8") for name in ("protocol.md", "docs/exports.md"))


def test_the_contents_are_those_of_the_page():
    page = (ROOT / "protocol.md").read_text("utf-8")
    region = page.partition("<!-- contents -->\n")[2].partition("\n<!-- end -->")[0]
    assert region == pages.contents(page)
    assert region.count("\n") > 30


def test_no_example_is_written_by_hand():
    page = guides()
    fences = page.count("\n```json\n")
    assert fences == page.count("<!-- transcript: ") > 20


def test_a_stale_region_is_filled_again():
    page = "# Page\n\n<!-- contents -->\nold\n<!-- end -->\n\n## One\n\n### Two\n\n## One\n"
    filled = pages.fill(page, {}, set())
    assert "old" not in filled
    assert "- [One](#one)\n  - [Two](#two)\n- [One](#one-1)\n<!-- end -->" in filled
    assert pages.fill(filled, {}, set()) == filled


def test_a_transcript_that_no_page_shows_is_refused():
    with pytest.raises(GeneratorError, match="no page shows"):
        pages.fill_all({"page.md": "# Page\n"}, SHOWN)
    with pytest.raises(GeneratorError, match="there is no transcript"):
        pages.fill("<!-- transcript: none/such -->\n<!-- end -->\n", {}, set())


def test_a_value_shown_fits_its_pattern(tmp_path):
    step = {"part": "a", "request": "time/seconds", "result": {"seconds": {"$range": [0, 1]}}}
    path = tmp_path / "protocol-x.json"
    for shown, message in ((2, "does not fit"), (None, "needs a .shown")):
        if shown is not None:
            step["result"]["seconds"]["$shown"] = shown
        else:
            del step["result"]["seconds"]["$shown"]
        path.write_text(json.dumps({"fixtures": [], "steps": [step]}))
        with pytest.raises(GeneratorError, match=message):
            transcripts.Transcript(path, TERMINAL).parts()


def test_links_to_nothing_are_found(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/b.md").write_text("# B\n\n## A heading, `code`\n")
    (tmp_path / "a.md").write_text(
        "[good](docs/b.md#a-heading-code) [bad](docs/b.md#none) [gone](c.md) `[no](link)`\n"
    )
    assert links.problems(tmp_path, {}) == [
        "a.md: there is no heading docs/b.md#none",
        "a.md: there is no c.md",
    ]


def test_messages_that_do_not_fit_the_declarations_are_found():
    document = json.loads((ROOT / "docs/openrpc.json").read_text("utf-8"))

    def problems(*messages):
        return examples.problems(transcripts.fence(list(messages)), document)

    unknown = {"id": 1, "method": "asset/opne", "params": {}}
    wrong = {"id": 2, "method": "asset/open", "params": {"url": 7}}
    error = {"code": -32601, "message": "", "data": {"name": "", "hint": ""}}
    assert problems(unknown, {"id": 1, "error": error}) == []
    assert problems({**unknown, "method": "asset/open"}, {"id": 1, "error": error})
    assert problems(unknown)
    assert problems(wrong, {"id": 2, "error": {**error, "code": -32602}}) == []
    assert "7 is no string" in problems(wrong)[0]
    seconds = {"id": 3, "method": "time/seconds", "params": {"time": 0}}
    assert problems(seconds, {"id": 3, "result": {"secs": 0}})


def test_methods_that_do_not_exist_are_found():
    document = json.loads((ROOT / "docs/openrpc.json").read_text("utf-8"))
    page = "`asset/open`, `asset/didLoadValues`, `exportSession/start`, `image/jpeg`\n"
    assert examples.unknown_methods(page, document) == [
        "protocol.md:1: there is no method exportSession/start"
    ]


def test_the_errors_of_the_guide_exist():
    """Names in the paragraphs of common errors are error codes, or methods and members."""
    page = guides()
    reference = (ROOT / "docs/protocol-reference.md").read_text("utf-8")
    codes = set(re.findall(r"^\| -?\d+ \| `(\w+)` \|", reference, re.M))
    declared = set(re.findall(r"\w+", (ROOT / "docs/openrpc.json").read_text("utf-8")))
    paragraphs = re.findall(r"^\*\*Common errors.*?\n\n", page, re.M | re.S)
    assert len(paragraphs) > 8 and len(codes) > 50
    for paragraph in paragraphs:
        names = re.findall(r"`(\w+)`", paragraph)
        assert codes & set(names)
        assert set(names) <= codes | declared, paragraph


def test_long_messages_are_broken_into_lines_that_parse():
    message = {"a": list(range(60)), "b": {"c": "x" * 80, "d": {"e": "y" * 30}}, "f": []}
    text = transcripts.layout(message)
    assert json.loads(text) == message
    assert max(map(len, text.splitlines())) <= transcripts.WIDTH
