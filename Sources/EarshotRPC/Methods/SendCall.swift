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

    /// Who: a peer id, its beginning, a nickname, or `group:` and a title.
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
        do throws(ChatError) {
            switch try await node.conversation(named: to) {
            case .direct(let peer):
                return Reply(message: try await node.send(text ?? "", files: drafts, to: peer).id.description)
            case .group(let group):
                guard drafts.isEmpty else { throw ChatError(.fileUnusable, "Groups take no files yet.") }
                return Reply(message: try await node.send(text ?? "", to: group).id.description)
            }
        } catch {
            throw RPCError(error)
        }
    }
}
