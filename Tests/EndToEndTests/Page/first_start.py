"""A first start: a name, somebody found, the safety number compared by the program."""
from stage import accessible, field, open_with, row, said, say, stage

with stage() as here:
    carol, dave = here.node("carol", named=False), here.node("Dave")
    page, other = here.page(carol, welcome=False), here.page(dave)

    # Who starts is asked for a name, and others see it.
    name = page.get_by_label("Your name")
    name.wait_for()
    accessible(page, "the first start")
    name.fill("Carol")
    page.get_by_role("button", name="Start", exact=True).click()
    row(other, "Carol").wait_for()
    assert "#" not in page.url, page.url
    accessible(page, "the list")

    # People who are heard are listed, and the head of a conversation says it too.
    page.get_by_role("heading", name="People heard").wait_for()
    row(page, "Dave").get_by_text("In reach. Say hello").wait_for()

    # The one writes, the other decides on a stranger.
    open_with(page, "Dave")
    page.locator(".pane-sub", has_text="In reach · Not decided").wait_for()
    say(page, "Hello from Carol")
    awaiting = page.get_by_text("Waiting for Dave to accept you. You will not see whether your messages arrive until then.")
    awaiting.wait_for()
    accessible(page, "a conversation that waits to be accepted")
    row(other, "Carol").locator(".badge").wait_for()
    open_with(other, "Carol")
    assert field(other).count() == 0
    accessible(other, "a request")

    # A find of a stranger's message says that it is a request.
    other.get_by_label("Search people and messages").fill("Carol")
    other.locator(".row", has=other.locator("mark", has_text="Carol")).locator(".row-mark", has_text="request").wait_for()
    # So does one that was imported, or that only a member vouches for.
    doubts = "(message) => import('/text/words.js').then(({ doubts }) => doubts(message))"
    assert other.evaluate(doubts, {"imported": True, "vouchedBy": [{}]}) == ["from before you came", "imported"]
    accessible(other, "what was found")

    # Escape ends a search, in the list and in a conversation, and so does an empty field of the list.
    for ending in ("Escape", "Delete"):
        other.get_by_label("Search people and messages").fill("Carol")
        other.get_by_role("button", name="Close the search").wait_for()
        other.get_by_label("Search people and messages").press("ControlOrMeta+a")
        other.get_by_label("Search people and messages").press(ending)
        other.get_by_role("button", name="Close the search").wait_for(state="detached")
        row(other, "Carol").wait_for()
    other.get_by_role("button", name="Search in this conversation").click()
    inside = other.locator(".in-pane").get_by_label("Search in this conversation")
    inside.fill("Carol")
    inside.press("Escape")
    inside.wait_for(state="detached")
    said(other, "Hello from Carol").wait_for()
    other.get_by_role("button", name="Accept", exact=True).click()
    field(other).wait_for()
    say(other, "Welcome")
    said(page, "Welcome").wait_for()
    awaiting.wait_for(state="detached")

    # A number that is not finished raises no alarm, a wrong one does, the right one verifies.
    numbers = []
    for one in (page, other):
        one.get_by_role("button", name="Details", exact=True).click()
        number = one.locator("[data-number]")
        number.wait_for()
        numbers.append(number.inner_text())
    assert numbers[0] == numbers[1] and len(numbers[0].replace(" ", "").replace("\n", "")) == 60, numbers
    for count, words in ((5, "You typed 5 of 60 digits."), (61, "You typed 61 digits. The number has 60.")):
        page.get_by_label("Their digits").fill("1" * count)
        page.get_by_role("button", name="Compare", exact=True).click()
        page.get_by_text(words).wait_for()
        assert page.locator(".details .error").count() == 0
    page.get_by_label("Their digits").fill("1" * 60)
    page.get_by_role("button", name="Compare", exact=True).click()
    page.locator(".details .error").wait_for()
    assert page.get_by_text("You typed").count() == 0
    accessible(page, "the details")
    page.get_by_label("Their digits").fill(numbers[1])
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_role("heading", name="Verified").wait_for()
    page.locator(".pane-title").get_by_role("img", name="Verified").wait_for()
    accessible(page, "the details of a verified contact")

    assert page.get_by_text("type the digits").count() == page.get_by_label("Their digits").count() == 0

    # The code for cameras, which the other gives to the program as text.
    page.get_by_role("button", name="Show a QR code").click()
    page.get_by_role("img", name="A code for them to scan to verify you").wait_for()
    ids = [one.call("status")["id"] for one in (carol, dave)]
    other.get_by_label("Their digits").fill(f"earshot:peer?id={ids[0]}&with={ids[1]}")
    other.get_by_role("button", name="Compare", exact=True).click()
    other.get_by_role("heading", name="Verified").wait_for()
