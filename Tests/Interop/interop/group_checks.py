"""Checks of groups without a node: owner and members of this implementation against each other."""

from __future__ import annotations

import copy
import random
import secrets
from dataclasses import dataclass, field

from .encoding import Invalid
from .envelope import LIVE, SEALED, Envelope
from .group import Group, Welcome
from .group_log import Forked, GroupLog, Known
from .group_message import DEVICES, Header, seal_message
from .group_operation import (Add, Edit, Handover, Member, Operation, Policy, Remove, Rename, Renew, SetPolicy,
                              Takeover, TreePart)
from .group_tree import NeedsLeaf, NeedsPath, Step, check_of, next_secret, plan, unwrap, up
from .identity import Identity
from .padding import item, pad
from .primitives import ed25519_public
from .vector_checks import equal, refuses

TURNS, MOST = 40, 14


@dataclass
class Circle:
    """A group of which every member applies each operation at once; the owner is the first."""

    random: random.Random
    people: list[Group] = field(default_factory=list)
    gone: list[Group] = field(default_factory=list)
    owner: Group | None = None

    def found(self, policy: Policy = Policy()) -> Group:
        identity = Identity.new()
        founder = Add(0, Member(identity.public, b"Founder"))
        owner = Group.founded(identity, secrets.token_bytes(32), (founder, Rename(b"Trees"), SetPolicy(policy)))
        self.people, self.owner = [owner], owner
        return owner

    def perform(self, *edits: Edit, new: list[Identity] | None = None) -> Operation:
        """Lets the owner sign, all others apply, and the new ones join by their welcomes."""
        assert self.owner is not None
        operation, leaves = self.owner.perform(edits)
        operation = Operation.decode(operation.data)
        for person in self.people:
            if person is not self.owner:
                person.apply(operation, leaves.get(person.me))
        self.gone += [one for one in self.people if not one.is_member]
        self.people = [one for one in self.people if one.is_member]
        for identity in new or []:
            welcome = self.owner.welcome(identity.public.id, 0, [])
            self.people.append(Group.joined(identity, Welcome.decode(welcome.encoded())))
        self.agree()
        return operation

    def agree(self) -> None:
        for person in self.people:
            equal((person.log.hash, person.log.state.root), (self.people[0].log.hash, self.people[0].log.state.root))
            equal(person.epochs[-1].header_key, self.people[0].epochs[-1].header_key)

    def free_slots(self, count: int) -> list[int]:
        assert self.owner is not None
        used = self.owner.log.state.members
        return [slot for slot in range(len(used) + count) if slot not in used][:count]

    def add(self, count: int, *others: Edit) -> Operation:
        new = [Identity.new() for _ in range(count)]
        slots = self.free_slots(count)
        return self.perform(*others, *(Add(slot, Member(one.public, b"")) for slot, one in zip(slots, new)), new=new)

    def turn(self) -> None:
        """Does something at random."""
        assert self.owner is not None
        others = [one.slot for one in self.people if one is not self.owner]
        free = MOST - len(self.people)
        edits: list[Edit] = [Remove(slot, self.random.random() < 0.3) for slot in others if self.random.random() < 0.1]
        left = {one.slot for one in edits if isinstance(one, Remove)}
        if self.random.random() < 0.3:
            stay = self.random.choice([slot for slot in others if slot not in left] + [self.owner.slot])
            height = self.random.randrange(self.owner.log.state.depth + 1)
            edits.append(Renew(stay >> height << height, height))
        if self.random.random() < 0.2:
            edits.append(Rename(f"Trees {self.random.randrange(99)}".encode()))
        self.add(self.random.randint(0, min(free, 5)), *edits)


def _say(person: Group, text: bytes = b"hello") -> Envelope:
    return Envelope.decode(person.seal([text], 600).encoded())


def check_histories() -> None:
    """Runs random operations: all roots are equal, all open, who is out or new opens nothing of the others."""
    circle = Circle(random.Random(1))
    circle.found()
    for number in range(TURNS):
        before = circle.people[circle.random.randrange(len(circle.people))]
        early = _say(before)
        known = {person.me for person in circle.people}
        circle.turn()
        speaker = circle.people[circle.random.randrange(len(circle.people))]
        envelope = _say(speaker, f"turn {number}".encode())
        for person in circle.people:
            if person is not speaker:
                opened = person.open(envelope)
                assert opened is not None and opened.sender == speaker.me
                refuses(lambda: person.open(envelope))
            if person.me not in known:
                assert person.open(early) is None, "a new member opens an earlier message"
            elif person is not before and before.is_member:
                assert person.open(early) is not None
        for person in circle.gone:
            assert person.open(envelope) is None and not person.epochs
    assert len(circle.gone) > 10 and circle.people[0].log.state.depth >= 3


def check_secrecy() -> None:
    """Lets who is removed use all secrets it had: it comes to no root and no wrap."""
    circle = Circle(random.Random(2))
    circle.found()
    circle.add(6)
    victim = circle.people[3]
    path = list(victim.path)
    operation = circle.perform(Remove(victim.slot))
    tree, steps = operation.tree, plan(circle.people[0].log.state, [victim.slot], [])
    assert tree is not None and len(tree.wraps) == sum(len(step.wraps) for step in steps) == 3
    ad = circle.people[0].epochs[-2].ad

    def opened(known: list[bytes]) -> int:
        return sum(check_of(secret) == tree.check or _opens(secret, tree, ad, step, number)
                   for secret in known for step in steps for number in range(len(step.wraps)))

    equal(opened(path + [up(one) for one in path] + [next_secret(one) for one in path]), 0)
    assert opened(circle.people[1].path) == 0, "a path that has taken its step opens a wrap of its own epoch"


def _opens(secret: bytes, tree: TreePart, ad: bytes, step: Step, number: int) -> bool:
    try:
        unwrap(secret, tree.salt, ad, step.node, tree.wraps[step.first + number])
    except Invalid:
        return False
    return True


def check_messages() -> None:
    """Opens out of order and once, refuses forgeries, and notes a second content."""
    circle = Circle(random.Random(3))
    circle.found()
    circle.add(3)
    one, other, third = circle.people[1:]
    envelopes = [_say(one, bytes([65 + number])) for number in range(30)]
    for at in (20, 3, 29, 0):
        opened = other.open(envelopes[at])
        assert opened is not None and opened.contents == [bytes([65 + at])]
    refuses(lambda: other.open(envelopes[3]))
    epoch = third.epochs[-1]
    trial = third.epochs[-1].runs_of(one.slot).find(0)
    header, key = Header(one.slot, 0, epoch.number, 7), trial.look_up(7)
    padded = pad(item(b"another"), 256 - 4 - 180)
    for identity, sender, seen in ((third.identity, one.me, 0), (third.identity, third.me, 0),
                                   (one.identity, one.me, 1)):
        message = seal_message(epoch.header_key, header, key, identity.ed_seed, epoch.ad, sender,
                               secrets.token_bytes(12), padded)
        forged = Envelope.new(SEALED, 600, bytes(16) + message)
        if not seen:
            refuses(lambda: other.open(forged))
    assert other.open(envelopes[7]) is not None
    refuses(lambda: other.open(forged))
    equal(other.equivocators, [one.me])
    for broken in (Header(one.slot, DEVICES - 1, epoch.number, 8), Header(3000, 0, epoch.number, 8),
                   Header(one.slot, 0, epoch.number + 1, 8), Header(other.slot, 0, epoch.number, 8)):
        message = seal_message(epoch.header_key, broken, key, one.identity.ed_seed, epoch.ad, one.me,
                               secrets.token_bytes(12), padded)
        refuses(lambda: other.open(Envelope.new(SEALED, 600, bytes(16) + message)))
    live = Envelope.new(LIVE, 60, _say(one, b"live").body[16:])
    assert other.open(live) is not None
    notice = third.seal_notice([b"a notice"], epoch.number, 600)
    for _ in range(2):
        opened = other.open(notice)
        assert opened is not None and (opened.sender, opened.contents) == (None, [b"a notice"])
    equal(len(notice.body) - 12, 256)
    equal(len(third.seal([bytes(69)], 600).body) - 12, 256)
    equal(len(third.seal([bytes(70)], 600).body) - 12, 512)
    equal(len(third.seal([bytes(16_196)], 600).body) - 12, 16_384)
    everybody = [person.confirms(bytes(16), epoch.number) for person in circle.people]
    equal(everybody, [True] * 4)
    circle.add(30)
    epochs = circle.people[0].log.epoch
    equal(sum(person.confirms(bytes(16), epochs) for person in circle.people), 16)


def check_owners() -> None:
    """Hands a group over, takes one over, joins by the checkpoint after it, and proves a fork."""
    circle = Circle(random.Random(4))
    founder = circle.found()
    circle.add(5)
    heir = circle.people[2]
    heir.offered_seed = secrets.token_bytes(32)
    circle.perform(Handover(heir.slot, ed25519_public(heir.offered_seed)))
    assert founder.owner_seed is None and heir.owner_seed is not None and founder.tree is not None
    data = founder.tree.encoded()
    refuses(lambda: heir.take_tree(data[:-36]))
    heir.take_tree(data)
    circle.owner, founder.tree = heir, None
    circle.perform(Renew(0, heir.log.state.depth))
    broken = bytearray(heir.log.checkpoint())
    for at in range(0, len(broken), 19):
        broken[at] ^= 1
        refuses(lambda: GroupLog.from_checkpoint(bytes(broken), heir.log.first_key))
        broken[at] ^= 1
    old = copy.deepcopy(heir)
    circle.perform(Remove(founder.slot))
    circle.add(2)

    successor = circle.people[0]
    successor.offered_seed = secrets.token_bytes(32)
    key = ed25519_public(successor.offered_seed)
    circle.perform(SetPolicy(Policy(limit=9, successor=(successor.slot, key))))
    before = copy.deepcopy(heir.log)
    late = Operation.decode(_takeover(successor, heir))
    for person in circle.people:
        person.apply(late)
    circle.agree()
    equal((successor.log.owner, heir.log.owner), (successor.me, successor.me))
    equal(len(successor.log.transfers), 3)
    log = GroupLog.from_checkpoint(successor.log.checkpoint(), successor.log.first_key)
    equal((log.owner, log.signers_at(log.epoch + 1).owner, log.state.root), (successor.me, key, heir.log.state.root))
    assert log.continues(before) and not GroupLog.from_checkpoint(before.checkpoint(), before.first_key).continues(log)
    assert not GroupLog.from_checkpoint(old.log.checkpoint(), old.log.first_key).continues(before)
    assert successor.owner_seed is not None
    again = Operation.signed(successor.owner_seed, late.group, late.epoch, bytes(32), late.edits, late.root, late.depth,
                             None)
    refuses(lambda: circle.people[1].apply(again))
    assert circle.people[1].log.fork is None, "a takeover on another history freezes the group"
    other, _ = old.perform((Rename(b"Another"),))
    member = circle.people[1]
    raises(lambda: member.apply(other), Forked)
    assert member.log.fork is not None and member.log.fork[1].hash == other.hash
    refuses(lambda: member.seal([b"x"], 60))


def _takeover(successor: Group, owner: Group) -> bytes:
    """Signs a takeover as the successor."""
    log = owner.log
    state, _, _ = log.apply_edits((Takeover(),), True)
    assert successor.offered_seed is not None
    return Operation.signed(successor.offered_seed, log.group, log.epoch + 1, log.hash, (Takeover(),), state.root,
                            state.depth, None).data


def check_refusals() -> None:
    """Gives members operations and welcomes that break one rule each."""
    circle = Circle(random.Random(5))
    owner = circle.found(Policy(limit=6))
    circle.add(4)
    member = circle.people[2]
    outsider = Member(Identity.new().public, b"")

    def refused(*edits: Edit) -> None:
        refuses(lambda: owner.log.apply_edits(edits, False))

    refused(Remove(0))
    refused(Remove(6))
    refused(Remove(1), Remove(1))
    refused(Remove(1), Add(1, outsider))
    refused(Add(1, outsider))
    refused(Add(6, owner.log.state.members[1]))
    refused(Add(6, outsider), Add(7, Member(Identity.new().public, b"")))
    refused(Renew(8, 2))
    refused(Renew(6, 1))
    refused(Handover(0, bytes(32)))
    refused(Takeover())
    refused(SetPolicy(Policy(admins=(7,))))
    update, leaves = owner.perform((Renew(0, 3), Rename(b"Renewed")))
    late, _ = owner.perform((Rename(b"Later"),))
    raises(lambda: member.apply(update), NeedsLeaf)
    raises(lambda: member.apply(update, bytes(32)), NeedsPath)
    refuses(lambda: member.apply(late))
    equal(member.log.epoch + 1, update.epoch)
    member.apply(update, leaves[member.me])
    member.apply(late)
    raises(lambda: member.apply(update), Known)
    again = Operation.decode(update.data[:-64] + bytes(64))
    raises(lambda: member.apply(again), Known)
    away = circle.people[3]
    away.rejoin(Welcome.decode(owner.welcome(away.me, 7, []).encoded()))
    equal(away.epochs[-1].header_key, owner.epochs[-1].header_key)
    refuses(lambda: away.rejoin(Welcome.decode(owner.welcome(away.me, 7, []).encoded())))
    for at in range(len(update.data) - 64):
        broken = update.data[:at] + bytes([update.data[at] ^ 0x40]) + update.data[at + 1:]
        refuses(lambda: circle.people[1].apply(Operation.decode(broken), leaves[circle.people[1].me]))
    welcome = owner.welcome(member.me, 0, []).encoded()
    for cut in (1, 30, 100, len(welcome) - 1):
        refuses(lambda: Welcome.decode(welcome[:cut]))
    refuses(lambda: Group.joined(Identity.new(), Welcome.decode(welcome)))


def raises(function, kind: type[Invalid]) -> None:
    try:
        function()
    except kind:
        return
    raise AssertionError(f"{kind.__name__} was not raised")


def check_groups() -> None:
    check_histories()
    check_secrecy()
    check_messages()
    check_owners()
    check_refusals()
