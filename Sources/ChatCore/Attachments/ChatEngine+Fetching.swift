package import ChatCrypto
import MeshCore
import SwiftProtobuf

/// Files that are fetched because the user asks for them, or once there is room: along paths, however small they are.
///
/// Nobody waits for a receipt of them. Source: PROTOCOL §5.4.
extension ChatEngine {
    // MARK: - Asking

    /// Has a file of a message fetched that is neither here nor on its way.
    package mutating func fetchFile(
        _ index: Int,
        of message: MessageID
    ) throws {
        guard let record = try step.message(.messages, message.bytes, as: ProtoMessageRecord.self),
            case .text(let text) = MessageContent.decode([UInt8](record.content))?.body,
            text.files.indices.contains(index), let sender = PeerID(bytes: record.sender),
            let conversation = record.conversationID
        else { throw ChatError(.notFound, "There is no message with this id, or it has no such file.") }
        let (id, file) = (BlobID(message: message, index: index), text.files[index])
        if let known = blobs[id], !known.isParked { return }
        guard !record.outgoing else {
            throw ChatError(.notHere, "'\(file.name)' was sent from here and is not here any more.")
        }
        try checkFetching(from: sender, in: conversation)
        var entry = BlobTable.Entry(
            id: id,
            peer: sender,
            isOutgoing: false,
            file: blobs[id]?.file ?? randomBytes(16).hex,
            reference: file.reference
        )
        entry.group = conversation.group
        entry.isPulled = true
        guard !holders(of: entry).isEmpty else { throw Self.nobodyHas(file) }
        guard blobs.takeRoom(for: [file.reference.byteCount]) else { throw noRoom }
        expect(entry)
    }

    /// Refuses to fetch what this node would not have fetched when it came.
    private func checkFetching(from sender: PeerID, in conversation: ConversationID) throws {
        if let group = conversation.group, groups.membership(group) == nil {
            throw Self.notMember(group, groups)
        }
        guard wantsFiles(of: sender, in: conversation) else {
            var error = ChatError(
                .refusedByTrust,
                "Nothing is fetched that this peer sent: accept or unblock it first."
            )
            error.trust = trust.state(of: sender)
            throw error
        }
    }

    private static func nobodyHas(_ file: FileReference) -> ChatError {
        ChatError(.notHere, "Nobody is left who could give '\(file.name)': ask its sender to send it once more.")
    }

    /// Why a file is refused that the home has no room for.
    package var noRoom: ChatError {
        var error = ChatError(
            .limited,
            "This home holds as many files as it may, \(blobs.limit) bytes in at most \(ChatLimits.blobCount): delete "
                + "messages that have some, or raise the limit."
        )
        error.limit = Int(clamping: blobs.limit)
        return error
    }

    /// Expects an object of a message from here on.
    mutating func expect(_ object: BlobTable.Entry) {
        var entry = object
        entry.pieces = entry.noPieces
        entry.since = step.time.wall
        blobs.set(entry)
        step.put(.blobs, entry.id.name, entry.record)
        guard entry.isParked else { return fetch(entry) }
        step.perform(.tell(.fileFailed(entry.id.message, file: entry.id.index, .noRoom)))
    }

    /// Fetches what has waited for room, as far as there is some: what was expected first in front.
    mutating func fetchParked() {
        for var entry in blobs.takeParked() where !step.isFull {
            guard blobs.takeRoom(for: [entry.reference.byteCount]) else { continue }
            entry.isParked = false
            blobs.set(entry)
            step.put(.blobs, entry.id.name, entry.record)
            fetch(entry)
        }
    }

    /// Fetches along paths, besides, what should have come in pieces long ago, where somebody who has it is near.
    ///
    /// A piece that came before its message may have had to leave the mesh's store, and is spread again only after
    /// ``ChatLimits/spreadAge``. Pieces that still come count.
    mutating func fetchOverdue() {
        let time = step.time.wall
        guard time >= ChatLimits.piecePatience else { return }
        var isNear: [ConversationID: Bool] = [:]
        var count = 0
        for var entry in blobs.overdue(since: time - ChatLimits.piecePatience) where count < ChatLimits.overdueCount {
            let conversation = conversationID(of: entry)
            let known = isNear[conversation]
            let near = known ?? (entry.group.map(fellows) ?? [entry.peer]).contains { isReachable($0, at: time) }
            isNear[conversation] = near
            guard near, wantsFiles(of: entry.peer, in: conversation) else { continue }
            entry.isOverdue = true
            blobs.set(entry)
            fetch(entry)
            count += 1
        }
    }

    /// Everybody who can be asked for an object: who sent it, in a group who vouches for its message, and all others.
    func holders(of entry: BlobTable.Entry) -> [PeerID] {
        guard let group = entry.group else { return mayOpenPath(to: entry.peer) ? [entry.peer] : [] }
        let name = entry.id.message.bytes
        let record = try? step.message(.messages, name, as: ProtoMessageRecord.self)
        let members = fellows(in: group)
        var holders: [PeerID] = []
        for peer in [entry.peer] + (record?.vouchers ?? []) + members
        where members.contains(peer) && !holders.contains(peer) && mayOpenPath(to: peer) {
            holders.append(peer)
        }
        return holders
    }

    /// Gives up an object that the user asked for and that everybody who could give it has not got.
    package mutating func missFile(_ id: BlobID) {
        guard let entry = blobs[id], entry.isPulled, entry.order != nil else { return }
        giveUp(entry, .gone)
    }

    // MARK: - Giving

    /// Whether a member of a group may have an object of it that is here: of a message that it could open itself, or that
    /// it may be told of as a newcomer, by this node's own account of what was said.
    package func mayGive(
        _ entry: BlobTable.Entry,
        to peer: PeerID
    ) throws -> Bool {
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
