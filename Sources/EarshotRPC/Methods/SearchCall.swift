import ChatCrypto
package import Earshot
package import Foundation

/// Finds messages, the newest first.
package struct SearchCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "search"
    /// The names of its parameters.
    package static let parameters = ["query", "conversation", "from", "kind", "after", "before", "limit", "wait"]
    /// The first search of a long history takes a while.
    package static let waitsForPeer = true

    /// Words and phrases, all of which a message has; it may be empty where something else is given.
    package let query: String
    /// The conversation: a peer id, its beginning, a nickname, or `group:` or `room:` and a title; nil for all.
    package var conversation: String?
    /// Who wrote it: a peer id, its beginning, or a nickname; in a room one of its members.
    package var from: String?
    /// A message's `kind`.
    package var kind: String?
    /// Only what came then or later.
    package var after: Date?
    /// Only what came earlier.
    package var before: Date?
    /// How many messages at most; nil for `RPCLimits.historyPageDefault`.
    package var limit: Int?
    /// Whether to wait until all messages have been read; nil to wait.
    ///
    /// If not, the answer is what is found so far.
    package var wait: Bool?

    /// Makes the call; the rest is set as it is needed.
    package init(_ query: String) {
        self.query = query
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> [SearchHitReply] {
        var search = SearchQuery(query, limit: limit ?? RPCLimits.historyPageDefault)
        search.kind = kind.flatMap(MessageKind.init)
        guard kind == nil || search.kind != nil else {
            throw RPCError(
                .invalidParameters,
                "The parameter `kind` is text, emoji, image, voice, file, poll or system."
            )
        }
        (search.after, search.before) = (after, before)
        do {
            if let conversation { search.conversation = try await node.conversation(named: conversation) }
            if let from, let place = search.conversation {
                search.sender = try await node.peer(named: from, in: place)
            } else if let from {
                search.sender = try await node.peer(named: from)
            }
            return try await node.search(search, waits: wait ?? true).hits.map(SearchHitReply.init)
        } catch {
            throw RPCError(error)
        }
    }
}

/// A message that was found, on the wire: its fields, and where in its text the words stand.
package struct SearchHitReply: Codable, Hashable, Sendable {
    /// A part of the text.
    package struct Place: Codable, Hashable, Sendable {
        /// Units: bytes of UTF-8 before it.
        package let start: Int
        /// Units: bytes of UTF-8.
        package let count: Int
    }

    private enum CodingKeys: CodingKey {
        case places
    }

    /// The message.
    package let message: MessageReply
    /// Where the words stand, in order; empty if they stand in a poll or in the names of files.
    package let places: [Place]

    /// Puts a hit into words of the wire.
    package init(_ hit: SearchHit) {
        message = MessageReply(hit.message)
        places = hit.places.map { Place(start: $0.lowerBound, count: $0.count) }
    }

    /// Reads the message's fields and its own from one object.
    package init(from decoder: any Decoder) throws {
        message = try MessageReply(from: decoder)
        places = try decoder.container(keyedBy: CodingKeys.self).decode([Place].self, forKey: .places)
    }

    /// Writes the message's fields and its own into one object.
    package func encode(to encoder: any Encoder) throws {
        try message.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(places, forKey: .places)
    }
}

/// Tells how much of the history a search looks at.
package struct SearchProgressCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "search.progress"
    /// It takes none.
    package static let parameters: [String] = []

    /// How much.
    package struct Reply: Codable, Hashable, Sendable {
        /// `indexing: done/total`: messages that have been read for searching.
        package let done: Int
        /// Messages that are to be read.
        package let total: Int
        /// Whether reading has ended; false before the first search.
        package let complete: Bool
        /// Messages that only a search of their conversation finds, because memory has no room for them.
        package let unsearched: Int
    }

    /// Makes the call.
    package init() {}

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        let progress = await node.searchProgress()
        return Reply(
            done: progress.indexedCount,
            total: progress.messageCount,
            complete: progress.isComplete,
            unsearched: progress.unsearchedCount
        )
    }
}
