import ChatCrypto
package import Earshot
import Foundation

package struct MediaCall: RPCMethod {
    package static let name = "media"
    package static let summary = "Writes a plain copy of an attachment."
    package static let parameters: RPCParameters = [
        "message": Meaning.message, "index": Meaning.index,
        "folder": "The absolute path of the folder for the copy; `media` in the data directory by default.",
    ]
    package static let example = MediaCall(message: "{send}", folder: "{folder}")

    /// The path of a copy.
    package struct Reply: Codable, Hashable, Sendable {
        /// The absolute path.
        package let path: String
    }

    let message: String
    let index: Int?
    let folder: String?

    package init(message: String, index: Int? = nil, folder: String? = nil) {
        (self.message, self.index, self.folder) = (message, index, folder)
    }

    package func perform(on node: ChatNode) async throws -> Reply {
        let id = try MessageID(parameter: "message", message)
        guard folder?.hasPrefix("/") ?? true else {
            throw RPCError(.invalidParameters, "The parameter `folder` is a path that begins with /.")
        }
        let place = folder.map { URL(filePath: $0) }
        return Reply(path: try await node.conversations.holding(id).saveFile(id, index: index ?? 0, to: place).path)
    }
}

package struct FetchMediaCall: RPCMethod {
    package static let name = "fetchMedia"
    package static let summary =
        "Fetches an attachment that is neither here nor on its way; `progress` events report its state."
    package static let parameters: RPCParameters = ["message": Meaning.message, "index": Meaning.index]
    package static let example = FetchMediaCall(message: "{send}")

    let message: String
    let index: Int?

    package init(message: String, index: Int? = nil) { (self.message, self.index) = (message, index) }

    package func perform(on node: ChatNode) async throws -> EmptyReply {
        let (conversation, id) = try await node.holding("message", message)
        try await conversation.fetchFile(id, index: index ?? 0)
        return EmptyReply()
    }
}

package struct CancelMediaCall: RPCMethod {
    package static let name = "cancelMedia"
    package static let summary = "Cancels an attachment that is not here yet."
    package static let parameters: RPCParameters = ["message": Meaning.message, "index": Meaning.index]
    package static let example = CancelMediaCall(message: "{send}", index: 1)

    let message: String
    let index: Int?

    package init(message: String, index: Int? = nil) { (self.message, self.index) = (message, index) }

    package func perform(on node: ChatNode) async throws -> EmptyReply {
        let (conversation, id) = try await node.holding("message", message)
        try await conversation.cancelFile(id, index: index ?? 0)
        return EmptyReply()
    }
}
