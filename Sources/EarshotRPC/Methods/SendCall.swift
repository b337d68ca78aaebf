import ChatCrypto
import Earshot
import Foundation

/// Puts a text and files into the outbox.
package struct SendCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "send"
    /// The names of its parameters.
    package static let parameters = ["to", "text", "files"]

    /// The answer, given once the message is durable.
    package struct Reply: Codable, Hashable, Sendable {
        /// The message's id.
        package let message: String
    }

    /// Who: a peer id, its beginning, or a nickname.
    package let to: String
    /// The text.
    package let text: String?
    /// Paths of files of the node's machine, from the root.
    package let files: [String]?

    /// Makes the call.
    package init(to: String, text: String, files: [String] = []) {
        self.to = to
        self.text = text
        self.files = files.isEmpty ? nil : files
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        let paths = files ?? []
        guard paths.allSatisfy({ $0.hasPrefix("/") }) else {
            throw RPCError(.invalidParameters, "The parameter `files` holds paths that begin with /.")
        }
        let drafts = paths.map { FileDraft(URL(filePath: $0)) }
        do {
            let peer = try await node.peer(named: to)
            return Reply(message: try await node.send(text ?? "", files: drafts, to: peer).id.description)
        } catch {
            throw RPCError(error)
        }
    }
}
