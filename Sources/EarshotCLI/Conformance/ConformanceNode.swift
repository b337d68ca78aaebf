import ChatCrypto
import Earshot
import EarshotRPC
import Foundation

/// The node that another implementation talks to: it accepts everyone, joins every group, and answers each text.
struct ConformanceNode: Sendable {
    let node: ChatNode
    let room: Room
    private let directory: URL
    private let events: AsyncStream<ChatEvent>

    /// The seeds of the identity, which everybody knows.
    static let signingSeed = [UInt8](repeating: 0x11, count: 32)
    static let agreementSeed = [UInt8](repeating: 0x22, count: 32)

    /// Starts the node in a temporary data directory, and opens a room.
    init(_ mesh: MeshOptions) async throws {
        directory = FileManager.default.temporaryDirectory
            .appending(
                path: "earshot-conformance-\(UUID().uuidString.prefix(8).lowercased())",
                directoryHint: .isDirectory
            )
        let identity = try Identity(importing: SecretBytes(copying: [1] + Self.signingSeed + Self.agreementSeed))
        let backup = IdentityBackup(of: identity, nickname: try Nickname("Conformance"))
        var configuration = ChatConfiguration()
        configuration.mesh = mesh
        let passphrase = "conformance"
        let sealed = try backup.sealed(passphrase: SecretBytes(copying: Array(passphrase.utf8)), cost: .small)
        node = try await ChatNode.restore(sealed, passphrase: passphrase, in: .directory(directory), configuration)
        events = try node.events()
        try await node.start()
        room = try await node.rooms.create(RoomPlan(title: "Conformance", expiresAfter: .seconds(7 * 86_400)))
    }

    /// Lines that tell another implementation what it needs to know.
    var introduction: [String] {
        [
            "peer id         \(node.identity.id)", "signing seed    \(Self.signingSeed.hex)",
            "agreement seed  \(Self.agreementSeed.hex)", "room code       \(room.admissionState?.code ?? "none")",
        ]
    }

    /// Answers all events, and shows each line of the report, until all steps were taken or the task is cancelled.
    func run(_ show: @Sendable @escaping (ConformanceReport.Line) -> Void) async -> ConformanceReport {
        var report = ConformanceReport()
        for await event in Self.withTicks(events) {
            if let event {
                report.note(event).map(show)
                // An answer that is refused shows as a missing receipt.
                try? await answer(event)
            }
            report.note(MetricsReply(await node.metrics)).forEach(show)
            if report.missing.isEmpty { break }
        }
        return report
    }

    /// The events, with nil once a second.
    private static func withTicks(_ events: AsyncStream<ChatEvent>) -> AsyncStream<ChatEvent?> {
        AsyncStream { continuation in
            let reading = Task {
                for await event in events { continuation.yield(event) }
                continuation.finish()
            }
            let ticking = Task {
                while (try? await Task.sleep(for: .seconds(1))) != nil { continuation.yield(nil) }
                continuation.finish()
            }
            continuation.onTermination = { _ in
                reading.cancel()
                ticking.cancel()
            }
        }
    }

    private func answer(_ event: ChatEvent) async throws {
        switch event {
        case .contact(let contact) where contact.trust == .unknown:
            try await node.contacts.decide(.accept, about: contact.id)
        case .group(let group, .invited): _ = try await node.group(group).answerInvitation(accepts: true)
        case .message(let message) where !message.isOutgoing && message.systemLine == nil && !message.text.isEmpty:
            try await node.conversation(message.conversation)
                .send("You wrote: \(message.text)", MessageOptions(replyTo: message.id))
        default: break
        }
    }

    /// Ends the node and deletes its data directory.
    func stop() async {
        await node.stop()
        try? FileManager.default.removeItem(at: directory)
    }
}
