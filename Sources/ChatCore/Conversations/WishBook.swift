import MeshCore

/// What the user wants of conversations on this node: drafts, pins, and how much is kept.
struct WishBook: Sendable {
    /// How much of a conversation there is, from the first place on that is not known to be empty.
    struct Figures: Sendable {
        var first: UInt64 = 0
        var messageCount = 0
        /// Units: bytes.
        var byteCount = 0
        /// When the oldest message came.
        ///
        /// Units: milliseconds since 1970; 0 where there is none.
        var oldest: UInt64 = 0
    }

    private var records: [ConversationID: ProtoWishRecord] = [:]
    /// What holds for all conversations that have nothing of their own.
    private(set) var general = ProtoWishRecord()
    /// How much there is of conversations that have limits.
    var figures: [ConversationID: Figures] = [:]
    /// Conversations that may be beyond their limits.
    var due: Set<ConversationID> = []
    /// When those are looked at.
    var nextLook = MeshInstant.distantFuture

    /// The wishes of a conversation, or for all.
    subscript(conversation: ConversationID?) -> ProtoWishRecord {
        get { conversation.map { records[$0] ?? ProtoWishRecord() } ?? general }
        set {
            guard let conversation else {
                general = newValue
                return
            }
            records[conversation] = newValue.isEmpty ? nil : newValue
        }
    }

    /// The limits of a conversation.
    func retention(of conversation: ConversationID) -> Retention {
        guard let own = records[conversation], own.limited else { return Retention(general) }
        return Retention(own)
    }
}

extension ProtoWishRecord {
    /// Whether it wishes nothing.
    var isEmpty: Bool { draft.isEmpty && pinnedAt == 0 && !limited }

    static let generalName = Array("all".utf8)
}
