"""Reloading in the middle, and a server that ends and comes back under the page."""
from stage import field, open_with, said, say, stage, until

with stage() as here:
    alice, bob, page, other = here.pair()

    # What was begun, what is open and what was said are there after a reload.
    field(page).press_sequentially("Half a thou")
    bob_id = bob.call("status")["id"]
    until(lambda: alice.call("draft", conversation=bob_id)["text"] == "Half a thou")
    page.reload()
    said(page, "Hello").wait_for()
    page.wait_for_function("() => document.querySelector('#text')?.value === 'Half a thou'")
    field(page).press_sequentially("ght")
    field(page).press("Enter")
    said(other, "Half a thought").wait_for()

    # A token is good once, and an address without session says what to do.
    stranger = here.browser.new_context().new_page()
    stranger.goto(alice.address)
    stranger.get_by_role("heading", name="Open Earshot again").wait_for()
    stranger.close()

    # The server ends and comes back: the page says so, and goes on where it was under a new address.
    here.allowed += [r"WebSocket connection to", r"Failed to load resource", r"ERR_CONNECTION_REFUSED"]
    alice.stop()
    page.locator(".pill.offline").wait_for()
    alice.start()
    page.get_by_role("heading", name="Open Earshot again").wait_for()
    page.goto(alice.address)
    open_with(page, "Bob")
    said(page, "Half a thought").wait_for()
    say(other, "Back again?")
    said(page, "Back again?").wait_for()
    say(page, "Back again.")
    said(other, "Back again.").wait_for()
