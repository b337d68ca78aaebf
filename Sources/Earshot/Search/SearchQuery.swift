public import ChatCore
public import ChatCrypto
public import Foundation

/// What is to be found in the history.
public struct SearchQuery: Hashable, Sendable {
    /// Words and phrases, all of which a message has; empty where the rest says enough.
    ///
    /// Case, accents and width do not count. A word is found as a whole; with `*` behind it, or as the last of all, as the
    /// beginning of one. What stands in quotation marks is a phrase. Scripts without spaces, and emoji, are found by any
    /// part. Units: at most 1,024 bytes of UTF-8 and 16 words.
    public var text: String
    /// The conversation in which to look; nil for all, those of rooms too.
    public var conversation: ConversationID?
    /// Who wrote it; nil for anybody.
    public var sender: PeerID?
    /// What it is; nil for anything.
    public var kind: MessageKind?
    /// Only what came then or later.
    public var after: Date?
    /// Only what came earlier.
    public var before: Date?
    /// Messages at most, the newest; 1 to 1,000.
    public var limit: Int

    /// Looks for a text; the rest is set as it is needed.
    public init(_ text: String = "", limit: Int = 50) {
        self.text = text
        self.limit = limit
    }
}

/// A message that was found.
public struct SearchHit: Hashable, Sendable {
    /// The message as it stands.
    public let message: Message
    /// Where in its text the words stand, in order; empty if they stand in a poll or in the names of files.
    ///
    /// Units: bytes of UTF-8.
    public let places: [Range<Int>]
}

/// How much of the history a search has looked at.
///
/// Nothing for searching is on the disk: after the first search the texts are read into memory, in the background.
public struct SearchProgress: Hashable, Sendable {
    /// Messages that have been read for searching.
    public internal(set) var indexedCount = 0
    /// Messages that there are to be read.
    public internal(set) var messageCount = 0
    /// Whether reading has ended.
    public internal(set) var isComplete = true
    /// Messages in which a search of all conversations does not look, because memory has no room for them or they cannot
    /// be read; a search of their conversation reads them from the disk.
    public internal(set) var unsearchedCount = 0

    mutating func add(_ other: SearchProgress) {
        indexedCount += other.indexedCount
        messageCount += other.messageCount
        isComplete = isComplete && other.isComplete
        unsearchedCount += other.unsearchedCount
    }
}

/// What was found.
public struct SearchResult: Hashable, Sendable {
    /// The newest first.
    public let hits: [SearchHit]
    /// In how much of the history.
    public let progress: SearchProgress
}
