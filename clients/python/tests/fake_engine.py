"""A small engine that plays a script: for behaviour that a real one has only on its worst days.

``fake_engine.py SCRIPT LOG serve`` reads a JSON object from SCRIPT: for each method the actions of
its first call, its second and so on, the last of which is used for all that follow. Every message
that arrives is appended to LOG. An action is an object with one member:

- ``result``, ``error``: answers with it; ``{"$shm": "text"}`` in it becomes a blob under a lease
- ``notify``: ``[method, params]``
- ``hold``: keeps the request; ``answer_held``: answers all that are kept, the last one first
- ``raw``, ``stderr``: writes the text as it is; ``stderr_hex``: writes those bytes
- ``exit``: ends with the code; ``kill``: ends by the signal
- ``deaf``: reads no more, ``for ever`` or ``until the pipe is full``
"""

import fcntl
import json
import mmap
import os
import struct
import sys
import termios
from pathlib import Path

#: linux/fcntl.h
F_GETPIPE_SZ = 1032


class FakeEngine:
    def __init__(self, script, log):
        self.script = script
        self.log = log
        self.calls = {}
        self.held = []
        self.leases = set()
        self.slab = None
        self.used = 0

    def send(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message})
        sys.stdout.buffer.write(text.encode() + b"\n")
        sys.stdout.buffer.flush()

    def run(self):
        for line in sys.stdin.buffer:
            message = json.loads(line)
            self.log.write(json.dumps(message) + "\n")
            self.log.flush()
            self.take(message)

    def take(self, message):
        method, params = message["method"], message.get("params") or {}
        if method in self.script:
            count = self.calls[method] = self.calls.get(method, 0) + 1
            turns = self.script[method]
            for action in turns[min(count, len(turns)) - 1]:
                self.act(action, message)
        elif method == "$/cancelRequest":
            for held in [held for held in self.held if held["id"] == params["id"]]:
                self.held.remove(held)
                error = {"code": -32800, "message": "cancelled"}
                self.send({"id": held["id"], "error": error})
        elif method == "blob/release":
            self.leases -= set(params["leases"])
        elif method == "exit":
            sys.exit(0)
        elif "id" in message:
            self.send({"id": message["id"], "result": self.standard(method)})

    def standard(self, method):
        return {
            "initialize": {
                "serverInfo": {"name": "reelwire", "version": "fake"},
                "protocolVersion": "1.0",
                "ffmpeg": {"version": "0", "license": "none", "libraries": {}},
                "capabilities": {},
            },
            "engine/stats": {"leases": len(self.leases), "calls": self.calls},
            "handle/list": {"handles": []},
            "asset/open": {"asset": "asset:1"},
            "imageGenerator/create": {"imageGenerator": "imageGenerator:2"},
            "exportSession/create": {
                "exportSession": "exportSession:3",
                "outputFileType": "mp4",
                "supportedFileTypes": ["mp4"],
            },
            "assetReader/create": {"assetReader": "assetReader:4", "outputs": ["output:4/1"]},
        }.get(method, {})

    def act(self, action, message):
        ((kind, value),) = action.items()
        if kind == "result":
            self.send({"id": message["id"], "result": self.filled(value)})
        elif kind == "error":
            self.send({"id": message["id"], "error": value})
        elif kind == "notify":
            self.send({"method": value[0], "params": self.filled(value[1])})
        elif kind == "hold":
            self.held.append(message)
        elif kind == "answer_held":
            while self.held:
                self.send({"id": self.held.pop()["id"], "result": self.filled(value)})
        elif kind == "raw":
            sys.stdout.write(value)
            sys.stdout.flush()
        elif kind in ("stderr", "stderr_hex"):
            data = value.encode() if kind == "stderr" else bytes.fromhex(value)
            os.write(2, data)
        elif kind == "exit":
            os._exit(value)
        elif kind == "kill":
            os.kill(os.getpid(), value)
        elif kind == "deaf":
            self.be_deaf(value == "for ever")
        else:
            raise ValueError(kind)

    def be_deaf(self, for_ever):
        sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Tests/Support"))
        from waiting import eventually

        def is_full():
            unread = struct.unpack("i", fcntl.ioctl(0, termios.FIONREAD, bytes(4)))[0]
            return not for_ever and unread > fcntl.fcntl(0, F_GETPIPE_SZ) - 4096

        eventually("a full pipe", is_full)

    def filled(self, value):
        if isinstance(value, dict):
            if "$shm" in value:
                return self.shared(value["$shm"].encode())
            return {name: self.filled(member) for name, member in value.items()}
        if isinstance(value, list):
            return [self.filled(element) for element in value]
        return value

    def shared(self, data):
        if self.slab is None:
            self.descriptor = os.memfd_create("fake")
            os.ftruncate(self.descriptor, 1 << 16)
            self.slab = mmap.mmap(self.descriptor, 1 << 16)
        if not self.leases:
            self.used = 0
        offset = self.used
        self.used += -(-len(data) // 64) * 64
        self.slab[offset : offset + len(data)] = data
        self.count = getattr(self, "count", 0) + 1
        self.leases.add(f"lease:{self.count}")
        return {
            "kind": "shm",
            "size": len(data),
            "mimeType": "application/octet-stream",
            "path": f"/proc/{os.getpid()}/fd/{self.descriptor}",
            "offset": offset,
            "lease": f"lease:{self.count}",
        }


if __name__ == "__main__":
    with open(sys.argv[1]) as script, open(sys.argv[2], "a") as log:
        FakeEngine(json.load(script), log).run()
