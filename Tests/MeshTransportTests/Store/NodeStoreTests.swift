import MeshCore
import Testing

@testable import MeshTransport

/// Real sockets on the loopback interface and a real file.
@Suite("A node's store on disk", .timeLimit(.minutes(10)))
struct NodeStoreTests {
    @Test("A relay that was restarted hands on what it carried before")
    func restart() async throws {
        let folder = try StoreFolder()
        let plain = try await MeshNode.Configuration.loopback([.unused()])
        var keeping = plain
        keeping.storeFile = folder.log
        let body = [UInt8](repeating: 7, count: 300)
        let (author, first) = (TestNode(plain), TestNode(keeping))
        try await withRunning([author, first]) {
            try await author.linked(to: first.id)
            await author.node.submit(kind: .sealed, body: body, life: 360)
            try await first.received(body)
        }
        let (second, reader) = (TestNode(keeping), TestNode(plain))
        try await withRunning([second, reader]) {
            try await reader.received(body)
            // The program above may not have got to it before.
            try await second.received(body)
        }
        #expect(try folder.names == ["mesh.log"])
    }

    @Test("A node whose store is no log does not start, and says so")
    func unusable() async throws {
        let folder = try StoreFolder()
        try folder.write("not a log at all, but a letter".utf8)
        var configuration = try await MeshNode.Configuration.loopback([.unused()])
        configuration.storeFile = folder.log
        let node = TestNode(configuration)
        let error = await #expect(throws: MeshTransportError.self) { try await node.node.start() }
        #expect(error?.code == .storeUnusable)
    }

    @Test("What waits for the disk is bounded: beyond, the log is written as a whole")
    func pendingLimit() {
        var keeping = StoreKeeping(log: StoreLog(path: "unused", sizeLimit: 0))
        let record = StoreRecord.held(1, byteCount: 16_000)
        var count = 0
        while !keeping.needsRewrite, count < 1_000 {
            keeping.add([record])
            count += 1
        }
        #expect(count == StoreKeeping.pendingLimit / 16_032 + 1)
        keeping.add([record])
        #expect(keeping.pending == [])
        #expect(keeping.hasWork)
    }
}
