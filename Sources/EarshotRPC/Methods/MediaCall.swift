import ChatCrypto
import Earshot
import Foundation

/// Makes a plain copy of a message's file.
package struct MediaCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "media"
    /// The names of its parameters.
    package static let parameters = ["message", "index", "folder"]

    /// Where the copy is.
    package struct Reply: Codable, Hashable, Sendable {
        /// The path from the root.
        package let path: String
    }

    /// The message's id.
    package let message: String
    /// Which of its files; the first where it is absent.
    package let index: Int?
    /// The path from the root of the folder for the copy; `media` in the home where it is absent.
    package let folder: String?

    /// Makes the call.
    package init(message: String, index: Int? = nil, folder: String? = nil) {
        self.message = message
        self.index = index
        self.folder = folder
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        guard let id = MessageID(hex: message) else {
            throw RPCError(.invalidParameters, "The parameter `message` is a message id of 32 hexadecimal digits.")
        }
        guard folder?.hasPrefix("/") ?? true else {
            throw RPCError(.invalidParameters, "The parameter `folder` is a path that begins with /.")
        }
        do {
            let place = folder.map { URL(filePath: $0) }
            return Reply(path: try await node.media(id, index: index ?? 0, folder: place).path)
        } catch {
            throw RPCError(error)
        }
    }
}
