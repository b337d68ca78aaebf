"""An assistant: its answer is seen while it grows, is ended by a button, and stands there as a message."""
import contextlib
import os
import subprocess
import sys

from stage import accessible, open_with, said, say, stage

SERVER = os.path.join(os.path.dirname(__file__), "../../EarshotAssistantTests/Support/model_server.py")
# Keeps back what the page asks for of a conversation's messages, until `release()`.
HOLD_WINDOWS = """() => {
  const { send } = WebSocket.prototype;
  const held = [];
  WebSocket.prototype.send = function (data) {
    if (String(data).includes('"history.window"')) held.push(() => send.call(this, data));
    else send.call(this, data);
  };
  window.release = () => {
    WebSocket.prototype.send = send;
    for (const go of held) go();
  };
}"""


@contextlib.contextmanager
def running(*arguments, **options):
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, **options)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


with stage() as here, running(sys.executable, SERVER) as server:
    home, code = os.path.join(here.folder, "Oracle"), os.path.join(here.folder, "code")
    here.run("--home", home, "init", "--name", "Oracle", "--no-passphrase")
    with open(code, "w") as file:
        file.write("correct horse\n")
    model = ["--endpoint", f"http://127.0.0.1:{server.stdout.readline().strip()}/v1", "--model", "slow"]
    place = ["--interface", "lo", "--discovery", here.place]
    with running(here.earshot, "--home", home, "assistant", *model, "--allow", "code", "--code-file", code, *place, stderr=subprocess.DEVNULL):
        page = here.page(here.node("Alice"))
        open_with(page, "Oracle")
        say(page, "correct horse")
        said(page, "Welcome.").wait_for()

        say(page, "tell me")
        page.locator(".growing .text", has_text="begun tell me on on").wait_for()
        accessible(page, "a growing answer")
        page.screenshot(path=os.path.join(here.folder, "growing.png"))
        page.get_by_role("button", name="Stop", exact=True).click()
        said(page, "(Stopped.)").wait_for()
        assert page.locator(".growing").count() == 0
        # What has come stays; the next answer begins below it.
        say(page, "quick now")
        said(page, "at once").wait_for()

        # In a group it answers who names it, and the answer is seen growing there, with its name.
        page.get_by_role("button", name="New conversation").click()
        page.get_by_role("tab", name="New group").click()
        page.get_by_label("Title").fill("Desk")
        page.get_by_role("checkbox", name="Oracle").check()
        page.evaluate(HOLD_WINDOWS)
        page.get_by_role("button", name="Create group").click()
        page.locator(".pane-name", has_text="Desk").wait_for()
        # The dialog is closed as soon as the group is shown, for what is typed would be lost behind it.
        assert page.get_by_role("dialog").count() == 0
        page.evaluate("window.release()")
        say(page, "@Oracle tell us")
        page.locator(".growing .text", has_text="begun tell us on on").wait_for()
        page.locator(".growing .sender", has_text="Oracle").wait_for()
        open_with(page, "Oracle")
        assert page.locator(".growing").count() == 0
        open_with(page, "Desk")
        page.locator(".growing").get_by_role("button", name="Stop", exact=True).click()
        said(page, "(Stopped.)").wait_for()
        assert page.locator(".growing").count() == 0
