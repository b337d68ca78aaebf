"""Markup and script in every text that somebody can write are shown as text; the page stays light."""
import http.server
import os
import socketserver
import threading
import urllib.request

from stage import LIMIT, field, open_with, said, say, stage, until

EVIL = "<img src=x onerror=alert(1)>"
PAGE_BYTES = 299_000
# What another page tries; true is what it must not get.
FOREIGN = """async ({ port, to, message }) => {
    const there = `127.0.0.1:${port}`;
    const loads = (tag, path) => new Promise((done) => {
        const element = document.createElement(tag);
        element.onload = () => done(true);
        element.onerror = () => done(false);
        element.src = `http://${there}${path}`;
        document.body.append(element);
    });
    const asks = (path, options) => fetch(`http://${there}${path}`, { credentials: 'include', ...options }).then(() => true, () => false);
    const tried = {
        read: await asks('/session'),
        blindly: await asks('/session', { mode: 'no-cors' }),
        send: await asks('/send', { method: 'POST', mode: 'no-cors', body: JSON.stringify({ to, text: 'forged' }) }),
        upload: await asks('/files?name=a&kind=file', { method: 'POST', mode: 'no-cors', body: 'forged' }),
        end: await asks('/session', { method: 'DELETE' }),
        image: await loads('img', `/media/${message}/0`),
        script: await loads('script', '/main.js'),
        socket: await new Promise((done) => {
            const socket = new WebSocket(`ws://${there}/socket`);
            socket.onopen = () => done(true);
            socket.onerror = () => done(false);
        }),
    };
    const frame = document.createElement('iframe');
    frame.src = `http://${there}/`;
    await new Promise((done) => { frame.onload = done; document.body.append(frame); });
    window.addEventListener('message', () => { tried.frame = true; });
    try { tried.frame = Boolean(frame.contentDocument.querySelector('#page')); } catch { tried.frame = false; }
    return tried;
}"""


class Foreign(http.server.BaseHTTPRequestHandler):
    """A page of another origin."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Foreign</title><body>")

    def log_message(self, *_):
        pass


with stage() as here:
    alice, bob, page, other = here.pair()
    for one in (page, other):
        one.add_init_script("window.alert = () => { window.broken = true; };")
        one.reload()
        field(one).wait_for()
    bob_id, alice_id = bob.call("status")["id"], alice.call("status")["id"]

    # A name, a text, a file's name, a poll, the titles of a group and a room.
    alice.call("profile", name="<b onclick=1>Al</b>")
    other.locator(".row-title", has_text="<b onclick=1>Al</b>").wait_for()
    say(page, EVIL + "<script>alert(2)</script> javascript:alert(3)")
    said(other, "<script>alert(2)</script>").wait_for()
    file = os.path.join(here.folder, "<svg onload=alert(4)>.svg")
    with open(file, "w") as written:
        written.write("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(5)'><script>alert(6)</script></svg>")
    page.locator("#files").set_input_files(file)
    page.get_by_role("button", name="Send", exact=True).and_(page.locator(":enabled")).click()
    other.locator(".file-name", has_text=".svg").wait_for()
    shown = bob.call("history", conversation=alice_id, limit=1)[-1]
    alice.call("poll.create", to=bob_id, question=EVIL, options=[EVIL, "<i>2</i>"])
    other.locator(".poll-question", has_text=EVIL).wait_for()
    other.locator(".poll-text", has_text="<i>2</i>").wait_for()
    group = alice.call("group.create", title="<u>group</u>", members=[bob_id])
    until(lambda: any(one["id"] == group["id"] and one["standing"] == "member" for one in bob.call("groups")))
    room = alice.call("room.create", title="<h1>room</h1>", expiresAfter=600)
    bob.call("room.join", code=room["code"], name="<s>Bob</s>")
    for title in ("<u>group</u>", "<h1>room</h1>"):
        open_with(other, title)
    open_with(page, "<h1>room</h1>")
    say(other, EVIL)
    said(page, EVIL).wait_for()
    page.locator(".sender", has_text="<s>Bob</s>").wait_for()
    page.get_by_label("Search people and messages").fill("onerror")
    page.locator(".row mark", has_text="onerror").first.wait_for()
    for one in (page, other):
        assert not one.evaluate("Boolean(window.broken)")
        assert one.locator("img[src=x], b[onclick], #page script, svg[onload], #page u, #page h1, #page s").count() == 0

    # A file that could be a page is saved, never shown; the rules forbid scripts that are not the page's own.
    answer = other.request.get(f"http://127.0.0.1:{bob.port}/media/{shown['id']}/0")
    assert answer.headers["content-type"] == "application/octet-stream", answer.headers
    assert answer.headers["content-disposition"].startswith("attachment"), answer.headers
    here.allowed += ["Content Security Policy", "TrustedHTML", "Trusted Type", "Refused to"]
    refused = page.evaluate("() => { try { document.body.innerHTML = '<p>'; return false; } catch { return true; } }")
    assert refused

    # A page of another origin in the same browser, which sends this one's cookie along, gets and does nothing.
    with socketserver.TCPServer(("127.0.0.1", 0), Foreign) as foreign:
        threading.Thread(target=foreign.serve_forever, daemon=True).start()
        stranger = other.context.new_page()
        stranger.goto(f"http://127.0.0.1:{foreign.server_address[1]}/")
        tried = stranger.evaluate(FOREIGN, {"port": bob.port, "to": alice_id, "message": shown["id"]})
        assert tried and not any(tried.values()), tried
        foreign.shutdown()
    assert not any(one["text"] == "forged" for one in bob.call("history", conversation=alice_id))
    assert stranger.goto(f"http://rebound.test:{bob.port}/").status == 421
    stranger.close()

    # All that a first visit loads, as it lies on the wire.
    loaded = page.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
    files = {url for url in loaded if url.endswith((".js", ".css", ".svg"))} | {f"http://127.0.0.1:{alice.port}/"}
    total = sum(len(urllib.request.urlopen(url, timeout=LIMIT / 1_000).read()) for url in files)
    assert 50_000 < total < PAGE_BYTES, total
