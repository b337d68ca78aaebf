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
        _ peer: PeerID
    ) throws -> ConversationState {
        var state = newConversation(with: peer)
        state.record.changedAt = step.time.wall
        guard trust.state(of: peer) == .unknown else { return state }
        state.record.request = true
        let requests = conversations.filter { $0.value.record.request }
        if requests.count >= ChatLimits.requestCount,
            let oldest = requests.min(by: { ($0.value.record.changedAt, $0.key) < ($1.value.record.changedAt, $1.key) })
        {
            forget(oldest.key)
        }
        return state
    }

    /// Destroys a conversation and its key.
    mutating func forget(_ peer: PeerID) {
        conversations[peer] = nil
        for id in owed.forget(peer) {
            step.delete(.owed, id.bytes)
        }
        while let next = held.takeFirst(of: peer) {
            step.delete(.held, next.id.bytes)
        }
        forgetEarly(by: peer)
        forgetWishes(of: .direct(peer))
        // Else strangers who come and go would fill the table of sessions, and nobody new could write.
        tearDownSessions(with: peer)
        empty(.direct(peer))
        step.delete(.conversations, peer.bytes)
    }

    /// Puts a message at the end of its conversation and tells it; nil if it is not one to show now.
    @discardableResult
    mutating func place(
        _ record: ProtoMessageRecord,
        saying content: MessageContent.Decoded,
        in peer: PeerID
    ) throws -> Message? {
        let sequence = try takePlaceAtEnd(of: peer)
        var state = conversations[peer] ?? newConversation(with: peer)
        state.record.changedAt = step.time.wall
        conversations[peer] = state
        step.put(.conversations, peer.bytes, state.record)
        let conversation = ConversationID.direct(peer)
        step.put(.messages, [UInt8](record.id), conversation: conversation, sequence: sequence, record)
        noteArrival(record, at: sequence, in: .direct(peer))
        if content.context.seconds > 0, record.gone == 0 {
            try keepTimer(of: record, seconds: content.context.seconds, at: sequence)
        }
        if case .timer(let seconds, let number) = content.body, let id = MessageID(bytes: record.id) {
            let setting = ConversationTimer(seconds: seconds, Revision(number, id))
            takeTimer(setting, of: PeerID(bytes: record.sender), in: .direct(peer))
        }
        let message = try message(from: record, saying: content)
        if let message { step.perform(.tell(.message(message))) }
        return message
    }

    /// The place after all messages of a conversation, which the next one gets.
    ///
    /// The first leaves room before it, for what may be imported.
    package mutating func takePlaceAtEnd(of peer: PeerID) throws -> UInt64 {
        var state = conversations[peer] ?? newConversation(with: peer)
        let row = ConversationID.direct(peer)
        let place = try state.nextSequence ?? Self.place(after: step.highestSequence(row))
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
    package mutating func endSession(with peer: PeerID) {
        let now = step.time.seconds
        for generation in standing.generations {
            guard let (messages, change) = withSessions(of: generation, { $0.end(with: peer, at: now) }) else {
                continue
            }
            records.write(change, of: generation, in: &step)
            for message in messages {
                guard let kind = EnvelopeKind(rawValue: message.kind.rawValue) else { continue }
                step.perform(.submit(kind: kind, body: message.body, life: ChatLimits.sealedLife))
            }
        }
    }
}
