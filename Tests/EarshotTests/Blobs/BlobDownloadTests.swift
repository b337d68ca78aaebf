import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("Large objects are fetched in turn, and go on where they were")
struct BlobDownloadTests {
    @Test("An object comes whole in spite of losses, and its progress grows", arguments: [1, 2, 3] as [UInt64])
    func losses(seed: UInt64) throws {
        let (bob, id) = (try TransferWorld.peer(2), try TransferWorld.id(1))
        var world = TransferWorld(seed: seed)
        world.loss = 0.05
        let blob = try HeldObject(id, byteCount: 5_000_000)
        world.held = [bob: [blob]]
        world.add(blob.order(from: bob))
        world.run()
        #expect(world.finished == [id])
        #expect(world.written[id]?.sorted() == Array(0..<153))
        #expect(world.downloads.count == 0)
        let told = world.told[id] ?? []
        #expect(told == told.sorted())
        #expect(told.allSatisfy { $0 < 5_000_000 })
    }

    @Test("An object of any size comes whole by a path, an empty one too", arguments: [0, 1, 32_767, 32_768, 32_769])
    func sizes(byteCount: Int) throws {
        let (bob, id) = (try TransferWorld.peer(2), try TransferWorld.id(1))
        var world = TransferWorld()
        let blob = try HeldObject(id, byteCount: byteCount)
        world.held = [bob: [blob]]
        world.add(blob.order(from: bob))
        world.run()
        #expect(world.finished == [id])
        #expect(world.written[id]?.sorted() == Array(0..<blob.blob.reference.chunkCount))
        #expect((world.told[id] ?? []).allSatisfy { $0 < max(1, byteCount) })
    }

    @Test("Four objects are fetched at once, the others wait in their order")
    func turns() throws {
        let bob = try TransferWorld.peer(2)
        var world = TransferWorld()
        let blobs = try (1...9).map { number in
            try HeldObject(try TransferWorld.id(UInt8(number)), byteCount: 300_000 + number)
        }
        world.held = [bob: blobs]
        for blob in blobs { world.add(blob.order(from: bob)) }
        world.run()
        #expect(world.mostActive == ChatLimits.fetchCount)
        #expect(Set(world.finished.prefix(4)) == Set(blobs.prefix(4).map(\.blob.id)))
        #expect(world.finished.count == 9)
        #expect(world.looks.count == 1)
    }

    @Test("What is durable is not fetched again after a restart")
    func restart() throws {
        let (bob, id) = (try TransferWorld.peer(2), try TransferWorld.id(1))
        var world = TransferWorld()
        world.rate = 1_000_000
        let blob = try HeldObject(id, byteCount: 8_000_000)
        world.held = [bob: [blob]]
        world.add(blob.order(from: bob))
        world.run { $0.notes[id] != nil }
        let known = try #require(world.notes[id])
        #expect(known.count > 20)
        #expect(known.count < 200)
        var next = TransferWorld()
        next.held = world.held
        next.add(blob.order(from: bob, chunks: known))
        next.run()
        #expect(next.finished == [id])
        #expect(next.written[id]?.sorted() == (0..<245).filter { !known.contains($0) })
    }

    @Test("What was all there before a restart needs no path to be finished")
    func finishedBefore() throws {
        let (bob, id) = (try TransferWorld.peer(2), try TransferWorld.id(1))
        var world = TransferWorld()
        world.isReachable = { _ in false }
        var chunks = ChunkSet(chunkCount: 10)
        for index in 0..<10 { chunks.insert(index) }
        world.add(try HeldObject(id, byteCount: 300_000).order(from: bob, chunks: chunks))
        #expect(world.finished == [id])
        #expect(world.looks.isEmpty)
        #expect(world.downloads.count == 0)
    }

    @Test("When the path is lost, another goes on with what is missing")
    func lostPath() throws {
        let (bob, id) = (try TransferWorld.peer(2), try TransferWorld.id(1))
        var world = TransferWorld()
        let blob = try HeldObject(id, byteCount: 3_000_000)
        world.held = [bob: [blob]]
        world.add(blob.order(from: bob))
        for count in [20, 50] {
            world.run { ($0.written[id]?.count ?? 0) >= count }
            world.lose(bob)
        }
        world.run()
        #expect(world.finished == [id])
        #expect(world.written[id]?.sorted() == Array(0..<92))
        #expect(world.looks.count == 3)
    }

    @Test("Five requests without answer make the path a dead one")
    func deadPath() throws {
        let (bob, id) = (try TransferWorld.peer(2), try TransferWorld.id(1))
        var world = TransferWorld()
        let blob = try HeldObject(id, byteCount: 3_000_000)
        world.held = [bob: [blob]]
        world.add(blob.order(from: bob))
        world.run { ($0.written[id]?.count ?? 0) >= 20 }
        world.loss = 1
        world.run { $0.looks.count == 2 }
        world.loss = 0
        world.run()
        #expect(world.finished == [id])
        #expect(world.written[id]?.sorted() == Array(0..<92))
    }

    @Test("Who is away is looked for at longer and longer intervals, and keeps nobody waiting")
    func away() throws {
        let (bob, carol) = (try TransferWorld.peer(2), try TransferWorld.peer(3))
        var world = TransferWorld()
        world.isReachable = { $0 != bob }
        let mine = try HeldObject(try TransferWorld.id(1), byteCount: 300_000)
        let other = try HeldObject(try TransferWorld.id(2), byteCount: 300_000)
        world.held = [bob: [mine], carol: [other]]
        world.add(mine.order(from: bob))
        world.add(other.order(from: carol))
        world.run(for: .seconds(300))
        #expect(world.finished == [other.blob.id])
        let looks = world.looks.filter { $0.0 == bob }.map { $0.1.nanoseconds / 1_000_000_000 }
        #expect(looks == [0, 2, 6, 14, 30, 62, 122, 182, 242])
        world.isReachable = { _ in true }
        world.perform { $0.discovered(bob, now: $1, into: &$2) }
        world.run(for: .seconds(5))
        #expect(world.finished == [other.blob.id, mine.blob.id])
    }

    @Test("No more than four are looked for at once, and two more in each second")
    func crowd() throws {
        var world = TransferWorld()
        world.isReachable = { _ in false }
        for number in 1...10 as ClosedRange<UInt8> {
            let blob = try HeldObject(try TransferWorld.id(number), byteCount: 300_000)
            world.add(blob.order(from: try TransferWorld.peer(number)))
        }
        world.run(for: .milliseconds(4_400))
        let instants = world.looks.map { $0.1.nanoseconds / 500_000_000 }
        #expect(instants == [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8])
    }

    @Test("What a holder has not got is asked for again later, over the same path")
    func absent() throws {
        let (bob, id) = (try TransferWorld.peer(2), try TransferWorld.id(1))
        var world = TransferWorld()
        let blob = try HeldObject(id, byteCount: 300_000)
        world.add(blob.order(from: bob))
        world.run(for: .seconds(500))
        #expect(world.downloads.activeCount == 0)
        #expect(world.finished == [])
        world.held = [bob: [blob]]
        world.run(for: .seconds(200))
        #expect(world.finished == [id])
        #expect(world.looks.count == 1)
    }

    @Test("When everybody who could give an object has said that it is not there, that is told")
    func missing() throws {
        let (bob, carol, id) = (try TransferWorld.peer(2), try TransferWorld.peer(3), try TransferWorld.id(1))
        var world = TransferWorld()
        world.isReachable = { $0 == bob }
        world.add(try HeldObject(id, byteCount: 300_000).order(from: bob, or: [carol]))
        world.run(for: .seconds(500))
        #expect(world.missed == [])
        world.isReachable = { _ in true }
        world.run(for: .seconds(500))
        #expect(world.missed.first == id)
    }

    @Test("An object that is given up is asked for no more")
    func removal() throws {
        let (bob, id) = (try TransferWorld.peer(2), try TransferWorld.id(1))
        var world = TransferWorld()
        let blob = try HeldObject(id, byteCount: 3_000_000)
        world.held = [bob: [blob]]
        world.add(blob.order(from: bob))
        world.run { ($0.written[id]?.count ?? 0) >= 20 }
        world.perform { $0.remove(id, now: $1, into: &$2) }
        let count = world.written[id]?.count
        world.run()
        #expect(world.cancelCount == 1)
        #expect(world.written[id]?.count == count)
        #expect(world.uploads.waitingCount(for: bob) == 0)
        #expect(world.downloads.nextDeadline == .distantFuture)
    }

    @Test("What the disk refused is fetched again later")
    func disk() throws {
        let (bob, id) = (try TransferWorld.peer(2), try TransferWorld.id(1))
        var world = TransferWorld()
        world.rate = 1_000_000
        let blob = try HeldObject(id, byteCount: 3_000_000)
        world.held = [bob: [blob]]
        world.diskFails = true
        world.add(blob.order(from: bob))
        world.run(for: .seconds(30))
        #expect(world.downloads.activeCount == 0)
        world.diskFails = false
        world.run()
        #expect(world.finished == [id])
        #expect(Set(world.written[id] ?? []) == Set(0..<92))
        // The download writes the chunks that were written but not durable a second time.
        #expect((world.written[id]?.count ?? 0) > 92)
    }

    @Test("What a disk may not have kept is fetched again, though the path was lost meanwhile")
    func diskAfterLoss() throws {
        let (bob, id) = (try TransferWorld.peer(2), try TransferWorld.id(1))
        var world = TransferWorld()
        let blob = try HeldObject(id, byteCount: 3_000_000)
        world.held = [bob: [blob]]
        world.add(blob.order(from: bob))
        world.run { ($0.written[id]?.count ?? 0) >= 20 }
        world.lose(bob)
        let count = try #require(world.written[id]?.count)
        #expect(world.notes[id] == nil)
        world.perform { $0.failed(id, now: $1, into: &$2) }
        world.run()
        #expect(world.finished == [id])
        #expect(world.written[id]?.count == count + 92)
    }

    @Test("Pieces of another peer, and of transfers that are over, change nothing")
    func unknownPeers() throws {
        let (bob, eve, id) = (try TransferWorld.peer(2), try TransferWorld.peer(3), try TransferWorld.id(1))
        var world = TransferWorld()
        let blob = try HeldObject(id, byteCount: 300_000)
        world.add(blob.order(from: bob))
        let fragments = [UInt8](0...1).compactMap { blob.message($0, of: 0, transfer: 7) }
        for fragment in fragments { world.perform { $0.receive(fragment, from: eve, now: $1, into: &$2) } }
        world.perform { $0.receive(.absent(transfer: 7), from: eve, now: $1, into: &$2) }
        world.perform { $0.receive(.absent(transfer: 8), from: bob, now: $1, into: &$2) }
        #expect(world.downloads.activeCount == 1)
        world.held = [bob: [blob]]
        world.run()
        #expect(world.finished == [id])
    }
}
