import ChatCrypto
package import Earshot
package import Foundation

package struct SearchCall: RPCMethod {
    package static let name = "search"
    package static let summary = "Finds messages, the newest first."
    package static let parameters: RPCParameters = [
        "query": "Words and phrases that a message must contain; may be empty if another parameter is given.",
        "conversation": "\(Meaning.conversation) All by default.",
        "from": "The sender: \(Meaning.peer) In a room one of its members.",
        "kind": "`text`, `emoji`, `image`, `voice`, `file`, `poll` or `system`.",
        "after": "Only messages of this time or later.", "before": "Only messages before this time.",
        "limit": Meaning.limit,
        "wait":
            """
        Whether to wait until all messages have been read, true by default; if not, the answer holds the results \
        so far.
        """,
    ]
    // The first search of a long history takes a while.
    package static let waitsForPeer = true
    package static let example = SearchCall("When")

    let query: String
    /// The conversation to search; nil for all.
    package var conversation: String?
    /// The sender of the messages.
    package var from: String?
    /// The `kind` of the messages.
    package var kind: String?
    /// The earliest time of the messages.
    package var after: Date?
    /// The time before which the messages were sent.
    package var before: Date?
    /// The largest number of results.
    package var limit: Int?
    /// Whether to wait until all messages have been read; nil to wait.
    package var wait: Bool?

    package init(_ query: String) { self.query = query }

    package func perform(on node: ChatNode) async throws -> [SearchHitReply] {
        var search = SearchQuery(query, limit: limit ?? RPCLimits.historyPageDefault)
        search.kind = kind.flatMap(MessageKind.init)
        guard kind == nil || search.kind != nil else {
            throw RPCError(
                .invalidParameters,
                "The parameter `kind` is text, emoji, image, voice, file, poll or system."
            )
        }
        (search.after, search.before) = (after, before)
        if let conversation { search.conversation = try await node.conversations.named(conversation).id }
        if let from, let place = search.conversation {
            search.sender = try await node.contacts.id(named: from, in: place)
        } else if let from {
            search.sender = try await node.contacts.id(named: from)
        }
        return try await node.history.search(search, waits: wait ?? true).hits.map(SearchHitReply.init)
    }
}

package struct SearchProgressCall: RPCMethod {
    package static let name = "search.progress"
    package static let summary = "Returns the progress of the search index."
    package static let example = SearchProgressCall()

    /// The progress of reading the history for searching.
    package struct Reply: Codable, Hashable, Sendable {
        /// The number of messages that have been read.
        package let done: Int
        /// The number of messages to read.
        package let total: Int
        /// Whether reading has ended; false before the first search.
        package let complete: Bool
        /// The number of messages that only a search of their conversation finds, because memory has no room for them.
        package let unsearched: Int
    }

    package init() {}

    package func perform(on node: ChatNode) async throws -> Reply {
        let progress = try await node.history.searchProgress()
        return Reply(
            done: progress.indexedCount,
            total: progress.messageCount,
            complete: progress.isComplete,
            unsearched: progress.unsearchedCount
        )
    }
}

/// A found message, on the wire: its fields, and the positions of the words in its text.
package struct SearchHitReply: Codable, Hashable, Sendable {
    /// A part of the text.
    package struct Place: Codable, Hashable, Sendable {
        /// The start of the part.
        ///
        /// Units: bytes of UTF-8.
        package let start: Int
        /// The length of the part.
        ///
        /// Units: bytes of UTF-8.
        package let count: Int
    }

    private enum CodingKeys: CodingKey {
        case places
    }

    /// The message.
    package let message: MessageReply
    /// The positions of the words, in order; empty for words of a poll or of file names.
    package let places: [Place]

    package init(_ hit: SearchHit) {
        message = MessageReply(hit.message)
        places = hit.places.map { Place(start: $0.lowerBound, count: $0.count) }
    }

    /// Reads the message's fields and the positions from one object.
    package init(from decoder: any Decoder) throws {
        message = try MessageReply(from: decoder)
        places = try decoder.container(keyedBy: CodingKeys.self).decode([Place].self, forKey: .places)
    }

    /// Writes the message's fields and the positions into one object.
    package func encode(to encoder: any Encoder) throws {
        try message.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(places, forKey: .places)
    }
}
