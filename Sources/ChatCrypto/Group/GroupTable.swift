/// All groups and rooms of one node; a packet is tried with the keys of each of them.
///
/// A pure value, like its sessions. Recognising a packet costs one trial of its sealed header for each epoch of each
/// group. Only the epoch's own key opens a header. Source: PROTOCOL §16.
public struct GroupTable: Sendable {
    /// The sessions, most recently used first.
    ///
    /// Packets are tried in this order.
    private var sessions: [GroupSession] = []

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
        guard self[session.id] == nil else {
            throw CryptoError(.invalidOperation, "The group exists already.")
        }
        guard sessions.count < GroupLimits.maximumGroups else {
            throw CryptoError(.full, "The largest number of groups is reached.")
        }
        sessions.insert(session, at: 0)
    }

    /// Erases a group and answers the change that deletes it from storage.
    public mutating func remove(_ id: GroupID) -> SessionChange {
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
        at now: UInt32
    ) -> (group: GroupID, opening: GroupOpening, epoch: UInt32, change: SessionChange)? {
        guard let message = GroupSession.message(in: packet) else { return nil }
        for index in sessions.indices {
            guard let opened = sessions[index].open(message, at: now) else { continue }
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
    /// - Throws: `malformed` if a record is damaged, or belongs to no group.
    /// - Parameter records: stored records. Those of sessions are skipped.
    public static func restore(_ records: [StoredRecord]) throws(CryptoError) -> GroupTable {
        var table = GroupTable()
        for record in records where record.id.kind == .group {
            let session = try GroupSession(decoding: record.value)
            guard session.id.bytes == record.id.bytes else { throw malformed }
            try table.insert(session)
        }
        for record in records where record.id.kind == .receivedKey {
            let name = record.id.bytes
            guard let group = GroupID(bytes: name.prefix(GroupID.byteCount)),
                let index = table.sessions.firstIndex(where: { $0.id == group }), table.sessions[index].isMember,
                let id = SenderKeyID(bytes: Array(name.dropFirst(GroupID.byteCount)))
            else { throw malformed }
            let key = try ReceivedSenderKey(decoding: record.value, id: id, group: group)
            table.sessions[index].received[id] = key
        }
        table.sessions.sort { $0.id < $1.id }
        return table
    }

    private static let malformed = CryptoError(.malformed, "The records of groups contradict each other.")
}
