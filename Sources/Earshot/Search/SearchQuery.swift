public import ChatCore
public import ChatCrypto
public import Foundation

/// A search of the history.
public struct SearchQuery: Hashable, Codable, Sendable {
    /// Words and phrases, all of which a message has; empty if the other conditions suffice.
    ///
    /// Case, accents and width do not count. A word matches a whole word; with `*` behind it, or as the last word, it
    /// matches the beginning of one. Text in quotation marks is a phrase. Text of scripts without spaces, and emoji,
    /// match anywhere. Units: at most 1,024 bytes of UTF-8 and 16 words.
    public var text: String
    /// The conversation to search; nil for all, rooms included.
    public var conversation: ConversationID?
    /// The author; nil for any author.
    public var sender: PeerID?
    /// The kind of message; nil for any kind.
    public var kind: MessageKind?
    /// The time from which on messages match; nil for the beginning.
    public var after: Date?
    /// The time before which messages match; nil for the end.
    public var before: Date?
    /// The largest number of messages, of which the newest are returned; 1 to 1,000.
    public var limit: Int

    /// Makes a search for a text; the other conditions can be set afterwards.
    public init(_ text: String = "", limit: Int = 50) {
        self.text = text
        self.limit = limit
    }
}

/// A message that was found.
public struct SearchHit: Hashable, Identifiable, Codable, Sendable {
    /// The message in its present state.
    public let message: Message
    /// The places of the words in the message's text, in order; empty if they are in a poll or in the names of files.
    ///
    /// Units: bytes of UTF-8.
    public let places: [Range<Int>]
    /// The message's id.
    public var id: MessageID { message.id }

    /// Makes a hit from its parts.
    public init(message: Message, places: [Range<Int>] = []) {
        self.message = message
        self.places = places
    }
}

/// The part of the history that a search has covered.
///
/// Nothing for searching is on the disk: the first search begins to read the texts into memory, in the background.
public struct SearchProgress: Hashable, Codable, Sendable {
    /// Messages that have been read for searching.
    public internal(set) var indexedCount: Int
    /// Messages that there are to read.
    public internal(set) var messageCount: Int
    /// Whether reading has ended.
    public internal(set) var isComplete: Bool
    /// Messages that a search of all conversations does not cover, because memory has no room for them or they cannot
    /// be read; a search of their conversation reads them from the disk.
    public internal(set) var unsearchedCount: Int

    /// Makes a progress from its parts.
    public init(indexedCount: Int = 0, messageCount: Int = 0, isComplete: Bool = true, unsearchedCount: Int = 0) {
        self.indexedCount = indexedCount
        self.messageCount = messageCount
        self.isComplete = isComplete
        self.unsearchedCount = unsearchedCount
    }

    mutating func add(_ other: SearchProgress) {
        indexedCount += other.indexedCount
        messageCount += other.messageCount
        isComplete = isComplete && other.isComplete
        unsearchedCount += other.unsearchedCount
    }
}

/// The result of a search.
public struct SearchResult: Hashable, Codable, Sendable {
    /// The messages that were found, newest first.
    public let hits: [SearchHit]
    /// The part of the history that was searched.
    public let progress: SearchProgress

    /// Makes a result from its parts.
    public init(hits: [SearchHit], progress: SearchProgress = SearchProgress()) {
        self.hits = hits
        self.progress = progress
    }
}
