"""A conversation of 10,000 messages: any of them is reached by dragging, what one reads stays in its place."""
import base64
import hashlib
import json
import os
import struct

from stage import field, open_with, said, stage, until

COUNT = 10_000
HELD = 240
DAY = 86_400_000


def number(value):
    """A varint."""
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def part(field, value):
    """A field of a message: bytes or a number."""
    return number(field << 3) + number(value) if isinstance(value, int) else number(field << 3 | 2) + number(len(value)) + value


def archive(path, own, peer, fill):
    """Writes an export (PROTOCOL 11.1) of a conversation with `peer` that has `COUNT` messages."""
    own_id, peer_id = bytes.fromhex(own["id"]), bytes.fromhex(peer["id"])
    begin = 1_700_000_000_000
    with open(path, "w") as file:
        def line(**values):
            file.write(json.dumps(values) + "\n")
        line(type="earshot", version=1, exportedAt="2026-01-01T00:00:00.000Z", id=own["id"], name=own["name"])
        line(type="conversation", id=peer["id"], kind="direct", title=peer["name"], members=[{"id": peer["id"], "name": peer["name"]}], messages=COUNT)
        for place in range(COUNT):
            sent = begin + place * DAY // 40
            content = part(1, sent) + part(2, struct.pack(">QQ", 1, place)) + part(3, place + 1) + part(4, part(1, fill(place).encode()))
            is_own = place % 3 == 0
            author, other = (own_id, peer_id) if is_own else (peer_id, own_id)
            label = b"earshot/v1/mid"
            name = hashlib.sha256(bytes([len(label)]) + label + author + other + content).digest()[:16]
            record = part(1, name) + part(2, author) + part(3, content) + part(4, sent) + (part(5, 1) if is_own else b"") + part(6, 4) + part(8, peer_id)
            line(type="message", id=name.hex(), record=base64.b64encode(record).decode())


def shown(page):
    """The numbers of the messages in sight."""
    return page.evaluate("""() => {
        const view = document.querySelector('#timeline').getBoundingClientRect();
        const inSight = one => one.getBoundingClientRect().bottom > view.top && one.getBoundingClientRect().top < view.bottom;
        return [...document.querySelectorAll('.message .text')].filter(inSight).map(one => Number(one.textContent.match(/Line (\\d+) /)[1]));
    }""")


def scrolled(page):
    """How far the messages are scrolled, as a share of the whole way, and the width of the scrollbar."""
    return page.evaluate("(() => { const f = document.querySelector('#timeline'); return [f.scrollTop / (f.scrollHeight - f.clientHeight), f.offsetWidth - f.clientWidth]; })()")


def drag(page, share):
    """Drags the thumb of the scrollbar from where it is to a share of its way."""
    box = page.locator("#timeline").bounding_box()
    begin, width = scrolled(page)
    assert width > 5, "there is no scrollbar to drag"
    # The thumb is as short as it gets, and between two arrows.
    x, top, way = box["x"] + box["width"] - width / 2, box["y"] + 26, box["height"] - 52
    page.mouse.move(x, top + way * begin)
    page.mouse.down()
    for step in range(1, 11):
        page.mouse.move(x, top + way * (begin + (share - begin) * step / 10))
    page.mouse.up()


def arrives(page, low, high):
    """Waits until messages of a range are in sight, and checks that none is missing between them."""
    until(lambda: (there := shown(page)) and low <= there[0] and there[-1] <= high)
    there = shown(page)
    assert there == list(range(there[0], there[-1] + 1)), there
    assert page.locator(".message").count() <= HELD


with stage(scrollbars=True) as here:
    alice, bob = here.node("Alice"), here.node("Bob")
    until(lambda: alice.call("contacts"))
    own, peer = alice.call("status"), bob.call("status")
    bob.stop()
    place = peer["id"]
    path = os.path.join(here.folder, "archive")
    archive(path, own, peer, lambda number: f"Line {number} " + "word " * (number * 7 % 23))
    assert alice.call("history.import", path=path)["added"] == COUNT
    page = here.page(alice, welcome=False)
    open_with(page, "Bob")
    said(page, f"Line {COUNT - 1} ").wait_for()
    field(page).wait_for()

    # The end is in sight, and upwards more comes without a jump.
    at_end = "() => { const field = document.querySelector('#timeline'); return field.scrollHeight - field.scrollTop - field.clientHeight < 2; }"
    page.wait_for_function(at_end)
    climb = """async () => {
        const field = document.querySelector('#timeline');
        const frame = () => new Promise(requestAnimationFrame);
        const times = [];
        let [most, jump] = [0, 0];
        for (let step = 0; step < 120; step += 1) {
            const anchor = [...field.querySelectorAll('.message')].find(one => one.getBoundingClientRect().top > field.getBoundingClientRect().top + 100);
            const wanted = anchor.getBoundingClientRect().top + 120;
            field.scrollTop -= 120;
            const begin = await frame();
            times.push(await frame() - begin);
            if (anchor.isConnected) jump = Math.max(jump, Math.abs(anchor.getBoundingClientRect().top - wanted));
            most = Math.max(most, field.querySelectorAll('.message').length);
        }
        times.sort((a, b) => a - b);
        return { most, jump, p50: times[60], p95: times[114] };
    }"""
    seen = page.evaluate(climb)
    print(f"FIGURE frames while scrolling {COUNT} messages: p50 {seen['p50']:.1f} ms, p95 {seen['p95']:.1f} ms")
    assert seen["most"] <= HELD, seen
    assert seen["jump"] < 2, seen

    # The scrollbar leads anywhere: dragged to the middle, moved as a drag moves it, and by the keys to both ends.
    drag(page, 0.5)
    arrives(page, 0.45 * COUNT, 0.55 * COUNT)
    for share in (0.1, 0.9, 0.3):
        page.evaluate("share => { const f = document.querySelector('#timeline'); f.scrollTop = share * (f.scrollHeight - f.clientHeight); }", share)
        arrives(page, (share - 0.05) * COUNT, (share + 0.05) * COUNT)
    page.locator("#timeline").focus()
    page.keyboard.press("Home")
    arrives(page, 0, 40)
    page.wait_for_function("() => document.querySelector('#timeline').scrollTop < 2")
    said(page, "Line 0 ").wait_for()
    page.keyboard.press("End")
    arrives(page, COUNT - 40, COUNT)
    drag(page, 0.5)
    arrives(page, 0.45 * COUNT, 0.55 * COUNT)

    # And back to the end at once.
    page.get_by_role("button", name="Go to the newest message").click()
    said(page, f"Line {COUNT - 1} ").wait_for()
    page.wait_for_function(at_end)

    # A message far away is opened by its address, in a page that is open and in a new one.
    early = alice.call("history.window", conversation=place, index=4_321, limit=1)["messages"][0]
    page.evaluate(f"location.hash = '#/c/{place}/m/{early['id']}'")
    page.locator(".message.found", has_text="Line 4321 ").wait_for()
    page.goto("about:blank")
    page.goto(alice.another() + f"/c/{place}/m/{early['id']}")
    page.locator(".message.found", has_text="Line 4321 ").wait_for()
