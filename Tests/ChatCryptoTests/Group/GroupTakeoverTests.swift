import Testing

@testable import ChatCrypto

@Suite("Takeovers for earlier epochs")
struct GroupTakeoverTests {
    /// A takeover that the successor signs for an epoch.
    private static func takeover(
        _ circle: GroupCircle,
        epoch: UInt32,
        after hash: [UInt8],
        by key: GroupOwnerKey
    ) -> GroupOperation {
        GroupForger.operation([.takeover], after: circle.sessions[0].log, epoch: epoch, previousHash: hash, by: key)
    }

    @Test("A successor that lost its right cannot freeze the group, neither at once nor later")
    func revoked() throws {
        var circle = try GroupCircle(4)
        let grant = try circle.name(3)
        let key = try #require(circle.sessions[3].offeredKey)
        let used = try circle.perform([.rename(GroupTitle("Used"))]).operation
        let withdrawn = try circle.perform([.policy(.standard)]).operation
        try circle.perform([.rename(GroupTitle("Later"))])
        for before in [grant, used] {
            let late = Self.takeover(circle, epoch: before.epoch + 1, after: before.hash, by: key)
            for member in [0, 1] {
                let outcome = circle.sessions[member].apply(late, at: GroupCircle.now).outcome
                #expect(outcome == .refused(.notSigned), "after epoch \(before.epoch)")
            }
        }
        let present = Self.takeover(circle, epoch: withdrawn.epoch + 2, after: circle.sessions[1].log.hash, by: key)
        #expect(circle.sessions[1].apply(present, at: GroupCircle.now).outcome == .refused(.notSigned))
        #expect(circle.sessions[1].log.fork == nil)
    }

    @Test("A removed successor cannot freeze the group")
    func removed() throws {
        var circle = try GroupCircle(4)
        let grant = try circle.name(3)
        let key = try #require(circle.sessions[3].offeredKey)
        try circle.perform([.remove(circle.id(3))])
        let late = Self.takeover(circle, epoch: grant.epoch + 1, after: grant.hash, by: key)
        #expect(circle.sessions[1].apply(late, at: GroupCircle.now).outcome == .refused(.notSigned))
    }

    @Test("A takeover of another history proves nothing, and one of the same history proves a fork")
    func histories() throws {
        var circle = try GroupCircle(4)
        let grant = try circle.name(3)
        let key = try #require(circle.sessions[3].offeredKey)
        try circle.perform([.rename(GroupTitle("Next"))])
        let foreign = Self.takeover(circle, epoch: grant.epoch + 1, after: [UInt8](repeating: 5, count: 32), by: key)
        #expect(circle.sessions[1].apply(foreign, at: GroupCircle.now).outcome == .refused(.notSigned))
        let next = Self.takeover(circle, epoch: grant.epoch + 2, after: [UInt8](repeating: 5, count: 32), by: key)
        #expect(circle.sessions[1].apply(next, at: GroupCircle.now).outcome == .refused(.invalid))
        let own = try #require(circle.sessions[1].log.operations.last)
        let same = Self.takeover(circle, epoch: grant.epoch + 1, after: grant.hash, by: key)
        let (outcome, change) = circle.sessions[1].apply(same, at: GroupCircle.now)
        circle.stores[1].write(change)
        #expect(outcome == .forked(GroupFork(own: own, other: same)))
        try circle.restart(1)
        #expect(circle.sessions[1].log.fork?.other == same)
    }

    @Test("A member that joined after the naming of the successor detects the fork of a takeover")
    func newMember() throws {
        var circle = try GroupCircle(3)
        try circle.name(2)
        try circle.add([Identity()])
        let key = try #require(circle.sessions[2].offeredKey)
        let own = try #require(circle.sessions[3].log.operations.last)
        let takeover = Self.takeover(circle, epoch: own.epoch, after: own.previousHash, by: key)
        let outcome = circle.sessions[3].apply(takeover, at: GroupCircle.now).outcome
        #expect(outcome == .forked(GroupFork(own: own, other: takeover)))
    }
}
