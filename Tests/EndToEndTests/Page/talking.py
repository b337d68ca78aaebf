"""Texts: replies, reactions, edits, deletions, mentions, emoji, polls, and the keyboard."""
from stage import accessible, choose, doing, field, message, row, said, say, stage, until

with stage() as here:
    alice, bob, page, other = here.pair()

    # A reply shows its original, and leads to it.
    say(other, "Where are you?")
    said(page, "Where are you?").wait_for()
    doing(page, "Where are you?", "Reply")
    say(page, "By the tree")
    quote = message(other, "By the tree").locator(".quote")
    quote.wait_for()
    assert "Where are you?" in quote.inner_text()
    quote.click()
    other.locator(".message.found", has_text="Where are you?").wait_for()
    message(page, "By the tree").get_by_role("img", name="Delivered").wait_for()

    # A reaction goes both ways, and goes away.
    doing(other, "By the tree", "React")
    other.get_by_role("button", name="React with 👍").click()
    there = message(page, "By the tree").get_by_role("button", name="👍 from Bob")
    there.wait_for()
    there.click()
    message(other, "By the tree").locator(".reaction .count", has_text="2").wait_for()
    message(other, "By the tree").locator(".reaction").click()
    message(page, "By the tree").get_by_role("button", name="👍 from You", exact=True).wait_for()

    # An emoji is found by its name; alone it stands large.
    page.get_by_role("button", name="Emoji", exact=True).click()
    accessible(page, "the picker")
    page.get_by_label("Find an emoji").fill("owl")
    page.get_by_role("button", name="owl", exact=True).click()
    page.keyboard.press("Escape")
    field(page).press("Enter")
    other.locator(".kind-emoji .text", has_text="🦉").wait_for()

    # A name is completed after an @.
    field(page).press_sequentially("see @b")
    page.get_by_role("option", name="Bob").wait_for()
    field(page).press("Enter")
    field(page).press("Enter")
    other.locator(".mention.me", has_text="@Bob").wait_for()

    # The last message is edited from the keyboard; what stood there stays to be seen.
    say(page, "At sevn")
    field(page).press("ArrowUp")
    page.get_by_text("Edit your message").wait_for()
    field(page).fill("At seven")
    field(page).press("Enter")
    said(other, "At seven").wait_for()
    message(other, "At seven").get_by_role("button", name="edited").click()
    other.get_by_role("dialog").get_by_text("At sevn").wait_for()
    accessible(other, "the versions of a message")
    other.keyboard.press("Escape")

    # Deleted for everyone.
    say(page, "Not this")
    said(other, "Not this").wait_for()
    doing(page, "Not this", "More")
    accessible(page, "the menu of a message")
    page.get_by_role("menuitem", name="Delivery details", exact=True).click()
    page.get_by_role("dialog").get_by_text("Delivered").wait_for()
    accessible(page, "the delivery of a message")
    page.keyboard.press("Escape")
    choose(page, "Not this", "Delete for everyone")
    accessible(page, "the question before a deletion")
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    other.locator(".gone").wait_for()
    assert said(other, "Not this").count() == 0

    # A poll, a vote that is changed, and its end.
    page.get_by_role("button", name="Create a poll").click()
    page.get_by_label("Question", exact=True).fill("Which gate?")
    page.get_by_label("Option 1").fill("North")
    page.get_by_label("Option 2").fill("South")
    accessible(page, "the form of a poll")
    page.get_by_role("button", name="Create", exact=True).click()
    other.get_by_role("radio", name="South, 0 of 0 votes").click()
    page.get_by_role("radio", name="South, 1 of 1 votes").click()
    other.get_by_role("radio", name="South, 2 of 2 votes").wait_for()
    other.get_by_role("radio", name="North, 0 of 2 votes").click()
    page.get_by_role("radio", name="North, 1 of 2 votes").wait_for()
    accessible(page, "the conversation")
    choose(page, "Which gate?", "Close the poll")
    other.locator(".poll-kind", has_text="Closed").wait_for()

    # What comes while another conversation is looked at is counted.
    other.get_by_role("button", name="New conversation").click()
    other.get_by_role("tab", name="New group").click()
    other.get_by_label("Title").fill("Walkers")
    other.get_by_role("button", name="Create group").click()
    other.locator(".pane-name", has_text="Walkers").wait_for()
    say(page, "Still there?")
    row(other, "Alice").locator(".badge", has_text="1").wait_for()
    row(other, "Alice").click()
    row(other, "Alice").locator(".badge").wait_for(state="detached")

    # A row that is pressed stays under the pointer until it is let go, though a message moves it to the top.
    with other.expect_websocket() as opened:
        other.reload()
    other.get_by_role("button", name="New conversation").click()
    other.get_by_role("tab", name="New group").click()
    other.get_by_label("Title").fill("Runners")
    other.get_by_role("button", name="Create group").click()
    titles = other.locator(".row .row-title")
    until(lambda: titles.all_inner_texts() == ["Runners", "Alice", "Walkers"])
    place = row(other, "Alice").bounding_box()
    other.mouse.move(place["x"] + 40, place["y"] + 20)
    other.mouse.down()
    with opened.value.expect_event("framereceived", lambda frame: "While it is pressed" in frame):
        say(page, "While it is pressed")
    other.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert titles.first.inner_text() == "Runners"
    other.mouse.up()
    other.locator(".pane-name", has_text="Alice").wait_for()
    until(lambda: titles.all_inner_texts() == ["Alice", "Runners", "Walkers"])

    # The message field, the messages and their menus are reached by keys alone.
    field(page).press("Shift+Tab")
    page.locator("#timeline").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("r")
    page.get_by_text("Reply to").wait_for()
    assert field(page).evaluate("field => field === document.activeElement")
    page.keyboard.press("Escape")
    page.get_by_text("Reply to").wait_for(state="detached")
