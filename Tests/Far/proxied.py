"""The scene of a gateway that reaches its hub by a proxy, and by nothing else."""

from __future__ import annotations

import contextlib

import hub as servers
import quiet
import socks
import stage as stages
from firewall import Firewall
from network import NetworkError, run
from post import Letter, told
from stage import Stage

HOST, ADDRESS, HUB_ADDRESS = "proxy", "10.94.6.1", "10.94.7.1"
URL = f"socks5://{ADDRESS}:{socks.PORT}"
TARGET = f"{servers.HIDDEN_NAME}:{servers.PORT}"
UNAVAILABLE = 69
NONE = {"names": 0, "past": 0}


def cross(stage: Stage) -> str:
    """Mail crosses by the proxy, waits while that is dead, and no packet goes past it at any time.

    The hub has a name that only the proxy knows. The gateway keeps the cable to the hub, and could ask there for names.
    """
    gateway, proxy = stage.bellerophon, _lay(stage)
    gateway.stop()
    stage.until(lambda: not quiet.sockets(stage, gateway), "the end of the old connection")
    proxy.start()
    try:
        with Firewall(stage.network, gateway.host, ADDRESS, socks.PORT) as wall:
            gateway.start(*stage.options(servers.HIDDEN_NAME), "--hub-proxy", URL)
            live = stage.live()
            letters = _write(stage, "letter by a proxy")
            stage.arrived(letters)
            times = told(stage.post.delays(letters))
            advice, waited, back = _lose(stage, proxy, wall)
            assert set(proxy.asked) == {TARGET}, f"the proxy was asked for {set(proxy.asked)}"
            held_back = _check_counting(stage, wall)
    finally:
        proxy.stop()
    gateway.stop()
    gateway.start(*stage.options(servers.NAME), "--hub-proxy", "none")
    stage.live()
    return f"live after {live:.1f} s, {times}; `{advice}`; {waited} messages waited, all there {back:.1f} s after " \
        f"that; no packet past it, those of a control {held_back}"


def _lay(stage: Stage) -> socks.Proxy:
    """Lays the cables of the proxy; the gateway would ask the hub for names."""
    stage.network.add(HOST)
    stage.network.join("bellerophon", "10.94.6.2", HOST, ADDRESS, "proxy-b")
    stage.network.join(HOST, "10.94.7.2", "hub", HUB_ADDRESS, "hub-p")
    stage.network.resolve("bellerophon", stages.HUB_B)
    return socks.Proxy(stage.network, HOST, {servers.HIDDEN_NAME: HUB_ADDRESS})


def _lose(stage: Stage, proxy: socks.Proxy, wall: Firewall) -> tuple[str, int, float]:
    """Has the proxy die while people write, and come back; returns the finding, and what became of the messages."""
    gateway = stage.bellerophon
    proxy.stop()
    stage.until(lambda: (gateway.finding() or "").startswith("hubProxy: "), "the finding hubProxy")
    advice = (gateway.finding() or "").split(": ", 1)[1]
    assert advice.startswith(f"The proxy {ADDRESS}:{socks.PORT} does not answer"), f"the finding is {advice}"
    assert advice in gateway.run("status"), "`status` does not show it"
    # The data directory names the proxy to this command.
    status, output = gateway.check_hub(stage.url(servers.HIDDEN_NAME), stage.authority)
    assert status == UNAVAILABLE and f"The proxy {ADDRESS}:{socks.PORT} " in output, f"`hub check`: {status}, {output}"
    sent, since = stage.alkmene.hub()["sent"], gateway.hub()["since"]
    letters = _write(stage, "letter without the proxy")
    stage.until(lambda: stage.alkmene.hub()["sent"] >= sent + len(letters) // 2, "the acknowledgement of the hub")
    stage.until(lambda: gateway.hub()["state"] == "waiting" and gateway.hub()["since"] > since, "another attempt")
    waited = sum(1 for letter in letters if stage.post.faults([letter]))
    assert waited == len(letters), f"{len(letters) - waited} messages crossed without the proxy"
    proxy.start()
    back = stage.arrived(letters)
    stage.confirmed(people=stage.strangers)
    assert gateway.finding() is None, f"the proxy is back, and the finding is {gateway.finding()}"
    assert wall.counts() == NONE, f"packets went past the proxy: {wall.counts()}"
    return advice, waited, back


def _write(stage: Stage, text: str) -> list[Letter]:
    """Has both strangers write to each other."""
    one, other = stage.strangers
    pairs = [(one, other), (other, one)] * 3
    return [stage.post.send(*pair, f"{text}, part {number}") for number, pair in enumerate(pairs)]


def _check_counting(stage: Stage, wall: Firewall) -> dict[str, int]:
    """Checks that the firewall counts a question for the name, and a call of the hub; returns the counts."""
    host = stage.bellerophon.host
    with contextlib.suppress(NetworkError):
        run(*stage.network.inside(host), "getent", "hosts", servers.HIDDEN_NAME)
    assert not stage.network.reaches(host, stages.HUB_B, servers.PORT), "the firewall lets packets to the hub pass"
    assert all(wall.counts().values()), f"the firewall does not count: {wall.counts()}"
    return wall.counts()
