"""Images without their metadata, voice notes from the microphone, files with progress and cancel."""
import base64
import json
import os
import signal
import struct
import subprocess
import zlib

from stage import accessible, field, message, stage

PICTURE = """() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [640, 480];
    const ink = canvas.getContext('2d');
    ink.fillStyle = '#3a7d6e';
    ink.fillRect(0, 0, 640, 480);
    return canvas.toDataURL('image/jpeg').split(',')[1];
}"""


def animated():
    """A PNG of one frame that says it is animated."""
    def chunk(kind, *values):
        body = kind + b"".join(values)
        return struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    frame = struct.pack(">IIIIIHHBB", 0, 1, 1, 0, 0, 1, 10, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join([
        chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)), chunk(b"acTL", struct.pack(">II", 1, 0)), chunk(b"fcTL", frame),
        chunk(b"IDAT", zlib.compress(b"\0\x3a\x7d\x6e")), chunk(b"IEND"),
    ])


def tags(path):
    told = subprocess.run(["exiftool", "-j", "-G", path], capture_output=True, text=True, check=True).stdout
    return json.loads(told)[0]


with stage() as here:
    alice, bob, page, other = here.pair()
    picture = os.path.join(here.folder, "photo.jpg")
    with open(picture, "wb") as file:
        file.write(base64.b64decode(page.evaluate(PICTURE)))
    marks = ["-GPSLatitude=48.1", "-GPSLatitudeRef=N", "-Artist=Eve", "-Comment=secret place", "-XMP:Title=At home"]
    subprocess.run(["exiftool", "-q", "-overwrite_original", *marks, picture], check=True)
    assert any("GPS" in name for name in tags(picture))

    # An image is shown, large on wish, and tells nothing of its place or maker.
    page.locator("#files").set_input_files(picture)
    page.get_by_role("button", name="Send", exact=True).and_(page.locator(":enabled")).wait_for()
    field(page).fill("From the hill")
    field(page).press("Enter")
    shown = message(other, "From the hill").locator("img")
    shown.wait_for()
    other.wait_for_function("image => image.complete && image.naturalWidth === 640", arg=shown.element_handle())
    shown.click()
    other.get_by_role("dialog").locator("img").wait_for()
    accessible(other, "an image")
    with other.expect_download() as saved:
        other.get_by_role("link", name="Save").click()
    received = os.path.join(here.folder, "received.jpg")
    saved.value.save_as(received)
    left = tags(received)
    told = " ".join(f"{name}={value}" for name, value in left.items())
    assert not any(part in told for part in ("GPS", "Eve", "secret", "XMP", "At home", "Artist", "Comment")), told
    other.keyboard.press("Escape")

    # Beside a file with a long name an image keeps its own width.
    beside = os.path.join(here.folder, "the way from the station to the hill and down to the lake.txt")
    with open(beside, "w") as file:
        file.write("Left, then up.")
    page.locator("#files").set_input_files([picture, beside])
    page.get_by_role("button", name="Send", exact=True).and_(page.locator(":enabled")).wait_for()
    field(page).fill("Both of them")
    field(page).press("Enter")
    for one in (page, other):
        both = message(one, "Both of them")
        both.locator("img").wait_for()
        frame, shown = both.locator(".image").bounding_box(), both.locator("img").bounding_box()
        assert frame["width"] == shown["width"], (frame, shown)

    # A voice note from the microphone; its waveform, playing, and another place in it.
    page.get_by_role("button", name="Record a voice note").click()
    page.locator(".recorder .voice-time", has_text="0:01").wait_for()
    accessible(page, "the recorder")
    page.get_by_role("button", name="Send the voice note").click()
    note = other.locator(".message.other .voice")
    note.wait_for()
    assert note.locator(".wave-bar").count() == 32
    note.get_by_role("button", name="Play").click()
    note.get_by_role("slider").focus()
    other.keyboard.press("ArrowRight")
    other.wait_for_function("wave => Number(wave.getAttribute('aria-valuenow')) >= 1", arg=note.get_by_role("slider").element_handle())

    # A recording that is thrown away.
    page.get_by_role("button", name="Record a voice note").click()
    page.get_by_role("button", name="Discard").click()
    page.get_by_role("button", name="Record a voice note").wait_for()

    # A file is cancelled while it goes to the node, another taken out, a third sent and saved.
    big = os.path.join(here.folder, "big.bin")
    with open(big, "wb") as file:
        file.write(os.urandom(6_000_000))
    page.route("**/files?**", lambda route: None)
    page.locator("#files").set_input_files(big)
    page.get_by_role("button", name="Cancel big.bin").click()
    page.locator(".upload").wait_for(state="detached")
    page.unroute("**/files?**")
    page.locator("#files").set_input_files(big)
    page.get_by_role("button", name="Remove big.bin").click()
    page.locator(".upload").wait_for(state="detached")
    page.evaluate("""() => {
        const given = new DataTransfer();
        given.items.add(new File(['a,b\\n1,2\\n'], 'list.csv', { type: 'text/csv' }));
        const field = document.querySelector('#text');
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: given, bubbles: true, cancelable: true }));
    }""")
    page.get_by_role("button", name="Send", exact=True).and_(page.locator(":enabled")).click()
    page.locator("#files").set_input_files(big)
    page.get_by_role("button", name="Send", exact=True).and_(page.locator(":enabled")).click()
    with other.expect_download() as saved:
        other.get_by_role("link", name="Save big.bin").click()
    saved.value.save_as(os.path.join(here.folder, "big.received"))
    assert open(os.path.join(here.folder, "big.received"), "rb").read() == open(big, "rb").read()
    with other.expect_download() as saved:
        other.get_by_role("link", name="Save list.csv").click()
    assert open(saved.value.path()).read() == "a,b\n1,2\n"

    # A picture that nobody can read is marked at once, one that the node refuses when it is sent: both go as files instead.
    bad, moving = os.path.join(here.folder, "bad.jpg"), os.path.join(here.folder, "moving.png")
    with open(bad, "wb") as file:
        file.write(b"no picture")
    with open(moving, "wb") as file:
        file.write(animated())
    send = page.get_by_role("button", name="Send", exact=True)
    marked = page.locator(".upload.bad")
    page.locator("#files").set_input_files([bad, beside])
    marked.get_by_text("This picture cannot be read.").wait_for()
    page.locator(".upload", has_text="the way").get_by_text("14 bytes").wait_for()
    assert send.is_disabled() and marked.count() == 1
    accessible(page, "a picture that cannot be read")
    page.screenshot(path=os.path.join(here.folder, "bad.png"))
    marked.get_by_role("button", name="Send bad.jpg as a file").click()
    send.and_(page.locator(":enabled")).click()
    page.locator(".upload").first.wait_for(state="detached")
    here.allowed += ["the server responded with a status of 4"]
    page.locator("#files").set_input_files([moving, beside])
    send.and_(page.locator(":enabled")).click()
    marked.get_by_text("cannot clean an animated PNG").wait_for()
    assert page.locator(".upload").count() == 2 and marked.count() == 1
    marked.get_by_role("button", name="Send moving.png as a file").click()
    send.and_(page.locator(":enabled")).click()
    # A photo goes as it is where that is wanted.
    page.locator(".upload").first.wait_for(state="detached")
    page.locator("#files").set_input_files(picture)
    page.get_by_role("button", name="Send photo.jpg as a file").click()
    send.and_(page.locator(":enabled")).click()
    for path in (bad, moving, picture):
        with other.expect_download() as saved:
            other.get_by_role("link", name=f"Save {os.path.basename(path)}").click()
        assert open(saved.value.path(), "rb").read() == open(path, "rb").read()

    # A file that is too large is refused before it goes, a large one says what it needs.
    vast = os.path.join(here.folder, "vast.bin")
    with open(vast, "wb") as file:
        file.truncate(2**32 + 1)
    page.locator("#files").set_input_files(vast)
    page.get_by_role("alert").get_by_text("vast.bin is too large: 4 GiB is the most.").wait_for()
    os.remove(vast)
    page.locator("#files").set_input_files([big, beside])
    hint = page.get_by_text("Larger than 256 kB: goes only while both of you are here.")
    hint.wait_for()
    assert hint.count() == 1
    page.screenshot(path=os.path.join(here.folder, "large.png"))
    page.get_by_role("button", name="Remove big.bin").click()
    page.get_by_role("button", name="Remove the way").click()
    page.locator(".upload").first.wait_for(state="detached")

    # A file on its way is cancelled in the middle, and fetched again; its sender is cut off, comes back, and it is whole.
    huge = os.path.join(here.folder, "huge.bin")
    with open(huge, "wb") as file:
        file.write(os.urandom(40_000_000))
    page.locator("#files").set_input_files(huge)
    page.get_by_role("button", name="Send", exact=True).and_(page.locator(":enabled")).click()
    file = other.locator(".file", has_text="huge.bin")

    def comes(least):
        """Stops the sender as soon as more than `least` bytes are here."""
        other.wait_for_function("least => document.querySelector('progress[aria-label^=\"huge.bin\"]')?.value > least", arg=least, polling=20)
        os.kill(alice.process.pid, signal.SIGSTOP)
        return file.locator("progress").evaluate("bar => bar.value")

    part = comes(0)
    assert part < 1, part
    file.get_by_role("button", name="Cancel huge.bin").click()
    file.get_by_text("Cancelled. Fetch it again?").wait_for()
    os.kill(alice.process.pid, signal.SIGCONT)
    file.get_by_role("button", name="Fetch huge.bin").click()
    more = comes(0.2)
    assert more < 1, more
    other.evaluate("""() => {
        window.least = 1;
        setInterval(() => { window.least = Math.min(window.least, document.querySelector('progress[aria-label^="huge.bin"]')?.value ?? 1); }, 10);
    }""")
    alice.process.kill()
    alice.process.wait()
    here.allowed += [r"WebSocket connection to", r"Failed to load resource", r"ERR_CONNECTION_REFUSED"]
    alice.start()
    with other.expect_download() as saved:
        file.get_by_role("link", name="Save huge.bin").click()
    saved.value.save_as(os.path.join(here.folder, "huge.received"))
    assert open(os.path.join(here.folder, "huge.received"), "rb").read() == open(huge, "rb").read()
    # What was here before is not asked for again.
    assert other.evaluate("window.least") >= more, (more, other.evaluate("window.least"))

    page.goto(alice.address)
    message(page, "huge.bin").get_by_role("img", name="Delivered").wait_for()
    assert page.locator(".going").count() == 0

    # Its sender sees how far another one is, and stops it.
    with open(huge, "ab") as file:
        file.truncate(120_000_000)
    page.locator("#files").set_input_files(huge)
    page.get_by_role("button", name="Send", exact=True).and_(page.locator(":enabled")).click()
    page.locator(".going").get_by_text("of 120 MB sent").wait_for()
    os.kill(bob.process.pid, signal.SIGSTOP)
    accessible(page, "a file that is sent")
    page.screenshot(path=os.path.join(here.folder, "going.png"))
    page.locator(".going").get_by_role("button", name="Stop sending").click()
    message(page, "huge.bin").last.get_by_text("You cancelled it.").wait_for()
    page.locator(".going").wait_for(state="detached")
    os.kill(bob.process.pid, signal.SIGCONT)
