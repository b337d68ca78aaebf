import Testing

@testable import ChatCrypto

@Suite("Membership log")
struct MembershipLogTests {
    @Test("Operations and their hashes are the known ones")
    func knownAnswers() throws {
        let people = try KnownPeople()
        let cases = try VectorFile("group_log").cases
        let owner = GroupOwnerKey(seed: SecretBytes(copying: try cases[0].bytes("owner seed")))
        let bob = people.bob.publicIdentity
        let policy = try #require(
            GroupPolicy(history: .last(50), memberLimit: 30, life: 86_400, isEphemeral: false)
        )
        let headerKey = SecretBytes(copying: try cases[4].bytes("header key"))
        let actions: [GroupOperation.Action] = [
            .add(GroupMember(identity: people.alice.publicIdentity, nickname: try Nickname("Alice"))),
            .rename(try GroupTitle("Trees")), .policy(policy), .add(GroupMember(identity: bob, nickname: nil)),
            .remove(bob.id),
        ]
        var written = MembershipLog(foundingKey: owner.publicKey)
        var read = MembershipLog(foundingKey: owner.publicKey)
        for (known, action) in zip(cases, actions) {
            let hash = action.bringsHeaderKey ? GroupEpoch.hash(ofHeaderKey: headerKey) : nil
            let operation = try written.append(action, headerKeyHash: hash, by: owner)
            #expect(operation.bytes == (try known.bytes("operation")))
            #expect(operation.hash == (try known.bytes("hash")))
            #expect(read.apply(try GroupOperation(decoding: operation.bytes)) == .applied)
        }
        #expect(written.groupID.bytes == (try cases[0].bytes("group")))
        #expect(read.hash == written.hash && read.members == written.members && read.title == written.title)
        #expect(read.members.map(\.nickname?.text) == ["Alice"] && read.policy == policy)
    }

    @Test("An operation counts once, in its place, for its group")
    func places() throws {
        var owners = Owners()
        let first = try owners.append(.add(owners.member(0)))
        let second = try owners.append(.add(owners.member(1)))
        let third = try owners.append(.rename(GroupTitle("Third")))
        var log = owners.copy()
        #expect(log.apply(second) == .gap(next: 1))
        #expect(log.apply(first) == .applied)
        #expect(log.apply(third) == .gap(next: 2))
        #expect(log.apply(first) == .known)
        #expect(log.apply(second) == .applied && log.apply(third) == .applied)
        #expect(log.hash == owners.log.hash)
        var other = MembershipLog(foundingKey: GroupOwnerKey().publicKey)
        #expect(other.apply(first) == .refused(.otherGroup))
    }

    @Test("A forged operation changes nothing")
    func forged() throws {
        var owners = Owners()
        _ = try owners.append(.add(owners.member(0)))
        _ = try owners.append(.add(owners.member(1)))
        var log = owners.log
        let forger = GroupOwnerKey()
        for epoch in 1...3 {
            let before = epoch > 1 ? owners.log.operations[epoch - 2].hash : GroupOperation.firstPreviousHash
            let forged = GroupOperation(
                .remove(owners.member(1).identity.id),
                of: log.groupID,
                epoch: UInt32(epoch),
                after: before,
                headerKeyHash: [UInt8](repeating: 7, count: 32),
                by: forger
            )
            #expect(log.apply(forged) == .refused(.notSigned))
        }
        #expect(log.hash == owners.log.hash && log.fork == nil)
        #expect(throws: CryptoError(.notOwner, "")) {
            try log.append(.renew, headerKeyHash: nil, by: forger)
        }
    }

    @Test("Every bit of an operation matters")
    func everyBit() throws {
        var owners = Owners()
        _ = try owners.append(.add(owners.member(0)))
        let log = owners.log
        let genuine = try owners.append(.add(owners.member(1)), check: false)
        for bit in 0..<(genuine.bytes.count * 8) {
            var bytes = genuine.bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            var copy = log
            guard let damaged = try? GroupOperation(decoding: bytes) else { continue }
            #expect(copy.apply(damaged) != .applied && copy.fork == nil && copy.hash == log.hash)
        }
        var copy = log
        #expect(copy.apply(genuine) == .applied)
    }

    @Test(
        "What contradicts the group is refused, whoever signed it",
        arguments: [
            .add(0), .remove(0), .remove(2), .handover(0), .handover(2), .handoverToSameKey(1),
        ] as [Contradiction]
    )
    func contradictions(contradiction: Contradiction) throws {
        var owners = Owners()
        for index in 0...1 { _ = try owners.append(.add(owners.member(index))) }
        let action = contradiction.action(owners)
        #expect(throws: CryptoError(.invalidOperation, "")) { try owners.append(action) }
        let signed = try owners.append(action, check: false)
        var log = owners.log
        #expect(log.apply(signed) == .refused(.invalid))
        #expect(log.hash == owners.log.hash)
    }

    @Test("The first operation takes the owner in")
    func firstOperation() throws {
        var owners = Owners()
        #expect(throws: CryptoError(.invalidOperation, "")) { try owners.append(.rename(GroupTitle("None"))) }
        _ = try owners.append(.add(owners.member(0)))
        #expect(owners.log.owner == owners.member(0).identity.id)
    }

    @Test("After a handover only the new key signs")
    func handover() throws {
        var owners = Owners()
        for index in 0...1 { _ = try owners.append(.add(owners.member(index))) }
        let next = GroupOwnerKey()
        _ = try owners.append(.handover(owners.member(1).identity.id, signingKey: next.publicKey))
        #expect(owners.log.owner == owners.member(1).identity.id && owners.log.signingKey == next.publicKey)
        let former = owners.key
        #expect(throws: CryptoError(.notOwner, "")) { try owners.append(.rename(GroupTitle("Old"))) }
        owners.key = next
        let signed = try owners.append(.rename(GroupTitle("New")))
        var late = owners.copy()
        for operation in owners.log.operations { #expect(late.apply(operation) == .applied) }
        #expect(late.title?.text == "New")
        let forged = GroupOperation(
            .renew,
            of: late.groupID,
            epoch: signed.epoch + 1,
            after: signed.hash,
            headerKeyHash: [UInt8](repeating: 0, count: 32),
            by: former
        )
        #expect(late.apply(forged) == .refused(.notSigned))
    }

    @Test("A group has 128 members, fewer if its policy says so, and not one more")
    func memberLimits() throws {
        var owners = Owners()
        for _ in 0..<GroupLimits.maximumMembers { _ = try owners.append(.add(owners.unknownPeer())) }
        #expect(throws: CryptoError(.full, "")) { try owners.append(.add(owners.unknownPeer())) }
        let signed = try owners.append(.add(owners.unknownPeer()), check: false)
        var log = owners.log
        #expect(log.apply(signed) == .refused(.full))

        var small = Owners()
        _ = try small.append(.add(small.unknownPeer()))
        let policy = try #require(GroupPolicy(history: .all, memberLimit: 2, life: 0, isEphemeral: true))
        _ = try small.append(.policy(policy))
        _ = try small.append(.add(small.unknownPeer()))
        #expect(throws: CryptoError(.full, "")) { try small.append(.add(small.unknownPeer())) }
    }

    @Test("A log ends after 4,096 operations")
    func operationLimit() throws {
        var owners = Owners()
        _ = try owners.append(.add(owners.member(0)))
        let title = try GroupTitle("x")
        while owners.log.operations.count < GroupLimits.maximumOperations { _ = try owners.append(.rename(title)) }
        #expect(throws: CryptoError(.full, "")) { try owners.append(.rename(title)) }
    }

    @Test("A log comes out of storage as it went in, and no damaged one does", arguments: [1, 2, 3] as [UInt64])
    func storage(seed: UInt64) throws {
        var owners = Owners()
        for index in 0...2 { _ = try owners.append(.add(owners.member(index))) }
        _ = try owners.append(.remove(owners.member(2).identity.id))
        let bytes = owners.log.encoded()
        let log = try MembershipLog(decoding: bytes)
        #expect(log.encoded() == bytes && log.members == owners.log.members && log.owner == owners.log.owner)
        var seeded = SeededBytes(seed: seed)
        for _ in 0..<100 {
            let damaged = seeded.damaged(bytes)
            if let read = try? MembershipLog(decoding: damaged) { #expect(read.groupID != log.groupID) }
        }
    }

    @Test(
        "Whatever the order and however often operations come, members who ask for what is missing know the same",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func anyOrder(seed: UInt64) throws {
        var seeded = SeededBytes(seed: seed)
        var owners = Owners()
        _ = try owners.append(.add(owners.member(0)))
        for _ in 0..<20 {
            let members = owners.log.members.dropFirst()
            switch seeded.below(4) {
            case 0: _ = try owners.append(.add(owners.unknownPeer()))
            case 1 where !members.isEmpty:
                let index = members.startIndex + seeded.below(members.count)
                _ = try owners.append(.remove(members[index].identity.id))
            case 2: _ = try owners.append(.rename(GroupTitle("Title \(seeded.below(9))")))
            default: _ = try owners.append(.renew)
            }
        }
        var log = owners.copy()
        let all = owners.log.operations
        for _ in 0..<1_000 where log.epoch < owners.log.epoch {
            let asked = log.apply(all[seeded.below(all.count)])
            if case .gap(let next) = asked, seeded.below(3) == 0 { _ = log.apply(all[Int(next) - 1]) }
        }
        #expect(log.hash == owners.log.hash && log.members == owners.log.members && log.fork == nil)
    }
}

/// An action that makes no sense in a group of two.
enum Contradiction {
    case add(Int)
    case remove(Int)
    case handover(Int)
    case handoverToSameKey(Int)

    func action(_ owners: Owners) -> GroupOperation.Action {
        switch self {
        case .add(let index): .add(owners.member(index))
        case .remove(let index): .remove(owners.member(index).identity.id)
        case .handover(let index):
            .handover(owners.member(index).identity.id, signingKey: [UInt8](repeating: 1, count: 32))
        case .handoverToSameKey(let index):
            .handover(owners.member(index).identity.id, signingKey: owners.key.publicKey)
        }
    }
}

/// An owner with a log, and identities to add as members.
struct Owners {
    var key = GroupOwnerKey()
    private(set) var log: MembershipLog
    private let people = (0..<4).map { _ in Identity().publicIdentity }

    init() {
        log = MembershipLog(foundingKey: key.publicKey)
    }

    func member(_ index: Int) -> GroupMember { GroupMember(identity: people[index], nickname: nil) }

    func unknownPeer() -> GroupMember { GroupMember(identity: Identity().publicIdentity, nickname: nil) }

    /// Makes a log of the same group without operations.
    func copy() -> MembershipLog { MembershipLog(foundingKey: log.foundingKey) }

    /// Signs the next operation and appends it; without the check it signs any action and does not append it.
    mutating func append(_ action: GroupOperation.Action, check: Bool = true) throws -> GroupOperation {
        let hash = action.bringsHeaderKey ? randomBytes(32) : nil
        guard check else {
            return GroupOperation(
                action,
                of: log.groupID,
                epoch: log.epoch + 1,
                after: log.hash,
                headerKeyHash: hash,
                by: key
            )
        }
        return try log.append(action, headerKeyHash: hash, by: key)
    }
}
