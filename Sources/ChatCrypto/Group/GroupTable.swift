/// All groups and rooms of one node; a packet is tried with the keys of each of them.
///
/// A pure value, like its sessions. Recognising a packet costs one trial of its sealed header for each epoch of each
/// group. Only the epoch's own key opens a header. Source: PROTOCOL §16.
public struct GroupTable: Sendable {
    /// The sessions, most recently used first.
    ///
    /// Packets are tried in this order.
    private(set) var sessions: [GroupSession] = []
    /// The groups whose records are damaged, in order of their IDs.
    ///
    /// They take part in nothing, and their records stay in storage as they are. After ``remove(_:)`` this node
    /// can join them again.
    public var damaged: [GroupID] { damagedRecords.keys.sorted() }
    /// The names of the records of damaged groups.
    private var damagedRecords: [GroupID: [StoredRecord.ID]] = [:]

    /// Starts without groups.
    public init() {}

    /// The groups, most recently used first.
    public var groupIDs: [GroupID] { sessions.map(\.id) }

    /// The session of a group; nil if there is none.
    public subscript(id: GroupID) -> GroupSession? { sessions.first { $0.id == id } }

    /// Adds a group that this node created or joined.
    ///
    /// - Throws: `full` if there are ``GroupLimits/maximumGroups`` already; `invalidOperation` if the group is there
    ///   already.
    public mutating func insert(_ session: GroupSession) throws(CryptoError) {
        guard self[session.id] == nil, damagedRecords[session.id] == nil else {
            throw CryptoError(.invalidOperation, "The group exists already.")
        }
        guard sessions.count < GroupLimits.maximumGroups else {
            throw CryptoError(.full, "The largest number of groups is reached.")
        }
        sessions.insert(session, at: 0)
    }

    /// Erases a group, also a damaged one, and answers the change that deletes it from storage.
    public mutating func remove(_ id: GroupID) -> SessionChange {
        if let names = damagedRecords.removeValue(forKey: id) {
            var change = SessionChange()
            for name in names { change.delete(name.kind, name.bytes) }
            return change
        }
        guard let index = sessions.firstIndex(where: { $0.id == id }) else { return SessionChange() }
        return sessions.remove(at: index).deletion()
    }

    /// Changes a group in place by `step`; nil if there is no such group.
    public mutating func update<Result, Failure: Error>(
        _ id: GroupID,
        _ step: (inout GroupSession) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let index = sessions.firstIndex(where: { $0.id == id }) else { return nil }
        return try step(&sessions[index])
    }

    /// Opens a packet from any peer and names the epoch in which it was sealed; nil if it is for none of the groups.
    public mutating func open(
        _ packet: InboundPacket,
        devices: GroupSession.DeviceKey = { _, _ in .noList },
        at now: UInt32
    ) -> (group: GroupID, opening: GroupOpening, epoch: UInt32, change: SessionChange)? {
        guard let message = GroupSession.message(in: packet) else { return nil }
        for index in sessions.indices {
            guard let opened = sessions[index].open(message, devices: devices, at: now) else { continue }
            let id = sessions[index].id
            if index > 0, case .message = opened.opening {
                sessions.insert(sessions.remove(at: index), at: 0)
            }
            return (id, opened.opening, opened.epoch, opened.change)
        }
        return nil
    }

    /// Deletes the expired keys of all groups.
    public mutating func expire(at now: UInt32) -> SessionChange {
        var change = SessionChange()
        for index in sessions.indices { change.append(sessions[index].expire(at: now)) }
        return change
    }

    /// Restores the groups from their records, in any order.
    ///
    /// A group whose records are damaged is not restored; ``damaged`` names it.
    ///
    /// - Throws: `malformed` if the name of a record is damaged.
    /// - Parameter records: stored records. Those of sessions are skipped.
    public static func restore(_ records: [StoredRecord]) throws(CryptoError) -> GroupTable {
        var groups: [GroupID: [GroupRecord: SecretBytes]] = [:]
        for record in records where record.id.kind.isOfGroup {
            guard let (group, name) = GroupRecord.read(record.id) else {
                throw CryptoError(.malformed, "The name of a group's record is malformed.")
            }
            groups[group, default: [:]][name] = record.value
        }
        var table = GroupTable()
        for (group, records) in groups.sorted(by: { $1.key < $0.key }) {
            guard let session = try? GroupSession(restoring: records), session.id == group,
                (try? table.insert(session)) != nil
            else {
                table.damagedRecords[group] = records.keys.map { $0.id(in: group) }.sorted()
                continue
            }
        }
        return table
    }
}

extension StoredRecord.Kind {
    /// Whether it is part of a group.
    fileprivate var isOfGroup: Bool {
        switch self {
        case .group, .groupMembers, .groupOperation, .groupSecrets, .groupEpoch, .groupChains: true
        case .session, .prekeyMessage, .prekey, .roomHost, .exchange: false
        }
    }
}
