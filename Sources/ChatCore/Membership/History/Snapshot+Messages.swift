import ChatCrypto

extension Snapshot {
    /// A message of the history with its position; nil for one that is not there.
    ///
    /// - Throws: `homeCorrupt` for a record that cannot be read, or the store's refusal.
    func storedMessage(_ id: MessageID) throws -> (position: UInt64, message: ProtoMessageRecord)? {
        try record(.messages, id.bytes).map { sequence, plaintext in
            (sequence, try ChatStep.decode(plaintext, as: ProtoMessageRecord.self))
        }
    }
}
