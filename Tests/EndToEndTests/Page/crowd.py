"""A page with 200 contacts, 100 conversations, 30 groups and a group of 1,000 members stays small and follows the hand.

The node is real; its lists are replaced on their way to the page, for so many nodes do not fit on one machine.
"""
import json

from stage import LIMIT, accessible, field, open_with, row, said, stage, until

PEOPLE, TALKS, GROUPS, CROWD, LINES = 200, 100, 30, 1_000, 120
# Elements of the whole page; about 14 a row of the list, and 20 a message.
ELEMENTS = 8_000


def identity(number):
    return f"{number:064x}"


def time(number):
    return f"2026-02-{1 + number // 1_440 % 28:02d}T{number // 60 % 24:02d}:{number % 60:02d}:00.000Z"


def line(conversation, number, writer, name):
    text = f"Line {number} " + "word " * (number * 7 % 23)
    return {
        "id": f"{int(conversation, 16) * 1_000 + number:032x}"[-32:], "conversation": conversation, "from": identity(writer), "fromName": name, "kind": "text", "text": text,
        "reactions": [{"emoji": "👍", "from": [identity(writer)]}] if number % 9 == 0 else [], "mentions": [], "edited": False, "deleted": False,
        "sentAt": time(number), "receivedAt": time(number), "status": "delivered", "outgoing": False, "request": False,
    }


class Crowd:
    """The replies of the node as they reach the page."""

    def __init__(self):
        names = [f"Person {number:03d}" for number in range(CROWD)]
        self.contacts = [
            {"id": identity(number), "name": names[number], "trust": "verified" if number % 3 else "tofu", "fingerprint": f"{number:05d} 00000 00000", "reachable": number % 2 == 0, "lastSeen": time(number)}
            for number in range(1, PEOPLE + 1)
        ]
        self.groups = [
            {"id": identity(10_000 + number), "title": f"Group {number:02d}", "standing": "member", "owner": identity(1), "history": "none", "members": self.members(names, 12)}
            for number in range(GROUPS)
        ]
        self.groups.append(self.groups[0] | {"id": identity(20_000), "title": "Everyone", "members": self.members(names, CROWD)})
        self.conversations = [self.conversation("direct", identity(number), names[number], number) for number in range(1, TALKS + 1)]
        self.conversations += [self.conversation("group", group["id"], group["title"], 2_000 + number) for number, group in enumerate(self.groups)]
        self.asked = {}

    @staticmethod
    def members(names, count):
        return [{"id": identity(number), "name": names[number]} for number in range(1, count)]

    @staticmethod
    def conversation(kind, id, title, number):
        return {"id": id, "kind": kind, "title": title, "members": [], "unread": number % 4, "request": False, "last": line(id, number, 1, "Person 001")}

    def result(self, method, parameters):
        if method in ("contacts", "conversations", "groups"):
            return getattr(self, method)
        if method == "history.window":
            place = parameters["conversation"]
            return {"messages": [line(place, number, 1 + number % 90, f"Person {1 + number % 90:03d}") for number in range(LINES)], "before": 0, "after": 0}
        return {"draft": {"text": ""}, "typing": {}, "markRead": {}, "search": []}.get(method)

    def joins(self, route):
        """Stands between the page and its node."""
        server = route.connect_to_server()
        self.route = route

        def from_page(text):
            call = json.loads(text)
            self.asked[call.get("id")] = call
            server.send(text)

        def from_node(text):
            answer = json.loads(text)
            call = self.asked.pop(answer.get("id"), {}) if "id" in answer else {}
            result = self.result(call.get("method"), call.get("params"))
            route.send(text if result is None else json.dumps({"jsonrpc": "2.0", "id": answer["id"], "result": result}))

        route.on_message(from_page)
        server.on_message(from_node)


# Milliseconds of each frame while something is done in it.
FRAMES = """async ([selector, step, count]) => {
    const field = document.querySelector(selector);
    const frame = () => new Promise(requestAnimationFrame);
    const times = [];
    let last = await frame();
    for (let place = 0; place < count; place += 1) {
        field.scrollTop += step;
        const now = await frame();
        times.push(now - last);
        last = now;
    }
    times.sort((a, b) => a - b);
    return times[Math.floor(count * 0.95)];
}"""
# The same while the page is left alone, until it is asked.
WATCH = """() => {
    window.frames95 = [];
    let last = performance.now();
    const next = (now) => { window.frames95.push(now - last); last = now; window.isWatched && requestAnimationFrame(next); };
    window.isWatched = true;
    requestAnimationFrame(next);
}"""
WATCHED = "() => { window.isWatched = false; const all = window.frames95.sort((a, b) => a - b); return all[Math.floor(all.length * 0.95)]; }"


def counted(page, what):
    """Fails where the page holds too much."""
    count = page.evaluate("document.querySelectorAll('*').length")
    print(f"FIGURE elements with {what}: {count}")
    assert count < ELEMENTS, (what, count)


def tell(what, milliseconds):
    print(f"FIGURE frames while {what}: p95 {milliseconds:.1f} ms")


with stage() as here:
    node, crowd = here.node("Alice"), Crowd()
    page = here.browser.new_context(viewport={"width": 1200, "height": 800}, locale="en-GB", reduced_motion="reduce").new_page()
    page.set_default_timeout(LIMIT)
    page.on("console", lambda said: said.type == "error" and here.note(said.text))
    page.on("pageerror", lambda error: here.note(f"{error.message}\n{error.stack}"))
    page.route_web_socket("**/socket?*", crowd.joins)
    page.goto(node.address)
    row(page, "Everyone").wait_for()
    counted(page, "the list")
    tell("the list is scrolled", page.evaluate(FRAMES, [".list-scroll", 120, 120]))
    # All of it is there in the end.
    page.locator(".row-title", has_text=f"Person {PEOPLE:03d}").scroll_into_view_if_needed()
    counted(page, "the end of the list")
    page.evaluate("document.querySelector('.list-scroll').scrollTop = 0")

    open_with(page, "Everyone")
    said(page, f"Line {LINES - 1} ").wait_for()
    counted(page, "a conversation")
    tell("messages are scrolled", page.evaluate(FRAMES, ["#timeline", -90, 120]))
    page.evaluate(WATCH)
    field(page).press_sequentially("A line of some length, and a name: @per", delay=15)
    page.get_by_role("option", name="Person 001").wait_for()
    tell("one writes", page.evaluate(WATCHED))
    field(page).fill("")

    # Messages come in a quick row.
    page.evaluate(WATCH)
    for number in range(200, 260):
        crowd.route.send(json.dumps({"jsonrpc": "2.0", "method": "event", "params": {"type": "message", "message": line(identity(20_000), number, 2, "Person 002")}}))
    page.get_by_role("button", name="Go to the newest message").click()
    said(page, "Line 259 ").wait_for()
    tell("60 messages come", page.evaluate(WATCHED))

    page.get_by_role("button", name="Details", exact=True).click()
    beside = page.get_by_role("complementary", name="Details")
    beside.get_by_role("button", name=f"Show all {CROWD - 1} members").wait_for()
    counted(page, "the first members")
    accessible(page, "a large group")
    page.evaluate(WATCH)
    beside.get_by_label("Find by name").press_sequentially("person 98", delay=15)
    until(lambda: beside.locator(".person").count() == 10)
    tell("members are found", page.evaluate(WATCHED))

    page.evaluate(WATCH)
    page.get_by_label("Search people and messages").press_sequentially("person 1", delay=15)
    page.get_by_role("heading", name="People and conversations").wait_for()
    tell("people are found", page.evaluate(WATCHED))
    page.keyboard.press("Escape")

    page.get_by_role("button", name="New conversation").click()
    page.get_by_role("tab", name="New group").click()
    page.get_by_role("dialog").get_by_label("Find by name").wait_for()
    counted(page, "the form of a group")
