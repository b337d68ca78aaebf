"""Rooms by code with somebody at the door, groups, and the search of it all."""
import os

from stage import accessible, open_with, row, said, say, stage

with stage() as here:
    alice, bob = here.node("Alice"), here.node("Bob")
    page, other = here.page(alice), here.page(bob)

    # A room whose host lets people in.
    page.get_by_role("button", name="New conversation").click()
    page.get_by_role("tab", name="New room").click()
    page.get_by_label("Title").fill("Market")
    page.get_by_label("Admission").select_option("code+approval")
    accessible(page, "the form of a room")
    page.get_by_role("button", name="Create room").click()
    page.locator(".pane-name", has_text="Market").wait_for()
    # Its host gets the code at once: beside the room, and in the room as long as nobody else is there.
    beside = page.get_by_role("complementary", name="Details")
    code = beside.locator(".room-code").inner_text()
    assert page.locator("#timeline .room-code").inner_text() == code
    page.screenshot(path=os.path.join(here.folder, "new-room.png"))
    accessible(page, "a new room")
    beside.get_by_role("button", name="Show a QR code").click()
    page.get_by_role("img", name="The invitation to this room").wait_for()
    page.locator(".clock", has_text="23 h").wait_for()

    # A code that nobody has is told in place.
    other.get_by_role("button", name="New conversation").click()
    other.get_by_role("tab", name="Join a room").click()
    other.get_by_label("Code or invitation").fill("12")
    other.get_by_role("button", name="Join", exact=True).click()
    other.get_by_role("alert").wait_for()
    other.get_by_label("Code or invitation").fill(code)
    other.get_by_label("Your name in the room").fill("Heron")
    other.get_by_role("button", name="Join", exact=True).click()
    page.get_by_role("group", name="Join requests").get_by_text("Heron").wait_for()
    accessible(page, "somebody at the door")
    page.get_by_role("button", name="Let in").click()
    open_with(other, "Market")
    say(other, "The quiet corner")
    said(page, "The quiet corner").wait_for()
    page.locator(".sender", has_text="Heron").wait_for()
    page.locator(".person-name", has_text="Heron").wait_for()
    accessible(page, "a room")

    # Another title is seen by all.
    page.get_by_role("button", name="Rename").click()
    page.get_by_role("dialog").get_by_label("Title").fill("Night market")
    page.get_by_role("dialog").get_by_role("button", name="Rename").click()
    row(other, "Night market").wait_for()

    # A group: founded, an invitation answered.
    row(page, "Bob").wait_for()
    page.get_by_role("button", name="New conversation").click()
    page.get_by_role("tab", name="New group").click()
    page.get_by_label("Title").fill("Walkers")
    page.get_by_role("checkbox", name="Bob").check()
    page.get_by_role("button", name="Create group").click()
    open_with(other, "Walkers")
    other.get_by_role("button", name="Join", exact=True).click()
    say(page, "Bring a lantern")
    said(other, "Bring a lantern").wait_for()

    # Messages that go after being read.
    open_with(page, "Walkers")
    page.get_by_role("button", name="Details", exact=True).click()
    page.get_by_label("Disappearing messages").select_option("3600")
    other.locator(".system", has_text="disappear 1 hour after they are read").wait_for()
    # Everyone sees it where they write, also after the line has scrolled away.
    for one in (page, other):
        one.reload()
        open_with(one, "Walkers")
        one.locator(".pane-sub", has_text="messages disappear after 1 hour").wait_for()
        one.get_by_placeholder("Write a message (disappears after 1 hour)").wait_for()
    page.get_by_role("button", name="Details", exact=True).click()
    page.wait_for_function("() => [...document.querySelectorAll('.details select')].some((one) => one.selectedOptions[0].text === '1 hour')")
    page.screenshot(path=os.path.join(here.folder, "timer.png"))
    page.get_by_label("Disappearing messages").select_option("0")
    page.locator(".pane-sub", has_text="messages disappear").wait_for(state="detached")

    # The search finds it, and leads there.
    other.get_by_label("Search people and messages").fill("lantern")
    other.locator(".row mark", has_text="lantern").click()
    other.locator(".message.found", has_text="Bring a lantern").wait_for()
    accessible(other, "a search")

    # The room ends for both when its host ends it.
    open_with(page, "Night market")
    page.get_by_role("button", name="Details", exact=True).click()
    page.get_by_role("button", name="End the room").click()
    page.get_by_role("dialog").get_by_role("button", name="End the room").click()
    row(page, "Night market").wait_for(state="detached")
    row(other, "Night market").wait_for(state="detached")
