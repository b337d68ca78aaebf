import ChatCrypto
import EarshotRPC
import Foundation
import Testing

@testable import Earshot

@Suite("Socket server", .timeLimit(.minutes(30)))
struct RPCSocketServerTests {
    private struct Server {
        let folder: TemporaryFolder
        let node: ChatNode
        let path: SocketPath
        let server: RPCSocketServer

        init(_ folder: TemporaryFolder) async throws {
            self.folder = folder
            node = try await ChatNode.alice()
            path = try SocketPath(folder.path("rpc.sock"))
            server = RPCSocketServer(node: node, path: path) {}
        }
    }

    private func started() async throws -> Server {
        let server = try await Server(try TemporaryFolder())
        try await server.server.start()
        return server
    }

    @Test("The socket is the owner's alone, and goes with the server")
    func mode() async throws {
        let server = try await started()
        let attributes = try FileManager.default.attributesOfItem(atPath: server.path.text)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: server.folder.url.path) == ["rpc.sock"])
        await server.server.stop()
        #expect(try FileManager.default.contentsOfDirectory(atPath: server.folder.url.path) == [])
    }

    @Test("A socket that another user's process serves is told nothing")
    func foreignSocket() async throws {
        let server = try await started()
        let refusal = #expect(throws: RPCServerError.self) { try server.path.connect(user: geteuid() + 1) }
        #expect(refusal?.code == .foreignUser)
        let client = try await RPCClient.connect(to: server.path)
        _ = try await client.call(ContactsCall())
        await client.close()
        await server.server.stop()
    }

    @Test("Several clients are served at once, each its own answers and all events")
    func clients() async throws {
        let server = try await started()
        var clients: [(RPCClient, AsyncStream<RPCEvent>)] = []
        for _ in 0..<8 {
            let client = try await RPCClient.connect(to: server.path)
            clients.append((client, try await client.events(["link.up"])))
        }
        await withThrowingTaskGroup { group in
            for (index, (client, _)) in clients.enumerated() {
                group.addTask {
                    for count in 1...20 { _ = try await client.call(SendCall(to: "Bob", text: "\(index) \(count)")) }
                }
            }
        }
        #expect(
            try await Set(server.node.texts()) == Set((0..<8).flatMap { index in (1...20).map { "\(index) \($0)" } })
        )
        await server.node.account.notify(.linkUp(count: 3))
        for (client, events) in clients {
            #expect(await events.first { _ in true } == .linkUp(links: 3))
            await client.close()
        }
        await server.server.stop()
    }

    @Test("A client that sends and then closes its side still gets its answer")
    func halfClose() async throws {
        let server = try await started()
        let descriptor = try server.path.connect()
        let connection = try DescriptorConnection(input: descriptor, output: descriptor, ownsDescriptors: true)
        try await connection.write(Array(#"{"jsonrpc":"2.0","method":"shutdown","id":1}"#.utf8))
        #expect(shutdown(descriptor, Int32(SHUT_WR)) == 0)
        var bytes: [UInt8] = []
        for try await chunk in connection.chunks { bytes += chunk }
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"id":1,"jsonrpc":"2.0","result":{}}"# + "\n")
        await server.server.stop()
    }

    @Test("A client that reads no more holds nobody up")
    func stuckClient() async throws {
        let server = try await started()
        let stuck = try server.path.connect()
        let connection = try DescriptorConnection(input: stuck, output: stuck, ownsDescriptors: true)
        try await connection.write(Array(#"{"jsonrpc":"2.0","method":"subscribe","id":1}"#.utf8))
        // The client reads that it has subscribed, and nothing after.
        #expect(try await connection.chunks.first { _ in true } != nil)
        let client = try await RPCClient.connect(to: server.path)
        let text = String(repeating: "x", count: 15_360)
        for _ in 0..<500 { await server.node.account.notify(.message(try Samples.message(text))) }
        #expect(try await client.call(StatusCall()).name == "Alice")
        await client.close()
        await server.server.stop()
    }

    @Test("One client more than the limit is told so and let go")
    func clientLimit() async throws {
        let server = try await started()
        var clients: [RPCClient] = []
        for _ in 0..<RPCLimits.clientCount {
            let client = try await RPCClient.connect(to: server.path)
            _ = try await client.call(StatusCall())
            clients.append(client)
        }
        let descriptor = try server.path.connect()
        let connection = try DescriptorConnection(input: descriptor, output: descriptor, ownsDescriptors: true)
        var bytes: [UInt8] = []
        for try await chunk in connection.chunks { bytes += chunk }
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"error":{"code":-32009,"data":{"code":"limited"},"message":"64 clients are connected. Close one."},"id":null,"jsonrpc":"2.0"}"#
                + "\n"
        )
        for client in clients { await client.close() }
        await server.server.stop()
    }

    @Test("Stopping ends the clients, whatever they wait for")
    func stopping() async throws {
        let server = try await started()
        let client = try await RPCClient.connect(to: server.path)
        let events = try await client.events()
        await server.server.stop()
        #expect(await events.first { _ in true } == nil)
        await #expect(throws: RPCError.self) { try await client.call(StatusCall()) }
        await client.close()
    }

    @Test("A dead process's socket is replaced")
    func stale() async throws {
        let folder = try TemporaryFolder()
        let path = try SocketPath(folder.path("rpc.sock"))
        try leaveSocket(at: path)
        #expect(FileManager.default.fileExists(atPath: path.text))
        #expect(throws: RPCServerError.self) { try path.connect() }
        let server = try await Server(folder)
        try await server.server.start()
        let client = try await RPCClient.connect(to: path)
        #expect(try await client.call(StatusCall()).name == "Alice")
        await client.close()
        await server.server.stop()
    }

    @Test("A live process's socket is never replaced")
    func live() async throws {
        let first = try await started()
        let second = try await Server(first.folder)
        let error = await #expect(throws: RPCServerError.self) { try await second.server.start() }
        #expect(error?.code == .alreadyServed)
        let client = try await RPCClient.connect(to: first.path)
        #expect(try await client.call(StatusCall()).name == "Alice")
        await client.close()
        await first.server.stop()
    }

    @Test("What is no socket is left alone")
    func noSocket() async throws {
        let folder = try TemporaryFolder()
        try Data("mine".utf8).write(to: folder.url.appendingPathComponent("rpc.sock"))
        let server = try await Server(folder)
        let error = await #expect(throws: RPCServerError.self) { try await server.server.start() }
        #expect(error?.code == .notASocket)
        #expect(FileManager.default.contents(atPath: folder.path("rpc.sock")) == Data("mine".utf8))
    }

    @Test("A path too long for a socket is told")
    func longPath() {
        let error = #expect(throws: RPCServerError.self) { try SocketPath(String(repeating: "x", count: 200)) }
        #expect(error?.code == .pathTooLong)
    }

    /// Leaves the file of a socket, as a process does that dies with its socket open.
    private func leaveSocket(at path: SocketPath) throws {
        #if canImport(Glibc)
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.text.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0 && listen(descriptor, 1) == 0)
        close(descriptor)
    }
}
