"""The scenes of the server of a city, by which the second island reaches the hub."""

from __future__ import annotations

import time

import stage as stages
from hub import LEAF_PORT, Server
from post import Letter, told
from stage import Stage

CABLE = "hub-c"
CUT_SECONDS, LOST_LIMIT = 12.0, 1_000.0


def move(stage: Stage) -> str:
    """The gateway of the second island leaves the hub for the server of a city, and mail crosses as before."""
    stage.network.add("city")
    stage.network.join("bellerophon", "10.94.3.2", "city", stages.CITY, "city-b")
    stage.network.join("hub", stages.HUB_CITY, "city", "10.94.4.2", CABLE)
    changes = {"CITY-NAME": stages.CITY_NAME, "CLUB-PASSWORD": stages.CLUB, "hub.example.org": stages.HUB_CITY}
    city = stage.add_server("city", changes)
    stage.bellerophon.stop()
    stage.network.cut("bellerophon", "hub-b")
    city.start()
    stage.until(city.is_up, "the start of the city's server")
    stage.bellerophon.start(*stage.options(stages.CITY))
    live = stage.live()
    letters = _write(stage, "city letter", stage.pairs)
    stage.arrived(letters)
    stage.confirmed()
    return f"live after {live:.1f} s; {len(letters)} messages, {told(stage.post.delays(letters))}"


def cut(stage: Stage) -> str:
    """The cable between city and hub is pulled out for a while; both islands write meanwhile."""
    stage.network.cut("city", CABLE)
    begin = time.monotonic()
    letters: list[Letter] = []
    pairs = stage.pairs
    while (passed := time.monotonic() - begin) < CUT_SECONDS:
        if len(letters) < passed * 2:
            author, reader = pairs[len(letters) % len(pairs)]
            letters += _write(stage, f"severed letter {len(letters)}", [(author, reader)])
        stage.check_processes()
        time.sleep(0.05)
    assert stage.bellerophon.hub().get("waiting", 0) > 0, "mail was acknowledged although the hub was out of reach"
    stage.network.mend("city", CABLE)
    took = stage.arrived(letters, 240)
    live = stage.live(240)
    stage.confirmed(240)
    return f"{len(letters)} messages in {CUT_SECONDS:.0f} s, all there {took:.1f} s after that; live {live:.1f} s later"


def lost(stage: Stage) -> str:
    """City and hub lose their connection, and only people elsewhere write meanwhile: nothing tells the island of it."""
    city = stage.servers[1]
    before = _connections(city)
    stage.network.cut("city", CABLE)
    for host in ("hub", "city"):
        stage.network.abort(host, LEAF_PORT)
    sent = stage.alkmene.hub()["sent"]
    pairs = [(author, reader) for author, reader in stage.pairs if author in stage.people("isleA")]
    letters = _write(stage, "unheard letter", pairs)
    stage.until(lambda: stage.alkmene.hub()["sent"] >= sent + len(letters), "the acknowledgement of the hub")
    stage.network.mend("city", CABLE)
    stage.until(lambda: _connections(city) > before, "the new connection of the city")
    begin = time.monotonic()
    # Later mail must not hide what is missing.
    stage.arrived(_write(stage, "later letter", pairs[::2]))
    # The gateway asks again with the next requests of its network, after a quarter of an hour at the latest.
    stage.arrived(letters, LOST_LIMIT, 2)
    took = time.monotonic() - begin
    stage.confirmed(120)
    return f"{len(letters)} messages, all there {took:.1f} s after the new connection"


def _write(stage: Stage, text: str, pairs: list) -> list[Letter]:
    return [stage.post.send(one, other, f"{text} of {one.name} to {other.name}") for one, other in pairs]


def _connections(city: Server) -> int:
    return city.log_path.read_text().count("Leafnode connection created")
