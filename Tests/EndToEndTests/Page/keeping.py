"""What is kept and given on: newcomers, rooms for everybody, limits, exports, the passphrase, and the identity itself."""
import os

from stage import accessible, field, message, open_with, row, said, say, stage, until

with stage() as here:
    alice, bob, page, other = here.pair()
    ids = [one.call("status")["id"] for one in (alice, bob)]
    details = page.get_by_role("button", name="Details", exact=True)

    # What newcomers to a group are given is its owner's choice, and shown to the others.
    group = alice.call("group.create", title="Walkers", members=[ids[1]])
    open_with(page, "Walkers")
    details.click()
    page.get_by_label("New members can see").select_option("last:50")
    until(lambda: alice.call("groups")[0]["history"] == "last:50")
    open_with(other, "Walkers")
    other.get_by_role("button", name="Details", exact=True).click()
    other.get_by_text("New members can see: The last 50 messages.").wait_for()

    # An admin changes the group; the owner's device makes the change without a question.
    page.get_by_role("button", name="Make Bob an admin").click()
    page.get_by_role("dialog").get_by_role("button", name="Make admin").click()
    other.get_by_text("You are an admin.").wait_for()
    accessible(other, "the details of an admin")
    other.get_by_role("complementary", name="Details").get_by_role("button", name="Rename").click()
    other.get_by_label("Title").fill("Hikers")
    other.get_by_role("dialog").get_by_role("button", name="Rename").click()
    row(page, "Hikers").wait_for()
    row(other, "Hikers").wait_for()

    # The owner names a successor, who takes nothing over while the owner is there. All of a member's row stays in view.
    page.get_by_role("button", name="Let Bob take over after a silence").click()
    page.get_by_role("dialog").get_by_role("button", name="Make successor").click()
    page.locator(".tag", has_text="successor").wait_for()
    parts = [page.get_by_role("button", name="Remove Bob"), page.locator(".person-name", has_text="Bob")]
    boxes = [part.bounding_box() for part in parts]
    assert all(box["width"] > 20 and box["x"] + box["width"] <= 1_200 - 16 for box in boxes), boxes
    other.get_by_role("button", name="Take over").click()
    other.get_by_role("dialog").get_by_role("button", name="Take over").click()
    other.get_by_role("dialog").get_by_text("The owner was heard within the last 14 days.").wait_for()
    other.keyboard.press("Escape")

    # How long messages are kept: of one conversation, and of all.
    keeps = page.get_by_role("complementary", name="Details").get_by_label("Keep messages")
    assert keeps.input_value() == "all"
    keeps.select_option("604800")
    until(lambda: alice.call("retention", conversation=group["id"]).get("age") == 604_800)
    page.get_by_role("button", name="Alice: settings").click()
    page.get_by_role("dialog").get_by_label("Keep messages").select_option("31536000")
    until(lambda: alice.call("retention").get("age") == 31_536_000)
    page.get_by_role("dialog").get_by_label("Keep messages").select_option("forever")
    until(lambda: "age" not in alice.call("retention"))
    assert alice.call("retention", conversation=group["id"])["own"]
    page.keyboard.press("Escape")
    keeps.select_option("all")
    until(lambda: not alice.call("retention", conversation=group["id"])["own"])

    # Who may add somebody to groups is their choice: the invitations of all others wait for an answer.
    other.get_by_role("button", name="Bob: settings").click()
    adds = other.get_by_role("dialog").get_by_label("Who may add you")
    until(lambda: adds.input_value() == "accepted")
    adds.select_option("nobody")
    until(lambda: bob.call("group.inviters")["inviters"] == "nobody")
    accessible(other, "the settings with the choice of who may add one")
    other.keyboard.press("Escape")
    alice.call("group.create", title="Pushy", members=[ids[1]])
    open_with(other, "Pushy")
    other.get_by_text("Alice invites you to this group.").wait_for()
    other.get_by_role("button", name="Decline").click()
    until(lambda: all(one["standing"] != "invited" for one in bob.call("groups")))

    # The mesh is drawn as the node knows it.
    page.get_by_role("button", name="Alice: settings").click()
    page.get_by_role("dialog").get_by_role("button", name="Show the mesh").click()
    mesh = page.get_by_role("dialog", name="The mesh")
    mesh.get_by_role("img", name="1 link.").wait_for()
    until(lambda: mesh.locator("circle.link").count() == 1)
    assert mesh.bounding_box()["width"] < 500
    mesh.get_by_role("button", name="Look again").click()
    accessible(page, "the mesh")
    page.screenshot(path=os.path.join(here.folder, "mesh.png"))
    mesh.get_by_role("button", name="Close").click()
    page.get_by_role("dialog", name="Settings").get_by_role("button", name="Close").click()

    # A conversation is saved as a file by the browser, plain or sealed; the page names no path.
    open_with(page, "Bob")
    details.click()
    for passphrase in ("", "rain on the tent"):
        page.get_by_role("button", name="Export", exact=True).click()
        accessible(page, "the form of an export")
        page.get_by_role("combobox", name="Format").select_option("html")
        page.get_by_role("dialog").get_by_label("Passphrase").fill(passphrase)
        with page.expect_download() as saving:
            page.get_by_role("button", name="Save the file").click()
        assert saving.value.suggested_filename == ("earshot.html.sealed" if passphrase else "earshot.html")
        saved = open(saving.value.path(), "rb").read()
        assert (b"Hello" in saved, saved.startswith(b"EARSHOTX")) == (not passphrase, bool(passphrase))

    # A contact who has answered is not waited for again after the history was deleted here.
    here.allowed += [r"WebSocket connection to", r"Failed to load resource", r"ERR_CONNECTION_REFUSED"]
    bob.stop()
    page.get_by_role("button", name="Delete the history here").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    # Until the dialog is closed it takes every key.
    page.get_by_role("dialog").wait_for(state="detached")
    said(page, "Hello").wait_for(state="detached")
    say(page, "Nobody there?")
    message(page, "Nobody there?").get_by_role("img", name="Waiting").or_(message(page, "Nobody there?").get_by_role("img", name="Sent")).wait_for()
    assert page.get_by_text("Waiting for Bob to accept you").count() == 0
    bob.start()
    other.get_by_text("Your node was started anew or locked").wait_for()
    other.goto(bob.address)
    open_with(other, "Alice")
    said(other, "Nobody there?").wait_for()

    # A room for everybody is found without a code.
    alice.call("room.create", title="Open air", admission="open", expiresAfter=600)
    until(lambda: bob.call("room.visible"))
    other.get_by_role("button", name="New conversation").click()
    other.get_by_role("tab", name="Join a room").click()
    accessible(other, "the rooms nearby")
    other.get_by_role("list", name="Open rooms nearby").get_by_role("button", name="Join").click()
    open_with(other, "Open air")

    # A passphrase is set and taken away again.
    page.get_by_role("button", name="Alice: settings").click()
    page.get_by_text("Nobody can restore a passphrase").wait_for()
    page.get_by_label("Passphrase", exact=True).fill("rain")
    page.get_by_text("That is short: whoever copies your data can guess it.").wait_for()
    page.get_by_label("Passphrase", exact=True).fill("rain on the tent")
    page.get_by_text("That is short").wait_for(state="detached")
    page.get_by_label("Once more").fill("rain on the tend")
    page.get_by_role("button", name="Set a passphrase").click()
    page.get_by_role("dialog").get_by_role("alert").get_by_text("The two are not the same.").wait_for()
    accessible(page, "two passphrases that differ")
    page.get_by_label("Once more").fill("rain on the tent")
    page.get_by_role("button", name="Set a passphrase").click()
    page.get_by_label("Current passphrase").fill("sun on the tent")
    page.get_by_role("button", name="Remove", exact=True).click()
    page.get_by_role("dialog").get_by_role("alert").wait_for()
    page.get_by_label("Current passphrase").fill("rain on the tent")
    page.get_by_role("button", name="Remove", exact=True).click()
    page.get_by_role("button", name="Set a passphrase").wait_for()
    accessible(page, "the settings")

    # The identity is replaced: who knows it is told, and writes on to the new one.
    page.get_by_role("button", name="Replace", exact=True).click()
    page.get_by_role("dialog").get_by_text("Hand over first: Hikers.").wait_for()
    page.keyboard.press("Escape")
    alice.call("group.handover", group=group["id"], member=ids[1])
    open_with(other, "Alice")
    page.get_by_role("button", name="Alice: settings").click()
    page.get_by_role("button", name="Replace", exact=True).click()
    page.get_by_role("dialog").get_by_text("You stay in Hikers.").wait_for()
    page.get_by_role("dialog").get_by_role("button", name="Replace", exact=True).click()
    other.locator(".note", has_text="Alice has a new identity.").wait_for()
    until(lambda: alice.call("status")["id"] != ids[0])
    field(other).wait_for()
    say(other, "Still you?")
    open_with(page, "Bob")
    said(page, "Still you?").wait_for()
    say(page, "Still me")
    said(other, "Still me").wait_for()

    # It is revoked: nothing can be written any more, and the other is told why.
    page.get_by_role("button", name="Alice: settings").click()
    page.get_by_role("button", name="Revoke", exact=True).click()
    page.get_by_role("button", name="Revoke forever").click()
    page.get_by_text("Your identity is revoked. You can no longer write").wait_for()
    other.get_by_role("alert").get_by_text("declared this identity invalid").wait_for()
    assert field(page).count() == field(other).count() == 0
