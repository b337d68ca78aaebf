import MeshCore
import MeshSimulation
import Testing

@testable import MeshTransport

/// Tests with real sockets on the loopback interface and a real file.
@Suite("A node's store on disk", .timeLimit(.minutes(30)))
struct NodeStoreTests {
    @Test("A relay that was restarted hands on what it carried before")
    func restart() async throws {
        let folder = try StoreFolder()
        let plain = try await MeshNode.Configuration.loopback([.unused()])
        var storage = plain
        storage.storeFile = folder.log
        let body = [UInt8](repeating: 7, count: 300)
        let (author, first) = (TestNode(plain), TestNode(storage))
        try await withRunning([author, first]) {
            try await author.linked(to: first.id)
            await author.node.submit(kind: .sealed, body: body, life: 360)
            try await first.received(body)
        }
        let (second, reader) = (TestNode(storage), TestNode(plain))
        try await withRunning([second, reader]) {
            try await reader.received(body)
            // The program above the node may not have handled the message before.
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

    @Test("A log that was damaged is written anew, which the figures tell")
    func rewriting() async throws {
        let folder = try StoreFolder()
        let log = folder.makeLog()
        _ = try await log.load(at: .at(0, wall: 1_000))
        _ = try await log.append([.held(1), .held(2)], at: .at(0, wall: 1_000))
        try await log.end(at: .at(0, wall: 1_000))
        var bytes = try folder.bytes
        bytes[bytes.count / 2] ^= 1
        try folder.write(bytes)
        var configuration = try await MeshNode.Configuration.loopback([.unused()])
        configuration.storeFile = folder.log
        let node = TestNode(configuration)
        try await withRunning([node]) {
            // Opening the log added an entry with the time.
            let byteCount = try folder.bytes.count
            #expect(await node.node.storeLog == StoreLogStatistics(byteCount: byteCount))
        }
        let statistics = await node.node.storeLog
        #expect([statistics.rewrites, statistics.failures] == [1, 0])
        #expect(statistics.byteCount > 0)
    }

    @Test(
        "A disk that takes nothing is counted, and the node goes on",
        .enabled(if: StoreFolder.canBeSmall, Comment(rawValue: StoreFolder.need))
    )
    func fullDisk() async throws {
        let folder = try StoreFolder(kibibytes: 64)
        var configuration = try await MeshNode.Configuration.loopback([.unused()])
        configuration.storeFile = folder.log
        let events = EventLog()
        let node = TestNode(configuration, events: events)
        try await withRunning([node]) {
            try folder.fill(true)
            await node.node.submit(kind: .sealed, body: [UInt8](repeating: 7, count: 16_000), life: 360)
            try await events.wait(for: "the log of the store cannot be written")
            let statistics = await node.node.storeLog
            #expect([statistics.rewrites, statistics.failures] == [0, 1])
            try folder.fill(false)
        }
        #expect(await node.node.storeLog.rewrites == 1)
    }

    @Test("What waits for the disk is bounded: beyond, the log is written as a whole")
    func pendingLimit() {
        var storage = StorePersistence(log: StoreLog(path: "unused", sizeLimit: 0))
        let record = StoreRecord.held(1, byteCount: 16_000)
        var count = 0
        while !storage.needsRewrite, count < 1_000 {
            storage.add([record])
            count += 1
        }
        #expect(count == StorePersistence.pendingLimit / 16_032 + 1)
        storage.add([record])
        #expect(storage.pending == [])
        #expect(storage.hasWork)
    }
}
