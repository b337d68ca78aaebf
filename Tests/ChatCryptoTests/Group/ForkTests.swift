import Testing

@testable import ChatCrypto

@Suite("Forked logs")
struct ForkTests {
    @Test("Two operations for one place freeze the log, with both as the proof")
    func twoOperations() throws {
        var owners = Owners()
        _ = try owners.append(.add(owners.member(0)))
        var other = owners
        let one = try owners.append(.add(owners.member(1)))
        let two = try other.append(.rename(GroupTitle("Other")))
        var log = owners.log
        let proof = GroupFork(own: one, other: two)
        #expect(log.apply(two) == .forked(proof))
        #expect(log.fork == proof)
        #expect(log.apply(one) == .known)
        let next = try owners.append(.renew)
        #expect(log.apply(next) == .refused(.frozen))
        #expect(throws: CryptoError(.frozen, "")) {
            try log.append(.renew, headerKeyHash: nil, by: owners.key)
        }
    }

    @Test("An operation upon another history is a proof as well")
    func anotherHistory() throws {
        var owners = Owners()
        _ = try owners.append(.add(owners.member(0)))
        var other = owners
        let one = try owners.append(.add(owners.member(1)))
        _ = try other.append(.add(other.member(2)))
        let following = try other.append(.rename(GroupTitle("Other")))
        var log = owners.log
        #expect(log.apply(following) == .forked(GroupFork(own: one, other: following)))
    }

    @Test("A former owner who signs its past again is found out")
    func formerOwner() throws {
        var owners = Owners()
        for index in 0...1 { _ = try owners.append(.add(owners.member(index))) }
        var other = owners
        let next = GroupOwnerKey()
        let handover = try owners.append(
            .handover(owners.member(1).identity.id, signingKey: next.publicKey)
        )
        owners.key = next
        _ = try owners.append(.rename(GroupTitle("New")))
        let again = try other.append(.rename(GroupTitle("Never handed over")))
        var log = owners.log
        #expect(log.apply(again) == .forked(GroupFork(own: handover, other: again)))
    }

    @Test("The same operation signed twice is the same")
    func signedTwice() throws {
        var owners = Owners()
        let first = try owners.append(.add(owners.member(0)))
        var log = owners.log
        // Standard Ed25519 gives the same signature each time; a signer with another nonce does not.
        var bytes = first.bytes
        bytes[bytes.count - 1] ^= 1
        #expect(log.apply(try GroupOperation(decoding: bytes)) == .known)
        #expect(log.fork == nil)
    }

    @Test("A frozen log stays frozen in storage, and nobody writes to its group any more")
    func frozenGroup() throws {
        var circle = try Circle(2)
        _ = circle.hear(try circle.say("before", by: 0), by: 1)
        let owner = try #require(circle.sessions[0].ownerKey)
        var other = circle.sessions[0].log
        let two = try other.append(.rename(GroupTitle("Other")), headerKeyHash: nil, by: owner)
        let late = try circle.say("late", by: 0)
        try circle.perform(.rename(GroupTitle("One")))
        let (outcome, change) = circle.sessions[1].apply(GroupUpdate(operation: two, headerKey: nil), at: Circle.now)
        let proof = try #require(circle.sessions[1].log.fork)
        #expect(outcome == .forked(proof) && proof.other == two)
        let restored = try GroupTable.restore(change.saved)
        #expect(restored[circle.sessions[1].id]?.log.fork == proof)
        #expect(throws: CryptoError(.frozen, "")) { try circle.sessions[1].seal([1], at: Circle.now) }
        #expect(circle.hear(late, by: 1) == .text("late", circle.id(0)))
    }
}
