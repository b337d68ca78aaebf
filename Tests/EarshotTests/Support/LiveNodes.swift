import ChatCrypto
import Earshot
import Foundation

@testable import ChatCore

/// A node on this machine's loopback interface, with its events.
struct LiveNode: Sendable {
    let node: ChatNode
    let events: AsyncStream<ChatEvent>

    /// Makes the node; it is to be started by `withRunning`.
    init(
        _ name: String,
        _ mesh: MeshOptions,
        home: Home = .memory,
        passphrase: String? = nil,
        autoLock: Duration? = nil,
        sendsTyping: Bool = false,
        cleaner: (any MediaCleaner)? = nil,
        searchByteCount: Int = SearchLimits.byteCount,
        mediaByteLimit: UInt64 = ChatLimits.blobByteCount
    ) async throws {
        var settings = ChatConfiguration(
            name: name,
            home: home,
            passphrase: passphrase,
            autoLock: autoLock,
            mesh: mesh,
            sendsTyping: sendsTyping,
            mediaCleaner: cleaner
        )
        settings.passphraseCost = .small
        settings.searchByteCount = searchByteCount
        settings.mediaByteLimit = mediaByteLimit
        node = try ChatNode(settings)
        events = await node.events()
    }

    /// A node that was made elsewhere, with its events from now on.
    init(_ node: ChatNode) async {
        self.node = node
        events = await node.events()
    }

    /// The first of the events from now on that gives something.
    func first<Value>(_ pick: (ChatEvent) -> Value?) async throws -> Value {
        for await event in events {
            if let value = pick(event) { return value }
        }
        throw ChatError(.stopped, "The node stopped before it happened.")
    }

    /// Waits until a peer of this name is known.
    func meets(_ name: String) async throws -> PeerID {
        try await first { event in
            guard case .contact(let contact) = event, contact.name == name else { return nil }
            return contact.id
        }
    }

    /// Waits for the next incoming message that somebody wrote.
    func receives() async throws -> Message {
        try await first { event in
            guard case .message(let message) = event, !message.isOutgoing, !message.isGroupLine else { return nil }
            return message
        }
    }

    /// Waits until a message from before this node came is here, and answers it.
    func isTold(_ text: String) async throws -> Message {
        try await first { event in
            if case .message(let message) = event, !message.vouchedBy.isEmpty, message.text == text {
                message
            } else {
                nil
            }
        }
    }

    /// Waits until it is told that a file will not come, or not yet, and answers why.
    func misses(_ file: Int, of message: MessageID) async throws -> FileFailure {
        try await first { event in
            if case .fileFailed(message, file: file, let reason) = event { reason } else { nil }
        }
    }

    /// All statuses of a message until one that is `last`, or the end.
    func statuses(of message: Message, until last: DeliveryStatus = .delivered) async -> [DeliveryStatus] {
        var statuses: [DeliveryStatus] = []
        for await status in await node.statuses(of: message.id) {
            statuses.append(status)
            if status == last { break }
        }
        return statuses
    }
}

/// Starts nodes in order, and stops them after `body`, whatever happens.
func withRunning(_ nodes: LiveNode..., body: () async throws -> Void) async throws {
    do {
        for node in nodes { try await node.node.start() }
        try await body()
    } catch {
        for node in nodes { await node.node.stop() }
        throw error
    }
    for node in nodes { await node.node.stop() }
}

extension MeshOptions {
    /// Loopback only, on groups that no other test uses, as likely as chance makes it.
    static func loopback(_ groups: [String]) -> MeshOptions {
        var options = MeshOptions()
        options.interfaces = [loopbackName]
        options.discoveryGroups = groups
        return options
    }

    /// The same mesh, only relaying.
    var relaying: MeshOptions {
        var options = self
        options.isRelayOnly = true
        return options
    }

    static func randomGroup() -> String {
        let (third, fourth) = (UInt8.random(in: 0...255), UInt8.random(in: 1...254))
        return "239.255.\(third).\(fourth):\(UInt16.random(in: 20_000...60_000))"
    }

    private static var loopbackName: String {
        #if canImport(Darwin)
            "lo0"
        #else
            "lo"
        #endif
    }
}
