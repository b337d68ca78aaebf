/// A step's last write of one record.
package enum RecordWrite: Sendable {
    case put(conversation: ConversationID?, sequence: UInt64, plaintext: [UInt8])
    case delete
}

/// The last writes, kept so that they need not be read and opened again: a message's status changes three times in a
/// moment.
///
/// There are two generations: when the newer one is full, it becomes the older one. Invariant: at most twice
/// ``ChatLimits/recentWriteCount`` records of at most ``ChatLimits/recentWriteByteCount`` bytes, each as the store has
/// it.
package struct RecentWrites: Sendable {
    private var newer: [RowName: RecordWrite] = [:]
    private var older: [RowName: RecordWrite] = [:]

    /// Makes an empty memory.
    package init() {}

    /// Returns the last write of a record; nil if that was long ago.
    subscript(name: RowName) -> RecordWrite? { newer[name] ?? older[name] }

    /// Remembers writes that are durable.
    mutating func add(_ writes: [RowName: RecordWrite]) {
        for (name, write) in writes {
            if case .put(_, _, let plaintext) = write, plaintext.count > ChatLimits.recentWriteByteCount {
                newer[name] = nil
                older[name] = nil
                continue
            }
            if newer.count >= ChatLimits.recentWriteCount, newer[name] == nil {
                older = newer
                newer = [:]
            }
            newer[name] = write
        }
    }
}
