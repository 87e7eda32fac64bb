"""A client of `openqnn lsp` for tests: frames messages, matches answers to requests, applies edits."""

import json
import os
import queue
import subprocess
import threading


class Closed(Exception):
    """The server has ended its output."""


def frame(message):
    body = message if isinstance(message, bytes) else json.dumps(message, ensure_ascii=False).encode("utf-8")
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def utf16_index(line, character):
    """The index into a Python string of a column in UTF-16 units."""
    units = 0
    for index, char in enumerate(line):
        if units >= character:
            return index
        units += 2 if ord(char) > 0xFFFF else 1
    return len(line)


def line_starts(text):
    starts, index = [0], 0
    while index < len(text):
        if text[index] == "\r" and text[index + 1:index + 2] == "\n":
            index += 1
        index += 1
        if text[index - 1] in "\r\n":
            starts.append(index)
    return starts


def offset(text, position):
    starts = line_starts(text)
    if position["line"] >= len(starts):
        return len(text)
    begin = starts[position["line"]]
    end = starts[position["line"] + 1] if position["line"] + 1 < len(starts) else len(text)
    line = text[begin:end].rstrip("\r\n")
    return begin + utf16_index(line, position["character"])


def position(text, index):
    """The UTF-16 position of an index into a Python string."""
    starts = [start for start in line_starts(text) if start <= index]
    units = len(text[starts[-1]:index].encode("utf-16-le")) // 2
    return {"line": len(starts) - 1, "character": units}


def apply(text, edits):
    for edit in sorted(edits, key=lambda e: offset(text, e["range"]["start"]), reverse=True):
        begin, end = offset(text, edit["range"]["start"]), offset(text, edit["range"]["end"])
        text = text[:begin] + edit["newText"] + text[end:]
    return text


class Client:
    """One run of the server. `with Client(tool) as client` starts it and makes sure that it ends."""

    TIMEOUT = 60

    def __init__(self, tool):
        env = {k: v for k, v in os.environ.items() if not k.startswith("OPENQNN_")}
        self.process = subprocess.Popen([str(tool), "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        self.messages = queue.Queue()
        self.notifications = []
        self.next_id = 0
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(self.TIMEOUT)
        for stream in (self.process.stdin, self.process.stdout):
            try:
                stream.close()
            except BrokenPipeError:  # what was not flushed has no reader
                pass

    def _read(self):
        out = self.process.stdout
        while True:
            length = None
            while (line := out.readline()) not in (b"\r\n", b""):
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if length is None:
                self.messages.put(None)
                return
            self.messages.put(json.loads(out.read(length)))

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        self.send_bytes(frame(message))

    def receive(self):
        message = self.messages.get(timeout=self.TIMEOUT)
        if message is None:
            raise Closed()
        return message

    def notify(self, method, params=None):
        self.send({"jsonrpc": "2.0", "method": method, "params": params or {}})

    def request(self, method, params=None):
        """The whole answer; notifications that come before it are kept."""
        self.next_id += 1
        self.send({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params or {}})
        while (message := self.receive()).get("id", 0) != self.next_id or "method" in message:
            self.notifications.append(message)
        return message

    def result(self, method, params=None):
        answer = self.request(method, params)
        assert "result" in answer, answer
        return answer["result"]

    def wait_for(self, method, accept=lambda params: True):
        """The parameters of the next notification of this method that is accepted."""
        pending, self.notifications = self.notifications, []
        while True:
            message = pending.pop(0) if pending else self.receive()
            if message.get("method") == method and accept(message["params"]):
                self.notifications += pending
                return message["params"]

    def initialize(self, options=None, capabilities=None):
        result = self.result("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities or {},
                                            "initializationOptions": options})
        self.notify("initialized")
        return result

    def open(self, text, uri="file:///config.json", version=1):
        """Opens a document; its diagnostics."""
        self.notify("textDocument/didOpen",
                    {"textDocument": {"uri": uri, "languageId": "json", "version": version, "text": text}})
        return self.diagnostics(uri, version)

    def change(self, changes, uri="file:///config.json", version=2):
        self.notify("textDocument/didChange",
                    {"textDocument": {"uri": uri, "version": version}, "contentChanges": changes})
        return self.diagnostics(uri, version)

    def diagnostics(self, uri="file:///config.json", version=None):
        accept = lambda p: p["uri"] == uri and (version is None or p.get("version") == version)
        return self.wait_for("textDocument/publishDiagnostics", accept)["diagnostics"]

    def at(self, method, position, uri="file:///config.json"):
        return self.result(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": position})

    def end(self):
        """Closes the server's input; its exit status."""
        self.process.stdin.close()
        return self.process.wait(self.TIMEOUT)

    def exit(self):
        self.notify("exit")
        return self.process.wait(self.TIMEOUT)
