package import ChatCrypto

/// The objects that peers may fetch from this node, new members those from before they joined too.
///
/// Source: PROTOCOL §5.4, §16.6.
extension ChatEngine {
    /// The objects with this root that are here and that a peer may ask for: they went to that peer, or stand in a group
    /// that both are in.
    ///
    /// Of those of a group ``mayGive(_:to:)`` decides.
    package func heldObjects(_ root: [UInt8], for peer: PeerID) -> [BlobTable.Entry] {
        attachments.objects.held(root).filter { entry in
            guard let group = entry.group else {
                return entry.peer == peer || trust.isSuccessor(peer, of: entry.peer)
            }
            return groups.membership(group)?.log.member(peer) != nil
        }
    }

    /// Whether a member of a group may have an object of it that is here: of a message that it could open itself, or that
    /// it may be told of as a newcomer, by this node's own account of what was said.
    package func mayGive(_ entry: BlobTable.Entry, to peer: PeerID) throws -> Bool {
        guard let group = entry.group else { return entry.peer == peer || trust.isSuccessor(peer, of: entry.peer) }
        guard let log = groups.membership(group)?.log, let entrance = log.entrance(of: peer),
            let (place, plaintext) = try step.record(.messages, entry.id.message.bytes),
            case let record = try ChatStep.decode(plaintext, as: ProtoMessageRecord.self), record.gone == 0
        else { return false }
        let isKnown = !record.isVouched && log.wasIn(peer, in: record.epoch)
        if isKnown || PeerID(bytes: record.sender) == peer { return true }
        guard entrance.history > .none, trust.maySend(to: peer) else { return false }
        let newcomer = HistoryAnswers.Newcomer(group: group, member: peer)
        guard let limit = entrance.history.limit else { return mayBeTold(record, to: newcomer) }
        guard tellable(record, for: newcomer, cameIn: entrance.epoch) else { return false }
        return try isAmongLast(limit, place, for: newcomer, cameIn: entrance.epoch)
    }

    /// Whether a message stands among the last that a newcomer may be told, those counted in that it was told already.
    private func isAmongLast(
        _ limit: Int,
        _ place: UInt64,
        for newcomer: HistoryAnswers.Newcomer,
        cameIn entrance: UInt32
    ) throws -> Bool {
        let answer = groups.history.answers[newcomer].flatMap { $0.entrance == entrance ? $0 : nil }
        if let answer, place >= answer.floor { return true }
        var count = Int(answer?.count ?? 0)
        var before = answer?.floor
        let row = conversationID(of: newcomer.group)
        for _ in 0..<NewcomerLimits.giveScanCount {
            let page = try step.placedPage(of: row, before: before, limit: NewcomerLimits.scanCount)
            for (next, record) in page where tellable(record, for: newcomer, cameIn: entrance) {
                guard count < limit else { return false }
                count += 1
                if next == place { return true }
            }
            guard page.count == NewcomerLimits.scanCount, let last = page.last else { return false }
            before = last.place
        }
        return false
    }
}
