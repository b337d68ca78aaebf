import ChatCrypto
import Earshot
import Foundation

@testable import ChatCore

/// A node on this machine's loopback interface, with its events.
struct LiveNode: Sendable {
    let node: ChatNode
    let events: ChatEvents

    /// Makes the node.
    ///
    /// `withRunning` starts it.
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
            autoLock: autoLock,
            mesh: mesh,
            sendsTyping: sendsTyping,
            mediaCleaner: cleaner
        )
        settings.passphraseCost = .small
        settings.searchByteCount = searchByteCount
        settings.mediaByteLimit = mediaByteLimit
        node = try await ChatNode.open(home.with(passphrase: passphrase), orCreate: name, settings)
        events = try node.events()
    }

    /// Wraps an existing node, with its events from now on.
    init(_ node: ChatNode) throws {
        self.node = node
        events = try node.events()
    }

    /// Returns the first value that `pick` returns for an event from now on.
    func first<Value>(_ pick: (ChatEvent) -> Value?) async throws -> Value {
        for await event in events {
            if let value = pick(event) { return value }
        }
        throw ChatError(.stopped, "The node stopped before it happened.")
    }

    /// Waits for the next event of a peer of this name.
    ///
    /// Those of others before it are gone: several peers are met with ``meetsAll(_:)``.
    func meets(_ name: String) async throws -> PeerID {
        try await first { event in
            guard case .contact(let contact) = event, contact.name == name else { return nil }
            return contact.id
        }
    }

    /// Waits until peers of these names are known.
    ///
    /// Returns their ids in the same order.
    func meetsAll(_ names: [String]) async throws -> [PeerID] {
        var known: [String: PeerID] = [:]
        for contact in try await node.contacts.all() { known[contact.name] = contact.id }
        while !names.allSatisfy({ known[$0] != nil }) {
            let contact = try await first { event in
                if case .contact(let contact) = event { contact } else { nil }
            }
            known[contact.name] = contact.id
        }
        return names.compactMap { known[$0] }
    }

    /// Waits for the next incoming message of another user.
    func receives() async throws -> Message {
        try await first { event in
            guard case .message(let message) = event, !message.isOutgoing, !message.isGroupLine else { return nil }
            return message
        }
    }

    /// Waits for a message from before this node joined, and returns it.
    func isNotified(_ text: String) async throws -> Message {
        try await first { event in
            if case .message(let message) = event, !message.attestedBy.isEmpty, message.text == text {
                message
            } else {
                nil
            }
        }
    }

    /// Waits for the event that a file cannot be fetched or is delayed, and returns the reason.
    func misses(_ file: Int, of message: MessageID) async throws -> FileFailure {
        try await first { event in
            if case .fileFailed(_, message, file: file, let reason) = event { reason } else { nil }
        }
    }

    /// Returns all statuses of a message until one that is `last`, or the end.
    func statuses(of message: Message, until last: DeliveryStatus = .delivered) async throws -> [DeliveryStatus] {
        var statuses: [DeliveryStatus] = []
        let conversation = node.conversation(message.conversation)
        for try await status in conversation.statuses(of: message.id, until: last) { statuses.append(status) }
        return statuses
    }
}

/// Starts nodes in order, runs `body`, and stops the nodes even if it throws.
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
    /// Returns options for the loopback interface only, with these discovery groups.
    ///
    /// The groups of `randomGroup()` are unlikely to be those of another test.
    static func loopback(_ groups: [String]) -> MeshOptions {
        var options = MeshOptions()
        options.interfaces = [loopbackName]
        options.discoveryGroups = groups
        return options
    }

    /// The options of the same mesh for a node that only relays.
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
