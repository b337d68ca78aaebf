import ChatCrypto
import ChatHistory
import MeshCore
import SwiftProtobuf

/// Messages that go some time after they were read, by this node's own clock.
///
/// Source: PROTOCOL §10 timers.
extension ChatEngine {
    /// Keeps the timer of a message that is being placed; the time of an own one begins at once.
    mutating func keepTimer(
        of record: ProtoMessageRecord,
        seconds: UInt32,
        at sequence: UInt64,
        in transaction: inout ChatTransaction
    ) throws {
        guard let id = MessageID(bytes: record.id), let conversation = record.conversation else { return }
        let wall = transaction.time.wall
        let entry = MessageTimers.Entry(
            id: id,
            conversation: conversation,
            sequence: sequence,
            seconds: seconds,
            expiresAt: record.outgoing ? wall + UInt64(seconds) * 1_000 : nil
        )
        if let crowdedOut = timers.crowdedOut(by: conversation) { try expire(crowdedOut, in: &transaction) }
        set(entry, in: &transaction)
    }

    private mutating func set(_ entry: MessageTimers.Entry, in transaction: inout ChatTransaction) {
        timers.set(entry)
        var record = ProtoTimerRecord()
        record.message = .init(entry.id.bytes)
        (record.peer, record.group) = entry.conversation.recorded
        record.sequence = entry.sequence
        record.seconds = entry.seconds
        record.expiresAt = entry.expiresAt ?? 0
        transaction.put(.timers, entry.id.bytes, record)
        schedule(at: transaction.time)
    }

    /// Begins the time of what somebody has looked at.
    mutating func startReadTimers(in transaction: inout ChatTransaction) {
        for peer in conversations.keys.sorted() {
            guard let place = conversations[peer]?.record.readSequence, place > 0 else { continue }
            startTimers(of: .direct(peer), upTo: place, in: &transaction)
        }
    }

    /// Begins the time of all messages of a conversation up to a place; the next step goes on where this one is full.
    mutating func startTimers(
        of conversation: ConversationID,
        upTo sequence: UInt64,
        in transaction: inout ChatTransaction
    ) {
        for var entry in timers.waiting(in: conversation, upTo: sequence) {
            guard !transaction.isFull else {
                nextHousekeeping = transaction.time.monotonic
                return
            }
            entry.expiresAt = transaction.time.wall + UInt64(entry.seconds) * 1_000
            set(entry, in: &transaction)
        }
    }

    /// Ends the messages whose time is over.
    mutating func expireMessages(in transaction: inout ChatTransaction) throws {
        for id in timers.due(at: transaction.time.wall) where !transaction.isFull {
            try expire(id, in: &transaction)
        }
        schedule(at: transaction.time)
    }

    private mutating func expire(_ id: MessageID, in transaction: inout ChatTransaction) throws {
        timers.remove(id)
        transaction.delete(.timers, id.bytes)
        try remove(id, .expired, in: &transaction)
    }

    /// Takes a message out of sight here, its content with it.
    mutating func remove(_ id: MessageID, _ end: MessageEnd, in transaction: inout ChatTransaction) throws {
        guard let (sequence, plaintext) = try transaction.record(.messages, id.bytes),
            var record = try? ProtoMessageRecord(serializedBytes: plaintext),
            let conversation = record.conversation
        else { return }
        try self.end(&record, end, &transaction)
        let row = transaction.rowID(of: conversation)
        transaction.erase(.messages, id.bytes, conversation: row, sequence: sequence, leaving: record)
        transaction.perform(.tell(.removed(conversation, id)))
    }

    /// Notes when the next message goes; the wall clock may be set meanwhile, so housekeeping looks too.
    private mutating func schedule(at time: ChatTime) {
        guard let next = timers.next else {
            nextTimer = .distantFuture
            return
        }
        let wait = next > time.wall ? next - time.wall : 0
        nextTimer = time.monotonic.advanced(by: .milliseconds(Int64(clamping: wait)))
    }

    mutating func restoreTimers(in transaction: ChatTransaction) throws {
        for bytes in try transaction.all(.timers) {
            guard let record = try? ProtoTimerRecord(serializedBytes: bytes),
                let id = MessageID(bytes: record.message),
                let conversation = ConversationID(peer: record.peer, group: record.group)
            else { continue }
            timers.set(
                MessageTimers.Entry(
                    id: id,
                    conversation: conversation,
                    sequence: record.sequence,
                    seconds: record.seconds,
                    expiresAt: record.expiresAt == 0 ? nil : record.expiresAt
                )
            )
        }
        schedule(at: transaction.time)
    }

    // MARK: - The conversation's timer

    /// After how long new messages with a peer go, unless they say otherwise.
    func timer(with peer: PeerID) -> ConversationTimer {
        guard let record = conversations[peer]?.record else { return ConversationTimer() }
        let revision = MessageID(bytes: record.timerID).map { Revision(record.timerRevision, $0) }
        return ConversationTimer(seconds: record.timerSeconds, revision)
    }

    /// Takes a setting of the conversation's timer.
    mutating func takeTimer(_ setting: ConversationTimer, in peer: PeerID, _ transaction: inout ChatTransaction) {
        var timer = timer(with: peer)
        timer.merge(setting)
        guard var state = conversations[peer], let revision = timer.revision else { return }
        state.record.timerSeconds = timer.seconds
        state.record.timerRevision = revision.number
        state.record.timerID = .init(revision.id.bytes)
        conversations[peer] = state
        transaction.put(.conversations, peer.bytes, state.record)
    }
}
