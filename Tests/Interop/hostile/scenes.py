"""The five attacks on real nodes."""

from __future__ import annotations

from collections.abc import Callable

from .absence import poison
from .closed import outsider
from .flood import Flood
from .stage import Plan, Stage, attacked, told

STORE_LIMIT = 65_536


def takeover(stage: Stage) -> str:
    """Dials under the node ids of others: no link comes up so, and none ends."""
    figures, seen = attacked(stage, Plan("takeover", 400, 8, 0.1, ("INITs",)))
    assert figures["false proofs"] > 0, "no node answered an INIT, so nothing was tried"
    assert figures["opened"] == 0, f"{figures['opened']} links came up under a copied node id"
    return f"{told(figures)}; {seen}"


def flood(stage: Stage) -> str:
    """Sends small control messages about what does not exist."""
    figures, seen = attacked(stage, Plan("flood", 4000, 2, 0.015, tuple(Flood.kinds)))
    return f"{told(figures)}; {seen}"


def junk(stage: Stage) -> str:
    """Fills the stores: each node keeps what it is to keep, within its limits.

    An honest message is four envelopes, so one of junk costs less than one of them. How much less differs by a factor
    of two between machines: it depends on what waking an idle process costs.
    """
    figures, seen = attacked(stage, Plan("junk", 600, 2, 0.2, ("envelopes",)))
    stored = [int(node.call("metrics")["mesh_store_envelopes"]) for node in stage.crowds[0].running]
    assert min(stored) > 0 and max(stored) <= STORE_LIMIT, f"{stored} envelopes are stored"
    return f"{told(figures)}; {seen}; at most {max(stored)} envelopes stored"


ALL: dict[str, Callable[[Stage], str]] = {
    "takeover": takeover,
    "flood": flood,
    "junk": junk,
    "poisoned life": poison,
    "outsider": outsider,
}
