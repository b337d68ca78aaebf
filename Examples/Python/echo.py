#!/usr/bin/env python3
"""Answers what contacts write to a running `earshot node` with the same words: echo.py HOME [--accept-everybody]"""
import itertools
import json
import os
import socket
import sys


class Earshot:
    """A client of a node: requests and their answers, and the events that come meanwhile."""

    def __init__(self, home):
        link = socket.socket(socket.AF_UNIX)
        link.connect(os.path.join(home, "rpc.sock"))
        self.lines = link.makefile("rw", encoding="utf-8", newline="\n")
        self.ids = itertools.count(1)
        self.waiting = []

    def call(self, method, **params):
        """Asks for something and returns the answer; what the node refuses is a RuntimeError with its reason."""
        number = next(self.ids)
        self.lines.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
        self.lines.flush()
        while (answer := self.read()).get("id") != number:
            self.waiting.append(answer["params"])
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        return answer["result"]

    def events(self):
        """Yields events as they come, those first that came while an answer was awaited."""
        self.call("subscribe")
        while True:
            yield self.waiting.pop(0) if self.waiting else self.read()["params"]

    def read(self):
        line = self.lines.readline() or sys.exit("echo: the node has stopped")
        return json.loads(line)


def main(home, accepts_everybody):
    node = Earshot(home)
    print("answering as", node.call("status")["name"], flush=True)
    for event in node.events():
        if event["type"] != "message" or event["message"]["outgoing"] or not event["message"].get("text"):
            continue
        message = event["message"]
        if accepts_everybody:
            node.call("trust", peer=message["from"], action="accept")
        try:
            node.call("send", to=message["conversation"], text=message["text"], replyTo=message["id"])
            print(message["fromName"], "wrote", repr(message["text"]), flush=True)
        except RuntimeError as refusal:
            print("no answer to", message["fromName"] + ":", refusal, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], "--accept-everybody" in sys.argv[2:])
