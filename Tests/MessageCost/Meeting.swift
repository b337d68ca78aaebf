import Earshot
import EarshotTesting
import Foundation
import MeshSimulation
import Synchronization

/// Nodes in reach of each other that know and accept each other.
struct Meeting {
    private static let limit = Duration.seconds(600)

    private let shape: MessageShape
    private let mesh: VirtualMesh
    private let nodes: [ChatNode]
    private let conversation: ConversationID
    private let folder: URL?
    private let counts: [Counts]

    init(_ shape: MessageShape) async throws {
        self.shape = shape
        let mesh = VirtualMesh(.clique(1 + shape.receiverCount), seed: 22)
        let folder = shape == .disk ? try Self.makeFolder() : nil
        var nodes: [ChatNode] = []
        for host in 0...shape.receiverCount {
            let home: Home = folder.map { .directory($0.appending(path: "\(host)")) } ?? .memory
            let node = try await ChatNode.open(home, orCreate: "node-\(host)", mesh.configuration(at: host))
            try await node.start()
            nodes.append(node)
        }
        (self.mesh, self.nodes, self.folder) = (mesh, nodes, folder)
        counts = try nodes.map { try Counts(following: $0) }
        let ids = nodes.map(\.identity.id)
        let everybody = nodes
        guard
            await mesh.run(
                for: Self.limit,
                until: {
                    for node in everybody {
                        guard let contacts = try? await node.contacts.all(), contacts.count >= ids.count - 1 else {
                            return false
                        }
                    }
                    return true
                }
            )
        else { throw MeetingFailure.nobodyMet }
        for node in nodes {
            for peer in ids where peer != node.identity.id { try await node.contacts.decide(.accept, about: peer) }
        }
        conversation = .direct(ids[1])
    }

    /// Sends messages; returns once every receiver has confirmed all of them.
    func send(_ count: Int) async throws {
        let (first, second) = (nodes[0].identity.id, nodes[1].identity.id)
        var target = conversation
        if shape == .group {
            let members = nodes.dropFirst().map(\.identity.id)
            target = .group(try await nodes[0].conversations.createGroup(title: "ten", members: members).id)
            try await wait { counts.dropFirst().allSatisfy { $0.joined >= 1 } }
        }
        let text = String(repeating: "x", count: 92)
        var sent = [0, 0]
        while sent[0] + sent[1] < count {
            let side = shape == .turns ? (sent[0] + sent[1]) % 2 : 0
            let window = min(shape.window, count - sent[0] - sent[1])
            let to = shape == .turns ? .direct(side == 0 ? second : first) : target
            let number = sent[0] + sent[1]
            try await withThrowingDiscardingTaskGroup { group in
                for index in 0..<window {
                    group.addTask { [nodes] in
                        try await nodes[side].conversation(to).send("\(number + index) \(text)")
                    }
                }
            }
            sent[side] += window
            try await wait { counts[side].delivered >= sent[side] }
        }
    }

    func end() async {
        for node in nodes { await node.stop() }
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    private func wait(_ condition: () -> Bool) async throws {
        guard await mesh.run(for: Self.limit, until: { condition() }) else { throw MeetingFailure.notDelivered }
    }

    private static func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "message-cost-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

/// A failure of the program, not of the library's rates.
enum MeetingFailure: Error {
    case nobodyMet, notDelivered
}

/// The numbers of a node's events that the program waits for.
final class Counts: Sendable {
    private let values = Mutex((delivered: 0, joined: 0))

    init(following node: ChatNode) throws {
        let events = try node.events()
        Task { [weak self] in
            for await event in events {
                switch event {
                case .status(_, _, .delivered): self?.values.withLock { $0.delivered += 1 }
                case .group(let group, .invited):
                    _ = try? await node.group(group).answerInvitation(accepts: true)
                    self?.values.withLock { $0.joined += 1 }
                case .group(_, .joined): self?.values.withLock { $0.joined += 1 }
                default: break
                }
            }
        }
    }

    var delivered: Int { values.withLock { $0.delivered } }

    var joined: Int { values.withLock { $0.joined } }
}
