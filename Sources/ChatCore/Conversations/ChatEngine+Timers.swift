import ChatCrypto

/// Messages that disappear some time after they were read, by this node's own clock.
///
/// Source: PROTOCOL §10 timers.
extension ChatEngine {
    /// Keeps the timer of a message that is being appended; the time of an own one begins at once.
    mutating func keepTimer(
        of record: ProtoMessageRecord,
        seconds: UInt32,
        at sequence: UInt64
    ) throws {
        guard let id = MessageID(bytes: record.id), let conversation = record.conversationID else { return }
        let entry = DisappearingMessages.Entry(
            id: id,
            conversation: conversation,
            sequence: sequence,
            seconds: seconds,
            expiresAt: record.outgoing ? step.time.wall + UInt64(seconds) * 1_000 : nil
        )
        if let evicted = timers.evicted(by: conversation) { try remove(evicted, .expired) }
        timers.set(entry, at: step.time)
    }

    /// Begins the time of the messages that the user has read.
    mutating func startReadTimers() {
        for record in conversations.inOrder where record.readPosition > 0 {
            startTimers(of: record.id, upTo: record.readPosition)
        }
    }

    /// Begins the time of all messages of a conversation up to a position; the next step continues when this one is
    /// full.
    mutating func startTimers(
        of conversation: ConversationID,
        upTo sequence: UInt64
    ) {
        for id in timers.waiting(in: conversation, upTo: sequence) {
            guard !isStepFull else {
                nextHousekeeping = step.time.monotonic
                return
            }
            timers.start(id, at: step.time)
        }
    }

    /// Removes the messages whose time is over.
    mutating func expireMessages() throws {
        for id in timers.due(at: step.time.wall) where !isStepFull {
            try remove(id, .expired)
        }
        timers.schedule(at: step.time)
    }

    /// Removes a message here, with its content and its timer.
    mutating func remove(_ id: MessageID, _ end: DeletionReason) throws {
        timers.remove(id)
        guard let (sequence, plaintext) = try step.record(.messages, id.bytes),
            case var record = try ChatStep.decode(plaintext, as: ProtoMessageRecord.self),
            let conversation = record.conversationID
        else { return }
        if let size = size(of: record) {
            retentionSchedule.noteBytes(-size, messages: -1, at: sequence, in: conversation)
        }
        try self.end(&record, end)
        step.erase(.messages, id.bytes, conversation: conversation, sequence: sequence, leaving: record)
        step.perform(.notify(.removed(conversation, id)))
    }

    /// Applies a setting of a conversation's timer.
    mutating func takeTimer(
        _ setting: DisappearingTimer,
        of sender: PeerID?,
        in conversation: ConversationID
    ) {
        var timer = conversations.timer(of: conversation)
        var isBounded = sender != ownID
        if let group = conversation.group, let sender, groups.membership(group)?.log.owner == sender {
            isBounded = false
        }
        timer.merge(setting, isBounded: isBounded)
        conversations.setTimer(timer, of: conversation)
    }
}
