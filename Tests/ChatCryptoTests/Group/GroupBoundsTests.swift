import Bytes
import Testing

@testable import ChatCrypto

@Suite("Last epochs and largest numbers of groups")
struct GroupBoundsTests {
    /// The same bytes with another epoch and a valid signature.
    private static func signed(_ operation: GroupOperation, epoch: UInt32, by key: GroupOwnerKey) -> [UInt8] {
        var fields = Array(operation.bytes.dropLast(64))
        fields.replaceSubrange(17..<21, with: epoch.bigEndianBytes)
        return fields + key.signing.sign(GroupOperation.label, fields)
    }

    @Test("Operations of no epoch, and of one that nothing can follow, are refused", arguments: [0, .max] as [UInt32])
    func epochs(epoch: UInt32) throws {
        let session = try GroupCircle(1).sessions[0]
        let key = try #require(session.ownerKey)
        let operation = GroupForger.operation([], after: session.log, by: key)
        let bytes = Self.signed(operation, epoch: epoch, by: key)
        #expect(throws: CryptoError(.malformed, "")) { try GroupOperation(decoding: bytes) }
        let last = Self.signed(operation, epoch: .max - 1, by: key)
        #expect(try GroupOperation(decoding: last).epoch == .max - 1)
        let secret = epoch.bigEndianBytes + [UInt8](repeating: 1, count: 32)
        #expect(throws: CryptoError(.malformed, "")) { try LeafSecret(decoding: SecretBytes(copying: secret)) }
    }

    @Test("A welcome into no epoch, and into one that nothing can follow, is refused")
    func welcomes() throws {
        let circle = try GroupCircle(2)
        let made = circle.sessions[0].welcome(
            for: circle.id(1),
            remainingSeconds: 0,
            bundles: [],
            maximumByteCount: 250
        )
        let bytes = try #require(made).encoded().exposed
        for (epoch, isRead) in [(0, false), (1, true), (.max - 1, true), (.max, false)] as [(UInt32, Bool)] {
            let changed = bytes[..<5] + epoch.bigEndianBytes + bytes[9...]
            let read = try? GroupWelcome(decoding: SecretBytes(copying: Array(changed)))
            #expect((read?.epoch == epoch) == isRead, "epoch \(epoch)")
        }
    }

    @Test("A welcome names 255 bundles at most, however much room it has")
    func bundles() throws {
        let circle = try GroupCircle(2)
        let bundle = try KeptBook.bundle(of: circle.identities[0], nickname: "Many")
        let made = circle.sessions[0].welcome(
            for: circle.id(1),
            remainingSeconds: 0,
            bundles: Array(repeating: bundle, count: 300),
            maximumByteCount: .max
        )
        #expect(try GroupWelcome(decoding: #require(made).encoded()).bundles.count == 255)
    }

    @Test("A founder who begins at the last epoch stops the group, and no member")
    func lastEpoch() throws {
        let circle = try GroupCircle(2)
        let log = circle.sessions[0].log
        let key = try #require(circle.sessions[0].ownerKey)
        let last = GroupForger.operation([], after: log, epoch: .max - 1, by: key)
        let welcome = try GroupForger.welcome(
            GroupForger.checkpoint([], last, log.state),
            of: log,
            slot: 1
        )
        var (session, _) = try GroupSession.join(welcome, as: circle.sessions[1].own, at: GroupCircle.now)
        #expect(session.log.epoch == .max - 1 && session.log.signingKey == key.publicKey)
        #expect(throws: LogRefusal.full) { try session.log.apply([]) }
        let next = GroupForger.operation([], after: session.log, epoch: .max - 1, by: key)
        var other = session
        #expect(other.apply(next, at: GroupCircle.now).outcome != .applied)
        session.ownerKey = key
        session.tree = OwnerTree(try #require(session.path), depth: 1, epoch: session.log.epoch)
        #expect(throws: CryptoError(.full, "")) { try session.perform([.policy(.standard)], at: GroupCircle.now) }
        #expect(throws: (any Error).self) { try session.repair(at: GroupCircle.now) }
        #expect(session.slotsToRepair == [0] && session.operations(from: 1, limit: 9).isEmpty)
        #expect(session.log.successorKey == nil)
    }

    @Test("Kept operations have at most 2 MiB, and the newest 64 stay at any age")
    func keptBytes() throws {
        var log = try GroupCircle(3).sessions[0].log
        let key = GroupOwnerKey()
        for _ in 0..<300 {
            let tree = GroupForger.part(wraps: 240)
            let operation = GroupForger.operation([.renew(first: 0, height: 0)], after: log, tree: tree, by: key)
            _ = log.take(operation, log.state, at: GroupCircle.now)
        }
        let sizes = log.operations.map(\.bytes.count)
        #expect(sizes.reduce(0, +) <= GroupLimits.maximumKeptByteCount && sizes.count > 150)
        for _ in 0..<64 {
            let operation = GroupForger.operation([], after: log, by: key)
            _ = log.take(operation, log.state, at: GroupCircle.now + GroupLimits.keptSeconds + 1)
        }
        #expect(log.operations.count == GroupLimits.minimumKeptOperations)
    }

    @Test("An operation writes the records of the proofs that change, and of no others")
    func proofRecords() throws {
        var circle = try GroupCircle(3)
        for number in 0..<6 { _ = try circle.handOver(from: number % 3, to: (number + 1) % 3) }
        func written(_ change: SessionChange) -> Int { change.saved.count { $0.id.kind == .groupOperation } }
        let plain = try circle.sessions[0].perform([.policy(.standard)], at: GroupCircle.now)
        #expect(written(plain.change) == 1)
        let key = circle.sessions[1].offerOwnership().publicKey
        let named = try circle.sessions[0].perform([.policy(circle.policy(successor: 1, key))], at: GroupCircle.now)
        #expect(written(named.change) == 1)
        let withdrawn = try circle.sessions[0].perform([.policy(.standard)], at: GroupCircle.now)
        #expect(written(withdrawn.change) == 2, "the former grant has one role less")
    }
}
