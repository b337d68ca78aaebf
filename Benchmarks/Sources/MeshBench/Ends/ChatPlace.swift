import Earshot
import Foundation

/// Where the chat nodes of the bench stand, and where they keep what they must.
struct ChatPlace: Sendable {
    /// What receivers are called, followed by something of their own.
    static let receiverPrefix = "receiver-"
    /// A text that asks the receiver's program for an answer begins so.
    static let question = "?"
    /// An answer begins so.
    static let answer = "!"

    let options: MeshOptions
    /// Where homes are made; nil to keep everything in memory.
    let directory: URL?

    /// A chat node with an identity of its own.
    func makeNode(_ name: String, isRelay: Bool = false) throws -> ChatNode {
        var mesh = options
        mesh.isRelayOnly = isRelay
        let home: Home = directory.map { .directory($0.appending(path: name)) } ?? .memory
        return try ChatNode(ChatConfiguration(name: name, home: home, mesh: mesh, logger: MeshPlace.logger))
    }

    /// A name that nobody had before, since a name claimed twice stops messages.
    static func name(_ prefix: String) -> String {
        prefix + String(UUID().uuidString.prefix(8).lowercased())
    }

    /// A text of so many bytes that no other is like.
    static func text(_ start: String, byteCount: Int) -> String {
        start + String(repeating: "x", count: max(0, byteCount - start.utf8.count))
    }
}
