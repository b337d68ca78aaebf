import ChatCrypto
import Earshot
import EarshotRPC
import Foundation

/// The node that another implementation talks to: it accepts everyone, joins every group, and answers each text.
struct ConformanceNode: Sendable {
    let node: ChatNode
    let room: Room
    private let directory: URL
    private let events: ChatEvents

    /// The seeds of the identity, which everybody knows.
    static let signingSeed = [UInt8](repeating: 0x11, count: 32)
    static let agreementSeed = [UInt8](repeating: 0x22, count: 32)

    /// Starts the node in a temporary data directory, and opens a room.
    init(_ mesh: MeshOptions) async throws {
        directory = FileManager.default.temporaryDirectory.appending(
            path: "earshot-conformance-\(UUID().uuidString.prefix(8).lowercased())",
            directoryHint: .isDirectory
        )
        do {
            node = try await Self.makeNode(in: directory, mesh)
        } catch {
            try? FileManager.default.removeItem(at: directory)
            throw error
        }
        do {
            events = try node.events()
            try await node.start()
            room = try await node.rooms.create(RoomPlan(title: "Conformance", expiresAfter: .seconds(7 * 86_400)))
        } catch {
            await node.stop()
            try? FileManager.default.removeItem(at: directory)
            throw error
        }
    }

    private static func makeNode(in directory: URL, _ mesh: MeshOptions) async throws -> ChatNode {
        let identity = try Identity(importing: SecretBytes(copying: [1] + signingSeed + agreementSeed))
        let backup = IdentityBackup(of: identity, nickname: try Nickname("Conformance"))
        var configuration = ChatConfiguration()
        configuration.mesh = mesh
        let passphrase = "conformance"
        let sealed = try backup.sealed(passphrase: SecretBytes(copying: Array(passphrase.utf8)), cost: .small)
        return try await ChatNode.restore(sealed, passphrase: passphrase, in: .directory(directory), configuration)
    }

    /// Lines that tell another implementation what it needs to know.
    var introduction: [String] {
        [
            "peer id         \(node.identity.id)", "signing seed    \(Self.signingSeed.hex)",
            "agreement seed  \(Self.agreementSeed.hex)", "room code       \(room.admissionState?.code ?? "none")",
        ]
    }

    /// Answers all events, and shows each line of the report, until all steps were taken or the task is cancelled.
    ///
    /// - Returns: the steps that were not taken.
    func run(_ show: @Sendable @escaping (ConformanceReport.Line) -> Void) async -> [ConformanceStep] {
        let report = ConformanceReport()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await event in events {
                    await report.note(event).map(show)
                    // An answer that cannot be sent shows as a receipt that is missing.
                    try? await answer(event)
                    if await report.missing.isEmpty { return }
                }
            }
            group.addTask {
                while (try? await Task.sleep(for: .seconds(1))) != nil { await showRefusals(in: report, show) }
            }
            await group.next()
            group.cancelAll()
        }
        await showRefusals(in: report, show)
        return await report.missing
    }

    private func showRefusals(in report: ConformanceReport, _ show: (ConformanceReport.Line) -> Void) async {
        let metrics = MetricsReply(await node.metrics)
        for line in await report.note(metrics) { show(line) }
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
