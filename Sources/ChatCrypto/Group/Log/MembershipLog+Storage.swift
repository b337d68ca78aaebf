import Bytes

extension MembershipLog {
    private static let version: UInt8 = 1

    /// The roles of a stored operation.
    private enum Role {
        static let kept: UInt8 = 1
        static let transfer: UInt8 = 2
        static let grant: UInt8 = 4
    }

    /// Encodes an operation for storage; nil for one that the log has dropped.
    ///
    /// Shape: version 1 (1) ‖ roles, 1 kept, 2 transfer, 4 grant (1) ‖ time of application (4) ‖ operation.
    func encoded(operationOf epoch: UInt32) -> SecretBytes? {
        let kept = keptOperation(epoch)
        let transfer = transfers.first { $0.epoch == epoch }
        let grant = grant?.epoch == epoch ? grant : nil
        guard let operation = kept?.operation ?? transfer ?? grant else { return nil }
        let roles =
            (kept == nil ? 0 : Role.kept) | (transfer == nil ? 0 : Role.transfer) | (grant == nil ? 0 : Role.grant)
        return SecretBytes(copying: [Self.version, roles] + (kept?.appliedAt ?? 0).bigEndianBytes + operation.bytes)
    }

    /// Encodes the log without members and operations.
    ///
    /// Shape: founding key (32) ‖ depth (1) ‖ owner's slot (2) ‖ title length (1) ‖ title ‖ policy ‖ signer count (2) ‖
    /// per signer since (4), owner's key (32), successor flag (1), key (32) if 1 ‖ emptied slot count (2) ‖ per slot slot
    /// (2), time (4) ‖ block count (1) ‖ per block epoch (4) ‖ holders of all secrets ‖ length of the other operation of a
    /// fork (2), 0 if there is none, and its bytes.
    var encodedHead: [UInt8] {
        var writer = ByteWriter(foundingKey + [UInt8(table.depth)] + state.settings)
        writer.append(integer: UInt16(signers.count))
        for signer in signers {
            writer.append(signer.since.bigEndianBytes + signer.owner)
            writer.append(signer.successor.map { [1] + $0 } ?? [0])
        }
        writer.append(integer: UInt16(emptied.count))
        for (slot, time) in emptied.sorted(by: { $0.key < $1.key }) {
            writer.append(slot.bigEndianBytes + time.bigEndianBytes)
        }
        writer.append([UInt8(renewals.count)] + renewals.flatMap(\.bigEndianBytes))
        writer.append(holders.encoded)
        let other = fork?.other.bytes ?? []
        writer.append(UInt16(other.count).bigEndianBytes + other)
        return writer.take()
    }

    /// Reads a log from its head, its members and its operations; nil if they contradict each other.
    init?(
        reading reader: inout SecretReader,
        entries: [(slot: UInt16, entry: MemberTable.Entry)],
        operations: [SecretBytes]
    ) {
        guard let foundingKey = reader.bytes(32), let depth = reader.integer(UInt8.self),
            let settings = Self.settings(&reader),
            let table = MemberTable(depth: Int(depth), entries: entries),
            let state = LogState(table: table, owner: settings.owner, title: settings.title, policy: settings.policy),
            let signers = Self.signers(&reader), let emptied = Self.emptied(&reader, depth: Int(depth)),
            let renewals = Self.renewals(&reader, depth: Int(depth)), let holders = TreeHolders(reading: &reader),
            let stored = Self.operations(operations),
            let last = stored.kept.last?.operation, last.stateRoot == state.root,
            let count = reader.integer(UInt16.self), let other = reader.bytes(Int(count))
        else { return nil }
        self.init(
            foundingKey: foundingKey,
            state: state,
            kept: stored.kept,
            transfers: stored.transfers,
            grant: stored.grant,
            signers: signers,
            emptied: emptied,
            renewals: renewals,
            holders: holders
        )
        guard stored.kept.allSatisfy({ $0.operation.groupID == groupID }) else { return nil }
        guard !other.isEmpty else { return }
        guard let operation = try? GroupOperation(decoding: other),
            case .outcome(.forked(let proof)) = prepare(operation)
        else { return nil }
        freeze(proof)
    }

    private static func settings(
        _ reader: inout SecretReader
    ) -> (owner: UInt16, title: GroupTitle?, policy: GroupPolicy)? {
        // The length of the settings follows from their fields, so the reader of public bytes takes the rest.
        guard let rest = reader.bytes(reader.remainingCount) else { return nil }
        var fields = ByteReader(rest)
        guard let settings = GroupCheckpoint.settings(&fields) else { return nil }
        reader.rewind(fields.remainingCount)
        return settings
    }

    private static func signers(_ reader: inout SecretReader) -> [Signers]? {
        guard let count = reader.integer(UInt16.self), count > 0 else { return nil }
        var signers: [Signers] = []
        for _ in 0..<count {
            guard let since = reader.integer(UInt32.self), signers.last.map({ $0.since <= since }) ?? true,
                let owner = reader.bytes(32), let hasSuccessor = reader.flag()
            else { return nil }
            let successor = hasSuccessor ? reader.bytes(32) : nil
            guard hasSuccessor == (successor != nil) else { return nil }
            signers.append(Signers(since: since, owner: owner, successor: successor))
        }
        return signers
    }

    private static func emptied(_ reader: inout SecretReader, depth: Int) -> [UInt16: UInt32]? {
        guard let count = reader.integer(UInt16.self) else { return nil }
        var times: [UInt16: UInt32] = [:]
        for _ in 0..<count {
            guard let slot = reader.integer(UInt16.self), Int(slot) < 1 << depth,
                let time = reader.integer(UInt32.self),
                times.updateValue(time, forKey: slot) == nil
            else { return nil }
        }
        return times
    }

    private static func renewals(_ reader: inout SecretReader, depth: Int) -> [UInt32]? {
        guard let count = reader.integer(UInt8.self),
            Int(count) == max(1, (1 << depth) >> GroupLimits.maximumBlockHeight)
        else { return nil }
        var epochs: [UInt32] = []
        for _ in 0..<count {
            guard let epoch = reader.integer(UInt32.self) else { return nil }
            epochs.append(epoch)
        }
        return epochs
    }

    /// Reads stored operations; those that are kept follow each other.
    private static func operations(
        _ records: [SecretBytes]
    ) -> (kept: [Kept], transfers: [GroupOperation], grant: GroupOperation?)? {
        var stored: [(roles: UInt8, kept: Kept)] = []
        for record in records {
            var reader = SecretReader(record)
            guard reader.integer(UInt8.self) == version, let roles = reader.integer(UInt8.self),
                let time = reader.integer(UInt32.self), let bytes = reader.bytes(reader.remainingCount),
                let operation = try? GroupOperation(decoding: bytes)
            else { return nil }
            stored.append((roles, Kept(operation: operation, appliedAt: time)))
        }
        stored.sort { $0.kept.operation.epoch < $1.kept.operation.epoch }
        let kept = stored.filter { $0.roles & Role.kept != 0 }.map(\.kept)
        let follow = zip(kept, kept.dropFirst()).allSatisfy { $0.operation.hash == $1.operation.previousHash }
        guard follow, kept.count <= GroupLimits.maximumKeptOperations else { return nil }
        let transfers = stored.filter { $0.roles & Role.transfer != 0 }.map(\.kept.operation)
        guard transfers.count(where: \.isTransfer) <= GroupLimits.maximumTransfers else { return nil }
        return (kept, transfers, stored.last { $0.roles & Role.grant != 0 }?.kept.operation)
    }

    private func keptOperation(_ epoch: UInt32) -> Kept? {
        guard let first = kept.first?.operation.epoch, epoch >= first, epoch <= self.epoch else { return nil }
        return kept[Int(epoch - first)]
    }
}
