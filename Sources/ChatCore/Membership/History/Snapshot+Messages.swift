import ChatCrypto

extension Snapshot {
    /// Returns a message of the history with its position; nil for one that does not exist.
    ///
    /// - Throws: `homeCorrupt` for a record that cannot be read, or the store's refusal.
    func storedMessage(_ id: MessageID) throws -> (position: UInt64, message: ProtoMessageRecord)? {
        try record(.messages, id.bytes).map { sequence, plaintext in
            (sequence, try ChatStep.decode(plaintext, as: ProtoMessageRecord.self))
        }
    }
}
