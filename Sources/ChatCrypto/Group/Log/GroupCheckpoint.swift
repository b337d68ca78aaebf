import Bytes

/// The state of a group at its last operation, with the proof that its owner signed it.
///
/// Invariant: the group's ID follows from the founding key, each transfer is signed by the key before it, the last
/// operation by the key in force, and it names the state. Shape: count (2) of the transfers and of the operations that
/// named successors ‖ per operation length (2) and bytes ‖ length (2) and bytes of the last operation ‖ owner's slot (2)
/// ‖ title length (1) ‖ title ‖ policy ‖ member count (2) ‖ members. Source: PROTOCOL §16.
public struct GroupCheckpoint: Sendable {
    /// The key whose hash is the group's ID.
    ///
    /// Shape: 32 bytes.
    public let foundingKey: [UInt8]
    /// The handovers and takeovers before the last operation, and the operations that named the successors of takeovers
    /// and the present one.
    let proofs: [GroupOperation]
    let last: GroupOperation
    let state: LogState
    /// The keys that sign, from each proof on.
    let signers: [MembershipLog.Signers]

    /// The group's name.
    public var groupID: GroupID { last.groupID }

    /// The epoch of the last operation.
    public var epoch: UInt32 { last.epoch }

    var depth: Int { last.depth }

    /// The largest number of proofs: each transfer can have an operation that named its successor, and so can the next.
    private static let maximumProofs = 2 * GroupLimits.maximumTransfers + 1

    /// Reads a checkpoint of any peer and verifies it.
    ///
    /// - Throws: `malformed`.
    public init(decoding bytes: [UInt8], foundingKey: [UInt8]) throws(CryptoError) {
        var reader = ByteReader(bytes)
        guard bytes.count <= GroupLimits.maximumCheckpointByteCount, foundingKey.count == 32,
            let proofs = Self.proofs(&reader), let last = Self.operation(&reader),
            let state = Self.state(&reader, depth: last.depth), reader.isAtEnd, state.root == last.stateRoot,
            let proof = LogProof(proofs, last, state.policy.successor, foundingKey: foundingKey)
        else { throw CryptoError(.malformed, "The bytes are not the state of a group.") }
        self.foundingKey = foundingKey
        self.proofs = proofs
        self.last = last
        self.state = state
        signers = proof.signers
    }

    /// Makes the checkpoint of a log; nil for a log without operations.
    init?(of log: MembershipLog) {
        guard let last = log.operations.last else { return nil }
        foundingKey = log.foundingKey
        proofs = (log.transfers + [log.grant].compactMap { $0 }).filter { $0.epoch < last.epoch }
            .sorted { $0.epoch < $1.epoch }
        self.last = last
        state = log.state
        signers = log.signers
    }

    /// Encodes the checkpoint.
    public func encoded() -> [UInt8] {
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

    /// Makes the log of a new member.
    ///
    /// - Parameter now: seconds since 1970 by the local clock.
    public func log(at now: UInt32) -> MembershipLog {
        let blocks = max(1, (1 << depth) >> GroupLimits.maximumBlockHeight)
        let known = proofs + [last]
        let grant = state.policy.successor == nil ? nil : known.last { $0.isGrant }
        return MembershipLog(
            foundingKey: foundingKey,
            state: state,
            kept: [MembershipLog.Kept(operation: last, appliedAt: now)],
            transfers: known.filter { $0.isTransfer || $0.isGrant && $0 != grant },
            grant: grant,
            signers: signers,
            renewals: Array(repeating: 0, count: blocks),
            // A new member does not know who had which role before.
            holders: TreeHolders(former: nil, lostAt: epoch)
        )
    }

    // MARK: - Reading

    private static func operation(_ reader: inout ByteReader) -> GroupOperation? {
        guard let count = reader.integer(UInt16.self), let bytes = reader.bytes(Int(count)) else { return nil }
        return try? GroupOperation(decoding: bytes)
    }

    private static func proofs(_ reader: inout ByteReader) -> [GroupOperation]? {
        guard let count = reader.integer(UInt16.self), count <= maximumProofs else { return nil }
        var operations: [GroupOperation] = []
        for _ in 0..<count {
            guard let operation = operation(&reader) else { return nil }
            operations.append(operation)
        }
        return operations
    }

    /// Reads settings and members.
    static func state(_ reader: inout ByteReader, depth: Int) -> LogState? {
        guard let settings = settings(&reader), let count = reader.integer(UInt16.self),
            count <= GroupLimits.maximumMembers
        else { return nil }
        var entries: [(slot: UInt16, entry: MemberTable.Entry)] = []
        entries.reserveCapacity(Int(count))
        for _ in 0..<count {
            guard let entry = MemberTable.Entry.read(&reader) else { return nil }
            entries.append(entry)
        }
        guard let table = MemberTable(depth: depth, entries: entries) else { return nil }
        return LogState(table: table, owner: settings.owner, title: settings.title, policy: settings.policy)
    }

    /// Reads the settings of a group.
    static func settings(_ reader: inout ByteReader) -> (owner: UInt16, title: GroupTitle?, policy: GroupPolicy)? {
        guard let owner = reader.integer(UInt16.self), let text = reader.shortField() else { return nil }
        let title = text.isEmpty ? nil : GroupTitle(decoding: text)
        guard text.isEmpty || title != nil, let policy = GroupPolicy(decoding: &reader) else { return nil }
        return (owner, title, policy)
    }
}
