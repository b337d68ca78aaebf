import Testing

@testable import ChatCrypto

@Suite("Owners that have lost secrets of a large group")
struct GroupRepairTests {
    /// A group of 300 members, of which some have sessions, and the successor has no copy of the secrets.
    private struct Crowd {
        var owner: GroupSession
        var members: [GroupSession] = []

        init() throws {
            owner = try PublicMembers.group(290)
            for _ in 0..<9 {
                let identity = Identity().publicIdentity
                let update = try owner.perform(
                    [.add(GroupMember(identity: identity, nickname: nil))],
                    at: GroupCircle.now
                ).update
                for index in members.indices { take(update, index) }
                members.append(try Self.join(identity, owner))
            }
        }

        static func join(_ identity: PublicIdentity, _ owner: GroupSession) throws -> GroupSession {
            let made = owner.welcome(for: identity.id, remainingSeconds: 0, bundles: [], maximumByteCount: .max)
            return try GroupSession.join(#require(made), as: identity, at: GroupCircle.now).session
        }

        mutating func take(_ update: GroupUpdate, _ index: Int) {
            let leaf = update.leaves.first { $0.member.identity == members[index].own }?.secret
            _ = members[index].apply(update.operation, leaf: leaf, at: GroupCircle.now)
        }
    }

    /// Lets a successor of a group of 300 take over without a copy of the secrets.
    private static func takeOver() throws -> Crowd {
        var crowd = try Crowd()
        let key = crowd.members[0].offerOwnership().publicKey
        let successor = GroupPolicy.Successor(slot: try #require(crowd.members[0].slot), signingKey: key)
        let policy = GroupPolicy(history: .none, memberLimit: 400, life: 0, isEphemeral: false, successor: successor)
        let named = try crowd.owner.perform([.policy(#require(policy))], at: GroupCircle.now).update
        for index in crowd.members.indices { crowd.take(named, index) }
        let takeover = try crowd.members[0].takeOver(at: GroupCircle.now).update
        for index in crowd.members.indices.dropFirst() { crowd.take(takeover, index) }
        return crowd
    }

    @Test("A successor without a copy of the secrets repairs a group of 300 in steps, and all members follow")
    func takeover() throws {
        var crowd = try Self.takeOver()
        #expect(crowd.members[0].slotsToRepair.count == 299)
        var counts = [299]
        while !crowd.members[0].slotsToRepair.isEmpty, counts.count < 9 {
            let update = try crowd.members[0].repair(at: GroupCircle.now).update
            #expect(update.operation.bytes.count <= GroupLimits.maximumOperationByteCount)
            for index in crowd.members.indices.dropFirst() { crowd.take(update, index) }
            counts.append(crowd.members[0].slotsToRepair.count)
        }
        #expect(counts.last == 0 && zip(counts, counts.dropFirst()).allSatisfy { $0 > $1 } && counts.count < 5)
        #expect(throws: CryptoError(.invalidOperation, "")) { try crowd.members[0].repair(at: GroupCircle.now) }
        let key = try #require(crowd.members[0].epochs.last?.headerKey)
        for index in crowd.members.indices.dropFirst() {
            let made = crowd.members[0].welcome(
                for: crowd.members[index].own.id,
                remainingSeconds: 0,
                bundles: [],
                maximumByteCount: .max
            )
            if crowd.members[index].log.epoch < crowd.members[0].log.epoch {
                #expect(crowd.members[index].mustWait)
                _ = try crowd.members[index].rejoin(#require(made), at: GroupCircle.now)
            }
            #expect(crowd.members[index].epochs.last?.headerKey.isEqual(to: key) == true)
        }
        let update = try crowd.members[0].perform([.renewBlock], at: GroupCircle.now).update
        for index in crowd.members.indices.dropFirst() { crowd.take(update, index) }
        let next = try #require(crowd.members[0].epochs.last?.headerKey)
        #expect(crowd.members.allSatisfy { $0.epochs.last?.headerKey.isEqual(to: next) == true })
    }

    @Test("An owner that lost its own leaf and hundreds of others repairs its own slot first")
    func ownLeaf() throws {
        var crowd = try Self.takeOver()
        while !crowd.members[0].slotsToRepair.isEmpty { _ = try crowd.members[0].repair(at: GroupCircle.now) }
        // The last slot is that of an owner, whose secret a lost operation has renewed with all the others.
        let old = crowd.members[0]
        var lost: [GroupOperation] = []
        for _ in 0..<3 {
            lost.append(try crowd.members[0].perform([.renewBlock], at: GroupCircle.now).update.operation)
        }
        var owner = old
        for operation in lost { #expect(owner.apply(operation, at: GroupCircle.now).outcome == .applied) }
        #expect(owner.slotsToRepair.count == 300)
        let first = try owner.repair(at: GroupCircle.now).update.operation
        let slot = try #require(owner.slot)
        #expect(!owner.slotsToRepair.contains(slot) && first.epoch == owner.log.epoch)
        while !owner.slotsToRepair.isEmpty { _ = try owner.repair(at: GroupCircle.now) }
        let peer = try #require(owner.log.table[5]).member.identity.id
        let removal = try owner.perform([.remove(peer)], at: GroupCircle.now).update.operation
        #expect(removal.tree?.wrapCount == 9)
    }

    @Test("A takeover that is refused leaves no tree behind, and a missing path is no lack of room")
    func failures() throws {
        var circle = try GroupCircle(4)
        try circle.name(3)
        try circle.perform([.handover(circle.id(1), signingKey: circle.sessions[1].offerOwnership().publicKey)])
        #expect(circle.sessions[1].needsTree)
        let fork = GroupForger.operation(
            [],
            after: circle.sessions[1].log,
            epoch: 2,
            by: try #require(
                circle.sessions[1].ownerKey
            )
        )
        circle.sessions[3].offeredKey = GroupOwnerKey()
        #expect(throws: CryptoError(.notOwner, "")) { try circle.sessions[3].takeOver(at: GroupCircle.now) }
        #expect(circle.sessions[3].tree == nil && fork.epoch == 2)
        var frozen = circle.sessions[1]
        frozen.log.freeze(GroupFork(own: fork, other: fork))
        #expect(throws: CryptoError(.frozen, "")) { try frozen.repair(at: GroupCircle.now) }
        #expect(frozen.needsTree)
        var lost = circle.sessions[1]
        lost.tree = OwnerTree(epoch: lost.log.epoch, nodes: [], table: lost.log.table)
        #expect(throws: CryptoError(.invalidOperation, "")) {
            try lost.perform([.policy(.standard)], at: GroupCircle.now)
        }
    }

    @Test("No stored secret of a node is far behind the present epoch")
    func stepsBehind() throws {
        var session = try PublicMembers.group(300)
        for _ in 0..<400 { _ = try session.perform([.policy(.standard)], at: GroupCircle.now) }
        let tree = try #require(session.tree)
        let limit = GroupLimits.maximumStepsBehind + UInt32(RecordPage.all(depth: tree.depth).count)
        let behind = tree.nodes.flatMap { $0.compactMap { $0.map { tree.epoch - $0.epoch } } }
        #expect(behind.count > 600 && behind.max() ?? .max <= limit)
        let peer = try #require(session.log.members.last?.identity.id)
        var copy = session
        _ = try copy.perform([.remove(peer)], at: GroupCircle.now)
        for depth in 0...8 {
            let pages = RecordPage.all(depth: depth).flatMap { RecordPage.nodes($0, depth: depth) }
            #expect(Set(pages).count == 2 << depth - 1 && pages.count == Set(pages).count, "depth \(depth)")
            for page in RecordPage.all(depth: depth) {
                #expect(RecordPage.nodes(page, depth: depth).allSatisfy { RecordPage.of($0) == page })
            }
        }
    }
}
