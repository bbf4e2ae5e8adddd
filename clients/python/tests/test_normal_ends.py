"""The end of the engine is no failure of the objects that are open then."""

import json
import signal
import subprocess

import pytest
from waiting import HANG


@pytest.mark.parametrize("end", ["input", "exit", "signal"])
def test_no_object_fails_at_a_normal_end(binary, clip, end):
    process = subprocess.Popen(
        [binary, "serve", "--framing", "lines"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    requests = [
        ("asset/open", {"url": str(clip)}),
        ("playerItem/create", {"asset": "asset:1"}),
        ("player/create", {"items": ["playerItem:1"], "clock": "manual"}),
        ("player/advanceClock", {"player": "player:1", "by": 0}),
        ("audioPlayer/create", {"url": str(clip), "clock": "manual"}),
        ("captureSession/create", {"clock": "manual"}),
    ]
    with process:
        for number, (method, params) in enumerate(requests):
            message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()
            while (answer := json.loads(process.stdout.readline())).get("id") != number:
                pass
            assert "result" in answer, answer
        if end == "signal":
            process.send_signal(signal.SIGTERM)
        else:
            if end == "exit":
                process.stdin.write(b'{"jsonrpc": "2.0", "method": "exit"}\n')
            process.stdin.close()
        rest = process.stdout.read().decode()
        assert process.wait(HANG) == 0
    assert "failed" not in rest and "workerDied" not in rest, rest
