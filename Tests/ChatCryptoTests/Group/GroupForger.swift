import Bytes
import Testing

@testable import ChatCrypto

/// Bytes that a peer with a key can make, although no honest node does.
enum GroupForger {
    /// Signs an operation that continues a log, or pretends to.
    static func operation(
        _ edits: [GroupEdit],
        after log: MembershipLog,
        epoch: UInt32? = nil,
        previousHash: [UInt8]? = nil,
        tree: TreePart? = nil,
        by key: GroupOwnerKey
    ) -> GroupOperation {
        let state = state(after: edits, of: log)
        return GroupOperation(
            edits,
            of: log.groupID,
            epoch: epoch ?? log.epoch + 1,
            after: previousHash ?? log.hash,
            result: (state.root, state.table.depth),
            tree: tree ?? (edits.contains(where: \.changesSecrets) ? part(wraps: 0) : nil),
            by: key
        )
    }

    /// The state after edits; the present one if they do not fit.
    static func state(after edits: [GroupEdit], of log: MembershipLog) -> LogState {
        (try? log.apply(edits).state) ?? log.state
    }

    static func part(wraps: Int) -> TreePart {
        TreePart(
            salt: [UInt8](repeating: 1, count: 16),
            check: [UInt8](repeating: 2, count: 32),
            wraps: [UInt8](repeating: 3, count: 48 * wraps)
        )
    }

    /// Encodes a checkpoint from its parts.
    static func checkpoint(_ proofs: [GroupOperation], _ last: GroupOperation, _ state: LogState) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(integer: UInt16(proofs.count))
        for operation in proofs + [last] {
            writer.append(integer: UInt16(operation.bytes.count))
            writer.append(operation.bytes)
        }
        writer.append(state.settings)
        writer.append(integer: UInt16(state.table.count))
        for (slot, entry) in state.table.members { writer.append(entry.encoded(in: slot)) }
        return writer.take()
    }

    /// Makes a welcome with secrets that lead nowhere.
    static func welcome(
        _ checkpoint: [UInt8],
        of log: MembershipLog,
        slot: UInt16,
        root: SecretBytes = .random(count: 32)
    ) throws -> GroupWelcome {
        let read = try GroupCheckpoint(decoding: checkpoint, foundingKey: log.foundingKey)
        let below = (0..<read.depth).map { _ in SecretBytes.random(count: 32) }
        let made = GroupWelcome(
            read,
            slot: slot,
            path: below + [root],
            remainingSeconds: 0,
            bundles: [],
            maximumByteCount: .max
        )
        return try GroupWelcome(decoding: #require(made).encoded())
    }
}

extension GroupCircle {
    /// Hands the group over, and gives the new owner the secrets of all nodes.
    mutating func handOver(from owner: Int, to next: Int) throws -> GroupOperation {
        let (key, change) = sessions[next].offerOwnership()
        stores[next].write(change)
        let update = try perform([.handover(id(next), signingKey: key)], by: owner)
        stores[next].write(try sessions[next].takeTree(#require(update.tree), from: id(owner)))
        return update.operation
    }

    /// Lets the owner name a successor.
    @discardableResult
    mutating func name(_ member: Int, by owner: Int = 0, admins: Set<UInt16> = []) throws -> GroupOperation {
        let (key, change) = sessions[member].offerOwnership()
        stores[member].write(change)
        return try perform([.policy(policy(successor: member, key, admins: admins))], by: owner).operation
    }

    func policy(successor member: Int, _ key: [UInt8], admins: Set<UInt16> = []) throws -> GroupPolicy {
        let successor = GroupPolicy.Successor(slot: try #require(sessions[member].slot), signingKey: key)
        let policy = GroupPolicy(
            history: .none,
            memberLimit: GroupLimits.maximumMembers,
            life: 0,
            isEphemeral: false,
            admins: admins,
            successor: successor
        )
        return try #require(policy)
    }

    /// Lets a member take the group over, and give all others fresh secrets.
    @discardableResult
    mutating func takeOver(by member: Int) throws -> GroupUpdate {
        let (update, change) = try sessions[member].takeOver(at: Self.now)
        stores[member].write(change)
        spread(update, from: member)
        while !sessions[member].slotsToRepair.isEmpty {
            let (repair, change) = try sessions[member].repair(at: Self.now)
            stores[member].write(change)
            spread(repair, from: member)
        }
        return update
    }

    /// The checkpoint of a member's log, as another peer reads it.
    func checkpoint(of member: Int) throws -> GroupCheckpoint {
        let made = try #require(sessions[member].checkpoint)
        return try GroupCheckpoint(decoding: made.encoded(), foundingKey: made.foundingKey)
    }
}
