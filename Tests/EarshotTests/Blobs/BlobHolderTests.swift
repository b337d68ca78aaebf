import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("Large objects of groups are fetched from whoever has them")
struct BlobHolderTests {
    /// Makes a world, and a blob that Alice sent to a group with Bob, Carol and Dave.
    private static func scene(_ holders: [PeerID], seed: UInt64 = 1) throws -> (TransferWorld, HeldObject) {
        var world = TransferWorld(seed: seed)
        let blob = try HeldObject(try TransferWorld.id(1), byteCount: 3_000_000)
        for holder in holders { world.held[holder] = [blob] }
        return (world, blob)
    }

    private static func peers() throws -> [PeerID] { try (1...4).map { try TransferWorld.peer($0) } }

    @Test("Nobody but the sender is looked for while the sender gives it")
    func sender() throws {
        let peers = try Self.peers()
        var (world, blob) = try Self.scene(peers)
        world.add(blob.order(from: peers[0], or: Array(peers.dropFirst())))
        world.run()
        #expect(world.finished == [blob.blob.id])
        #expect(world.looks.map(\.0) == [peers[0]])
    }

    @Test("Where the sender is away the others are looked for one after the other, and each for some seconds")
    func turns() throws {
        let peers = try Self.peers()
        var (world, blob) = try Self.scene([peers[3]])
        world.isReachable = { $0 == peers[3] }
        world.add(blob.order(from: peers[0], or: Array(peers.dropFirst())))
        world.run()
        #expect(world.finished == [blob.blob.id])
        #expect(world.written[blob.blob.id]?.sorted() == Array(0..<92))
        let others = world.looks.map(\.0).filter { $0 != peers[0] }
        #expect(others == Array(peers.dropFirst()))
        let start = world.looks.first { $0.0 == peers[3] }?.1
        #expect(start == MeshInstant.zero.advanced(by: ChatLimits.helloInterval * 3))
    }

    @Test("Who has not got it is asked no more for ten minutes, and the next is at once")
    func absent() throws {
        let peers = try Self.peers()
        var (world, blob) = try Self.scene([peers[2]])
        world.isReachable = { $0 != peers[3] }
        world.add(blob.order(from: peers[0], or: Array(peers.dropFirst())))
        world.run(for: .seconds(3))
        #expect(world.finished == [blob.blob.id])
        #expect(world.looks.map(\.0) == Array(peers[0...2]))
    }

    @Test("What one began to give another goes on with, and nothing comes twice", arguments: [1, 2, 3] as [UInt64])
    func change(seed: UInt64) throws {
        let peers = try Self.peers()
        var (world, blob) = try Self.scene(Array(peers[0...1]), seed: seed)
        world.loss = 0.03
        world.add(blob.order(from: peers[0], or: [peers[1]]))
        world.run { ($0.written[blob.blob.id]?.count ?? 0) >= 30 }
        world.isReachable = { $0 == peers[1] }
        world.lose(peers[0])
        world.run()
        #expect(world.finished == [blob.blob.id])
        #expect(world.written[blob.blob.id]?.sorted() == Array(0..<92))
    }

    @Test("While nobody is there, two at most are looked for at a time, less and less often")
    func nobody() throws {
        let peers = try Self.peers()
        var (world, blob) = try Self.scene([])
        world.isReachable = { _ in false }
        world.add(blob.order(from: peers[0], or: Array(peers.dropFirst())))
        world.run(for: .seconds(600))
        let late = world.looks.count { $0.1 > MeshInstant.zero.advanced(by: .seconds(300)) }
        #expect(late > 0 && late <= 12, "\(late) looks in five minutes")
        // A peer is discovered. The download looks for a path to it at once.
        let count = world.looks.count
        world.isReachable = { $0 == peers[2] }
        world.held[peers[2]] = [blob]
        world.perform { $0.discovered(peers[2], now: $1, into: &$2) }
        #expect(world.looks.dropFirst(count).map(\.0) == [peers[2]])
        world.run(for: .seconds(5))
        #expect(world.finished == [blob.blob.id])
    }

    @Test("A piece from somebody who was not asked is none, and when all are given up nobody is looked for")
    func unknownPeers() throws {
        let peers = try Self.peers()
        var (world, blob) = try Self.scene([peers[0]])
        world.rate = 100_000
        world.add(blob.order(from: peers[0], or: [peers[1]]))
        world.run { ($0.written[blob.blob.id]?.count ?? 0) >= 1 }
        let fragment = try #require(blob.message(0, of: 60, transfer: 7))
        world.perform { $0.receive(fragment, from: peers[1], now: $1, into: &$2) }
        world.perform { $0.receive(.absent(transfer: 7), from: peers[1], now: $1, into: &$2) }
        #expect(world.downloads.activeCount == 1)
        world.perform { $0.remove(blob.blob.id, now: $1, into: &$2) }
        let count = world.looks.count
        world.run(for: .seconds(60))
        #expect(world.looks.count == count && world.downloads.nextDeadline == .distantFuture)
    }
}
