import Earshot
import Foundation

/// The mesh options of the bench's chat nodes, and the directory for their state.
struct ChatPlace: Sendable {
    /// The prefix of receivers' names; a random part follows.
    static let receiverPrefix = "receiver-"
    /// The prefix of a text that asks the receiver's program for an answer.
    static let question = "?"
    /// The prefix of an answer.
    static let answer = "!"

    let options: MeshOptions
    /// The directory for the homes; nil to keep everything in memory.
    let directory: URL?

    /// Makes a chat node with an identity of its own.
    func makeNode(_ name: String, isRelay: Bool = false) async throws -> ChatNode {
        var mesh = options
        mesh.isRelayOnly = isRelay
        let home: Home = directory.map { .directory($0.appending(path: name)) } ?? .memory
        return try await ChatNode.open(home, orCreate: name, ChatConfiguration(mesh: mesh, logger: MeshPlace.logger))
    }

    /// Makes a name that no node had before, since a name claimed twice stops messages.
    static func name(_ prefix: String) -> String {
        prefix + String(UUID().uuidString.prefix(8).lowercased())
    }

    /// Makes a text of this many bytes; the start makes it unique.
    static func text(_ start: String, byteCount: Int) -> String {
        start + String(repeating: "x", count: max(0, byteCount - start.utf8.count))
    }
}
