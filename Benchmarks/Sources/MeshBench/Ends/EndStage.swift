import Earshot
import Foundation

/// Makes the nodes of one process, with a directory for their state.
struct EndStage: Sendable {
    private let workload: WorkloadOptions
    private let mesh: MeshPlace
    private let chat: ChatPlace

    init(_ workload: WorkloadOptions, peers: [String], port: UInt16) throws {
        self.workload = workload
        var options = workload.meshOptions
        options.staticPeers = peers
        options.port = port
        mesh = MeshPlace(options: options)
        var directory: URL?
        if workload.level == .chat, workload.store == .disk {
            let base = workload.directory.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
            let made = base.appending(path: "mesh-bench-\(UUID().uuidString.lowercased())")
            try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
            directory = made
        }
        chat = ChatPlace(options: options, directory: directory)
    }

    func makeSender(receiverCount: Int) async throws -> any SendingEnd {
        switch workload.level {
        case .mesh: try MeshSender(mesh, receiverCount: receiverCount)
        case .chat: try await ChatSender(chat, receiverCount: receiverCount)
        }
    }

    func makeReceiver() async throws -> any ServingEnd {
        switch workload.level {
        case .mesh: try MeshReceiver(mesh)
        case .chat: try await ChatReceiver(chat)
        }
    }

    func makeRelay() async throws -> any ServingEnd {
        switch workload.level {
        case .mesh: try MeshRelay(mesh)
        case .chat: try await ChatRelay(chat)
        }
    }

    /// Removes the state of the nodes.
    func remove() {
        if let directory = chat.directory { try? FileManager.default.removeItem(at: directory) }
    }
}
