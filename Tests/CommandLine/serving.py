"""A client of the served protocol that keeps all messages in their order."""

import json
import subprocess

from conftest import BINARY, environment

from waiting import HANG


class Server:
    """A program that serves, whose messages are read one after the other."""

    def __init__(self, *arguments, prefix=()):
        self.process = subprocess.Popen(
            [*prefix, str(BINARY), "serve", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(),
        )
        self.id = 0
        #: All that has come, in its order.
        self.messages = []

    def close(self):
        self.process.stdin.close()
        self.process.wait(HANG)
        self.process.stdout.close()

    def message(self, method, **params):
        self.id += 1
        return {"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}

    def write(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def send(self, method, **params):
        self.write(self.message(method, **params))
        return self.id

    def take(self):
        line = self.process.stdout.readline()
        assert line, "the program has ended"
        message = json.loads(line)
        found = message if isinstance(message, list) else [message]
        self.messages += found
        return found

    def until(self, is_met):
        """Reads messages until one meets the condition, which may have come before."""
        for message in self.messages:
            if is_met(message):
                return message
        while True:
            for message in self.take():
                if is_met(message):
                    return message

    def answer(self, id):
        return self.until(lambda message: message.get("id") == id)

    def call(self, method, **params):
        answer = self.answer(self.send(method, **params))
        assert "result" in answer, answer
        return answer["result"]

    def place(self, is_met):
        return next(place for place, message in enumerate(self.messages) if is_met(message))
