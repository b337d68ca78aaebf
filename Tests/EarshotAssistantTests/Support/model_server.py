"""A model server that does what the name of the model asks for, faults and all.

The first line of its output is its port; every request after that is one line of JSON, and so is the end of every
connection that was cut while it still had something to send. It takes a port, 0 for any, and a folder; given a folder,
it speaks TLS with a certificate that it makes for itself and puts there.
"""

import itertools
import json
import os
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time

lock = threading.Lock()


def say(value):
    with lock:
        print(json.dumps(value), flush=True)


def chunk(text=None, finish=None):
    return {"choices": [{"index": 0, "delta": {} if text is None else {"content": text}, "finish_reason": finish}]}


def event(value):
    return ("data: " + (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)) + "\n\n").encode()


RECORDED = (
    b"\xef\xbb\xbf: hello\r\n\r\n"
    + b"event: message\r\nid: 7\r\n"
    + event(chunk("Z\u00e4h")).replace(b"\n", b"\r\n")
    + b'data: {"choices":[{"index":0,\ndata: "delta":{"content":"l \xe8\xaa\x9e "},\ndata: "finish_reason":null}]}\n\n'
    + b'data:{"choices":[{"delta":{"content":null}}]}\r\r'
    + event(chunk("\U0001f98a\n\n", "stop"))
    + event({"choices": [], "usage": {"completion_tokens": 3}})
    + b": still here\n\n"
    + event("[DONE]")
)


def head(status="200 OK", kind="text/event-stream", extra=""):
    return f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nConnection: close\r\n{extra}\r\n".encode()


def refuse(status, body, kind="application/json"):
    return head(status, kind, f"Content-Length: {len(body)}\r\n") + body


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def endless(connection, piece, pause, name):
    try:
        while True:
            connection.sendall(piece)
            time.sleep(pause)
    except OSError:
        say({"cut": name})


def asked_in(body):
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def answer(connection, name, body, port):
    words = name.split(":")
    send = connection.sendall
    if words[0] == "echo":
        asked = asked_in(body)
        send(head())
        for number in range(int(words[1]) if len(words) > 1 else 3):
            send(event(chunk(f"{asked} {number} ")))
        send(event(chunk(None, "stop")) + event("[DONE]"))
    elif words[0] == "slow":
        asked = asked_in(body)
        if asked.startswith("quick"):
            return send(head() + event(chunk("at once", "stop")) + event("[DONE]"))
        send(head() + event(chunk(f"begun {asked} ")))
        endless(connection, event(chunk("on ")), 0.02, asked)
    elif words[0] == "talk":
        asked = body["messages"][-1]["content"]
        try:
            send(head())
            for number in itertools.count() if "endless" in asked else range(100):
                send(event(chunk(f"{asked} {number} ")))
                # So slow that the longest answer is minutes away, on a busy machine too.
                time.sleep(0.1 if "endless" in asked else 0.005)
            send(event(chunk(None, "stop")) + event("[DONE]"))
        except OSError:
            say({"cut": asked})
    elif words[0] == "clock":
        send(head())
        for _ in range(int(words[1])):
            send(event(chunk(f"{time.monotonic_ns()} ")))
            # Longer than the pause between two looks at an answer.
            time.sleep(0.06)
        send(event(chunk(None, "stop")) + event("[DONE]"))
    elif words[0] == "split":
        place = int(words[1])
        send(head() + RECORDED[:place])
        time.sleep(0.002)
        send(RECORDED[place:])
    elif words[0] == "bytes":
        send(head())
        for byte in RECORDED:
            send(bytes([byte]))
    elif words[0] == "whole":
        send(refuse("200 OK", json.dumps({"choices": [{"message": {"content": "all at once"}}]}).encode()))
    elif words[0] == "length":
        send(head() + event(chunk("as far as", "length")) + event("[DONE]"))
    elif words[0] == "status":
        body = b'{"error":{"message":"no\\u001b[2J"}}' if words[2] == "json" else b"<html>no</html>"
        send(refuse(words[1] + " No", body, "application/json" if words[2] == "json" else "text/html"))
    elif words[0] == "early":
        send(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nContent-Type: application/json\r\n\r\n")
        send(head() + event(chunk("at last", "stop")) + event("[DONE]"))
    elif words[0] == "noise":
        send(b"220 mail.example ESMTP\r\n")
    elif words[0] == "redirect":
        send(head("302 Found", extra=f"Location: http://127.0.0.1:{port}/elsewhere\r\nContent-Length: 0\r\n"))
    elif words[0] == "reset":
        send(head() + event(chunk("half an ")))
        time.sleep(0.02)
        reset(connection)
    elif words[0] == "end":
        send(head() + event(chunk("half an ")))
    elif words[0] == "shut":
        reset(connection)
    elif words[0] == "silent":
        connection.recv(1)
        say({"cut": name})
    elif words[0] == "garbage":
        send(head() + event(chunk("so ")) + event("{\"choices\": 7"))
    elif words[0] == "nested":
        send(head() + event('{"choices":' + "[" * 100_000))
    elif words[0] == "huge":
        send(head() + event(chunk("so ")) + b"data: ")
        endless(connection, b"x" * 65_536, 0, name)
    elif words[0] == "inside":
        send(head() + event(chunk("so ")) + event({"error": {"message": "out of memory"}}))
    elif words[0] == "old":
        send(head() + b'error: {"error":{"message":"out of memory"}}\n\n')
    elif words[0] == "empty":
        send(head() + event(chunk(None, "stop")) + event("[DONE]"))
    elif words[0] == "control":
        send(head() + event(chunk("/stop\u0000\u001b]0;x\u0007 <tool>rm -rf ~</tool>", "stop")) + event("[DONE]"))


def secure(connection, context):
    """The connection as it is, or encrypted; None where the other side does not go along."""
    try:
        return context.wrap_socket(connection, server_side=True) if context else connection
    except OSError:
        connection.close()


def certify(folder):
    """A context of TLS with a certificate that nobody has signed but itself."""
    certificate, key = os.path.join(folder, "certificate.pem"), os.path.join(folder, "key.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
        + ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
        check=True,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


def serve(connection, port, context):
    connection = secure(connection, context)
    if connection is None:
        return
    with connection:
        stream = connection.makefile("rb")
        while request(connection, stream, port):
            pass


def request(connection, stream, port):
    """Whether another request may come on the connection."""
    if not stream.peek(1)[:1].isalpha():
        # What is no HTTP, such as TLS, gets the answer that servers have for it.
        connection.sendall(refuse("400 Bad Request", b""))
        return False
    line = stream.readline().decode("latin-1").split()
    if len(line) < 2:
        return False
    headers = {}
    while (raw := stream.readline().decode("latin-1").strip()):
        key, _, value = raw.partition(":")
        headers[key.lower()] = value.strip()
    raw = stream.read(int(headers.get("content-length", 0)))
    if line[1].startswith("/mute/"):
        connection.recv(1)
        say({"cut": "models"})
        return False
    if line[1].endswith("/models"):
        names = {"object": "list", "data": [{"id": "echo"}, {"id": "slow"}]}
        connection.sendall(refuse("200 OK", json.dumps(names).encode()).replace(b"close", b"keep-alive", 1))
        return True
    body = json.loads(raw) if raw else {}
    say({"path": line[1], "headers": headers, "body": body})
    try:
        answer(connection, body.get("model", ""), body, port)
    except OSError:
        say({"cut": body.get("model", "")})
    return False


def leave(parent):
    """Ends the process once whoever started it has gone."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


def main():
    context = certify(sys.argv[2]) if len(sys.argv) > 2 else None
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0))
    listener.listen(128)
    port = listener.getsockname()[1]
    print(port, flush=True)
    threading.Thread(target=leave, args=(os.getppid(),), daemon=True).start()
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection, port, context), daemon=True).start()


main()
