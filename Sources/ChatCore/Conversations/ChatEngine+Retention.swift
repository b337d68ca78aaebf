import ChatCrypto
import MeshCore

/// The removal of messages beyond the limits that the user has set, the oldest first.
///
/// A tombstone of a removed message stays for ``ChatLimits/tombstoneAge``, so that a late copy is recognized.
extension ChatEngine {
    /// Schedules a check of all conversations with limits.
    mutating func checkLimits(at now: MeshInstant) {
        let limited = conversations.all.map(\.id).filter { settings.retention(of: $0) != .everything }
        retentionSchedule.check(limited, at: now)
    }

    /// Schedules a check of a conversation to which a message is added.
    mutating func noteArrival(
        _ record: ProtoMessageRecord,
        at place: UInt64,
        in conversation: ConversationID
    ) {
        guard settings.retention(of: conversation) != .everything else { return }
        retentionSchedule.noteArrival(record, size: size(of: record), at: place, in: conversation)
        retentionSchedule.check([conversation], at: step.time.monotonic)
    }

    /// Counts an attachment of a message once it is complete.
    mutating func noteArrival(of entry: BlobTable.Entry) throws {
        let conversation = conversationID(of: entry)
        guard !entry.isOutgoing, settings.retention(of: conversation) != .everything,
            let place = try step.record(.messages, entry.id.message.bytes)?.sequence,
            place >= retentionSchedule[conversation]?.first ?? .max
        else { return }
        retentionSchedule.noteBytes(Int(clamping: entry.reference.byteCount), at: place, in: conversation)
        retentionSchedule.check([conversation], at: step.time.monotonic)
    }

    /// Removes messages beyond limits; the next step continues when this one is full.
    package mutating func keepWithinLimits() throws {
        guard retentionSchedule.nextCheck <= step.time.monotonic else { return }
        for conversation in retentionSchedule.due {
            guard !isStepFull else { return }
            let retention = settings.retention(of: conversation)
            if try trim(conversation, to: retention, .expired) { retentionSchedule.finish(conversation) }
        }
    }

    /// Removes a conversation's messages on this node, from one position up to another; returns the position from which
    /// the next step has to continue, or nil if all is done.
    package mutating func clear(
        _ conversation: ConversationID,
        from start: UInt64,
        upTo end: UInt64
    ) throws -> UInt64? {
        retentionSchedule[conversation] = RetentionStatistics(first: start)
        let isDone = try trim(conversation, to: .everything, .hidden, upTo: end)
        let next = retentionSchedule[conversation]?.first ?? start
        retentionSchedule[conversation] = nil
        guard isDone else { return next }
        clearUnread(of: conversation)
        return nil
    }

    /// Removes the oldest messages while they exceed limits, or up to a position; false if it is not done.
    private mutating func trim(
        _ conversation: ConversationID,
        to retention: Retention,
        _ end: DeletionReason,
        upTo last: UInt64 = 0
    ) throws -> Bool {
        let left =
            try retentionSchedule[conversation]
            ?? RetentionStatistics.count(conversation, in: step, size: size)
        var run = RetentionRun(conversation, to: retention, upTo: last, left, at: step.time.wall)
        retentionSchedule[conversation] = left
        let newest = try step.highestPosition(of: conversation)
        while !isStepFull, let next = try run.next(in: step, size: size) {
            retentionSchedule[conversation] = run.statistics
            try clearMessage(next.record, at: next.place, end, isNewest: next.place >= newest)
        }
        retentionSchedule[conversation] = run.statistics
        return run.isDone
    }

    /// Removes a message's content, and later its row; a message that shows nothing stays until it is old.
    private mutating func clearMessage(
        _ record: ProtoMessageRecord,
        at place: UInt64,
        _ end: DeletionReason,
        isNewest: Bool
    ) throws {
        guard let id = MessageID(bytes: record.id), let conversation = record.conversationID else { return }
        let isOld = record.receivedAt.bounded + ChatLimits.tombstoneAge <= step.time.wall
        let isUnderWay = outbox[id] != nil
        // A line of a group's log would be added again if nothing of it were left.
        let isLine = GroupLine.isHeld(by: record) || record.content.isEmpty
        // The newest row determines the position of the next message.
        if isOld, !isNewest, !isUnderWay, !isLine {
            var record = record
            let isShown = size(of: record) != nil
            try self.end(&record, end)
            step.delete(.messages, id.bytes)
            if isShown { step.perform(.notify(.removed(conversation, id))) }
        } else if size(of: record) != nil {
            try remove(id, end)
        }
    }

    /// Computes the bytes that a message takes here: its text, and its files that are here, whatever else it claims;
    /// nil for a message that is not shown.
    ///
    /// Units: bytes.
    func size(of record: ProtoMessageRecord) -> Int? {
        guard record.gone <= DeletionReason.deleted.rawValue else { return nil }
        if GroupLine.isHeld(by: record) { return record.content.count }
        guard let content = MessageContent.decode([UInt8](record.content)), content.body.isMessage else { return nil }
        guard case .text(let text) = content.body else { return record.content.count }
        let files = text.files.indices.map { index in
            let reference = text.files[index].reference
            return MessageID(bytes: record.id).flatMap { attachments.blobs[BlobID(message: $0, index: index)] }
                .map { $0.isComplete ? Int(clamping: reference.byteCount) : 0 } ?? 0
        }
        return record.content.count + record.longText.utf8.count + files.reduce(0, +)
    }

    /// Whether a message is older than the limit, though it may not have been removed yet.
    func isBeyondAge(_ record: ProtoMessageRecord, in conversation: ConversationID, at wall: UInt64) -> Bool {
        record.receivedAt < settings.retention(of: conversation).start(at: wall)
    }
}
