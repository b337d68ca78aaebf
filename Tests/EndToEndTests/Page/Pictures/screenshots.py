"""Drives ten states of the page and writes a picture of each: screenshots.py COMMAND FOLDER PICTURES"""
import base64
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from stage import doing, field, open_with, said, say, stage, until  # noqa: E402

LANDSCAPE = """() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [1200, 800];
    const ink = canvas.getContext('2d');
    const sky = ink.createLinearGradient(0, 0, 0, 520);
    sky.addColorStop(0, '#6fa8c9');
    sky.addColorStop(1, '#f6dcb4');
    ink.fillStyle = sky;
    ink.fillRect(0, 0, 1200, 800);
    ink.fillStyle = '#fff3d0';
    ink.arc(880, 300, 70, 0, 7);
    ink.fill();
    for (const [height, colour, swing] of [[430, '#7d9aa5', 60], [500, '#557a7c', 80], [600, '#2f5a52', 60]]) {
        ink.fillStyle = colour;
        ink.beginPath();
        ink.moveTo(0, 800);
        for (let x = 0; x <= 1200; x += 10) ink.lineTo(x, height + Math.sin(x / 140 + height) * swing + Math.sin(x / 53) * swing / 4);
        ink.lineTo(1200, 800);
        ink.fill();
    }
    return canvas.toDataURL('image/jpeg').split(',')[1];
}"""
PHONE = {"viewport": {"width": 390, "height": 780}}
LIMIT_BYTES = 160_000

with stage() as here:
    pictures = sys.argv[3]

    def picture(page, name):
        page.mouse.move(2, 2)
        page.locator(".note").first.wait_for(state="detached")
        page.evaluate("document.fonts.ready")
        path = os.path.join(pictures, f"{name}.png")
        page.screenshot(path=path, animations="disabled")
        assert os.path.getsize(path) < LIMIT_BYTES, (name, os.path.getsize(path))

    alice, bob, carol = here.node("Alice", named=False), here.node("Bob"), here.node("Carol")
    page = here.page(alice, welcome=False, color_scheme="light")
    page.get_by_label("Your name").fill("Alice")
    picture(page, "first-start")
    page.get_by_role("button", name="Start", exact=True).click()
    ids = {node: node.call("status")["id"] for node in (alice, bob, carol)}
    until(lambda: len(alice.call("contacts")) == 2 and all(len(node.call("contacts")) == 2 for node in (bob, carol)))
    alice.call("profile", emoji="🦊", colour="orange")

    # A conversation with all that can be in one.
    other = here.page(bob, color_scheme="dark", **PHONE)
    bob.call("profile", emoji="🦉", colour="purple")
    open_with(page, "Bob")
    say(page, "Are you up on the ridge already?")
    bob.call("trust", peer=ids[alice], action="accept")
    open_with(other, "Alice")
    say(other, "Just arrived. No network up here, but you come through fine over two hops.")
    said(page, "Just arrived").wait_for()
    doing(page, "Just arrived", "React")
    page.get_by_role("button", name="React with ❤️").click()
    photo = os.path.join(here.folder, "ridge.jpg")
    with open(photo, "wb") as file:
        file.write(base64.b64decode(page.evaluate(LANDSCAPE)))
    other.locator("#files").set_input_files(photo)
    other.get_by_role("button", name="Send", exact=True).and_(other.locator(":enabled")).wait_for()
    field(other).fill("The view from here")
    field(other).press("Enter")
    page.locator(".message.other .image img").wait_for()
    doing(page, "The view", "Reply")
    say(page, "Beautiful! We are at the lower gate, @Bob")
    poll = bob.call("poll.create", to=ids[alice], question="Where do we meet?", options=["Lower gate", "The old mill", "Camp"])["message"]
    page.get_by_role("radio", name="The old mill").click()
    bob.call("poll.vote", poll=poll, options=[1])
    page.get_by_role("radio", name="The old mill, 2 of 2 votes").wait_for()
    carol.call("send", to=ids[alice], text="Hi, I camp beside you. Is there water?")
    group = alice.call("group.create", title="Hill walkers", members=[ids[bob]])["id"]
    alice.call("send", to=group, text="Weather turns at four, be down by then")
    page.locator(".row", has_text="Carol").locator(".badge").wait_for()
    picture(page, "conversation")
    picture(other, "narrow-dark")

    # What the same looks like in the dark, with the safety number beside it.
    page.emulate_media(color_scheme="dark")
    page.get_by_role("button", name="Details", exact=True).click()
    page.locator("[data-number]").filter(has_text=" ").wait_for()
    picture(page, "safety-number-dark")
    page.emulate_media(color_scheme="light")
    page.get_by_label("Their digits").fill(bob.call("safetyNumber", peer=ids[alice])["number"])
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_role("heading", name="Verified").wait_for()
    page.get_by_role("button", name="Show a QR code").click()
    page.locator(".qr").scroll_into_view_if_needed()
    picture(page, "verified")
    page.get_by_role("button", name="Close the details").click()

    # Emoji, a request, a room, the settings, the list on a phone.
    page.get_by_role("button", name="Emoji", exact=True).click()
    picture(page, "emoji")
    page.get_by_role("button", name="Emoji", exact=True).click()
    open_with(page, "Carol")
    picture(page, "request")
    page.get_by_role("button", name="New conversation").click()
    page.get_by_role("tab", name="New room").click()
    page.get_by_label("Title").fill("Night market")
    page.get_by_role("button", name="Create room").click()
    page.locator(".pane-name", has_text="Night market").wait_for()
    page.get_by_role("button", name="Details", exact=True).click()
    carol.call("room.join", code=page.locator(".room-code").inner_text(), name="Heron")
    room = next(one["id"] for one in carol.call("rooms"))
    carol.call("send", to=room, text="Which stall has the lanterns?")
    said(page, "lanterns").wait_for()
    picture(page, "room")
    page.get_by_role("button", name="Alice: settings").click()
    picture(page, "settings")
    other.get_by_role("button", name="Back to the list").click()
    other.emulate_media(color_scheme="light")
    picture(other, "narrow-list")
