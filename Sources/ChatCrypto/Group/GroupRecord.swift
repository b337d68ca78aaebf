import Bytes

/// The name of a record of a group.
enum GroupRecord: Hashable, Sendable {
    /// The secrets, the settings and the keys of the epochs.
    case group
    /// A page of the members.
    case members(UInt8)
    /// An operation that is kept.
    case operation(UInt32)
    /// A page of the node secrets.
    case secrets(UInt8)
    /// A page of the chain tree of an epoch.
    case epoch(UInt32, UInt8)
    /// The chains of a slot in an epoch.
    case chains(UInt32, UInt16)
    /// The keys of 64 iterations of a chain: epoch, slot, page.
    case keys(UInt32, UInt16, SlotChains.Page)

    /// The name in storage.
    func id(in group: GroupID) -> StoredRecord.ID {
        let (kind, suffix): (StoredRecord.Kind, [UInt8]) =
            switch self {
            case .group: (.group, [])
            case .members(let page): (.groupMembers, [page])
            case .operation(let epoch): (.groupOperation, epoch.bigEndianBytes)
            case .secrets(let page): (.groupSecrets, [page])
            case .epoch(let epoch, let page): (.groupEpoch, epoch.bigEndianBytes + [page])
            case .chains(let epoch, let slot): (.groupChains, epoch.bigEndianBytes + slot.bigEndianBytes)
            case .keys(let epoch, let slot, let page): (.groupChains, Self.name(epoch, slot, page))
            }
        return StoredRecord.ID(kind: kind, bytes: group.bytes + suffix)
    }

    /// Shape: epoch (4) ‖ slot (2) ‖ device (1) ‖ run (4) ‖ page (2).
    private static func name(_ epoch: UInt32, _ slot: UInt16, _ page: SlotChains.Page) -> [UInt8] {
        epoch.bigEndianBytes + slot.bigEndianBytes + [page.device] + page.run.bigEndianBytes
            + page.number.bigEndianBytes
    }

    /// Reads a name; nil for records of other kinds and for malformed names.
    static func read(_ id: StoredRecord.ID) -> (group: GroupID, record: GroupRecord)? {
        var reader = ByteReader(id.bytes)
        guard let group = reader.bytes(GroupID.byteCount).flatMap({ GroupID(bytes: $0) }),
            let record = read(id.kind, &reader), reader.isAtEnd
        else { return nil }
        return (group, record)
    }

    private static func read(_ kind: StoredRecord.Kind, _ reader: inout ByteReader) -> GroupRecord? {
        switch kind {
        case .group: return .group
        case .groupMembers: return reader.byte().map { .members($0) }
        case .groupOperation: return reader.integer(UInt32.self).map { .operation($0) }
        case .groupSecrets: return reader.byte().map { .secrets($0) }
        case .groupEpoch:
            guard let epoch = reader.integer(UInt32.self), let page = reader.byte() else { return nil }
            return .epoch(epoch, page)
        case .groupChains:
            guard let epoch = reader.integer(UInt32.self), let slot = reader.integer(UInt16.self) else { return nil }
            guard !reader.isAtEnd else { return .chains(epoch, slot) }
            guard let device = reader.byte(), let run = reader.integer(UInt32.self),
                let page = reader.integer(UInt16.self)
            else { return nil }
            return .keys(epoch, slot, SlotChains.Page(device: device, run: run, number: page))
        case .session, .prekeyMessage, .prekey, .roomHost, .exchange: return nil
        }
    }
}

extension GroupSession {
    /// Makes the change that writes the records that changed, and deletes those that are empty.
    mutating func takeChange() -> SessionChange {
        var change = SessionChange()
        for (id, record) in changed.map({ ($0.id(in: id), $0) }).sorted(by: { $0.0 < $1.0 }) {
            if let value = value(of: record) {
                change.save(id.kind, id.bytes, value)
            } else {
                change.delete(id.kind, id.bytes)
            }
        }
        changed = []
        return change
    }

    /// Makes the change that deletes the group from storage.
    public func deletion() -> SessionChange {
        var copy = self
        copy.markAll()
        var change = SessionChange()
        for id in copy.changed.map({ $0.id(in: self.id) }).sorted() { change.delete(id.kind, id.bytes) }
        return change
    }

    /// Marks all records of the group as changed.
    mutating func markAll() {
        changed.insert(.group)
        changed.formUnion(RecordPage.all(depth: log.table.depth).map { .members($0) })
        let operations = log.operations + log.transfers + [log.grant].compactMap { $0 }
        changed.formUnion(operations.map { .operation($0.epoch) })
        if let tree { changed.formUnion(RecordPage.all(depth: tree.depth).map { .secrets($0) }) }
        for epoch in epochs { markAll(of: epoch) }
    }

    mutating func markAll(of epoch: GroupEpoch) {
        changed.formUnion(epoch.tree.pages.map { .epoch(epoch.number, $0) })
        for slot in epoch.senders.keys { markAll(of: slot, in: epoch) }
    }

    /// Marks the records of a member's chains in an epoch.
    mutating func markAll(of slot: UInt16, in epoch: GroupEpoch) {
        guard let chains = epoch.senders[slot] else { return }
        changed.insert(.chains(epoch.number, slot))
        changed.formUnion(chains.pages.map { .keys(epoch.number, slot, $0) })
    }

    /// Changes the chains of a member in an epoch and marks the records that change.
    mutating func changeChains(of slot: UInt16, _ index: Int, _ body: (inout SlotChains) -> Void) {
        let number = epochs[index].number
        changed.formUnion(epochs[index].changeChains(of: slot, body).map { .keys(number, slot, $0) })
    }

    /// Encodes a record; nil for an empty one.
    func value(of record: GroupRecord) -> SecretBytes? {
        switch record {
        case .group: encoded()
        case .members(let page): encodedMembers(page)
        case .operation(let epoch): log.encoded(operationOf: epoch)
        case .secrets(let page): tree?.encoded(page: page)
        case .epoch(let number, let page): epochs.first { $0.number == number }?.tree.encoded(page: page)
        case .chains(let number, let slot): epochs.first { $0.number == number }?.senders[slot]?.encoded()
        case .keys(let number, let slot, let page):
            epochs.first { $0.number == number }?.senders[slot]?.encoded(page)
        }
    }

    private static let version: UInt8 = 1

    private func encodedMembers(_ page: UInt8) -> SecretBytes? {
        let slots = log.table.slots(in: RecordPage.slots(page, depth: log.table.depth))
        guard page != RecordPage.top, !slots.isEmpty else { return nil }
        let entries = slots.flatMap { slot in log.table[slot]?.encoded(in: slot) ?? [] }
        return SecretBytes(copying: [Self.version] + entries)
    }

    /// Reads a page of members; nil for other bytes.
    static func members(page: UInt8, _ record: SecretBytes) -> [(slot: UInt16, entry: MemberTable.Entry)]? {
        var reader = ByteReader(record.withBytes { Array($0) })
        guard reader.byte() == version else { return nil }
        var entries: [(slot: UInt16, entry: MemberTable.Entry)] = []
        while !reader.isAtEnd {
            guard let entry = MemberTable.Entry.read(&reader), entry.slot < GroupLimits.maximumMembers,
                RecordPage.of(TreeNode(slot: entry.slot)) == page, entries.count < RecordPage.slotCount
            else { return nil }
            entries.append(entry)
        }
        return entries
    }
}
