import ChatCrypto
import Earshot
import Foundation

/// Puts a text and files into the outbox, pictures and voice notes cleaned.
package struct SendCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "send"
    /// The names of its parameters.
    package static let parameters = [
        "to", "text", "files", "images", "longestEdge", "voices", "replyTo", "mentions", "expiresAfter",
    ]

    /// The answer, given once the message is durable.
    package struct Reply: Codable, Hashable, Sendable {
        /// The message's id.
        package let message: String
    }

    /// What can be said besides text and files.
    package struct Options: Sendable {
        /// The id of the message that it answers.
        package var replyTo: String?
        /// Whom the text means: peer ids, their beginnings, or nicknames.
        package var mentions: [String] = []
        /// Units: seconds from being read until it is gone; 0 for never.
        package var expiresAfter: Double?

        /// Makes options that say nothing.
        package init() {}
    }

    /// Who: a peer id, its beginning, a nickname, or `group:` and a title.
    package let to: String
    /// The text.
    package let text: String?
    /// Paths of files of the node's machine, from the root.
    package let files: [String]?
    /// The same of pictures, which are cleaned and follow the files.
    package let images: [String]?
    /// Units: pixels that the longer edge of a picture may have.
    package let longestEdge: Int?
    /// The same of recordings, of which voice notes are made, which come last.
    package let voices: [String]?

    /// The id of the message that it answers.
    package let replyTo: String?
    /// Whom the text means, where a name after an `@` is that of two: peer ids, their beginnings, or nicknames.
    package let mentions: [String]?
    /// Units: seconds from being read until it is gone; 0 for never, absent for what the conversation has.
    package let expiresAfter: Double?

    /// The parameters that hold paths.
    static let pathParameters = ["files", "images", "voices"]

    /// Whether any path is named.
    var namesPaths: Bool { files != nil || images != nil || voices != nil }

    /// Makes the call.
    package init(
        to: String,
        text: String,
        files: [String] = [],
        images: [String] = [],
        longestEdge: Int? = nil,
        voices: [String] = [],
        _ options: Options = Options()
    ) {
        self.to = to
        self.text = text
        self.files = files.isEmpty ? nil : files
        self.images = images.isEmpty ? nil : images
        self.longestEdge = longestEdge
        self.voices = voices.isEmpty ? nil : voices
        replyTo = options.replyTo
        mentions = options.mentions.isEmpty ? nil : options.mentions
        expiresAfter = options.expiresAfter
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        try await perform(
            on: node,
            files: Self.places(files, "files").map { FileDraft($0) }
                + Self.places(images, "images").map { .image($0, longestEdge: longestEdge) }
                + Self.places(voices, "voices").map { .voice($0) }
        )
    }

    /// Does it with these files in place of those that it names.
    func perform(on node: any RPCNode, files drafts: [FileDraft]) async throws(RPCError) -> Reply {
        guard longestEdge ?? 1 > 0 else {
            throw RPCError(.invalidParameters, "The parameter `longestEdge` is a number of pixels from 1 on.")
        }
        let replyTo = try replyTo.map { id throws(RPCError) in try MessageID(parameter: "replyTo", id) }
        let expiresAfter = try Duration(parameter: "expiresAfter", expiresAfter)
        do throws(ChatError) {
            var options = MessageOptions(replyTo: replyTo, expiresAfter: expiresAfter)
            let conversation = try await node.conversation(named: to)
            for name in mentions ?? [] {
                options.mentions.append(try await node.peer(named: name, in: conversation))
            }
            let message = try await node.send(text ?? "", files: drafts, options, to: conversation)
            return Reply(message: message.id.description)
        } catch {
            throw RPCError(error)
        }
    }

    private static func places(_ paths: [String]?, _ name: String) throws(RPCError) -> [URL] {
        guard let paths else { return [] }
        guard paths.allSatisfy({ $0.hasPrefix("/") }) else {
            throw RPCError(.invalidParameters, "The parameter `\(name)` holds paths that begin with /.")
        }
        return paths.map { URL(filePath: $0) }
    }
}
