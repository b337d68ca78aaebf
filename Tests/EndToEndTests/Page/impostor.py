"""Another program takes the node's port under an open page: it gets the upgrade's request and nothing else."""
import base64
import hashlib
import json
import socketserver
import threading

from stage import LIMIT, accessible, field, said, stage


class Impostor(socketserver.ThreadingTCPServer):
    """Takes every WebSocket and says that it is a locked node; keeps all that it is told."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, port, lines):
        super().__init__(("127.0.0.1", port), Conversation)
        self.lines, self.heads, self.said = lines, [], []
        self.ended = threading.Event()


class Conversation(socketserver.StreamRequestHandler):
    def handle(self):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            if not (line := self.rfile.readline()):
                return
            head += line
        self.server.heads.append(head.decode())
        key = next(line for line in head.decode().split("\r\n") if line.lower().startswith("sec-websocket-key:")).split()[1]
        accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
        self.wfile.write(f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n".encode())
        for line in self.server.lines:
            self.wfile.write(bytes([0x81, 126]) + len(line).to_bytes(2, "big") + line.encode())
        # All that the page says, to its close.
        while opening := self.rfile.read(2):
            count = opening[1] & 127
            if count == 126:
                count = int.from_bytes(self.rfile.read(2), "big")
            mask, masked = self.rfile.read(4), self.rfile.read(count)
            text = bytes(byte ^ mask[place % 4] for place, byte in enumerate(masked))
            self.server.said.append((opening[0] & 15, text))
            if opening[0] & 15 == 8:
                break
        self.server.ended.set()


LOCKED = [json.dumps({"jsonrpc": "2.0", "id": id, "result": {"id": "0" * 40, "name": "Alice", "locked": True, "links": 0}}) for id in range(1, 9)]
FORGED = json.dumps({"nonce": "00" * 32, "proof": "00" * 32})

with stage() as here:
    alice, bob, page, other = here.pair()
    here.allowed += [r"WebSocket connection to", r"Failed to load resource", r"ERR_CONNECTION_REFUSED"]

    # A second tab without the secret has no session, though the browser sends the cookie; the first goes on after a reload.
    tab = page.context.new_page()
    tab.goto(f"http://127.0.0.1:{alice.port}/")
    tab.get_by_role("heading", name="Open Earshot again").wait_for()
    tab.close()
    page.reload()
    said(page, "Hello").wait_for()

    # While nobody has proved to be the node no passphrase is asked for.
    page.get_by_role("button", name="Alice: settings").click()
    page.get_by_label("Passphrase", exact=True).fill("rain on the tent")
    page.get_by_label("Once more").fill("rain on the tent")
    page.get_by_role("button", name="Set a passphrase").click()
    page.get_by_role("button", name="Lock now").click()
    page.get_by_role("heading", name="Locked").wait_for()
    page.get_by_label("Passphrase").wait_for()
    alice.stop()
    page.get_by_text("Your node does not answer").wait_for()
    accessible(page, "a locked page whose node is gone")
    assert page.locator("input").count() == 0

    # The page shows its own gate to whoever says that it is locked, and tells nothing.
    for lines, client in (([FORGED, *LOCKED], page), (LOCKED, other)):
        node = alice if client is page else bob
        if client is other:
            field(other).fill("Never for others")
            bob.stop()
            other.locator(".pill.offline").wait_for()
        with Impostor(node.port, lines) as impostor:
            threading.Thread(target=impostor.serve_forever, daemon=True).start()
            client.get_by_role("heading", name="This is not your node").wait_for()
            accessible(client, "the gate of another program")
            assert client.locator("input, textarea, [contenteditable]").count() == 0
            assert impostor.ended.wait(LIMIT / 1_000)
            impostor.shutdown()
        assert all(head.startswith("GET /socket?nonce=") for head in impostor.heads), impostor.heads
        assert [kind for kind, _ in impostor.said] == [8], impostor.said
        assert "Hello" not in client.locator("body").inner_text()
