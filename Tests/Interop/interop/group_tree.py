"""The key tree of a group: secrets of nodes, wraps, and the order in which they change (PROTOCOL §16.2)."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from .encoding import Invalid, Reader, require, u8, u16, u32
from .group_operation import SALT_SIZE, Operation, TreePart
from .group_state import Node, State
from .primitives import H, hkdf, same, seal, unseal


class NeedsLeaf(Invalid):
    """The leaf secret of the own slot has not come."""


class NeedsPath(Invalid):
    """The own secrets do not fit the operation."""


def next_secret(secret: bytes) -> bytes:
    return hkdf(b"", secret, "earshot/v1/gnode/next", 32)


def up(secret: bytes) -> bytes:
    return hkdf(b"", secret, "earshot/v1/gnode/up", 32)


def check_of(root: bytes) -> bytes:
    return H("earshot/v1/ghk", root)


def wrap_key(child: bytes, salt: bytes) -> tuple[bytes, bytes]:
    out = hkdf(salt, child, "earshot/v1/gwrap", 44)
    return out[:32], out[32:]


def wrap(child: bytes, salt: bytes, ad: bytes, parent: Node, secret: bytes) -> bytes:
    key, nonce = wrap_key(child, salt)
    return seal(key, nonce, ad + u8(parent[0]) + u16(parent[1]), secret)


def unwrap(child: bytes, salt: bytes, ad: bytes, parent: Node, sealed: bytes) -> bytes:
    key, nonce = wrap_key(child, salt)
    return unseal(key, nonce, ad + u8(parent[0]) + u16(parent[1]), sealed)


@dataclass(frozen=True)
class Step:
    """A node that gets a new secret: derived from `source`, or random; wrapped under `wraps`."""

    node: Node
    source: Node | None
    wraps: tuple[Node, ...]
    first: int


def parent_of(node: Node) -> Node:
    return node[0] + 1, node[1] >> 1


def path_of(slot: int, depth: int) -> list[Node]:
    return [(level, slot >> level) for level in range(depth + 1)]


def plan(state: State, emptied: list[int], renewed: list[int]) -> list[Step]:
    """Lists the nodes that an operation changes, in their order; `state` is the one after it."""
    touched, steps, count = {(0, slot) for slot in emptied + renewed}, [], 0
    for level in range(1, state.depth + 1):
        parents = sorted({parent_of(node) for node in touched if node[0] == level - 1})
        for node in parents:
            children = [child for child in ((level - 1, 2 * node[1]), (level - 1, 2 * node[1] + 1))
                        if state.has_member(child)]
            if not children:
                continue
            source = next((child for child in children if child in touched), None)
            wraps = tuple(child for child in children if child != source)
            steps.append(Step(node, source, wraps, count))
            count += len(wraps)
        touched.update(parents)
    return steps


def follow(path: list[bytes], slot: int, depth: int, steps: list[Step], renewed: list[int], tree: TreePart | None,
           leaf: bytes | None, ad: bytes) -> list[bytes]:
    """Returns the secrets of a path after an operation, the leaf's first; `path` has taken step 1 already."""
    path = list(path)
    while len(path) <= depth:
        path.append(up(path[-1]))
    if slot in renewed:
        if leaf is None:
            raise NeedsLeaf("the own leaf secret is missing")
        path[0] = leaf
    for step in steps:
        level = step.node[0]
        if slot >> level != step.node[1]:
            continue
        child = (level - 1, slot >> level - 1)
        if step.source == child:
            path[level] = up(path[level - 1])
            continue
        assert tree is not None
        try:
            sealed = tree.wraps[step.first + step.wraps.index(child)]
            path[level] = unwrap(path[level - 1], tree.salt, ad, step.node, sealed)
        except Invalid as error:
            raise NeedsPath("a wrap does not open") from error
    if tree is not None and not same(tree.check, check_of(path[depth])):
        raise NeedsPath("another root comes out")
    return path


@dataclass(frozen=True)
class NodeSecret:
    secret: bytes
    fresh_since: int


class OwnerTree:
    """The secrets of all nodes in the present epoch."""

    def __init__(self) -> None:
        self.epoch, self.depth = 0, 0
        self.nodes: dict[Node, NodeSecret] = {}
        self.draw: Callable[[int], bytes] = secrets.token_bytes

    def _fresh(self, node: Node, secret: bytes | None = None) -> None:
        self.nodes[node] = NodeSecret(secret or self.draw(32), self.epoch)

    def _step(self, state: State) -> None:
        self.epoch += 1
        self.nodes = {node: NodeSecret(next_secret(one.secret), one.fresh_since) for node, one in self.nodes.items()}
        while self.depth < state.depth:
            old = self.nodes.get((self.depth, 0))
            self.depth += 1
            if old is not None:
                self._fresh((self.depth, 0), up(old.secret))
        self.nodes = {node: one for node, one in self.nodes.items() if state.has_member(node)}

    def perform(self, state: State, added: list[int], renewed: list[int], steps: list[Step], has_part: bool,
                ad: bytes) -> tuple[TreePart | None, dict[int, bytes]]:
        """Goes to the epoch of the owner's next operation; returns its tree part, and the renewed leaves by slot."""
        self._step(state)
        for slot in added:
            for node in path_of(slot, self.depth):
                if node not in self.nodes:
                    self._fresh(node)
        for slot in renewed:
            self._fresh((0, slot))
        salt, wraps = self.draw(SALT_SIZE), []
        for step in steps:
            self._fresh(step.node, up(self.nodes[step.source].secret) if step.source else None)
            wraps += [wrap(self.nodes[child].secret, salt, ad, step.node, self.nodes[step.node].secret)
                      for child in step.wraps]
        leaves = {slot: self.nodes[0, slot].secret for slot in renewed}
        return TreePart(salt, check_of(self.root), tuple(wraps)) if has_part else None, leaves

    @property
    def root(self) -> bytes:
        return self.nodes[self.depth, 0].secret

    def path(self, slot: int) -> list[bytes]:
        way = path_of(slot, self.depth)
        require(all(node in self.nodes for node in way), "a secret is unknown")
        return [self.nodes[node].secret for node in way]

    # Handing over

    def encoded(self) -> bytes:
        """Writes all secrets for the next owner."""
        nodes = b"".join(u8(node[0]) + u16(node[1]) + u32(one.fresh_since) + one.secret
                         for node, one in sorted(self.nodes.items()))
        return b"\x01" + u32(self.epoch) + nodes

    @staticmethod
    def decode(data: bytes, operation: Operation, state: State) -> OwnerTree:
        """Reads the secrets that the former owner sent with an operation; their root is still to be compared."""
        reader, tree = Reader(data), OwnerTree()
        require(reader.u8() == 1, "a tree of another version")
        tree.epoch, tree.depth = reader.u32(), state.depth
        require(tree.epoch == operation.epoch, "a tree of another epoch")
        last: Node = (-1, 0)
        while reader.left:
            node = reader.u8(), reader.u16()
            require(node > last and node[0] <= state.depth and node[1] < 1 << state.depth - node[0], "a wrong node")
            require(state.has_member(node), "a node without members has a secret")
            fresh_since, secret = reader.u32(), reader.take(32)
            tree.nodes[node], last = NodeSecret(secret, fresh_since), node
        require((state.depth, 0) in tree.nodes, "a tree without root")
        return tree
