"""Images without their metadata, voice notes from the microphone, files with progress and cancel."""
import base64
import json
import os
import signal
import subprocess

from stage import accessible, field, message, stage

PICTURE = """() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [640, 480];
    const ink = canvas.getContext('2d');
    ink.fillStyle = '#3a7d6e';
    ink.fillRect(0, 0, 640, 480);
    return canvas.toDataURL('image/jpeg').split(',')[1];
}"""


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
