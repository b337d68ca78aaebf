import ChatCrypto
import MeshCore
import Testing

@testable import ChatCore

/// Requests, notices and parts of members who are late or hostile.
@Suite("Membership among late and hostile members")
struct MembershipRequestTests {
    private static func members(_ count: Int) throws -> [GroupMember] {
        try (0..<count).map { try GroupMember(identity: Identity().publicIdentity, nickname: Nickname("\($0)")) }
    }

    /// Lets a member join the group of another.
    private func joined(_ member: MemberSources, _ group: GroupID, of owner: MemberSources, _ groups: Membership) throws
        -> Membership
    {
        var joined = Membership()
        let welcome = try groups.welcome(member.contacts.ownID, into: group)
        joined.receive(.welcome(welcome), nil, from: owner.contacts.ownID, among: member)
        try joined.answerInvitation(group, accepts: true, among: member)
        _ = joined.takeEffects()
        return joined
    }

    @Test("A notice of operations that do not follow its epoch makes no member ask for them")
    func forgedNotice() throws {
        let (alice, bob) = (try MemberSources("Alice"), try MemberSources("Bob"))
        var (groups, group) = try alice.created()
        try groups.perform([.add(bob.member)], in: group, among: alice)
        var theirs = try joined(bob, group, of: alice, groups)
        let epoch = try #require(theirs.membership(group)).log.epoch
        for name in 1...3 { try groups.perform([.rename(GroupTitle("Title \(name)"))], in: group, among: alice) }
        let later = try #require(groups.membership(group)).operations(from: epoch + 2, limit: 2)
        for sealedIn in [epoch, epoch + 1] {
            theirs.receiveNotice(later, of: group, sealedIn: sealedIn, among: bob)
            #expect(theirs.states[group]?.missing.epoch == 0 && theirs.takeEffects().isEmpty)
        }
        // The same operations from a member count as missing.
        let isEarly = theirs.isEarly(.operations(group, later), from: alice.contacts.ownID, among: bob)
        #expect(isEarly && theirs.states[group]?.missing.epoch == epoch + 1)
        let next = try #require(groups.membership(group)).operations(from: epoch + 1, limit: 3)
        theirs.receiveNotice(next, of: group, sealedIn: epoch, among: bob)
        #expect(theirs.membership(group)?.log.epoch == epoch + 3)
    }

    @Test("A member gets one welcome a minute at its request")
    func welcomes() throws {
        var alice = try MemberSources("Alice")
        let (bob, carol) = (try MemberSources("Bob"), try MemberSources("Carol"))
        var (groups, group) = try alice.created()
        try groups.perform([.add(bob.member), .add(carol.member)], in: group, among: alice)
        _ = groups.takeEffects()
        func welcomes(by peer: PeerID) -> Int {
            groups.answerRequest(of: group, OperationRequest(from: 1, wantsPath: true), by: peer, among: alice)
            return MembershipEffect.names(groups.takeEffects()).count { $0 == "welcome" }
        }
        let peers = [bob.contacts.ownID, carol.contacts.ownID, bob.contacts.ownID, carol.contacts.ownID]
        let first = peers.map(welcomes)
        #expect(first == [1, 1, 0, 0])
        let later = alice.time.monotonic.advanced(by: ChatLimits.welcomePause)
        alice.time = ChatTime(wall: alice.time.wall, monotonic: later)
        let second = peers.map(welcomes)
        #expect(second == first)
    }

    @Test("An owner whose outbox has no room for the welcomes adds nobody")
    func fullOutbox() throws {
        var alice = try MemberSources("Alice")
        let (bob, carol) = (try MemberSources("Bob"), try MemberSources("Carol"))
        var (groups, group) = try alice.created()
        let before = try #require(groups.membership(group)).log.epoch
        alice.controlCount = ChatLimits.controlCount - 1
        let code = refusal { try groups.perform([.add(bob.member), .add(carol.member)], in: group, among: alice) }
        #expect(code == .limited && groups.membership(group)?.log.epoch == before)
        try groups.perform([.add(bob.member)], in: group, among: alice)
        #expect(groups.membership(group)?.log.epoch == before + 1)
    }

    @Test("Changes of more than one operation each have a line, and former members are remembered")
    func manyChanges() throws {
        let alice = try MemberSources("Alice")
        var (groups, group) = try alice.created()
        let members = try Self.members(70)
        try groups.perform(members.map { .add($0) }, in: group, among: alice)
        _ = groups.takeEffects()
        try groups.perform(members.map { .remove($0.identity.id) }, in: group, among: alice)
        let effects = groups.takeEffects()
        let removed = effects.compactMap { effect -> PeerID? in
            guard case .line(let line, group) = effect, line.event == .removed else { return nil }
            return line.peer
        }
        #expect(Set(removed) == Set(members.map(\.identity.id)) && removed.count == members.count)
        #expect(MembershipEffect.names(effects).count { $0 == "dropped" } == members.count)
        #expect(Set(groups.states[group]?.past.former.map(\.peer) ?? []) == Set(removed))
    }

    @Test("A member's false welcome without a state gives way to the owner's")
    func falseDigest() throws {
        let (alice, mallory, bob) = (try MemberSources("Alice"), try MemberSources("Mallory"), try MemberSources("Bob"))
        var (groups, group) = try alice.created()
        try groups.perform([.add(mallory.member), .add(bob.member)], in: group, among: alice)
        let welcome = try groups.welcome(bob.contacts.ownID, into: group, maximumByteCount: 300)
        #expect(welcome.checkpoint == nil)
        var theirs = Membership()
        theirs.receive(.welcome(welcome), nil, from: mallory.contacts.ownID, among: bob)
        #expect(theirs.states[group]?.inviter == mallory.contacts.ownID)
        theirs.receive(.welcome(welcome), nil, from: alice.contacts.ownID, among: bob)
        #expect(theirs.states[group]?.inviter == alice.contacts.ownID)
    }

    @Test("A new owner takes the secrets of all nodes from the owner before it alone")
    func treeParts() throws {
        let (alice, bob, carol) = (try MemberSources("Alice"), try MemberSources("Bob"), try MemberSources("Carol"))
        var (groups, group) = try alice.created()
        try groups.perform([.add(bob.member), .add(carol.member)], in: group, among: alice)
        var theirs = try joined(bob, group, of: alice, groups)
        let epoch = try #require(groups.membership(group)).log.epoch
        var owner = try #require(groups.membership(group))
        let key = GroupOwnerKey()
        let action = GroupAction.handover(bob.contacts.ownID, signingKey: key.publicKey)
        let (handover, _) = try owner.perform([action], at: alice.time.seconds)
        _ = theirs.update(group) { $0.offerOwnership(with: key) }
        theirs.receive(.operations(group, [handover.operation]), nil, from: alice.contacts.ownID, among: bob)
        #expect(theirs.membership(group)?.needsTree == true)
        let whole = [UInt8](repeating: 1, count: ChatLimits.partByteCount + 1)
        let parts = GroupParts.split(whole, isOfSecrets: true, epoch: epoch + 1)
        theirs.receive(.part(group, parts[0]), nil, from: carol.contacts.ownID, among: bob)
        #expect(theirs.states[group]?.treeParts == nil)
        theirs.receive(.part(group, parts[0]), nil, from: alice.contacts.ownID, among: bob)
        #expect(theirs.states[group]?.treeParts != nil)
        // A welcome of any member leaves them alone.
        let digest = try groups.welcome(bob.contacts.ownID, into: group, maximumByteCount: 300)
        theirs.receive(.welcome(digest), nil, from: carol.contacts.ownID, among: bob)
        #expect(theirs.states[group]?.treeParts != nil)
    }

    @Test("Who leaves while a newer welcome waits for its state is out, and the state brings it back no more")
    func leavingWhileLate() throws {
        let (alice, bob) = (try MemberSources("Alice"), try MemberSources("Bob"))
        var (groups, group) = try alice.created()
        try groups.perform([.add(bob.member)], in: group, among: alice)
        var theirs = try joined(bob, group, of: alice, groups)
        try groups.perform([.renewBlock], in: group, among: alice)
        let welcome = try groups.welcome(bob.contacts.ownID, into: group, maximumByteCount: 300)
        theirs.receive(.welcome(welcome), nil, from: alice.contacts.ownID, among: bob)
        #expect(theirs.states[group]?.welcome?.epoch == welcome.epoch)
        try theirs.leave(group, among: bob)
        #expect(theirs.view(of: group, naming: bob.contacts)?.membershipStatus == .out)
        let state = try #require(groups.membership(group)?.checkpoint).encoded()
        let epoch = try #require(groups.membership(group)).log.epoch
        for part in GroupParts.split(state, isOfSecrets: false, epoch: epoch) {
            theirs.receive(.part(group, part), nil, from: alice.contacts.ownID, among: bob)
        }
        #expect(theirs.membership(group) == nil)
    }

    @Test("A member's welcome without a state counts only while one is needed, and displaces none of the owner")
    func uninvitedWelcomes() throws {
        let (alice, bob, carol) = (try MemberSources("Alice"), try MemberSources("Bob"), try MemberSources("Carol"))
        var (groups, group) = try alice.created()
        try groups.perform([.add(bob.member), .add(carol.member)], in: group, among: alice)
        var theirs = try joined(bob, group, of: alice, groups)
        theirs.tick(among: bob)
        _ = theirs.takeEffects()
        try groups.perform([.rename(GroupTitle("Wood"))], in: group, among: alice)
        let digest = try groups.welcome(bob.contacts.ownID, into: group, maximumByteCount: 300)
        for _ in 0..<3 { theirs.receive(.welcome(digest), nil, from: carol.contacts.ownID, among: bob) }
        #expect(theirs.states[group]?.welcome == nil && theirs.takeEffects().isEmpty)
        theirs.receive(.welcome(digest), nil, from: alice.contacts.ownID, among: bob)
        #expect(theirs.states[group]?.inviter == alice.contacts.ownID)
        try groups.perform([.rename(GroupTitle("Forest"))], in: group, among: alice)
        let newest = try #require(groups.membership(group)?.log.operations.last)
        _ = theirs.isEarly(.operations(group, [newest]), from: carol.contacts.ownID, among: bob)
        let later = try groups.welcome(bob.contacts.ownID, into: group, maximumByteCount: 300)
        theirs.receive(.welcome(later), nil, from: carol.contacts.ownID, among: bob)
        #expect(theirs.states[group]?.inviter == alice.contacts.ownID)
        // Repeated ones have the stored envelopes tried again once.
        let soon = bob.time.monotonic.advanced(by: ChatLimits.recallDelay)
        var patient = bob
        patient.time = ChatTime(wall: bob.time.wall, monotonic: soon)
        theirs.tick(among: patient)
        let recalls = MembershipEffect.names(theirs.takeEffects()).count { $0 == "recall" }
        theirs.receive(.welcome(later), nil, from: alice.contacts.ownID, among: patient)
        theirs.tick(among: patient)
        #expect(recalls == 1 && MembershipEffect.names(theirs.takeEffects()).isEmpty)
    }

    @Test("At most 100 welcomes wait, of contacts too, and a group that the user left stays")
    func manyWelcomes() throws {
        let (alice, left) = (try MemberSources("Alice"), try MemberSources("Left"))
        var bob = try MemberSources("Bob")
        var (groups, group) = try left.created()
        try groups.perform([.add(bob.member)], in: group, among: left)
        var theirs = try joined(bob, group, of: left, groups)
        try theirs.leave(group, among: bob)
        try groups.perform([.remove(bob.contacts.ownID), .rename(GroupTitle("Wood"))], in: group, among: left)
        try groups.perform([.add(bob.member)], in: group, among: left)
        let again = try groups.welcome(bob.contacts.ownID, into: group, maximumByteCount: 300)
        theirs.receive(.welcome(again), nil, from: left.contacts.ownID, among: bob)
        #expect(theirs.states[group]?.isRequest == true)
        bob.contacts.meet(try alice.member.identity, at: bob.time.seconds)
        try bob.contacts.decide(.accept, about: alice.contacts.ownID, at: bob.time.seconds)
        for number in 0..<(ChatLimits.requestCount + 5) {
            var (own, id) = try alice.created()
            try own.perform([.add(bob.member)], in: id, among: alice)
            bob.changes[id] = UInt64(number + 1)
            let welcome = try own.welcome(bob.contacts.ownID, into: id, maximumByteCount: 300)
            theirs.receive(.welcome(welcome), nil, from: alice.contacts.ownID, among: bob)
        }
        #expect(theirs.states.values.count { $0.welcome != nil } == ChatLimits.requestCount)
        let state = try #require(theirs.states[group])
        #expect(state.refused > 0 && state.welcome == nil)
    }

    @Test("Each of many new members gets a welcome of the epoch in which it came, so that it can write at once")
    func newcomers() throws {
        let alice = try MemberSources("Alice")
        var (groups, group) = try alice.created()
        let members = try Self.members(100)
        try groups.perform(members.map { .add($0) }, in: group, among: alice)
        let epochs = groups.takeEffects().compactMap { effect -> [UInt32?]? in
            guard case .welcome(let member, let session) = effect else { return nil }
            return [session.log.epoch, session.log.joinEpoch(of: member.identity.id)]
        }
        #expect(epochs.count == 100 && epochs.allSatisfy { $0[0] == $0[1] })
    }

    @Test("A member whom a former owner has led astray is sent the handover")
    func ledAstray() throws {
        let (alice, bob, carol) = (try MemberSources("Alice"), try MemberSources("Bob"), try MemberSources("Carol"))
        var (groups, group) = try alice.created()
        try groups.perform([.add(bob.member), .add(carol.member)], in: group, among: alice)
        var astray = try #require(groups.membership(group))
        var theirs = try joined(bob, group, of: alice, groups)
        let key = GroupOwnerKey()
        _ = theirs.update(group) { $0.offerOwnership(with: key) }
        let action = GroupAction.handover(bob.contacts.ownID, signingKey: key.publicKey)
        var owner = astray
        let handover = try owner.perform([action], at: alice.time.seconds).update.operation
        theirs.receive(.operations(group, [handover]), nil, from: alice.contacts.ownID, among: bob)
        _ = theirs.takeEffects()
        for _ in 0..<5 { _ = try astray.perform([.renewBlock], at: alice.time.seconds) }
        let later = try #require(astray.log.operations.last)
        let isEarly = theirs.isEarly(.operations(group, [later]), from: carol.contacts.ownID, among: bob)
        let sent = theirs.takeEffects().compactMap { effect -> [GroupOperation]? in
            guard case .send(.operations(group, let operations), to: _) = effect else { return nil }
            return operations
        }
        #expect(isEarly && sent == [[handover]])
        // The message is looked at again whenever keys arrive.
        let isStillEarly = theirs.isEarly(.operations(group, [later]), from: carol.contacts.ownID, among: bob)
        #expect(isStillEarly && theirs.takeEffects().isEmpty)
        #expect(theirs.membership(group)?.mustWait == false, "who is no owner ends no epoch")
    }

    @Test("A member writes nothing more once it knows that the owner has made a later change")
    func laterChange() throws {
        let (alice, bob) = (try MemberSources("Alice"), try MemberSources("Bob"))
        var (groups, group) = try alice.created()
        try groups.perform([.add(bob.member)], in: group, among: alice)
        var theirs = try joined(bob, group, of: alice, groups)
        for name in 1...2 { try groups.perform([.rename(GroupTitle("\(name)"))], in: group, among: alice) }
        let newest = try #require(groups.membership(group)?.log.operations.suffix(2))
        _ = theirs.isEarly(.operations(group, [newest[newest.endIndex - 1]]), from: alice.contacts.ownID, among: bob)
        #expect(theirs.membership(group)?.mustWait == true)
        theirs.receive(.operations(group, Array(newest)), nil, from: alice.contacts.ownID, among: bob)
        #expect(theirs.membership(group)?.mustWait == false)
    }

    @Test("However many leave at once, the owner lets them go, in as many operations as that takes")
    func manyLeavers() throws {
        let alice = try MemberSources("Alice")
        var (groups, group) = try alice.created()
        let members = try Self.members(700)
        try groups.perform(members.map { .add($0) }, in: group, among: alice)
        for index in stride(from: 0, to: 700, by: 11) {
            _ = groups.update(group) { $0.noteLeaving(members[index].identity.id) }
        }
        let count = try #require(groups.membership(group)).leavers.count
        #expect(count == 64)
        let all = members.indices.filter { $0.isMultiple(of: 11) }.prefix(63)
        var together = try #require(groups.membership(group))
        #expect(throws: CryptoError(.full, "")) {
            try together.perform(all.map { .removeLeaver(members[$0].identity.id) }, at: alice.time.seconds)
        }
        for _ in 0..<4 { groups.keep(group, among: alice) }
        #expect(groups.membership(group)?.leavers.isEmpty == true)
    }

    @Test("Of a group that the user leaves no secret of a later epoch stays")
    func leafAfterLeaving() throws {
        let (alice, bob) = (try MemberSources("Alice"), try MemberSources("Bob"))
        var (groups, group) = try alice.created()
        try groups.perform([.add(bob.member)], in: group, among: alice)
        var theirs = try joined(bob, group, of: alice, groups)
        var owner = try #require(groups.membership(group))
        let leaves = try owner.perform([.renew(bob.contacts.ownID)], at: alice.time.seconds).update.leaves
        let leaf = try #require(leaves.first?.secret)
        theirs.receive(.leaf(group, leaf), nil, from: alice.contacts.ownID, among: bob)
        #expect(theirs.states[group]?.leaf != nil)
        try theirs.leave(group, among: bob)
        #expect(theirs.states[group]?.leaf == nil)
    }

    @Test("A user who has left a group is asked, also after another member's invitation")
    func invitedAgain() throws {
        let (alice, carol) = (try MemberSources("Alice"), try MemberSources("Carol"))
        var bob = try MemberSources("Bob")
        bob.contacts.meet(try alice.member.identity, at: bob.time.seconds)
        try bob.contacts.decide(.accept, about: alice.contacts.ownID, at: bob.time.seconds)
        var (groups, group) = try alice.created()
        try groups.perform([.add(bob.member), .add(carol.member)], in: group, among: alice)
        var theirs = Membership()
        let first = try groups.welcome(bob.contacts.ownID, into: group)
        theirs.receive(.welcome(first), nil, from: alice.contacts.ownID, among: bob)
        #expect(theirs.membership(group) != nil)
        try theirs.leave(group, among: bob)
        try groups.perform([.rename(GroupTitle("Wood"))], in: group, among: alice)
        let digest = try groups.welcome(bob.contacts.ownID, into: group, maximumByteCount: 300)
        theirs.receive(.welcome(digest), nil, from: carol.contacts.ownID, among: bob)
        #expect(theirs.states[group]?.inviter == carol.contacts.ownID && theirs.states[group]?.isRequest == true)
        let again = try groups.welcome(bob.contacts.ownID, into: group)
        theirs.receive(.welcome(again), nil, from: alice.contacts.ownID, among: bob)
        #expect(theirs.states[group]?.inviter == alice.contacts.ownID && theirs.states[group]?.isRequest == true)
        #expect(theirs.membership(group) == nil)
    }

    @Test("The first message of an unknown new owner continues the group of a late member")
    func unknownOwner() throws {
        let (alice, bob, dave) = (try MemberSources("Alice"), try MemberSources("Bob"), try MemberSources("Dave"))
        var (groups, group) = try alice.created()
        try groups.perform([.add(bob.member)], in: group, among: alice)
        var theirs = try joined(bob, group, of: alice, groups)
        try groups.perform([.add(dave.member)], in: group, among: alice)
        var next = try joined(dave, group, of: alice, groups)
        let key = GroupOwnerKey()
        _ = next.update(group) { $0.offerOwnership(with: key) }
        let action = GroupAction.handover(dave.contacts.ownID, signingKey: key.publicKey)
        var owner = try #require(groups.membership(group))
        let (update, _) = try owner.perform([action], at: alice.time.seconds)
        next.receive(.operations(group, [update.operation]), nil, from: alice.contacts.ownID, among: dave)
        let secrets = try #require(update.tree)
        _ = next.update(group) { try? $0.takeTree(secrets, from: alice.contacts.ownID) }
        let welcome = try next.welcome(bob.contacts.ownID, into: group)
        #expect(theirs.isWorthSession(.welcome(welcome), from: dave.contacts.ownID, among: bob))
        #expect(!theirs.isWorthSession(.welcome(welcome), from: try MemberSources("Eve").contacts.ownID, among: bob))
        theirs.receive(.welcome(welcome), nil, from: dave.contacts.ownID, among: bob)
        #expect(theirs.membership(group)?.log.owner == dave.contacts.ownID)
        #expect(!theirs.isWorthSession(.welcome(welcome), from: dave.contacts.ownID, among: bob), "nothing new")
    }

    @Test("Operations that nobody has are requested for about eight days")
    func missingForEver() throws {
        let alice = try MemberSources("Alice")
        var bob = try MemberSources("Bob")
        var (groups, group) = try alice.created()
        try groups.perform([.add(bob.member)], in: group, among: alice)
        var theirs = try joined(bob, group, of: alice, groups)
        bob.contacts.meet(try alice.member.identity, at: bob.time.seconds)
        try bob.contacts.decide(.accept, about: alice.contacts.ownID, at: bob.time.seconds)
        let epoch = try #require(theirs.membership(group)).log.epoch
        theirs.want(epoch + 9, of: group, from: alice.contacts.ownID, among: bob)
        var count = 0
        for _ in 0..<(ChatLimits.groupAskCount + 100) {
            let later = bob.time.monotonic.advanced(by: ChatLimits.longestGroupAskPause)
            bob.time = ChatTime(wall: bob.time.wall, monotonic: later)
            theirs.askForOperations(among: bob)
            count += MembershipEffect.names(theirs.takeEffects()).count { $0 == "send" }
        }
        #expect(count == ChatLimits.groupAskCount)
        #expect(theirs.states[group]?.missing.askAt == .distantFuture)
    }
}
