"""Hubs in the settings, and a first message by a link between two networks that a real hub joins."""
import os
import pathlib
import shutil
import subprocess

from stage import accessible, choose, field, open_with, row, said, say, stage, until

ROOT = pathlib.Path(__file__).resolve().parents[3]
PLACES = [ROOT / ".build/hub/usr/sbin/nats-server", *(pathlib.Path(place) / "nats-server" for place in ("/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"))]
OPERATOR = {"EARSHOT_HUB_PASSWORD": "admin-secret"}

# The texts and buttons of hubs that no scenario has: an old announcement, a refusal, a hub of the command line.
STATES = """async () => {
    const { draw } = await import('/views/dom.js');
    const { far } = await import('/views/hubs.js');
    const shown = (more) => {
        const place = document.createElement('div');
        draw(place, far({ dialog: { hubs: { hubs: [], fixed: [], changeable: true, ...more } }, now: 0 }, {}));
        return place;
    };
    const hubs = ['live', 'refused'].map((state) => ({ host: state, address: state, state, sent: 1, fetched: 2, waiting: state === 'live' ? 3 : undefined }));
    const rows = [...shown({ hubs, fixed: ['live'] }).querySelectorAll('li')];
    return [
        shown({ gateway: 125 }).textContent.includes('By a gateway in this network, heard 2 min ago.'),
        rows[0].textContent.includes('1 sent, 2 fetched, 3 waiting'),
        rows[1].textContent.includes('Refused, tried again within an hour'), rows[1].textContent.endsWith('1 sent, 2 fetched'),
        ...rows.map((row) => row.querySelectorAll('button').length), shown({ hubs, changeable: false }).querySelectorAll('li button').length,
    ];
}"""


class Hub:
    """A NATS server on the loopback interface with the configuration of Examples/Hub, open to everybody."""

    def __init__(self, here, program):
        self.folder = pathlib.Path(here.folder) / "hub"
        self.folder.mkdir()
        self.certificate = str(self.folder / "fullchain.pem")
        key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", str(self.folder / "key.pem")]
        name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
        subprocess.run(["openssl", "req", "-x509", *key, "-days", "2", *name, "-out", self.certificate], check=True, capture_output=True)
        text = (ROOT / "Examples/Hub/hub.conf").read_text()
        for old, new in {
            "HUB-NAME": "hub", "CLUB-PASSWORD": "club-secret", "ADMIN-PASSWORD": "admin-secret", "0.0.0.0:4222": "127.0.0.1:-1", "0.0.0.0:7422": "127.0.0.1:-1",
            "/run/credentials/earshot-hub.service": str(self.folder), "/var/lib/earshot-hub": str(self.folder / "store"),
        }.items():
            assert old in text, old
            text = text.replace(old, new)
        (self.folder / "hub.conf").write_text(text + "\nno_auth_user: club\n")
        log = self.folder / "log"
        self.process = subprocess.Popen([program, "-c", str(self.folder / "hub.conf"), "-l", str(log)], stderr=subprocess.DEVNULL)
        until(lambda: self.process.poll() is not None or log.exists() and "Server is ready" in log.read_text())
        assert self.process.poll() is None, log.read_text()
        line = next(line for line in log.read_text().splitlines() if "Listening for client connections on" in line)
        self.port = int(line.rsplit(":", 1)[1])
        self.host = f"localhost:{self.port}"
        here.run("hub", "create", "--hub-ca", self.certificate, "--size", "100M", f"tls://admin@{self.host}", **OPERATOR)

    def guests(self):
        """The number of connections to the server."""
        lines = pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
        return sum(line.split()[2].endswith(f":{self.port:04X}") and line.split()[3] == "01" for line in lines)

    def end(self):
        self.process.kill()
        self.process.wait()


def settings(page, name):
    page.get_by_role("button", name=f"{name}: settings").click()
    return page.get_by_role("dialog")


def hub_row(page, text):
    return page.get_by_role("dialog").get_by_role("listitem").filter(has_text=text)


def asks(page, words):
    """Waits for a question, whose button Cancel has the focus."""
    dialog = page.get_by_role("dialog").filter(has_text=words)
    dialog.wait_for()
    page.wait_for_function("() => document.activeElement.textContent === 'Cancel'")
    return dialog


def agrees(page):
    """Agrees to a question by the keyboard: Enter alone would decline, so that a key held too long joins no hub."""
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")


def joins(here, hub, anna, page):
    """Anna's page finds no hub, reads why an address is none or does not answer, and joins a hub by the keyboard."""
    dialog = settings(page, "Anna")
    dialog.get_by_role("status").filter(has_text="Off. A hub keeps sealed mail").wait_for()
    address = dialog.get_by_label("Hub", exact=True)
    address.fill("nats://club:crEt@hub.example.org")
    address.press("Enter")
    asks(page, "The hub's operator sees your address, when and how much. Not who or what.")
    accessible(page, "the question about a hub")
    agrees(page)
    page.get_by_role("alert").get_by_text("nats://hub.example.org is not encrypted").wait_for()
    assert not os.path.exists(anna.home + "/hubs")
    # Escape goes back to the field, with what was typed.
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.activeElement.name === 'address' && document.activeElement.value.includes('crEt')")

    # A hub that does not answer is shown with advice, and removed after a question.
    address.fill("nats://club:crEt@127.0.0.1:1")
    address.press("Enter")
    asks(page, "The hub's operator sees")
    agrees(page)
    silent = hub_row(page, "127.0.0.1")
    silent.get_by_text("127.0.0.1:1 does not answer").wait_for()
    silent.get_by_role("status").get_by_text("Not connected, tried again soon").wait_for()
    silent.get_by_text("0 sent, 0 fetched", exact=True).wait_for()
    assert "crEt" not in page.content() and "crEt" not in str(anna.call("hubs"))
    assert "crEt" in open(anna.home + "/hubs").read() and os.stat(anna.home + "/hubs").st_mode & 0o777 == 0o600
    accessible(page, "a hub that does not answer")
    silent.get_by_role("button", name="Remove 127.0.0.1").click()
    asks(page, "Your node forgets its login too.")
    agrees(page)
    page.get_by_role("heading", name="Join networks over the internet").wait_for()
    silent.wait_for(state="detached")
    assert open(anna.home + "/hubs").read() == ""

    if hub:
        address.fill(f"tls://{hub.host}")
        address.press("Enter")
        asks(page, "The hub's operator sees")
        agrees(page)
        hub_row(page, "localhost").get_by_role("status").get_by_text("Connected", exact=True).wait_for()
        accessible(page, "a hub that is connected")
    page.keyboard.press("Escape")


def invites(page, name):
    """A page shows a link of its user and its code; returns the link."""
    dialog = settings(page, name)
    dialog.get_by_role("button", name="Make a link").click()
    dialog.get_by_role("img", name="Your link as a QR code").wait_for()
    dialog.get_by_text("The link is a secret: whoever has it can write to you until").wait_for()
    accessible(page, "a link from afar")
    link = dialog.locator(".command").inner_text()
    page.keyboard.press("Escape")
    return link


def write(page, link, text):
    """Gives a link and a first message to a page, and sends them by the keyboard; returns the dialog."""
    page.get_by_role("button", name="New conversation").click()
    page.get_by_role("tab", name="By a link").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Their link").fill(link)
    dialog.get_by_label("First message").fill(text)
    dialog.get_by_label("First message").press("Enter")
    return dialog


def writes(hub, bertil, page, link):
    """Bertil's page writes by the link, and joins its hub only after a yes."""
    dialog = write(page, "earshot:peer?id=1", "Hello from afar")
    dialog.get_by_role("alert").get_by_text("The link of an identity begins with earshot:peer.").wait_for()
    accessible(page, "a first message by a link")
    dialog.get_by_label("Their link").fill(link)
    dialog.get_by_role("button", name="Send", exact=True).click()
    question = f"They read mail at {hub.host}. Use this hub? It will see your internet address."
    asks(page, question)
    accessible(page, "the question about the hub of a link")
    page.keyboard.press("Escape")
    assert page.get_by_label("Their link").input_value() == link
    assert not os.path.exists(bertil.home + "/hubs") and hub.guests() == 1 and bertil.call("conversations") == []
    page.get_by_role("button", name="Send", exact=True).click()
    asks(page, question).get_by_role("button", name="Use this hub", exact=True).click()
    said(page, "Hello from afar").wait_for()
    until(lambda: hub.guests() == 2)


def goes_without(hub, node, page, other, link):
    """Carl writes by Bertil's link without the hub, for Anna's node passes his mail on."""
    write(page, link, "Hello from Carl")
    asks(page, "They read mail at").get_by_role("button", name="Go without", exact=True).click()
    said(page, "Hello from Carl").wait_for()
    row(other, "Carl").wait_for()
    assert not os.path.exists(node.home + "/hubs") and hub.guests() == 2


def crosses(page, other):
    """The first message crosses, is accepted and answered; until then its details name the hub that has it."""
    choose(other, "Hello from afar", "Delivery details")
    details = other.get_by_role("dialog", name="Delivery details")
    details.get_by_text("stored at localhost").wait_for()
    other.keyboard.press("Escape")
    open_with(page, "Bertil")
    said(page, "Hello from afar").wait_for()
    page.get_by_role("button", name="Accept", exact=True).click()
    field(page).wait_for()
    say(page, "Hello Bertil")
    said(other, "Hello Bertil").wait_for()
    row(other, "Anna").wait_for()


with stage() as here:
    program = next((place for place in PLACES if os.access(place, os.X_OK)), None)
    hub = Hub(here, program) if program and shutil.which("openssl") else None
    try:
        authorities = ["--hub-ca", hub.certificate] if hub else []
        anna = here.node("Anna", options=authorities)
        page = here.page(anna)
        joins(here, hub, anna, page)
        assert page.evaluate(STATES) == [True, True, True, True, 0, 1, 0]
        if hub:
            # Carl has no hub, but Anna in his network has one.
            carl = here.node("Carl")
            third = here.page(carl)
            row(third, "Anna").wait_for()
            settings(third, "Carl").get_by_role("status").filter(has_text="By a gateway in this network, heard just now.").wait_for()
            third.keyboard.press("Escape")
            bertil = here.node("Bertil", place=here.new_place(), options=authorities)
            other = here.page(bertil)
            writes(hub, bertil, other, invites(page, "Anna"))
            crosses(page, other)
            goes_without(hub, carl, third, other, invites(other, "Bertil"))
        else:
            assert "&far=" in invites(page, "Anna")

        # All links end after a question.
        dialog = settings(page, "Anna")
        dialog.get_by_role("button", name="End all links").click()
        asks(page, "Nobody can use them to write to you any more.")
        agrees(page)
        page.get_by_text("Links ended: 1.").wait_for()
        page.keyboard.press("Escape")

        # A node that was started without hubs says so, and offers no field.
        alone = here.page(here.node("Dora", options=["--no-hub"]))
        dialog = settings(alone, "Dora")
        dialog.get_by_text("Start it without --no-hub to use hubs.").wait_for()
        assert dialog.get_by_label("Hub", exact=True).count() == 0
    finally:
        if hub:
            hub.end()
