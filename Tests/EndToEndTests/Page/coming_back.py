"""Reloading in the middle, and a server that ends and comes back under the page."""
import os

from stage import LIMIT, accessible, field, open_with, said, say, stage, until

# Counts the connections that the page tries, and lets none come about while they are blocked.
SOCKETS = """window.tried = [];
const Real = window.WebSocket;
window.WebSocket = class extends Real {
    constructor(address) {
        super(window.isBlocked ? address.replace('/socket', '/nothing') : address);
        window.tried.push(this);
    }
};"""

PASSPHRASE = "rain on the tent"


def holds(page, text):
    """Waits until a text stands in the field."""
    page.wait_for_function("text => document.querySelector('#text')?.value === text", arg=text)


with stage() as here:
    alice, bob, page, other = here.pair()
    page.add_init_script(SOCKETS)

    # What was begun, what is open and what was said are there after a reload.
    field(page).press_sequentially("Half a thou")
    bob_id = bob.call("status")["id"]
    until(lambda: alice.call("draft", conversation=bob_id)["text"] == "Half a thou")
    page.reload()
    said(page, "Hello").wait_for()
    holds(page, "Half a thou")
    field(page).press_sequentially("ght")
    field(page).press("Enter")
    said(other, "Half a thought").wait_for()

    # What is written while the connection is lost goes to the node when it is back.
    here.allowed += [r"WebSocket connection to", r"Failed to load resource", r"ERR_CONNECTION_REFUSED"]
    page.evaluate("isBlocked = true; tried.at(-1).close()")
    page.locator(".pill.offline").wait_for()
    field(page).press_sequentially("In a tunnel")
    page.wait_for_function("count => tried.length > count + 2", arg=page.evaluate("tried.length"))
    assert alice.call("draft", conversation=bob_id)["text"] == ""
    page.evaluate("isBlocked = false")
    until(lambda: alice.call("draft", conversation=bob_id)["text"] == "In a tunnel")
    holds(page, "In a tunnel")

    # From a node that was locked meanwhile nobody gets what was written, until it is unlocked and has a new session.
    settings = page.get_by_role("button", name="Alice: settings")
    settings.click()
    page.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
    page.get_by_label("Once more").fill(PASSPHRASE)
    page.get_by_role("button", name="Set a passphrase").click()
    page.get_by_role("button", name="Lock now").wait_for()
    page.keyboard.press("Escape")
    page.evaluate("isBlocked = true; tried.at(-1).close()")
    page.locator(".pill.offline").wait_for()
    field(page).fill("In a cellar")
    alice.call("lock")
    page.evaluate("isBlocked = false")
    page.get_by_text("Your node was started anew or locked").wait_for()
    assert page.get_by_role("button", name="Copy what you were writing").count() == 0
    assert page.get_by_text("In a cellar").count() == page.locator("input, textarea").count() == 0
    alice.call("unlock", passphrase=PASSPHRASE)
    page.goto(alice.another())
    holds(page, "In a cellar")
    until(lambda: alice.call("draft", conversation=bob_id)["text"] == "In a cellar")
    settings.click()
    page.get_by_label("Current passphrase").fill(PASSPHRASE)
    page.get_by_role("button", name="Remove", exact=True).click()
    page.get_by_role("button", name="Set a passphrase").wait_for()
    page.keyboard.press("Escape")

    # A token is good once, and an address without session says what to do.
    stranger = here.browser.new_context().new_page()
    stranger.goto(alice.address)
    stranger.get_by_role("heading", name="Open Earshot again").wait_for()
    accessible(stranger, "the gate of an address that was used")
    stranger.close()

    # The server ends and comes back: the page says so, and goes on where it was under a new address.
    # What was written meanwhile is still there, in the same tab alone; the browser keeps it nowhere else.
    alice.stop()
    page.locator(".pill.offline").wait_for()
    page.get_by_text("Your node does not answer. Reconnecting … What you write is kept.").wait_for()
    field(page).fill("In a tunnel, still")
    accessible(page, "a page whose node is gone")
    # A button that is drawn only now has its icon all the same.
    box = page.get_by_role("button", name="Send", exact=True).locator("svg > *").bounding_box()
    assert box and box["width"] > 5, box
    alice.start()
    page.get_by_text("Your node was started anew or locked").wait_for()
    page.get_by_text("What you were writing is kept in this tab alone").wait_for()
    accessible(page, "the gate of a node that was started anew")
    page.screenshot(path=os.path.join(here.folder, "anew.png"))
    assert page.locator("input, textarea").count() == 0
    assert "tunnel" not in page.evaluate("JSON.stringify([{ ...sessionStorage }, { ...localStorage }])")
    page.goto(alice.address)
    said(page, "Half a thought").wait_for()
    holds(page, "In a tunnel, still")
    until(lambda: alice.call("draft", conversation=bob_id)["text"] == "In a tunnel, still")
    alice.stop()
    page.locator(".pill.offline").wait_for()
    field(page).fill("In a tunnel, out")
    alice.start()
    page.get_by_text("Your node was started anew or locked").wait_for()
    # No other tab gets it, for nobody can say which program's page that is. A person can copy it.
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy what you were writing").click()
    page.wait_for_function("async () => await navigator.clipboard.readText() === 'In a tunnel, out'")
    gate, page = page, page.context.new_page()
    page.set_default_timeout(LIMIT)
    page.goto(alice.address)
    open_with(page, "Bob")
    holds(page, "In a tunnel, still")
    assert alice.call("draft", conversation=bob_id)["text"] == "In a tunnel, still"
    field(page).fill("")
    gate.close()
    said(page, "Half a thought").wait_for()
    say(other, "Back again?")
    said(page, "Back again?").wait_for()
    say(page, "Back again.")
    said(other, "Back again.").wait_for()

    # A session that is ended from elsewhere says so, and keeps no conversation in view.
    alice.call("page.end")
    page.get_by_role("heading", name="This session has ended").wait_for()
    accessible(page, "the gate of a session that was ended")
    assert page.get_by_text("Back again").count() == 0
