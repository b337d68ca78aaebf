import ChatCrypto
import MeshCore
import Testing

@testable import ChatCore

@Suite("Membership")
struct MembershipTests {
    @Test("An owner's step tells the members and then the new one, and the new one joins by the welcome")
    func joining() throws {
        let (alice, bob) = (try MemberSources("Alice"), try MemberSources("Bob"))
        var (groups, group) = try alice.created()
        _ = groups.takeEffects()
        try groups.perform([.add(bob.member)], in: group, among: alice)
        let told = MembershipEffect.names(groups.takeEffects())
        #expect(told == ["line", "meet", "event", "touched", "welcome", "repeatTimer"])
        // Each secret is written once, as it is after the last change.
        let secrets = groups.takeSecrets()
        #expect(Set(secrets.saved.map(\.id)).count == secrets.saved.count && !secrets.isEmpty)
        #expect(groups.takeSecrets().isEmpty)
        #expect(groups.takeEffects().isEmpty && groups.isSure(of: group, among: alice))

        var joined = Membership()
        let welcome = try groups.welcome(bob.contacts.ownID, into: group)
        let sender = alice.contacts.ownID
        joined.receive(.welcome(welcome), nil, from: sender, among: bob)
        // The invitation of an unknown owner waits for the user.
        #expect(MembershipEffect.names(joined.takeEffects()) == ["invited", "touched", "event"])
        #expect(joined.membership(group) == nil && joined.isGroupMember(sender) == false)
        try joined.answerInvitation(group, accepts: true, among: bob)
        let effects = MembershipEffect.names(joined.takeEffects())
        #expect(effects.first == "touched" && effects.suffix(3) == ["line", "event", "joined"])
        #expect(joined.membership(group)?.log.members.count == 2 && joined.isGroupMember(sender))
        // The node tries again to open the messages that came too early.
        #expect(joined.hasUnopened && joined.nextDeadline < .distantFuture)
    }

    @Test("The oldest of too many invitations makes room, and its sender's sessions go where nothing else needs them")
    func invitations() throws {
        var bob = try MemberSources("Bob")
        var groups = Membership()
        let known = try MemberSources("Known")
        var senders: [PeerID] = []
        for number in 0...ChatLimits.requestCount {
            // The two oldest invitations are from one sender.
            let owner = number < 2 ? known : try MemberSources("Stranger")
            var (theirs, group) = try owner.created()
            try theirs.perform([.add(bob.member)], in: group, among: owner)
            bob.changes[group] = UInt64(number + 1)
            let welcome = try theirs.welcome(bob.contacts.ownID, into: group)
            groups.receive(.welcome(welcome), nil, from: owner.contacts.ownID, among: bob)
            senders.append(owner.contacts.ownID)
        }
        func forgotten() -> [PeerID?] {
            groups.takeEffects().compactMap { if case .forgotten(_, let inviter) = $0 { inviter } else { nil } }
        }
        #expect(groups.states.count == ChatLimits.requestCount)
        #expect(forgotten() == [nil], "the other of its invitations needs its sessions")
        let another = try MemberSources("Another")
        var (theirs, group) = try another.created()
        try theirs.perform([.add(bob.member)], in: group, among: another)
        let welcome = try theirs.welcome(bob.contacts.ownID, into: group)
        groups.receive(.welcome(welcome), nil, from: another.contacts.ownID, among: bob)
        #expect(groups.states.count == ChatLimits.requestCount)
        #expect(forgotten() == [senders[1]])
    }

    @Test("A member that signed two contents for one position is reported once, and beyond the limit again")
    func equivocators() throws {
        var state = GroupState(try #require(GroupID(bytes: [UInt8](repeating: 1, count: 16))))
        let members = (0...ChatLimits.equivocatorCount).map { Numbered.peer($0) }
        let order = members.dropLast().flatMap { [$0, $0] } + [members[members.count - 1], members[0], members[0]]
        let reports = order.map { state.reportEquivocation(of: $0) }
        #expect(reports == members.dropLast().flatMap { _ in [true, false] } + [true, true, false])
    }

    @Test("An owner that starts anew asks the members once, waits, and goes on when nobody answers")
    func certainty() throws {
        var alice = try MemberSources("Alice")
        let bob = try MemberSources("Bob")
        var (groups, group) = try alice.created()
        try groups.perform([.add(bob.member)], in: group, among: alice)
        let state = try #require(groups.states[group])
        let seals = SecretSeals(RecordAEAD(key: .random(count: 32)))
        let stored = state.stored(of: group, sealedBy: seals)
        var restored = Membership()
        let session = try #require(groups.table[group])
        try restored.insert(session, among: alice)
        restored.set(try GroupState(restoring: stored, of: group, openedBy: seals), of: group)
        _ = restored.takeEffects()

        let peer = bob.contacts.ownID
        let error = #expect(throws: ChatError.self) { try restored.transferOwnership(group, to: peer, among: alice) }
        #expect(error?.code == .limited)
        // The outbox has no room for a question, so the owner can ask no member.
        alice.controlCount = ChatLimits.controlCount
        restored.confirm(group, among: alice)
        #expect(MembershipEffect.names(restored.takeEffects()) == ["confirmed", "runHousekeeping"])
        #expect(restored.isSure(of: group, among: alice))

        // A member's message about a later epoch raises the doubt once.
        alice.controlCount = 0
        alice.contacts.meet(try bob.member.identity, at: alice.time.seconds)
        try alice.contacts.decide(.accept, about: bob.contacts.ownID, at: alice.time.seconds)
        func early(_ epoch: UInt32) throws -> Bool {
            var ahead = try #require(groups.membership(group))
            for _ in ahead.log.epoch..<epoch { _ = try ahead.perform([.renewBlock], at: alice.time.seconds) }
            let operation = try #require(ahead.operations(from: epoch, limit: 1).first)
            let note = ControlMessage.operations(group, [operation])
            return restored.isEarly(note, from: bob.contacts.ownID, among: alice)
        }
        let epoch = session.log.epoch
        #expect(try early(epoch + 2) && !restored.isSure(of: group, among: alice))
        restored.confirm(group, among: alice)
        #expect(MembershipEffect.names(restored.takeEffects()) == ["ask"])
        #expect(!restored.isSure(of: group, among: alice))
        // The owner waits once more for a member that it heard meanwhile.
        for wait in [ChatLimits.confirmationWait, ChatLimits.longerConfirmationWait] {
            let later = alice.time.monotonic.advanced(by: wait)
            alice.time = ChatTime(wall: alice.time.wall, monotonic: later)
            restored.tick(among: alice)
        }
        #expect(restored.isSure(of: group, among: alice))
        #expect(try early(epoch + 3) && restored.isSure(of: group, among: alice))
    }
}
