"""A long history: only a part of it is held, what one reads stays in its place, and its first message is reached."""
from stage import field, open_with, said, stage, until

COUNT = 420
HELD = 240

with stage() as here:
    alice, bob = here.node("Alice"), here.node("Bob")
    until(lambda: alice.call("contacts"))
    place = bob.call("status")["id"]
    bob.stop()
    for number in range(COUNT):
        alice.call("send", to=place, text=f"Line {number} " + "word " * (number % 23))
    page = here.page(alice, welcome=False)
    open_with(page, "Bob")
    said(page, f"Line {COUNT - 1} ").wait_for()
    field(page).wait_for()

    # The end is in sight, and upwards more comes without a jump.
    at_end = "() => { const field = document.querySelector('#timeline'); return field.scrollHeight - field.scrollTop - field.clientHeight < 2; }"
    page.wait_for_function(at_end)
    most = page.evaluate("""async () => {
        const field = document.querySelector('#timeline');
        const frame = () => new Promise(requestAnimationFrame);
        let most = 0;
        let jump = 0;
        for (let step = 0; step < 4000; step += 1) {
            const anchor = [...field.querySelectorAll('.message')].find(one => one.getBoundingClientRect().top > field.getBoundingClientRect().top + 100);
            const before = anchor.getBoundingClientRect().top;
            field.scrollTop -= 240;
            const wanted = before + 240;
            await frame();
            await frame();
            const isHeld = anchor.isConnected && field.scrollTop > 0;
            if (isHeld) jump = Math.max(jump, Math.abs(anchor.getBoundingClientRect().top - wanted));
            most = Math.max(most, field.querySelectorAll('.message').length);
            const isFirst = [...field.querySelectorAll('.text')].some(one => one.textContent.startsWith('Line 0 '));
            if (isFirst && field.scrollTop === 0) return { most, jump, steps: step };
        }
        return { most, jump, steps: Infinity };
    }""")
    assert most["most"] <= HELD, most
    assert most["jump"] < 60, most

    # And back to the end at once.
    page.get_by_role("button", name="To the newest message").click()
    said(page, f"Line {COUNT - 1} ").wait_for()
    page.wait_for_function(at_end)

    # A message far away is opened by its address.
    early = alice.call("history", conversation=place, limit=20, after=alice.call("history", conversation=place, limit=1_000)[30]["id"])[10]
    page.evaluate(f"location.hash = '#/c/{place}/m/{early['id']}'")
    page.locator(".message.found", has_text=early["text"].split(" word")[0]).wait_for()
