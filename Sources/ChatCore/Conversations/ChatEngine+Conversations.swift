package import ChatCrypto
import MeshCore

extension ChatEngine {
    /// An empty conversation that this node's user begins.
    package func newConversation(with peer: PeerID) -> ConversationState {
        var record = ProtoConversationRecord()
        record.peer = .bytes(peer.bytes)
        record.nextOrder = 1
        record.expectedOrder = 1
        return ConversationState(record: record)
    }

    /// An empty conversation that a peer begins; a stranger's is a request, and the oldest one makes room for it.
    mutating func newConversationFromPeer(
        _ peer: PeerID,
        in transaction: inout ChatTransaction
    ) throws -> ConversationState {
        var state = newConversation(with: peer)
        state.record.changedAt = transaction.time.wall
        guard trust.state(of: peer) == .unknown else { return state }
        state.record.request = true
        let requests = conversations.filter { $0.value.record.request }
        if requests.count >= ChatLimits.requestCount,
            let oldest = requests.min(by: { ($0.value.record.changedAt, $0.key) < ($1.value.record.changedAt, $1.key) })
        {
            forget(oldest.key, in: &transaction)
        }
        return state
    }

    /// Destroys a conversation and its key.
    mutating func forget(_ peer: PeerID, in transaction: inout ChatTransaction) {
        conversations[peer] = nil
        for id in owed.forget(peer) {
            transaction.delete(.owed, id.bytes)
        }
        while let next = held.takeFirst(of: peer) {
            transaction.delete(.held, next.id.bytes)
        }
        forgetEarly(by: peer, in: &transaction)
        forgetWishes(of: .direct(peer), in: &transaction)
        // Else strangers who come and go would fill the table of sessions, and nobody new could write.
        tearDownSessions(with: peer, in: &transaction)
        empty(.direct(peer), in: &transaction)
        transaction.delete(.conversations, peer.bytes)
    }

    /// Puts a message at the end of its conversation and tells it; nil if it is not one to show now.
    @discardableResult
    mutating func place(
        _ record: ProtoMessageRecord,
        saying content: MessageContent.Decoded,
        in peer: PeerID,
        in transaction: inout ChatTransaction
    ) throws -> Message? {
        let sequence = try takePlaceAtEnd(of: peer, in: transaction)
        var state = conversations[peer] ?? newConversation(with: peer)
        state.record.changedAt = transaction.time.wall
        conversations[peer] = state
        transaction.put(.conversations, peer.bytes, state.record)
        let conversation = ConversationID.direct(peer)
        transaction.put(.messages, [UInt8](record.id), conversation: conversation, sequence: sequence, record)
        noteArrival(record, at: sequence, in: .direct(peer), transaction)
        if content.context.seconds > 0, record.gone == 0 {
            try keepTimer(of: record, seconds: content.context.seconds, at: sequence, in: &transaction)
        }
        if case .timer(let seconds, let number) = content.body, let id = MessageID(bytes: record.id) {
            let setting = ConversationTimer(seconds: seconds, Revision(number, id))
            takeTimer(setting, of: PeerID(bytes: record.sender), in: .direct(peer), &transaction)
        }
        let message = try message(from: record, saying: content, in: transaction)
        if let message { transaction.perform(.tell(.message(message))) }
        return message
    }

    /// The place after all messages of a conversation, which the next one gets.
    ///
    /// The first leaves room before it, for what may be imported.
    package mutating func takePlaceAtEnd(of peer: PeerID, in transaction: ChatTransaction) throws -> UInt64 {
        var state = conversations[peer] ?? newConversation(with: peer)
        let row = ConversationID.direct(peer)
        let place = try state.nextSequence ?? Self.place(after: transaction.highestSequence(row))
        state.nextSequence = place + 1
        conversations[peer] = state
        return place
    }

    /// The place after the highest one that is taken, 0 for none.
    package static func place(after highest: UInt64) throws -> UInt64 {
        // The number stands in clear: only somebody who changed the file can have put it there.
        guard highest < .max - 1 else { throw ChatError.tamperedMessages }
        return highest == 0 ? ChatLimits.importedPlaceCount : highest + 1
    }

    /// Ends the sessions with a peer here and tells it, if it can be told.
    package mutating func endSession(with peer: PeerID, in transaction: inout ChatTransaction) {
        let now = transaction.time.seconds
        for generation in standing.generations {
            guard let (messages, change) = withSessions(of: generation, { $0.end(with: peer, at: now) }) else {
                continue
            }
            records.write(change, of: generation, in: &transaction)
            for message in messages {
                guard let kind = EnvelopeKind(rawValue: message.kind.rawValue) else { continue }
                transaction.perform(.submit(kind: kind, body: message.body, life: ChatLimits.sealedLife))
            }
        }
    }
}
