"""Another identity takes a contact's name, and a verified contact goes on to a new identity: what each button does."""
import os

from stage import Node, accessible, field, open_with, row, said, say, stage, until

with stage() as here:
    alice, bob, page, other = here.pair()
    bob_id = bob.call("status")["id"]
    trust = lambda peer: next(one["trust"] for one in alice.call("contacts") if one["id"] == peer)

    # Another Bob comes: the known one asks to be kept, and the conversation of the other one says what it is.
    home = os.path.join(here.folder, "Claimant")
    here.run("--home", home, "init", "--name", "Bob", "--no-passphrase")
    claimant = Node(here, home)
    here.nodes.append(claimant)
    claimant_id = claimant.call("status")["id"]
    page.get_by_role("alert").get_by_text("Another identity claims to be this person").wait_for()
    assert field(page).count() == 0
    accessible(page, "a contact whose name another took")
    page.evaluate(f"location.hash = '#/c/{claimant_id}'")
    warning = page.get_by_role("alert").get_by_text("This is not the Bob you know")
    warning.wait_for()
    # Both have the name, so the list says more.
    ids = sorted([bob_id, claimant_id])
    wanted = sorted(one["fingerprint"][:11] for one in alice.call("contacts") if one["id"] in ids)
    assert sorted(page.locator(".row .digits-mark").all_inner_texts()) == wanted
    accessible(page, "the conversation of who took the name")
    page.screenshot(path=os.path.join(here.folder, "homonyms.png"))
    page.get_by_role("button", name="Open the Bob you know").click()
    page.get_by_role("button", name="Keep this Bob").click()
    page.get_by_role("dialog").get_by_text("The other one stays an unknown person.").wait_for()
    page.get_by_role("dialog").get_by_role("button", name="Keep", exact=True).click()
    field(page).wait_for()
    assert (trust(bob_id), trust(claimant_id)) == ("tofu", "unknown")
    say(page, "Still you")
    said(other, "Still you").wait_for()

    # A name of one's own is shown everywhere here, and nowhere else; a mention has the name that they chose.
    beside = page.get_by_role("complementary", name="Details")
    own_name = beside.get_by_label("Your name for them")
    page.get_by_role("button", name="Details", exact=True).click()
    own_name.fill("Mum")
    beside.get_by_role("button", name="Save the name").click()
    page.locator(".pane-name", has_text="Mum").wait_for()
    row(page, "Mum").wait_for()
    beside.get_by_text("They call themselves Bob.").wait_for()
    until(lambda: page.locator(".row .digits-mark").count() == 0)
    accessible(page, "the details of a contact with a name of one's own")
    page.screenshot(path=os.path.join(here.folder, "named.png"))
    beside.get_by_role("button", name="Close the details").click()
    field(page).press_sequentially("Hi @Mu")
    page.get_by_role("option", name="Mum (Bob)").wait_for()
    field(page).press("Enter")
    until(lambda: field(page).input_value() == "Hi @Bob ")
    field(page).press("Enter")
    said(other, "Hi @Bob").wait_for()
    assert other.get_by_text("Mum").count() == 0
    page.get_by_role("button", name="Details", exact=True).click()
    own_name.fill("")
    beside.get_by_role("button", name="Save the name").click()
    page.locator(".pane-name", has_text="Bob").wait_for()
    beside.get_by_role("button", name="Close the details").click()
    page.evaluate(f"location.hash = '#/c/{claimant_id}'")
    warning.wait_for()

    # A verified contact goes on: the button names that, and does it.
    alice.call("verify", peer=bob_id, number=alice.call("safetyNumber", peer=bob_id)["number"])
    page.evaluate(f"location.hash = '#/c/{bob_id}'")
    field(page).wait_for()
    new_id = bob.call("identity.rotate")["id"]
    page.get_by_role("alert").get_by_text("Bob wants to replace their identity by a new one").wait_for()
    page.get_by_role("button", name="Switch to the new identity").click()
    page.get_by_role("dialog").get_by_role("button", name="Switch", exact=True).click()
    until(lambda: trust(new_id) == "tofu")
    page.evaluate(f"location.hash = '#/c/{new_id}'")
    field(page).wait_for()
    say(page, "And now?")
    said(other, "And now?").wait_for()
