"""Passphrase, lock and unlock, the cover, notices and where they lead."""
from stage import accessible, field, message, open_with, row, said, say, stage

NOTICES = """window.told = [];
window.Notification = class {
    static permission = 'default';
    static async requestPermission() { return this.permission = 'granted'; }
    constructor(title, options) { Object.assign(this, options, { title }); window.told.push(this); }
    close() {}
};"""

# A group of 300, whose details show the first hundred members or all, and a message that a sample confirms.
CROWD = """async () => {
    const { draw } = await import('/views/dom.js');
    const { groupDetails } = await import('/views/members.js');
    const { statusOf } = await import('/text/words.js');
    const members = Array.from({ length: 300 }, (_, place) => ({ id: String(place), name: `N${place}` }));
    const groups = { x: { id: 'x', owner: '1', members, history: 'none' } };
    const shown = (details) => {
        const place = document.createElement('div');
        draw(place, groupDetails({ id: 'x' }, { details, contacts: {}, groups, status: { id: '0' } }, {}));
        return [place.querySelectorAll('.person').length, place.textContent.includes('Show all 300 members')];
    };
    const says = (status, sampled) => statusOf({ status, sampled }).says.includes('sampled');
    return [shown(true), shown('all'), says('delivered', true), says('carried', true), says('delivered')];
}"""

# People in reach, heard a while ago, and never.
PRESENCE = """async () => {
    const { draw } = await import('/views/dom.js');
    const { conversationList } = await import('/views/list.js');
    const { initialState } = await import('/state/initial.js');
    const now = Date.parse('2026-03-01T12:00:00Z');
    const heard = [[true, now, 3], [true, now, 1], [false, now - 30_000], [false, now - 300_000], [false, now - 7_300_000], [false, now - 90_000_000], [false]];
    const contacts = Object.fromEntries(heard.map(([reachable, lastSeen, hops], place) => [
        `a${place}`, { id: `a${place}`, name: `P${place}`, trust: 'unknown', reachable, hops, ...(lastSeen ? { lastSeen: new Date(lastSeen).toISOString() } : {}) },
    ]));
    const place = document.createElement('div');
    draw(place, conversationList({ ...initialState({}), contacts, now, status: { id: 'b', name: 'Me' } }, {}));
    return [place.querySelector('.list-title').textContent, ...[...place.querySelectorAll('.row-last')].map((one) => one.textContent)];
}"""

# Three conversations for which messages come while their newest are asked for: at first, again, and behind what is held.
MEETING = """async () => {
    const { reduce } = await import('/state/reduce.js');
    const { initialState } = await import('/state/initial.js');
    const message = (id, text) => ({ id, text: text ?? id, conversation: 'x', from: 'y', kind: 'text', reactions: [] });
    const event = (type, rest) => ({ type: 'event', event: { type, ...rest }, now: 0, isSeen: false });
    const came = [
        event('message', { message: message('b') }), event('message', { message: message('b') }),
        event('message', { message: message('c') }), event('message', { message: message('d') }),
        event('message.changed', { message: message('b', 'b2') }),
        event('message.removed', { conversation: 'x', message: 'c' }),
    ];
    const asked = { type: 'page.asked', conversation: 'x', where: 'window' };
    const taken = (...ids) => ({ type: 'page.taken', conversation: 'x', where: 'window', messages: ids.map(id => message(id)), before: 0, after: 0 });
    const told = (...actions) => actions.reduce(reduce, initialState({})).timelines.x.messages.map(one => one.text);
    return [
        told(asked, ...came, taken('a')),
        told(asked, taken('a', 'z'), asked, ...came, taken('a')),
        told(asked, taken('a'), { type: 'page.cut', conversation: 'x' }, { type: 'page.asked', conversation: 'x', where: 'after' },
            event('message', { message: message('d') }), event('message', { message: message('e') }),
            { type: 'page.taken', conversation: 'x', where: 'after', messages: [message('d')], isShort: true }),
    ];
}"""

with stage() as here:
    alice, bob, page, other = here.pair()
    page.add_init_script(NOTICES)
    with page.expect_websocket() as opened:
        page.reload()
    row(page, "Bob").wait_for()
    # A click tells the node that a person is here; what the page asks for by itself does not.
    with opened.value.expect_event("framesent", lambda line: '"method":"present"' in line):
        open_with(page, "Bob")

    # Notices are asked for, come while one looks elsewhere, and lead to the message.
    page.get_by_role("button", name="Alice: settings").click()
    accessible(page, "the settings")
    page.get_by_role("switch", name="Desktop notifications").click()
    page.get_by_role("switch", name="Show message text").wait_for()
    page.keyboard.press("Escape")
    page.evaluate("document.hasFocus = () => false")
    say(other, "Are you awake?")
    page.wait_for_function("() => told.length === 1 && told[0].title === 'Bob' && told[0].body === 'Are you awake?'")
    page.evaluate("history.pushState(null, '', '#/'); dispatchEvent(new Event('hashchange'))")
    page.locator(".pane.is-empty").wait_for()
    page.evaluate("told[0].onclick()")
    page.locator(".message.found", has_text="Are you awake?").wait_for()

    # A notice is answered by a click: the page is at the message, and what is written is a reply to it.
    page.locator(".strip", has_text="Reply to Bob").wait_for()
    assert field(page).evaluate("field => field === document.activeElement")
    say(page, "Awake, yes")
    message(other, "Awake, yes").locator(".quote", has_text="Are you awake?").wait_for()
    # A worker that stays behind, which alone could take a reply within a notice, is against the page's own rules.
    here.allowed += ["Trusted", "Content Security Policy"]
    assert page.evaluate("navigator.serviceWorker.register('/main.js').then(() => false, () => true)")

    # A conversation that is muted gives none.
    page.get_by_role("button", name="Details", exact=True).click()
    page.get_by_label("Notifications").select_option("always")
    page.get_by_role("button", name="Unmute").wait_for()
    say(other, "Asleep, then")
    said(page, "Asleep, then").wait_for()
    assert page.evaluate("told.length") == 1

    # A passphrase, the lock, a wrong and the right one.
    page.get_by_role("button", name="Alice: settings").click()
    page.get_by_label("Passphrase", exact=True).fill("rain on the tent")
    page.get_by_label("Once more").fill("rain on the tent")
    page.get_by_role("button", name="Set a passphrase").click()
    page.get_by_role("button", name="Lock now").click()
    page.get_by_role("heading", name="Locked").wait_for()
    assert page.get_by_text("Asleep").count() == 0
    accessible(page, "the lock")
    page.get_by_label("Passphrase").fill("sun on the tent")
    page.get_by_role("button", name="Unlock").click()
    page.get_by_role("alert").wait_for()
    page.get_by_label("Passphrase").fill("rain on the tent")
    page.get_by_role("button", name="Unlock").click()
    said(page, "Asleep, then").wait_for()

    assert page.evaluate(CROWD) == [[100, True], [300, False], True, False, False]

    assert page.evaluate(PRESENCE) == [
        "People heard", "In reach, 3 hops. Say hello", "In reach. Say hello", "Heard just now", "Heard 5 min ago", "Heard 2 h ago", "Heard 1 day ago", "Not heard yet",
    ]

    # What came for the lock is shown once, whether its event or the page of the conversation was faster, as it stands.
    assert page.evaluate(MEETING) == [["a", "b2", "d"], ["a", "b2", "d"], ["a", "d", "e"]]

    # The cover hides all of it when the page is hidden.
    page.get_by_role("button", name="Alice: settings").click()
    page.get_by_role("switch", name="Cover the page when it is hidden").click()
    page.get_by_role("radio", name="Dark").check(force=True)

    # The delivery setting is the node's, and the page says what it means.
    travel = page.get_by_label("Direct messages travel")
    assert travel.input_value() == "auto"
    travel.select_option("fast")
    page.get_by_text("only the nodes in between get a copy.").wait_for()
    assert alice.call("delivery")["setting"] == "fast"
    page.keyboard.press("Escape")
    accessible(page, "the dark theme")
    page.evaluate("""() => {
        Object.defineProperty(document, 'hidden', { value: true, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
        delete document.hidden;
    }""")
    page.get_by_role("heading", name="Covered").wait_for()
    assert page.get_by_text("Asleep").count() == 0
    accessible(page, "the cover")
    page.get_by_role("button", name="Show").click()
    field(page).wait_for()

    # A lock from elsewhere hides all at once, also while a button is pressed, though drawing waits for that for 10 s.
    page.evaluate("""() => {
        const later = window.setTimeout.bind(window);
        window.setTimeout = (work, time) => time === 10_000 ? 1e9 : later(work, time);
    }""")
    said(page, "Asleep, then").wait_for()
    place = page.get_by_role("button", name="Details", exact=True).bounding_box()
    page.mouse.move(place["x"] + 5, place["y"] + 5)
    page.mouse.down()
    alice.call("lock")
    said(page, "Asleep, then").wait_for(state="detached")
    assert page.get_by_text("Asleep").count() == 0
