import ChatCrypto
package import Earshot
import Foundation

package struct HistoryCall: RPCMethod {
    package static let name = "history"
    package static let summary = "Returns a page of a conversation, oldest first."
    package static let parameters: RPCParameters = [
        "conversation": Meaning.conversation, "limit": Meaning.limit,
        "before": "The id of a message, or a time; only earlier messages are returned.",
        "after": "The id of a message, or a time; only later messages are returned, the oldest first.",
    ]
    package static let example = HistoryCall(conversation: "Bob", limit: 1)

    let conversation: String
    let limit: Int?
    let before: String?
    let after: String?

    package init(conversation: String, limit: Int? = nil, before: String? = nil, after: String? = nil) {
        (self.conversation, self.limit, self.before, self.after) = (conversation, limit, before, after)
    }

    package func perform(on node: ChatNode) async throws -> [MessageReply] {
        let limit = try Self.limit(limit)
        let span = HistorySpan(after: try Self.edge(after, "after"), before: try Self.edge(before, "before"))
        let known = try await node.conversations.named(conversation)
        return try await known.history(limit: limit, within: span).map(MessageReply.init)
    }

    fileprivate static func limit(_ limit: Int?) throws(RPCError) -> Int {
        let limit = limit ?? RPCLimits.historyPageDefault
        guard (1...RPCLimits.historyPageCount).contains(limit) else {
            throw RPCError(.invalidParameters, "The parameter `limit` is between 1 and \(RPCLimits.historyPageCount).")
        }
        return limit
    }

    private static func edge(_ text: String?, _ parameter: String) throws(RPCError) -> HistorySpan.Edge? {
        guard let text else { return nil }
        if let message = MessageID(hex: text) { return .message(message) }
        if let time = RPCCoding.date(of: text) { return .time(time) }
        throw RPCError(
            .invalidParameters,
            """
            The parameter `\(parameter)` is a message id of 32 hexadecimal digits, or a time as \
            2026-11-22T09:00:00.000Z.
            """
        )
    }
}

struct HistoryWindowCall: RPCMethod {
    static let name = "history.window"
    static let summary = "Returns a part of a conversation, and the number of messages around it, for scrolling."
    static let parameters: RPCParameters = [
        "conversation": Meaning.conversation, "limit": Meaning.limit,
        "index": "The number of messages before the first one; the newest messages by default.",
        "message": "The id of a message; the messages around it are returned.",
    ]
    static let example = HistoryWindowCall(conversation: "Carol", limit: 1, index: 0, message: nil)

    /// A part of a conversation.
    struct Reply: Codable {
        /// The messages, oldest first.
        let messages: [MessageReply]
        /// The number of messages before them, including messages that are kept but not shown.
        let before: Int
        /// The number of messages after them.
        let after: Int
    }

    let conversation: String
    let limit: Int?
    let index: Int?
    let message: String?

    func perform(on node: ChatNode) async throws -> Reply {
        let limit = try HistoryCall.limit(limit)
        guard index == nil || message == nil, (index ?? 0) >= 0 else {
            throw RPCError(.invalidParameters, "Give `index`, a number from 0 on, or `message`, or neither.")
        }
        var place = index.map { HistoryWindow.Place.index($0) } ?? .end
        if let message { place = .message(try MessageID(parameter: "message", message)) }
        let known = try await node.conversations.named(conversation)
        let window = try await known.history(limit: limit, at: place)
        return Reply(
            messages: window.messages.map(MessageReply.init),
            before: window.countBefore,
            after: window.countAfter
        )
    }
}

package struct HistoryDeleteCall: RPCMethod {
    package static let name = "history.delete"
    package static let summary = "Deletes all messages of a conversation on this node."
    package static let parameters: RPCParameters = ["conversation": Meaning.conversation]
    package static let example = HistoryDeleteCall(conversation: "Bob")

    let conversation: String

    package init(conversation: String) { self.conversation = conversation }

    package func perform(on node: ChatNode) async throws -> EmptyReply {
        try await node.conversations.named(conversation).deleteHistory()
        return EmptyReply()
    }
}

package struct HistoryCheckCall: RPCMethod {
    package static let name = "history.check"
    package static let summary = "Checks the whole history for changes by other programs, or accepts them."
    package static let parameters: RPCParameters = [
        "accept": "True to accept the present state; ask the user first."
    ]
    package static let example = HistoryCheckCall()

    let accept: Bool?

    package init(accept: Bool? = nil) { self.accept = accept }

    package func perform(on node: ChatNode) async throws -> HistoryReportReply {
        HistoryReportReply(accept == true ? try await node.history.accept() : try await node.history.check())
    }
}

package struct ExportCall: RPCMethod {
    package static let name = "history.export"
    package static let summary = "Writes the history to a file."
    package static let parameters: RPCParameters = [
        "path": "The absolute path of the new file.", "format": "`jsonl`, the default, or `html`.",
        "conversation": "\(Meaning.conversation) By default all but rooms.",
        "passphrase": "The passphrase that seals the file; a plain file by default.",
    ]
    package static let waitsForPeer = true
    package static let example = ExportCall(
        path: "{folder}/history.jsonl",
        format: nil,
        conversation: nil,
        passphrase: "right horse"
    )

    /// The numbers of exported parts.
    package struct Reply: Codable, Hashable, Sendable {
        /// The number of conversations.
        package let conversations: Int
        /// The number of messages.
        package let messages: Int
        /// The number of attachments.
        package let files: Int
        /// The number of disappearing messages, which the export leaves out.
        package let disappearing: Int
        /// The number of attachments that this node does not have.
        package let missingFiles: Int

        package init(_ report: ExportReport) {
            conversations = report.conversationCount
            messages = report.messageCount
            files = report.fileCount
            disappearing = report.disappearingCount
            missingFiles = report.missingFileCount
        }
    }

    let path: String
    let format: String?
    let conversation: String?
    let passphrase: String?

    package init(path: String, format: String?, conversation: String?, passphrase: String?) {
        (self.path, self.format, self.conversation, self.passphrase) = (path, format, conversation, passphrase)
    }

    package func perform(on node: ChatNode) async throws -> Reply {
        guard let format = ExportOptions.Format(rawValue: format ?? "jsonl") else {
            throw RPCError(.invalidParameters, "The parameter `format` is jsonl or html.")
        }
        let place = try Self.place(path)
        var options = ExportOptions(format, passphrase: passphrase)
        if let conversation { options.conversation = try await node.conversations.named(conversation).id }
        return Reply(try await node.history.export(to: place, options))
    }

    fileprivate static func place(_ path: String) throws(RPCError) -> URL {
        guard path.hasPrefix("/") else {
            throw RPCError(.invalidParameters, "The parameter `path` is a path that begins with /.")
        }
        return URL(filePath: path)
    }
}

package struct ImportCall: RPCMethod {
    package static let name = "history.import"
    package static let summary = "Adds the content of an export to the history."
    package static let parameters: RPCParameters = [
        "path": "The absolute path of the file.", "passphrase": "The passphrase of a sealed file.",
    ]
    package static let waitsForPeer = true
    package static let example = ImportCall(path: "{folder}/history.jsonl", passphrase: "right horse")

    /// The numbers of imported parts.
    package struct Reply: Codable, Hashable, Sendable {
        /// A line that was left out.
        package struct Broken: Codable, Hashable, Sendable {
            /// The line's number, from 1.
            package let line: Int
            /// The reason: `tooLong`, `malformed`, `wrongID`, `disappearing`, `ownConversation` or `outOfPlace`.
            package let reason: String
        }

        /// The number of messages that this node did not have.
        package let added: Int
        /// The number of messages that this node had already.
        package let known: Int
        /// The number of attachments that this node did not have.
        package let files: Int
        /// The number of contacts that this node did not know.
        package let contacts: Int
        /// The first 100 of these contacts.
        package let newContacts: [ContactReply]
        /// The number of lines of kinds that only newer versions know.
        package let unknown: Int
        /// The number of lines that were left out.
        package let brokenCount: Int
        /// The first 100 of these lines.
        package let broken: [Broken]

        init(_ report: ImportReport) {
            (added, known, files) = (report.addedCount, report.knownCount, report.fileCount)
            (contacts, newContacts) = (report.contactCount, report.contacts.map(ContactReply.init))
            (unknown, brokenCount) = (report.unknownCount, report.brokenCount)
            broken = report.broken.map { Broken(line: $0.line, reason: $0.reason) }
        }
    }

    let path: String
    let passphrase: String?

    package init(path: String, passphrase: String?) { (self.path, self.passphrase) = (path, passphrase) }

    package func perform(on node: ChatNode) async throws -> Reply {
        Reply(try await node.history.importArchive(from: try ExportCall.place(path), passphrase: passphrase))
    }
}

/// A report on changes of the stored data that a program other than Earshot has made, on the wire.
package struct HistoryReportReply: Codable, Hashable, Sendable {
    /// One sign of tampering.
    package struct Sign: Codable, Hashable, Sendable {
        /// The name of the sign.
        package let kind: String
        /// The conversation that the sign is about.
        package let conversation: String?
        /// The kind of records that the sign is about.
        package let table: String?
        /// The expected number of records.
        package let expected: Int
        /// The number of records that are there.
        package let found: Int
    }

    /// The signs of tampering.
    package let signs: [Sign]
    /// The number of checked records.
    package let records: Int?
    /// The number of messages that did not open and were deleted.
    package let deleted: Int?

    package init(_ report: HistoryReport) {
        signs = report.signs.map { sign in
            Sign(
                kind: sign.kind.rawValue,
                conversation: sign.conversation?.hex,
                table: sign.table,
                expected: Int(clamping: sign.expected),
                found: Int(clamping: sign.found)
            )
        }
        records = report.recordCount
        deleted = report.deletedCount > 0 ? report.deletedCount : nil
    }
}
