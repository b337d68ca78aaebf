import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("Peers get what they ask for in turn, as fast as their paths take it")
struct BlobUploadTests {
    private static let path = PathLabel(9)
    private let blob: BlobUploads.Blob

    init() throws {
        blob = try HeldObject(try TransferWorld.id(1), byteCount: 1_000_000).blob
    }

    private static func message(to label: PathLabel, _ number: UInt8) -> PathMessage {
        PathMessage(to: label, hops: 0, isBulk: true, payload: [number])
    }

    private static func next(of uploads: inout BlobUploads) throws -> BlobUploads.Batch {
        let batch = uploads.next()
        return try #require(batch)
    }

    @Test("What a path refuses goes first when it takes more, and nothing before")
    func refusal() throws {
        let bob = try TransferWorld.peer(2)
        var uploads = BlobUploads()
        uploads.ask([0..<20], of: blob, transfer: 1, by: bob, on: Self.path)
        let first = try Self.next(of: &uploads)
        #expect(first.fragments.count == ChatLimits.uploadBatchCount)
        #expect(!uploads.hasWork)
        let refused = [Self.message(to: PathLabel(3), 1), Self.message(to: PathLabel(3), 2)]
        _ = uploads.sent(first, refused: refused, now: .zero)
        #expect(!uploads.hasWork)
        uploads.ready(PathLabel(4))
        #expect(uploads.hasWork == false)
        uploads.ready(PathLabel(3))
        let second = try Self.next(of: &uploads)
        #expect(second.refused == refused)
        #expect(second.fragments.count == ChatLimits.uploadBatchCount - 2)
    }

    @Test("The news that there is room may come before that there is none")
    func early() throws {
        let bob = try TransferWorld.peer(2)
        var uploads = BlobUploads()
        uploads.ask([0..<20], of: blob, transfer: 1, by: bob, on: Self.path)
        let first = try Self.next(of: &uploads)
        uploads.ready(PathLabel(3))
        _ = uploads.sent(first, refused: [Self.message(to: PathLabel(3), 1)], now: .zero)
        #expect(try Self.next(of: &uploads).refused.count == 1)
    }

    @Test("Whoever asks once more on another path is not held up by the old one")
    func otherPath() throws {
        let bob = try TransferWorld.peer(2)
        var uploads = BlobUploads()
        uploads.ask([0..<20], of: blob, transfer: 1, by: bob, on: Self.path)
        let first = try Self.next(of: &uploads)
        _ = uploads.sent(first, refused: [Self.message(to: PathLabel(3), 1)], now: .zero)
        uploads.ask([20..<21], of: blob, transfer: 1, by: bob, on: PathLabel(10))
        let second = try Self.next(of: &uploads)
        #expect(second.path == PathLabel(10))
        #expect(second.refused == [])
    }

    @Test("Peers take turns of a batch")
    func turns() throws {
        let (bob, carol) = (try TransferWorld.peer(2), try TransferWorld.peer(3))
        var uploads = BlobUploads()
        uploads.ask([0..<20], of: blob, transfer: 1, by: bob, on: Self.path)
        uploads.ask([0..<20], of: blob, transfer: 1, by: carol, on: PathLabel(10))
        var order: [UInt8] = []
        while let batch = uploads.next() {
            order.append(batch.peer.bytes[0])
            _ = uploads.sent(batch, refused: [], now: .zero)
        }
        #expect(order == [2, 3, 2, 3, 2, 3])
    }

    @Test("What is cancelled, withdrawn, or has lost its path does not go")
    func ends() throws {
        let bob = try TransferWorld.peer(2)
        var uploads = BlobUploads()
        uploads.ask([0..<20], of: blob, transfer: 1, by: bob, on: Self.path)
        uploads.cancel(1, by: bob)
        #expect(!uploads.hasWork)
        uploads.ask([0..<20], of: blob, transfer: 2, by: bob, on: Self.path)
        uploads.remove(blob.id)
        #expect(!uploads.hasWork)
        uploads.ask([0..<20], of: blob, transfer: 3, by: bob, on: Self.path)
        #expect(uploads.hasWork)
        uploads.forget(bob)
        #expect(!uploads.hasWork)
        #expect(uploads.clientCount == 0)
    }

    @Test("No more peers are served than there may be paths")
    func limit() throws {
        var uploads = BlobUploads()
        for number in 0...UInt8(ChatLimits.pathCount) {
            uploads.ask([0..<1], of: blob, transfer: 1, by: try TransferWorld.peer(number), on: Self.path)
        }
        #expect(uploads.clientCount == ChatLimits.pathCount)
        #expect(uploads.waitingCount(for: try TransferWorld.peer(UInt8(ChatLimits.pathCount))) == 0)
        while let batch = uploads.next() { _ = uploads.sent(batch, refused: [], now: .zero) }
        uploads.ask([0..<1], of: blob, transfer: 1, by: try TransferWorld.peer(200), on: Self.path)
        #expect(uploads.waitingCount(for: try TransferWorld.peer(200)) == 1)
        #expect(uploads.clientCount == ChatLimits.pathCount)
    }

    @Test("What has gone is told now and then, and never that it is all")
    func progress() throws {
        let bob = try TransferWorld.peer(2)
        var uploads = BlobUploads()
        uploads.ask([0..<40], of: blob, transfer: 1, by: bob, on: Self.path)
        var told: [UInt64] = []
        var now = MeshInstant.zero
        while let batch = uploads.next() {
            if let progress = uploads.sent(batch, refused: [], now: now) { told.append(progress.byteCount) }
            now = now.advanced(by: .milliseconds(70))
        }
        // The second and the third batch came too soon. The last one contained the last chunk.
        #expect(told.count == 2)
        #expect(told == told.sorted())
        #expect(told.last == 999_999)
    }

    @Test("What is asked for again, or by another peer, takes no progress back")
    func repeatedProgress() throws {
        var uploads = BlobUploads()
        var now = MeshInstant.zero
        var told: [UInt64] = []
        for (peer, ranges) in [(2, [20..<24]), (2, [4..<8]), (3, [4..<8]), (2, [24..<28])] as [(UInt8, [Range<UInt32>])]
        {
            uploads.ask(ranges, of: blob, transfer: 1, by: try TransferWorld.peer(peer), on: Self.path)
            while let batch = uploads.next() {
                now = now.advanced(by: .seconds(1))
                if let progress = uploads.sent(batch, refused: [], now: now) { told.append(progress.byteCount) }
            }
        }
        #expect(told.count > 1 && told == told.sorted() && Set(told).count == told.count)
    }

    @Test("The progress of more objects than are remembered is told all the same")
    func progressLimit() throws {
        let bob = try TransferWorld.peer(2)
        var uploads = BlobUploads()
        var reportedCount = 0
        for number in 0...ChatLimits.pathCount {
            let blob = try HeldObject(try TransferWorld.id(UInt8(number + 1)), byteCount: 100_000).blob
            uploads.ask([2..<3], of: blob, transfer: 1, by: bob, on: Self.path)
            while let batch = uploads.next() {
                let now = MeshInstant.zero.advanced(by: .seconds(number))
                if uploads.sent(batch, refused: [], now: now) != nil { reportedCount += 1 }
            }
        }
        #expect(reportedCount == ChatLimits.pathCount + 1)
    }
}
