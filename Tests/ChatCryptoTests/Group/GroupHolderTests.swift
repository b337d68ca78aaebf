import Bytes
import Testing

@testable import ChatCrypto

@Suite("Members that know all secrets of a group")
struct GroupHolderTests {
    /// A member with all secrets that stays up to date with what everybody receives.
    private struct Thief {
        var session: GroupSession

        mutating func follow(_ operation: GroupOperation) {
            guard let (state, plan) = try? session.log.apply(operation.edits), var tree = session.tree else { return }
            let data = session.associatedData
            tree.follow(plan, state.table, operation, own: nil, associatedData: data)
            session.tree = tree
            _ = session.log.take(operation, state, at: GroupCircle.now)
        }

        /// Whether the thief has the keys of the present epoch.
        func reads(_ circle: GroupCircle, by member: Int = 0) -> Bool {
            guard let root = session.tree?.root else { return false }
            let key = GroupEpoch.keys(hash: session.log.hash, root: root).header
            return circle.sessions[member].epochs.last?.headerKey.isEqual(to: key) ?? false
        }
    }

    private static func removal(_ circle: GroupCircle, _ member: Int) -> GroupAction { .remove(circle.id(member)) }

    @Test("A former owner reads on until all blocks were renewed, and is removed after that")
    func formerOwner() throws {
        var circle = try GroupCircle(5)
        try circle.perform([.renewBlock])
        var thief = Thief(session: circle.sessions[0])
        thief.follow(try circle.handOver(from: 0, to: 3))
        #expect(circle.sessions[0].tree == nil && thief.reads(circle, by: 3), "an honest one erases them")
        try circle.restart(3)
        #expect(circle.sessions[3].log.blocksToRenew == 1)
        #expect(
            circle.sessions[3].mustRenew(before: circle.id(0)) && !circle.sessions[3].mustRenew(before: circle.id(2))
        )
        for action in [Self.removal(circle, 0), .removeLeaver(circle.id(0))] {
            #expect(throws: CryptoError(.invalidOperation, "")) { try circle.perform([action], by: 3) }
        }
        thief.follow(try circle.perform([Self.removal(circle, 2)], by: 3).operation)
        #expect(thief.reads(circle, by: 3), "other members may be removed, and the former owner reads on")
        thief.follow(try circle.perform([.renewBlock], by: 3).operation)
        #expect(!thief.reads(circle, by: 3) && circle.sessions[3].log.blocksToRenew == 0)
        thief.follow(try circle.perform([Self.removal(circle, 0)], by: 3).operation)
        #expect(!thief.reads(circle, by: 3) && circle.agrees)
    }

    @Test("The removal of a former owner may renew all blocks in the same operation")
    func together() throws {
        var circle = try GroupCircle(5)
        var thief = Thief(session: circle.sessions[0])
        thief.follow(try circle.handOver(from: 0, to: 3))
        #expect(throws: CryptoError(.invalidOperation, "")) { try circle.perform([Self.removal(circle, 0)], by: 3) }
        thief.follow(try circle.perform([Self.removal(circle, 0), .renewBlock], by: 3).operation)
        #expect(!thief.reads(circle, by: 3) && circle.agrees && circle.sessions[3].log.blocksToRenew == 0)
    }

    @Test("The owner before is removed after all blocks of a large group were renewed, and others before")
    func largeGroup() throws {
        var owner = try PublicMembers.group(299)
        let next = Identity()
        _ = try owner.perform([.add(GroupMember(identity: next.publicIdentity, nickname: nil))], at: GroupCircle.now)
        let made = owner.welcome(for: next.publicIdentity.id, remainingSeconds: 0, bundles: [], maximumByteCount: .max)
        var heir = try GroupSession.join(#require(made), as: next.publicIdentity, at: GroupCircle.now).session
        let key = heir.offerOwnership().publicKey
        let founder = owner.own.id
        var thief = Thief(session: owner)
        let update = try owner.perform([.handover(heir.own.id, signingKey: key)], at: GroupCircle.now).update
        #expect(heir.apply(update.operation, at: GroupCircle.now).outcome == .applied)
        _ = try heir.takeTree(#require(update.tree), from: founder)
        thief.follow(update.operation)
        for left in [3, 2, 1] {
            #expect(heir.log.blocksToRenew == left && heir.mustRenew(before: founder))
            #expect(throws: CryptoError(.invalidOperation, "")) {
                try heir.perform([.remove(founder)], at: GroupCircle.now)
            }
            #expect(throws: CryptoError(left > 2 ? .full : .invalidOperation, "")) {
                let renewals = Array(repeating: GroupAction.renewBlock, count: left > 2 ? 3 : left - 1)
                _ = try heir.perform([.remove(founder)] + renewals, at: GroupCircle.now)
            }
            thief.follow(try heir.perform([.renewBlock], at: GroupCircle.now).update.operation)
        }
        #expect(heir.log.blocksToRenew == 0 && thief.session.log.hash == heir.log.hash)
        let root = try #require(heir.tree?.root)
        #expect(thief.session.tree?.root?.isEqual(to: root) != true)
        _ = try heir.perform([.remove(founder)], at: GroupCircle.now)
    }

    @Test("The owner before a handover or a takeover is known by name", arguments: [false, true])
    func transfers(isTakeover: Bool) throws {
        var circle = try GroupCircle(4)
        try circle.perform([.renewBlock])
        #expect(circle.sessions[2].log.holders.former?.isEmpty == true && circle.sessions[2].log.blocksToRenew == 0)
        if isTakeover {
            try circle.name(2)
            try circle.takeOver(by: 2)
        } else {
            _ = try circle.handOver(from: 0, to: 2)
        }
        let owner = circle.sessions[2]
        #expect(owner.log.blocksToRenew == 1 && owner.mustRenew(before: circle.id(0)))
        #expect(!owner.mustRenew(before: circle.id(1)) && !owner.mustRenew(before: circle.id(3)))
        try circle.perform([.renewBlock], by: 2)
        #expect(circle.sessions[2].log.blocksToRenew == 0 && !circle.sessions[2].mustRenew(before: circle.id(0)))
    }

    @Test("Of more former owners than are kept by name, and of those before this node joined, none is known")
    func unknownHolders() throws {
        var circle = try GroupCircle(3)
        try circle.perform([.renewBlock])
        var owner = 0
        for count in 1...TreeHolders.limit {
            try circle.add([Identity()], by: owner)
            let next = circle.sessions.count - 1
            _ = try circle.handOver(from: owner, to: next)
            owner = next
            #expect(circle.sessions[1].log.holders.former?.count == count)
        }
        _ = try circle.handOver(from: owner, to: 1)
        #expect(circle.sessions[2].log.holders.former == nil)
        #expect(circle.sessions[1].mustRenew(before: circle.id(2)))
        try circle.restart(1)
        #expect(circle.sessions[1].mustRenew(before: circle.id(2)))
        try circle.perform([.renewBlock], by: 1)
        #expect(!circle.sessions[1].mustRenew(before: circle.id(2)))
        #expect(circle.sessions[2].log.holders.former?.isEmpty == true)
        try circle.add([Identity()], by: 1)
        #expect(circle.sessions.last?.log.holders.former == nil)
    }

    @Test("Only the previous owner gives the secrets of all nodes, and only to the next one")
    func givers() throws {
        var circle = try GroupCircle(5)
        try circle.name(3, admins: [1])
        let early = try #require(circle.sessions[0].tree?.exported())
        func take(_ member: Int, from sender: Int, _ bytes: SecretBytes) -> CryptoError.Code? {
            var session = circle.sessions[member]
            do {
                _ = try session.takeTree(bytes, from: circle.id(sender))
                return nil
            } catch { return error.code }
        }
        for member in [1, 2, 3] { #expect(take(member, from: 0, early) == .invalidOperation, "no owner") }
        #expect(take(0, from: 0, early) == .invalidOperation && take(0, from: 1, early) == .invalidOperation)
        let key = circle.sessions[2].offerOwnership().publicKey
        let update = try circle.perform([.handover(circle.id(2), signingKey: key)])
        let handed = try #require(update.tree)
        #expect(take(2, from: 3, handed) == .notOwner && take(2, from: 2, handed) == .notOwner)
        #expect(take(2, from: 0, early) == .malformed, "of an earlier epoch")
        // A far epoch costs no steps.
        #expect(take(2, from: 0, SecretBytes(copying: [1] + UInt32.max.bigEndianBytes)) == .malformed)
        // Another leaf under the right root is no tree of this member.
        let tree = try #require(OwnerTree(importing: handed, table: circle.sessions[2].log.table))
        let other = try #require(tree.replacing(TreeNode(slot: 2), in: circle.sessions[2].log.table))
        #expect(other.root?.exposed == tree.root?.exposed)
        #expect(take(2, from: 0, other.exported()) == .malformed)
        try circle.restart(2)
        #expect(take(2, from: 0, handed) == nil)
        circle.stores[2].write(try circle.sessions[2].takeTree(handed, from: circle.id(0)))
        #expect(take(2, from: 0, handed) == .invalidOperation, "the owner has them")
    }
}

extension OwnerTree {
    /// The same tree with another secret in a node.
    fileprivate func replacing(_ node: TreeNode, in table: MemberTable) -> OwnerTree? {
        var all: [(node: TreeNode, stored: Stored)] = []
        for level in nodes.indices {
            for index in nodes[level].indices {
                guard let stored = nodes[level][index] else { continue }
                let here = TreeNode(level: level, index: index)
                let other = Stored(secret: .random(count: 32), epoch: epoch, freshSince: epoch, isUsed: false)
                all.append((here, here == node ? other : stored))
            }
        }
        return OwnerTree(epoch: epoch, nodes: all, table: table)
    }
}
