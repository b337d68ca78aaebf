"""Images without their metadata, voice notes from the microphone, files with progress and cancel."""
import base64
import json
import os
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
