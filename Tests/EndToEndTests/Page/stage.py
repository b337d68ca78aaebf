"""Two nodes on the loopback interface, each with its page in a real Chromium.

What the pages' consoles say as an error fails a scenario. Waiting is for what the page shows, with a generous limit.
"""
import contextlib
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time

from playwright.sync_api import sync_playwright

LIMIT = int(os.environ.get("EARSHOT_PAGE_LIMIT", 60_000))  # milliseconds that anything may take before a scenario fails
CHROMIUM = next(path for path in ("/usr/bin/chromium", "/usr/bin/chromium-browser", None) if path is None or os.path.exists(path))
FLAGS = ["--no-sandbox", "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", "--autoplay-policy=no-user-gesture-required", "--host-resolver-rules=MAP rebound.test 127.0.0.1"]
SERIOUS = {"serious", "critical"}


class Node:
    """A running `earshot web` and a line to it besides the page."""

    def __init__(self, stage, home, port=0, place=None, options=()):
        self.stage, self.home, self.port = stage, home, port
        self.place, self.options = place or stage.place, options
        self.start()

    def start(self):
        options = ["--interface", "lo", "--discovery", self.place, "--port", str(self.port), *self.options]
        log = open(self.home + ".log", "ab")
        self.process = subprocess.Popen([self.stage.earshot, "--home", self.home, "web", *options], stdout=subprocess.PIPE, stderr=log, text=True)
        self.address = self._address()
        self.port = int(re.search(r":(\d+)/", self.address)[1])

    def _address(self):
        alarm = threading.Timer(LIMIT / 1_000, self.process.kill)
        alarm.start()
        try:
            for line in self.process.stdout:
                if found := re.search(r"http://\S+", line):
                    return found[0]
        finally:
            alarm.cancel()
        raise RuntimeError("earshot web printed no address: " + open(self.home + ".log").read()[-2_000:])

    def another(self):
        """An address with another one-time token."""
        return re.search(r"http://\S+", self.stage.run("--home", self.home, "web"))[0]

    def call(self, method, **params):
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(LIMIT / 1_000)
            link.connect(os.path.join(self.home, "rpc.sock"))
            lines = link.makefile("rw", encoding="utf-8", newline="\n")
            lines.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\n")
            lines.flush()
            answer = json.loads(lines.readline())
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.wait(LIMIT / 1_000)


class Stage:
    """The folder, the browser, and all that runs for one scenario."""

    def __init__(self, earshot, folder, browser):
        self.earshot, self.folder, self.browser = earshot, folder, browser
        self.place = self.new_place()
        self.nodes, self.errors, self.allowed = [], [], []

    @staticmethod
    def new_place():
        """A multicast group, whose nodes are one network."""
        return f"239.255.{random.randint(0, 255)}.{random.randint(1, 254)}:{random.randint(20_000, 30_000)}"

    def run(self, *arguments, **surroundings):
        environment = os.environ | surroundings
        done = subprocess.run([self.earshot, *arguments], capture_output=True, text=True, timeout=LIMIT / 1_000, env=environment)
        if done.returncode:
            raise RuntimeError(f"earshot {arguments}: {done.stderr}")
        return done.stdout

    def node(self, name, named=True, **settings):
        """A node; `settings` are those of `Node`."""
        home = os.path.join(self.folder, name)
        if named:
            self.run("--home", home, "init", "--name", name, "--no-passphrase")
        node = Node(self, home, **settings)
        self.nodes.append(node)
        return node

    def page(self, node, welcome=True, **settings):
        """A page of a node in a browser of its own; `settings` are those of Playwright's contexts."""
        settings = {"viewport": {"width": 1200, "height": 800}, "locale": "en-GB", "reduced_motion": "reduce"} | settings
        page = self.browser.new_context(**settings).new_page()
        page.set_default_timeout(LIMIT)
        page.on("console", lambda told: told.type == "error" and self.note(told.text))
        page.on("pageerror", lambda error: self.note(f"{error.message}\n{error.stack}"))
        page.goto(node.address)
        if welcome:
            page.get_by_role("button", name="Start", exact=True).click()
            page.get_by_role("navigation", name="Conversations").wait_for()
        return page

    def note(self, text):
        if not any(re.search(known, text) for known in self.allowed):
            self.errors.append(text)

    def pair(self, **settings):
        """Alice and Bob, who have written to each other, with the conversation open on both pages."""
        alice, bob = self.node("Alice"), self.node("Bob")
        pages = [self.page(alice, **settings), self.page(bob, **settings)]
        open_with(pages[0], "Bob")
        say(pages[0], "Hello")
        open_with(pages[1], "Alice")
        pages[1].get_by_role("button", name="Accept", exact=True).click()
        field(pages[1]).wait_for()
        said(pages[1], "Hello").wait_for()
        return alice, bob, *pages


@contextlib.contextmanager
def stage(scrollbars=False):
    """The stage of the scenario whose arguments are the command and a folder; with scrollbars where they are dragged."""
    earshot, folder = sys.argv[1], sys.argv[2]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, ignore_default_args=["--hide-scrollbars"] if scrollbars else [])
        whole = Stage(earshot, folder, browser)
        try:
            yield whole
        except BaseException:
            for number, context in enumerate(browser.contexts):
                for page in context.pages:
                    with contextlib.suppress(Exception):
                        print(f"--- page {number}:", page.locator("body").aria_snapshot()[:3_000], file=sys.stderr)
            raise
        finally:
            browser.close()
            for node in whole.nodes:
                with contextlib.suppress(Exception):
                    node.stop()
        assert not whole.errors, "the console told of errors:\n" + "\n".join(whole.errors)
    print("done")


def row(page, title):
    return page.locator(".row", has=page.locator(".row-title", has_text=re.compile(f"^{re.escape(title)}$")))


def open_with(page, title):
    row(page, title).click()
    page.locator(".pane-name", has_text=title).wait_for()


def field(page):
    return page.locator("#text")


def say(page, text):
    field(page).fill(text)
    field(page).press("Enter")
    page.locator(".message.own .bubble .text", has_text=text).wait_for()


def said(page, text):
    """The text of a message as it stands in a bubble; an answer that still grows is none."""
    return page.locator(".message:not(.growing) .bubble .text", has_text=text)


def message(page, text):
    return page.locator(".message", has_text=text)


def doing(page, text, label):
    """Does something of the row of buttons beside a message."""
    message(page, text).hover()
    message(page, text).get_by_role("button", name=label, exact=True).click()


def choose(page, text, entry):
    """Does something of a message's menu."""
    doing(page, text, "More")
    page.get_by_role("menuitem", name=entry, exact=True).click()


def until(holds):
    """Waits until something holds that no page shows, by asking again."""
    end = time.monotonic() + LIMIT / 1_000
    while not holds():
        assert time.monotonic() < end, "it did not come to hold in time"


def accessible(page, what):
    """Fails where axe-core finds something serious."""
    from axe_playwright_python.sync_playwright import Axe

    found = [one for one in Axe().run(page).response["violations"] if one["impact"] in SERIOUS]
    told = "\n".join(f"{one['id']}: {one['help']}: " + "; ".join(node["html"][:200] + " " + node.get("failureSummary", "")[:300] for node in one["nodes"][:4]) for one in found)
    assert not found, f"axe-core on {what}:\n{told}"
