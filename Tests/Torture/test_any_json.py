"""Random messages by hypothesis: each request has one well-formed answer, and the connection lives on."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Iterator, List

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from raw import Raw, lines, request  # noqa: E402

hypothesis = pytest.importorskip("hypothesis", reason="hypothesis isn't installed")
st = hypothesis.strategies

# No clock: the machine may be busy. The examples are the same in each run of the same sources: hypothesis takes the
# constants of the project's own modules for likely values, so that a change of any of them may bring new ones.
SETTINGS = hypothesis.settings(
    max_examples=150, deadline=None, derandomize=True, database=None,
    suppress_health_check=list(hypothesis.HealthCheck),
)  # fmt: skip

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)
# Its answer comes after those of all messages before it.
LAST_ID = "the last"
LAST = request(LAST_ID, "engine/stats")
# They change what the connection is, or end it.
LIFE_CYCLE = ("exit", "shutdown", "initialize")
IDS = st.integers() | st.text().filter(lambda id: id != LAST_ID) | st.floats(allow_nan=False, allow_infinity=False)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Raw]:
    folder = tmp_path_factory.mktemp("any")
    with Raw("--root", str(folder), cwd=folder) as server:
        yield server
        server.write(lines(LAST))
        assert not [each for each in server.until(LAST_ID) if "method" not in each]
        assert server.end() == 0 and not server.impure


@pytest.fixture(scope="module")
def methods(server: Raw) -> Any:
    """Requests whose parameters have the names of the document, with any values."""
    server.write(lines(request("document", "rpc.discover")))
    document = server.answer("document")["result"]
    served = [each for each in document["methods"] if each["name"] not in LIFE_CYCLE]
    others = st.text().filter(lambda name: name not in LIFE_CYCLE)

    def of(method: Any) -> Any:
        names = [param["name"] for param in method["params"]]
        named = st.dictionaries(st.sampled_from(names), JSON) if names else st.just({})
        return st.tuples(st.just(method["name"]), named | st.dictionaries(st.text(), JSON, max_size=3) | JSON)

    return st.sampled_from(served).flatmap(of) | st.tuples(others, JSON)


def answers(server: Raw, message: Any, count: int) -> List[Any]:
    """The answers to a message, of which `count` are expected; notifications aren't returned."""
    server.write(lines(json.dumps(message).encode()) + lines(LAST))
    found, isOver = [], False
    while len(found) < count or not isOver:
        each = server.next()
        if isinstance(each, dict) and each.get("id") == LAST_ID and "result" in each:
            isOver = True
        elif not isinstance(each, dict) or "method" not in each:
            found.append(each)
    assert len(found) == count, (message, found)
    return found


def check(answer: Any, id: Any) -> None:
    assert answer["jsonrpc"] == "2.0" and answer["id"] == id and type(answer["id"]) is type(id), answer
    assert ("result" in answer) != ("error" in answer) and len(answer) == 3, answer
    if "error" in answer:
        error = answer["error"]
        assert isinstance(error["code"], int) and error["code"] != -32603, answer
        assert error["message"] and error["data"]["name"], answer


def test_each_request_has_one_answer(server: Raw, methods: Any) -> None:
    @SETTINGS
    @hypothesis.given(IDS, methods)
    def run(id: Any, call: Any) -> None:
        message = {"jsonrpc": "2.0", "id": id, "method": call[0], "params": call[1]}
        check(answers(server, message, 1)[0], id)

    run()


def kind(message: Any) -> str:
    """What JSON-RPC 2.0 (sections 4 and 5) takes a value for: a call is a request or a notification, and a response has no
    answer itself.
    """
    if not isinstance(message, dict):
        return "invalid"
    if "method" not in message and ("result" in message or "error" in message):
        return "response"
    id, params = message.get("id"), message.get("params")
    isInvalid = (
        message.get("jsonrpc") != "2.0"
        or not isinstance(message.get("method"), str)
        or not (params is None or isinstance(params, (dict, list)))
        or not (id is None or is_id(id))
    )
    return "invalid" if isInvalid else "call"


def is_id(value: Any) -> bool:
    return isinstance(value, (int, float, str)) and not isinstance(value, bool)


def test_any_other_json_is_an_error(server: Raw) -> None:
    @SETTINGS
    @hypothesis.given(JSON)
    @hypothesis.example({"error": 7})
    @hypothesis.example({"result": None, "id": [1]})
    @hypothesis.example([{"result": 7}, {}, {"error": {}}])
    @hypothesis.example([{"result": 7}])
    def run(message: Any) -> None:
        isBatch = isinstance(message, list) and message != []
        sent = message if isBatch else [message]
        hypothesis.assume("call" not in map(kind, sent))
        sent = [each for each in sent if kind(each) == "invalid"]
        found = answers(server, message, 1 if sent else 0)
        if sent:
            assert isinstance(found[0], list) == isBatch
            found = found[0] if isBatch else found
        assert len(found) == len(sent)
        for each, answer in zip(sent, found):
            id = each.get("id") if isinstance(each, dict) else None
            check(answer, id if is_id(id) else None)
            assert answer["error"]["code"] == -32600, found

    run()


def test_a_batch_has_an_answer_for_each_of_its_requests(server: Raw, methods: Any) -> None:
    @SETTINGS
    @hypothesis.given(st.dictionaries(IDS, methods, min_size=1, max_size=5))
    def run(calls: Any) -> None:
        batch: List[Any] = [
            {"jsonrpc": "2.0", "id": id, "method": name, "params": params} for id, (name, params) in calls.items()
        ]
        # A notification has none.
        batch.append({"jsonrpc": "2.0", "method": "$/unknown", "params": {}})
        (found,) = answers(server, batch, 1)
        assert len(found) == len(calls)
        for answer in found:
            check(answer, next(id for id in calls if id == answer["id"]))

    run()
