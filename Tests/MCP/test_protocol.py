"""The protocol by hand: both eras, refused requests, and the end."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest

from child_processes import children_of, gone, is_running
from conftest import BINARY, LEGACY, MODERN, Server, meta, text
from waiting import HANG

NAMES = [
    "probe", "view_frames", "view_sheet", "find_cuts", "view_waveform", "listen", "read_subtitles",
    "list_media", "export", "join", "compose", "job",
]  # fmt: skip


@pytest.fixture(scope="module")
def idle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("idle"))
    yield server
    assert server.end() == 0


def test_a_server_introduces_itself(idle: Server) -> None:
    result = idle.request("server/discover")
    assert result["supportedVersions"] == [MODERN]
    assert set(result["capabilities"]) == {"tools", "resources", "extensions"}
    assert len(result["instructions"].splitlines()) == 5
    assert result["resultType"] == "complete"
    assert result["ttlMs"] > 0 and result["cacheScope"] == "public"
    info = result["_meta"]["io.modelcontextprotocol/serverInfo"]
    assert info["name"] == "reelwire"


@pytest.mark.parametrize("version", LEGACY)
def test_each_older_revision_has_its_handshake(tmp_path: Path, version: str) -> None:
    server = Server(tmp_path)
    result = server.initialize(version)
    assert result["protocolVersion"] == version
    assert "resultType" not in result and "_meta" not in result
    assert server.request("ping") == {}
    tools = server.request("tools/list")
    assert "ttlMs" not in tools and "resultType" not in tools
    assert [each["name"] for each in tools["tools"]] == NAMES
    probe = tools["tools"][0]
    assert ("outputSchema" in probe) == (version >= "2025-06-18")
    assert ("annotations" in probe) == (version >= "2025-03-26")
    assert server.end() == 0


def test_an_unknown_revision_gets_the_newest_handshake(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.version = LEGACY[-1]
    result = server.request("initialize", {"protocolVersion": "1999-01-01", "capabilities": {}})
    assert result["protocolVersion"] == LEGACY[-1]
    assert server.end() == 0


def test_versions_that_are_not_known(idle: Server) -> None:
    params = {"_meta": {**meta(), "io.modelcontextprotocol/protocolVersion": "1900-01-01"}}
    idle.send({"jsonrpc": "2.0", "id": "v", "method": "tools/list", "params": params})
    error = idle.answer("v")["error"]
    assert error["code"] == -32022
    assert error["data"] == {"supported": [MODERN], "requested": "1900-01-01"}


@pytest.mark.parametrize(
    "params",
    [
        {}, {"_meta": {}}, {"_meta": 3}, None,
        {"_meta": {"io.modelcontextprotocol/protocolVersion": MODERN}},
        {"_meta": {**meta(), "io.modelcontextprotocol/protocolVersion": 20260728}},
        {"_meta": {**meta(), "io.modelcontextprotocol/clientCapabilities": []}},
    ],
)  # fmt: skip
def test_a_request_without_its_fields_is_malformed(idle: Server, params: Any) -> None:
    idle.send({"jsonrpc": "2.0", "id": "m", "method": "tools/list", "params": params})
    assert idle.answer("m")["error"]["code"] == -32602


def test_lists(idle: Server) -> None:
    first = idle.request("tools/list")
    assert first == idle.request("tools/list")
    assert [each["name"] for each in first["tools"]] == NAMES
    size = len(json.dumps(first, separators=(",", ":"), ensure_ascii=False).encode())
    assert size < 8000, size
    assert first["ttlMs"] > 0 and first["cacheScope"] == "public"
    assert idle.request("resources/list")["resources"] == []
    templates = idle.request("resources/templates/list")["resourceTemplates"]
    assert [each["uriTemplate"] for each in templates] == [
        "reelwire://frame/{+path}?t={time}", "reelwire://sheet/{+path}",
    ]  # fmt: skip
    assert idle.refusal("tools/list", {"cursor": "2"})["code"] == -32602


def schemas(value: Any) -> Iterator[Dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from schemas(each)
    elif isinstance(value, list):
        for each in value:
            yield from schemas(each)


def test_schemas_are_closed_and_have_no_references(idle: Server) -> None:
    for tool in idle.request("tools/list")["tools"]:
        assert tool["inputSchema"]["additionalProperties"] is False
        assert tool["inputSchema"]["type"] == "object"
        assert not any("$ref" in each for each in schemas(tool))
        assert tool["annotations"]["openWorldHint"] is False
        is_writing = tool["name"] in ("export", "join", "compose")
        assert tool["annotations"]["readOnlyHint"] == (not is_writing and tool["name"] != "job")
        if is_writing:
            assert tool["annotations"]["destructiveHint"] is False


def test_schemas_are_of_their_dialect(idle: Server) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    for tool in idle.request("tools/list")["tools"]:
        for name in ("inputSchema", "outputSchema"):
            if name in tool:
                jsonschema.Draft202012Validator.check_schema(tool[name])


def test_read_only(tmp_path: Path) -> None:
    server = Server(tmp_path, "--read-only")
    names = [each["name"] for each in server.request("tools/list")["tools"]]
    assert names == [name for name in NAMES if name not in ("export", "join", "compose")]
    assert server.refusal("tools/call", {"name": "export", "arguments": {}})["code"] == -32602
    assert server.end() == 0


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", -32700), (b"nonsense", -32700), (b'{"jsonrpc": "2.0", "id": 1,}', -32700),
        (b"[]", -32600), (b"[1]", -32600), (b'{"jsonrpc": "2.0"', -32700), (b"[4", -32700),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 4}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": 4}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": []}', -32602),
        (b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}', -32600),
        (b"\xff\xfe{}", -32700),
    ],
)  # fmt: skip
def test_lines_that_are_no_requests(idle: Server, line: bytes, code: int) -> None:
    idle.send(line)
    message = idle.next()
    assert message["error"]["code"] == code, message


def test_what_is_not_there(idle: Server) -> None:
    for method in ("prompts/list", "logging/setLevel", "nonsense", "ping", "resources/subscribe"):
        refused = idle.refusal(method)
        assert refused["code"] == -32601
        assert "tools/list" in refused["data"]["hint"] and "rpc." not in refused["data"]["hint"]
    for params in (
        {"name": "nonsense"}, {}, {"name": 3}, {"name": "probe", "arguments": []},
        {"name": "probe", "arguments": "path"},
    ):  # fmt: skip
        assert idle.refusal("tools/call", params)["code"] == -32602
    for method in ("tasks/get", "tasks/cancel", "tasks/update"):
        assert idle.refusal(method, {"taskId": "job:1"})["code"] == -32021


def test_a_subscription_lasts_until_it_is_cancelled_or_the_server_ends(tmp_path: Path) -> None:
    server = Server(tmp_path)
    wanted = {"toolsListChanged": True, "resourceSubscriptions": ["reelwire://sheet/take.mp4"]}
    for number in (server.begin("subscriptions/listen", {"notifications": wanted}) for _ in range(2)):
        opened = server.next()
        assert opened["method"] == "notifications/subscriptions/acknowledged"
        # Nothing of this server changes.
        assert opened["params"]["notifications"] == {}
        assert opened["params"]["_meta"] == {"io.modelcontextprotocol/subscriptionId": number}
    # The id is in use until it is cancelled.
    params = {"_meta": meta(), "notifications": {}}
    server.send({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params})
    assert server.next()["error"]["code"] == -32600
    server.notify("notifications/cancelled", requestId=1)
    assert server.request("resources/list")["resources"] == []
    assert server.process.stdin
    server.process.stdin.close()
    last = server.next()
    assert last["id"] == 2 and last["result"]["resultType"] == "complete"
    assert last["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == 2
    assert server.end() == 0


def test_subscriptions_that_are_refused(tmp_path: Path) -> None:
    server = Server(tmp_path)
    for params in ({}, {"notifications": True}, {"notifications": None}):
        assert server.refusal("subscriptions/listen", params)["code"] == -32602
    for _ in range(64):
        server.begin("subscriptions/listen", {"notifications": {}})
        assert "params" in server.next()
    assert server.refusal("subscriptions/listen", {"notifications": {}})["code"] == -32603
    assert server.end() == 0
    server = Server(tmp_path, version="2025-11-25")
    assert server.refusal("subscriptions/listen", {"notifications": {}})["code"] == -32601
    assert server.end() == 0


def test_notifications_get_no_answer(idle: Server) -> None:
    idle.notify("notifications/cancelled", requestId=12345)
    idle.notify("notifications/cancelled", requestId={})
    idle.notify("nonsense")
    idle.send({"jsonrpc": "2.0", "id": 7, "result": {}})
    number = idle.begin("resources/list")
    assert idle.next()["id"] == number


def batch(*methods: str) -> List[Dict[str, Any]]:
    return [{"jsonrpc": "2.0", "id": index, "method": each} for index, each in enumerate(methods)]


def test_batches_are_of_one_revision(tmp_path: Path) -> None:
    server = Server(tmp_path, version="2025-03-26")
    server.send([*batch("ping", "tools/list", "nonsense"), {"jsonrpc": "2.0", "method": "x"}, 4])
    answers = {each.get("id"): each for each in server.next()}
    assert answers[0]["result"] == {}
    assert answers[1]["result"]["tools"]
    assert answers[2]["error"]["code"] == -32601
    assert answers[None]["error"]["code"] == -32600
    server.send([{"jsonrpc": "2.0", "method": "x"}])
    assert server.request("ping") == {}
    assert server.end() == 0
    for version in ("2025-06-18", MODERN):
        server = Server(tmp_path, version=version)
        server.send(batch("ping"))
        assert server.next()["error"]["code"] == -32600
        assert server.end() == 0


def test_both_eras_in_one_process(clips: Path) -> None:
    server = Server(clips, version="2025-11-25")
    server.version = MODERN
    assert server.request("tools/list")["resultType"] == "complete"
    server.version = "2025-11-25"
    assert "resultType" not in server.request("tools/list")
    assert server.end() == 0


@pytest.mark.parametrize("version", [*LEGACY, MODERN])
def test_results_are_of_their_revision(clips: Path, tmp_path: Path, version: str) -> None:
    server = Server(clips, version=version)
    result = server.call("probe", path="take.mp4")
    assert ("structuredContent" in result) == (version >= "2025-06-18")
    heard = server.call("listen", path="tone.wav", start=0, duration=1)
    kind = heard["content"][-1]["type"]
    assert kind == ("resource" if version == "2024-11-05" else "audio")
    made = server.call("export", path="take.mp4", output=str(tmp_path / f"{version}.mp4"))
    assert ("resource_link" in [each["type"] for each in made["content"]]) == (version >= "2025-06-18")
    error = server.refusal("resources/read", {"uri": "reelwire://sheet/nothing.mp4"})
    assert error["code"] == (-32602 if version == MODERN else -32002)
    assert server.end() == 0


def test_only_messages_are_on_stdout(clips: Path) -> None:
    import subprocess

    requests = [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
         "params": {"name": "probe", "arguments": {"path": "take.mp4"}, "_meta": meta()}},
        {"jsonrpc": "2.0", "id": 2, "method": "server/discover", "params": {"_meta": meta()}},
    ]  # fmt: skip
    lines = "".join(json.dumps(each) + "\n" for each in requests)
    ended = subprocess.run(
        [str(BINARY), "mcp", "--log-level", "trace"], cwd=clips, input=lines.encode(),
        capture_output=True, timeout=HANG,
    )  # fmt: skip
    assert ended.returncode == 0
    # The input has ended at once, and both are answered.
    assert {json.loads(line)["id"] for line in ended.stdout.splitlines()} == {1, 2}


def test_the_end_leaves_nothing(clips: Path, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    server = Server(clips, environment={"TMPDIR": str(temporary)})
    server.call("list_media", folder=str(clips))
    processes = children_of(server.process.pid)
    assert processes
    assert len(os.listdir(temporary)) == 1
    assert server.end() == 0
    assert os.listdir(temporary) == []
    assert not any(map(is_running, processes))


def test_the_next_start_removes_what_a_killed_server_has_left(clips: Path, tmp_path: Path) -> None:
    environment = {"TMPDIR": str(tmp_path)}
    # Of others: a name that isn't of that form, a file, and a link.
    others = ["reelwire-mcp-of-mine", "reelwire-mcp-abcdef", "reelwire-mcp-ghijkl"]
    (tmp_path / others[0]).mkdir()
    (tmp_path / others[1]).write_text("a file")
    (tmp_path / others[2]).symlink_to(clips)
    running = Server(clips, environment=environment)
    running.request("server/discover")
    (own,) = set(os.listdir(tmp_path)) - set(others)
    killed = Server(clips, environment=environment)
    killed.request("server/discover")
    (left,) = set(os.listdir(tmp_path)) - {own, *others}
    (tmp_path / left / "listen-1.ogg").write_text("half of it")
    processes = children_of(killed.process.pid)
    killed.process.kill()
    killed.process.wait(HANG)
    gone(processes)
    assert (tmp_path / left).exists()
    server = Server(clips, environment=environment)
    server.request("server/discover")
    assert not (tmp_path / left).exists()
    # That of one that runs stays.
    assert (tmp_path / own).exists() and set(others) <= set(os.listdir(tmp_path))
    assert server.end() == 0 and running.end() == 0
    assert sorted(os.listdir(tmp_path)) == sorted(others)


@pytest.mark.parametrize("options", [["--nonsense"], ["--root", "/nothing/here"], ["--root", "/dev/null"]])
def test_wrong_options(options: List[str]) -> None:
    import subprocess

    ended = subprocess.run(
        [str(BINARY), "mcp", *options], input=b"", capture_output=True, timeout=HANG
    )
    assert ended.returncode == 2 and ended.stdout == b""
    assert options[-1].encode() in ended.stderr


def test_a_configuration_may_name_the_home_folder(clips: Path) -> None:
    server = Server(Path("/"), "--root", "~", environment={"HOME": str(clips)})
    assert server.call("probe", path="take.mp4")["structuredContent"]["path"] == str(clips / "take.mp4")
    assert "pathNotAllowed" in server.failure("probe", path="/etc/passwd")
    assert server.end() == 0


def test_a_message_that_is_too_large(idle: Server) -> None:
    message = {"jsonrpc": "2.0", "id": "large", "method": "tools/list", "params": {"x": "x" * (16 << 20)}}
    idle.send(message)
    answer = idle.next()
    assert answer["id"] == "large" and answer["error"]["code"] == -32600


def test_many_requests_at_once(clips: Path) -> None:
    """More than run at a time: each is answered, in any order."""
    server = Server(clips)
    numbers = [
        server.begin("tools/call", {"name": "probe", "arguments": {"path": "take.mp4"}})
        for _ in range(150)
    ]
    for number in numbers:
        assert not server.answer(number)["result"]["isError"]
    assert server.end() == 0


def test_a_result_has_text(idle: Server) -> None:
    result = idle.request("tools/call", {"name": "probe", "arguments": {"path": "/nothing.mp4"}})
    assert result["isError"] and "Hint:" in text(result)
