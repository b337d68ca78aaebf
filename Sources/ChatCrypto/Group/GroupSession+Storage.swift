import Bytes

extension GroupSession {
    private static let version: UInt8 = 1

    /// Encodes the group without its members, operations, node secrets and chains, for sealed storage.
    ///
    /// Shape: version 1 (1) ‖ own keys (64) ‖ device (1) ‖ wrapping key (32) ‖ owner key flag (1), seed (32) if 1 ‖ offered
    /// key in the same form ‖ member flag (1); if 1 slot (2), secret count (1) and secrets (32 each) ‖ first epoch in
    /// which it seals (4) ‖ tree flag (1); if 1 epoch of the last received secrets (4) ‖ leaver count (2), IDs ‖ epoch count (1) ‖ per epoch number (4),
    /// header key (32), notice key (32), associated data (32), writers flag (1), count (1) and slots (2 each) if 1,
    /// depth (1), begun (4), ended flag (1) and time (4) if 1 ‖ head of the log.
    func encoded() -> SecretBytes {
        var writer = SecretWriter()
        writer.append([Self.version] + own.encoded + [device])
        writer.append(wrap.key)
        for key in [ownerKey, offeredKey] {
            writer.append(flag: key != nil)
            if let key { writer.append(key.signing.seed) }
        }
        writer.append(flag: path != nil)
        if let path {
            writer.append(path.slot.bigEndianBytes + [UInt8(path.secrets.count)])
            for secret in path.secrets { writer.append(secret) }
        }
        writer.append(integer: sealsFrom)
        writer.append(flag: tree != nil)
        writer.append(UInt16(leavers.count).bigEndianBytes + leavers.flatMap(\.bytes))
        writer.append(integer: UInt8(epochs.count))
        for epoch in epochs {
            writer.append(integer: epoch.number)
            writer.append(epoch.headerKey)
            writer.append(epoch.noticeKey)
            writer.append(epoch.associatedData)
            writer.append(epoch.writers.map { [1, UInt8($0.count)] + $0.sorted().flatMap(\.bigEndianBytes) } ?? [0])
            writer.append(integer: UInt8(epoch.tree.depth))
            writer.append(integer: epoch.begunAt)
            writer.append(flag: epoch.endedAt != nil)
            if let endedAt = epoch.endedAt { writer.append(integer: endedAt) }
        }
        writer.append(log.encodedHead)
        return writer.finish()
    }

    /// Restores a group from its records.
    ///
    /// - Throws: `malformed` if one is damaged or missing, or if they contradict each other.
    init(restoring records: [GroupRecord: SecretBytes]) throws(CryptoError) {
        guard let record = records[.group] else { throw Self.malformed }
        var reader = SecretReader(record)
        guard let session = Self.read(&reader, records), reader.isAtEnd, session.isConsistent else {
            throw Self.malformed
        }
        self = session
    }

    private static let malformed = CryptoError(.malformed, "The records of a group contradict each other.")

    /// Whether the parts of a restored group fit each other.
    private var isConsistent: Bool {
        let keyFits = ownerKey.map { $0.publicKey == log.signingKey } ?? true
        guard keyFits, leavers.allSatisfy({ log.member($0) != nil }) else { return false }
        guard let path else { return epochs.isEmpty && tree == nil }
        return epochs.last?.number == log.epoch && path.secrets.count == log.table.depth + 1
            && log.table[path.slot]?.member.identity == own
    }

    private static func read(_ reader: inout SecretReader, _ records: [GroupRecord: SecretBytes]) -> GroupSession? {
        guard reader.integer(UInt8.self) == version,
            let own = reader.bytes(PublicIdentity.byteCount).flatMap({ PublicIdentity(decoding: $0) }),
            let device = reader.integer(UInt8.self), device < GroupLimits.maximumDevices,
            let wrappingKey = reader.secret(32), let ownerKey = key(&reader), let offeredKey = key(&reader),
            let path = path(&reader), let sealsFrom = reader.integer(UInt32.self), let hasTree = reader.flag()
        else { return nil }
        guard let leavers = peers(&reader), let kept = epochs(&reader) else { return nil }
        var entries: [(slot: UInt16, entry: MemberTable.Entry)] = []
        var operations: [SecretBytes] = []
        for (name, record) in records {
            switch name {
            case .members(let page):
                guard let more = members(page: page, record) else { return nil }
                entries += more
            case .operation: operations.append(record)
            case .group, .secrets, .epoch, .chains, .keys: continue
            }
        }
        guard let log = MembershipLog(reading: &reader, entries: entries, operations: operations),
            let epochs = restored(kept, records)
        else { return nil }
        var session = GroupSession(own: own, device: device, log: log, wrap: KeyWrap(key: wrappingKey))
        if hasTree {
            guard let tree = tree(of: log, records) else { return nil }
            session.tree = tree
        }
        session.sealsFrom = sealsFrom
        (session.ownerKey, session.offeredKey) = (ownerKey.value, offeredKey.value)
        (session.path, session.epochs, session.leavers) = (path.value, epochs, leavers)
        return session
    }

    /// An optional part that was read.
    private struct Read<Value> {
        let value: Value?
    }

    private static func key(_ reader: inout SecretReader) -> Read<GroupOwnerKey>? {
        guard let isThere = reader.flag() else { return nil }
        guard isThere else { return Read(value: nil) }
        return reader.secret(32).map { Read(value: GroupOwnerKey(seed: $0)) }
    }

    private static func path(_ reader: inout SecretReader) -> Read<MemberPath>? {
        guard let isMember = reader.flag() else { return nil }
        guard isMember else { return Read(value: nil) }
        guard let slot = reader.integer(UInt16.self), slot < GroupLimits.maximumMembers,
            let count = reader.integer(UInt8.self), (1...GroupLimits.maximumDepth + 1).contains(Int(count))
        else { return nil }
        var secrets: [SecretBytes] = []
        for _ in 0..<count {
            guard let secret = reader.secret(NodeSecret.byteCount) else { return nil }
            secrets.append(secret)
        }
        return Read(value: MemberPath(slot: slot, stepped: secrets))
    }

    private static func peers(_ reader: inout SecretReader) -> [PeerID]? {
        guard let count = reader.integer(UInt16.self), count <= GroupLimits.maximumLeavers else { return nil }
        var peers: [PeerID] = []
        for _ in 0..<count {
            guard let peer = reader.bytes(32).flatMap({ PeerID(bytes: $0) }), peers.last.map({ $0 < peer }) ?? true
            else { return nil }
            peers.append(peer)
        }
        return peers
    }

    private static func writers(_ reader: inout SecretReader) -> Read<Set<UInt16>>? {
        guard let isBounded = reader.flag() else { return nil }
        guard isBounded else { return Read(value: nil) }
        guard let count = reader.integer(UInt8.self), count <= GroupLimits.maximumAdmins + 1 else { return nil }
        var slots: [UInt16] = []
        for _ in 0..<count {
            guard let slot = reader.integer(UInt16.self), slots.last.map({ $0 < slot }) ?? true else { return nil }
            slots.append(slot)
        }
        return Read(value: Set(slots))
    }

    /// Reads epochs in rising order, of which all but the last are over.
    private static func epochs(_ reader: inout SecretReader) -> [GroupEpoch.Keys]? {
        guard let count = reader.integer(UInt8.self), count <= GroupLimits.maximumPastEpochs + 1 else { return nil }
        var epochs: [GroupEpoch.Keys] = []
        for index in 0..<count {
            guard let number = reader.integer(UInt32.self), epochs.last.map({ $0.number < number }) ?? true,
                let headerKey = reader.secret(32), let noticeKey = reader.secret(32),
                let associatedData = reader.bytes(32), let writers = writers(&reader),
                let depth = reader.integer(UInt8.self), depth <= GroupLimits.maximumDepth,
                let begunAt = reader.integer(UInt32.self), let isOver = reader.flag(), isOver == (index + 1 < count)
            else { return nil }
            let endedAt = isOver ? reader.integer(UInt32.self) : nil
            guard isOver == (endedAt != nil) else { return nil }
            epochs.append(
                GroupEpoch.Keys(
                    number: number,
                    headerKey: headerKey,
                    noticeKey: noticeKey,
                    associatedData: associatedData,
                    writers: writers.value,
                    begunAt: begunAt,
                    endedAt: endedAt,
                    depth: Int(depth)
                )
            )
        }
        return epochs
    }

    /// Adds the chains to the keys of epochs.
    private static func restored(_ kept: [GroupEpoch.Keys], _ records: [GroupRecord: SecretBytes]) -> [GroupEpoch]? {
        var nodes: [UInt32: [TreeNode: [UInt8]]] = [:]
        var senders: [UInt32: [UInt16: SlotChains]] = [:]
        guard var keys = keys(records) else { return nil }
        for (name, record) in records {
            switch name {
            case .epoch(let epoch, let page):
                guard let more = ChainTree.read(page: page, record) else { return nil }
                nodes[epoch, default: [:]].merge(more) { $1 }
            case .chains(let epoch, let slot):
                let entries = keys.removeValue(forKey: .chains(epoch, slot)) ?? [:]
                guard let chains = SlotChains(decoding: record, epoch: epoch, slot: slot, entries: entries) else {
                    return nil
                }
                senders[epoch, default: [:]][slot] = chains
            case .group, .members, .operation, .secrets, .keys: continue
            }
        }
        guard keys.isEmpty, Set(nodes.keys).union(senders.keys).isSubset(of: kept.map(\.number)) else { return nil }
        var epochs: [GroupEpoch] = []
        for keys in kept {
            guard let tree = ChainTree(depth: keys.depth, nodes: nodes[keys.number] ?? [:]) else { return nil }
            epochs.append(GroupEpoch(keys, tree: tree, senders: senders[keys.number] ?? [:]))
        }
        return epochs
    }

    /// Reads the keys of chains, by the record of the chains and the page.
    private static func keys(
        _ records: [GroupRecord: SecretBytes]
    ) -> [GroupRecord: [SlotChains.Page: [MessageChain.Entry]]]? {
        var keys: [GroupRecord: [SlotChains.Page: [MessageChain.Entry]]] = [:]
        for (name, record) in records {
            guard case .keys(let epoch, let slot, let page) = name else { continue }
            guard let entries = SlotChains.entries(page: page.number, record) else { return nil }
            keys[.chains(epoch, slot), default: [:]][page] = entries
        }
        return keys
    }

    /// Reads the secrets of all nodes.
    private static func tree(of log: MembershipLog, _ records: [GroupRecord: SecretBytes]) -> OwnerTree? {
        var nodes: [(node: TreeNode, stored: OwnerTree.Stored)] = []
        for (name, record) in records {
            guard case .secrets(let page) = name else { continue }
            guard let more = OwnerTree.read(page: page, record, depth: log.table.depth) else { return nil }
            nodes += more
        }
        return OwnerTree(epoch: log.epoch, nodes: nodes, table: log.table)
    }
}
