import ChatCrypto
import MeshCore

/// Own messages to groups that not everybody has confirmed: each is one envelope, spread again with growing pauses.
///
/// Contents and envelopes stay in the store; here is only what finding them needs.
package struct GroupPosts: Sendable {
    struct Post: Sendable {
        let id: MessageID
        let group: GroupID
        let envelope: EnvelopeID
        /// Units: milliseconds since 1970.
        let createdAt: UInt64
        /// Units: milliseconds since 1970 when it was last spread.
        var spreadAt: UInt64
        /// Units: milliseconds since 1970 when its files were last spread; 0 if it has none.
        var filesSpreadAt: UInt64 = 0
        /// How often it was spread again.
        var tries: UInt32
        var status = DeliveryStatus.queued

        /// Units: milliseconds since 1970 when it is spread next.
        var nextSpread: UInt64 {
            spreadAt + min(ChatLimits.postPause << UInt64(min(tries, 16)), ChatLimits.longestPostPause)
        }
    }

    private var entries: [MessageID: Post] = [:]
    private var byEnvelope: [EnvelopeID: MessageID] = [:]

    /// How many there are.
    package var count: Int { entries.count }

    /// All of them, in the order they were written.
    var inOrder: [Post] { entries.values.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) } }

    subscript(id: MessageID) -> Post? { entries[id] }

    func post(envelope: EnvelopeID) -> Post? {
        byEnvelope[envelope].flatMap { entries[$0] }
    }

    mutating func add(_ post: Post) {
        entries[post.id] = post
        byEnvelope[post.envelope] = post.id
    }

    /// Notes that a post was spread once more.
    mutating func markSpread(_ id: MessageID, at wall: UInt64) {
        entries[id]?.spreadAt = wall
        entries[id]?.tries += 1
    }

    /// Notes that the files of a post were spread.
    mutating func markFilesSpread(_ id: MessageID, at wall: UInt64) {
        entries[id]?.filesSpreadAt = wall
    }

    /// Moves the status forward; false if it has been there already.
    mutating func advance(_ id: MessageID, to status: DeliveryStatus) -> Bool {
        guard let post = entries[id], post.status.rank < status.rank else { return false }
        entries[id]?.status = status
        return true
    }

    mutating func remove(_ id: MessageID) {
        guard let post = entries.removeValue(forKey: id) else { return }
        byEnvelope[post.envelope] = nil
    }
}
