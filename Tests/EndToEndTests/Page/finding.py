"""People and conversations are found by name: in the search, in a new conversation, in pickers and lists of members."""
import os

from stage import accessible, field, open_with, row, said, say, stage, until

NAMES = ["Ada", "Béla", "Chris", "Dora", "Ede", "Fred", "Gerda", "Hugo"]


def narrow(page, name):
    """Takes a picture of a narrow screen."""
    size = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 780})
    page.screenshot(path=os.path.join(page.folder, f"{name}-narrow.png"))
    page.set_viewport_size(size)


with stage() as here:
    alice = here.node("Alice")
    page = here.page(alice)
    page.folder = here.folder
    dialog, beside = page.get_by_role("dialog"), page.get_by_role("complementary", name="Details")
    new = page.get_by_role("button", name="New conversation")

    page.get_by_text("Nobody in earshot yet").wait_for()
    accessible(page, "an empty list")

    # A new conversation with a person says how one is found where nobody was heard, and makes a link.
    new.click()
    dialog.get_by_text("Nobody was heard yet").wait_for()
    dialog.get_by_text("People on your network who run Earshot see you as Alice by themselves.").wait_for()
    dialog.get_by_role("button", name="Make a link").click()
    dialog.get_by_role("img", name="Your link as a QR code").wait_for()
    assert dialog.locator(".command").inner_text().startswith("earshot:peer?")
    accessible(page, "how one is found")
    for tab in ("Join a room", "By a link"):
        dialog.get_by_role("tab", name=tab).click()
        dialog.get_by_role("tabpanel", name=tab).wait_for()
        accessible(page, f"the form behind {tab}")
    page.keyboard.press("Escape")

    # Eight people who were here once; the search finds each by a part of the name, before anything was written.
    ids = {}
    for name in NAMES:
        one = here.node(name)
        ids[name] = one.call("status")["id"]
        until(lambda: any(known["id"] == ids[name] for known in alice.call("contacts")))
        one.stop()
    row(page, "Hugo").wait_for()
    search = page.get_by_label("Search people and messages")
    search.fill("bela")
    page.get_by_role("heading", name="People and conversations").wait_for()
    until(lambda: page.locator(".row-title").all_inner_texts() == ["Béla"])
    assert page.get_by_text("Nothing found").count() == 0
    row(page, "Béla").click()
    page.locator(".pane-name", has_text="Béla").wait_for()
    until(lambda: search.input_value() == "")
    say(page, "Ask Hugo about the boat")
    search.fill("hugo")
    page.locator(".row mark", has_text="Hugo").wait_for()
    page.get_by_role("heading", name="Messages").wait_for()
    assert page.locator(".row-title").all_inner_texts() == ["Hugo", "Béla"]
    accessible(page, "people and messages that were found")
    page.screenshot(path=os.path.join(here.folder, "found.png"))
    search.fill("nobody at all")
    page.get_by_text("Nothing found").wait_for()
    search.press("Escape")

    # A person is chosen from a list with a filter.
    new.click()
    people = dialog.get_by_role("list", name="People").get_by_role("button")
    until(lambda: people.count() == len(NAMES))
    dialog.get_by_label("Find by name").fill("DOR")
    until(lambda: people.count() == 1)
    accessible(page, "the people of a new conversation")
    page.screenshot(path=os.path.join(here.folder, "person.png"))
    narrow(page, "person")
    people.click()
    page.locator(".pane-name", has_text="Dora").wait_for()
    dialog.wait_for(state="detached")
    field(page).wait_for()

    # Members are found too, and whoever was chosen stays chosen while others are looked for.
    new.click()
    dialog.get_by_role("tab", name="New group").click()
    dialog.get_by_label("Title").fill("Crew")
    for name in NAMES:
        dialog.get_by_label("Find by name").fill(name[:3])
        dialog.get_by_role("checkbox", name=name).check()
    until(lambda: dialog.get_by_role("checkbox").count() == 1)
    accessible(page, "the form of a group")
    page.screenshot(path=os.path.join(here.folder, "group.png"))
    dialog.get_by_role("button", name="Create group").click()
    page.locator(".pane-name", has_text="Crew").wait_for()
    until(lambda: len(alice.call("groups")[0]["members"]) == len(NAMES) + 1)
    page.get_by_role("button", name="Details", exact=True).click()
    beside.get_by_label("Find by name").fill("ger")
    until(lambda: beside.locator(".person-name").all_inner_texts() == ["Gerda"])
    accessible(page, "members that were found")
    beside.get_by_label("Find by name").fill("zz")
    beside.get_by_text("No member of that name.").wait_for()
    open_with(page, "Béla")
    said(page, "Ask Hugo about the boat").wait_for()
