import ChatCrypto
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
        at sequence: UInt64
    ) throws {
        guard let id = MessageID(bytes: record.id), let conversation = record.conversationID else { return }
        let wall = step.time.wall
        let entry = MessageTimers.Entry(
            id: id,
            conversation: conversation,
            sequence: sequence,
            seconds: seconds,
            expiresAt: record.outgoing ? wall + UInt64(seconds) * 1_000 : nil
        )
        if let crowdedOut = timers.crowdedOut(by: conversation) { try expire(crowdedOut) }
        set(entry)
    }

    private mutating func set(_ entry: MessageTimers.Entry) {
        timers.set(entry)
        var record = ProtoTimerRecord()
        record.message = .bytes(entry.id.bytes)
        record.conversation = .bytes(entry.conversation.bytes)
        record.sequence = entry.sequence
        record.seconds = entry.seconds
        record.expiresAt = entry.expiresAt ?? 0
        step.put(.timers, entry.id.bytes, record)
        schedule(at: step.time)
    }

    /// Begins the time of what somebody has looked at.
    mutating func startReadTimers() {
        for (conversation, place) in readPlaces { startTimers(of: conversation, upTo: place) }
    }

    /// Begins the time of all messages of a conversation up to a place; the next step goes on where this one is full.
    mutating func startTimers(
        of conversation: ConversationID,
        upTo sequence: UInt64
    ) {
        for var entry in timers.waiting(in: conversation, upTo: sequence) {
            guard !step.isFull else {
                nextHousekeeping = step.time.monotonic
                return
            }
            entry.expiresAt = step.time.wall + UInt64(entry.seconds) * 1_000
            set(entry)
        }
    }

    /// Ends the messages whose time is over.
    mutating func expireMessages() throws {
        for id in timers.due(at: step.time.wall) where !step.isFull {
            try expire(id)
        }
        schedule(at: step.time)
    }

    private mutating func expire(_ id: MessageID) throws {
        timers.remove(id)
        step.delete(.timers, id.bytes)
        try remove(id, .expired)
    }

    /// Takes a message out of sight here, its content with it.
    mutating func remove(_ id: MessageID, _ end: MessageEnd) throws {
        guard let (sequence, plaintext) = try step.record(.messages, id.bytes),
            case var record = try ChatStep.decode(plaintext, as: ProtoMessageRecord.self),
            let conversation = record.conversationID
        else { return }
        noteRemoval(record, at: sequence, in: conversation)
        try self.end(&record, end)
        let row = conversation
        step.erase(.messages, id.bytes, conversation: row, sequence: sequence, leaving: record)
        step.perform(.tell(.removed(conversation, id)))
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

    mutating func restoreTimers() throws {
        for record in try step.records(.timers, as: ProtoTimerRecord.self) {
            guard let id = MessageID(bytes: record.message),
                let conversation = ConversationID(bytes: record.conversation)
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
        schedule(at: step.time)
    }

    // MARK: - The conversation's timer

    /// After how long new messages of a conversation go, unless they say otherwise.
    func timer(of conversation: ConversationID) -> ConversationTimer {
        switch conversation {
        case .direct(let peer):
            guard let record = conversations[peer]?.record else { return ConversationTimer() }
            let revision = MessageID(bytes: record.timerID).map { Revision(record.timerRevision, $0) }
            return ConversationTimer(seconds: record.timerSeconds, revision)
        case .group(let group), .room(let group):
            guard let record = groups.states[group]?.record else { return ConversationTimer() }
            let revision = MessageID(bytes: record.timerID).map { Revision(record.timerRevision, $0) }
            return ConversationTimer(seconds: record.timerSeconds, revision)
        }
    }

    /// Takes a setting of a conversation's timer.
    mutating func takeTimer(
        _ setting: ConversationTimer,
        of sender: PeerID?,
        in conversation: ConversationID
    ) {
        var timer = timer(of: conversation)
        var isBounded = sender != ownID
        if let group = conversation.group, let sender, groups.membership(group)?.log.owner == sender {
            isBounded = false
        }
        timer.merge(setting, isBounded: isBounded)
        guard let revision = timer.revision else { return }
        switch conversation {
        case .direct(let peer):
            guard var state = conversations[peer] else { return }
            state.record.timerSeconds = timer.seconds
            state.record.timerRevision = revision.number
            state.record.timerID = .bytes(revision.id.bytes)
            conversations[peer] = state
            step.put(.conversations, peer.bytes, state.record)
        case .group(let group), .room(let group):
            guard var state = groups.states[group] else { return }
            state.record.timerSeconds = timer.seconds
            state.record.timerRevision = revision.number
            state.record.timerID = .bytes(revision.id.bytes)
            groups.states[group] = state
            step.put(.groups, group.bytes, state.record)
        }
    }
}
