import ChatCrypto
import Earshot
import Foundation

/// Puts a text and files into the outbox.
package struct SendCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "send"
    /// The names of its parameters.
    package static let parameters = ["to", "text", "files", "replyTo", "mentions", "expiresAfter"]

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

    /// Who: a peer id, its beginning, or a nickname.
    package let to: String
    /// The text.
    package let text: String?
    /// Paths of files of the node's machine, from the root.
    package let files: [String]?

    /// The id of the message that it answers.
    package let replyTo: String?
    /// Whom the text means, where a name after an `@` is that of two: peer ids, their beginnings, or nicknames.
    package let mentions: [String]?
    /// Units: seconds from being read until it is gone; 0 for never, absent for what the conversation has.
    package let expiresAfter: Double?

    /// Makes the call.
    package init(to: String, text: String, files: [String] = [], _ options: Options = Options()) {
        self.to = to
        self.text = text
        self.files = files.isEmpty ? nil : files
        replyTo = options.replyTo
        mentions = options.mentions.isEmpty ? nil : options.mentions
        expiresAfter = options.expiresAfter
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        let paths = files ?? []
        guard paths.allSatisfy({ $0.hasPrefix("/") }) else {
            throw RPCError(.invalidParameters, "The parameter `files` holds paths that begin with /.")
        }
        let drafts = paths.map { FileDraft(URL(filePath: $0)) }
        var options = MessageOptions()
        if let replyTo { options.replyTo = try MessageID(parameter: "replyTo", replyTo) }
        options.expiresAfter = try Duration(parameter: "expiresAfter", expiresAfter)
        do {
            for name in mentions ?? [] { options.mentions.append(try await node.peer(named: name)) }
            let peer = try await node.peer(named: to)
            return Reply(message: try await node.send(text ?? "", files: drafts, options, to: peer).id.description)
        } catch {
            throw RPCError(error)
        }
    }
}
