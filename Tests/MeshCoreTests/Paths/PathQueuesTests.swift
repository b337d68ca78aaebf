import Testing

@testable import MeshCore

@Suite("Queues of paths")
struct PathQueuesTests {
    private let link = LinkID(1)
    private var links = RecordedLinks()
    private var queues = PathQueues(configuration: PathConfiguration())

    private static func message(_ byte: UInt8, count: Int = 1_000) -> [UInt8] {
        [UInt8](repeating: byte, count: count)
    }

    private mutating func append(_ byte: UInt8, count: Int = 1_000, to label: UInt64, on link: UInt64 = 1) -> Int {
        queues.append(Self.message(byte, count: count), of: PathLabel(label), lane: .bulk, on: LinkID(link))
    }

    private mutating func drain(room: Int) -> [UInt8] {
        links.room = room
        queues.drain(lane: .bulk, on: link, now: .zero, over: &links)
        return links.takeSent().map { $0.message[0] }
    }

    @Test("64 KiB wait for one label; the oldest goes for the newest")
    mutating func labelLimit() {
        var dropCounts: [Int] = []
        for byte in 0..<67 { dropCounts.append(append(UInt8(byte), to: 1)) }
        #expect(dropCounts == [Int](repeating: 0, count: 65) + [1, 1])
        #expect(queues.byteCount == 65_000)
        #expect(drain(room: .max) == Array(2..<67))
        #expect(queues.byteCount == 0)
        #expect(queues.isEmpty(lane: .bulk, on: link))
    }

    @Test("4 MiB wait in all; a longest label of the link with the most gives its oldest")
    mutating func totalLimit() {
        for label in 0..<64 {
            for _ in 0..<65 { _ = append(1, to: UInt64(label), on: UInt64(1 + label % 4)) }
        }
        #expect(queues.byteCount == 64 * 65_000)
        for _ in 0..<34 { #expect(append(2, to: 100) == 0) }
        #expect(queues.byteCount == 4_194_000)
        #expect(append(2, to: 100) == 1)
        #expect(queues.byteCount == 4_194_000)
        #expect(queues.byteCount(of: PathLabel(60), lane: .bulk, on: link) == 64_000)
        #expect(queues.byteCount(of: PathLabel(100), lane: .bulk, on: link) == 35_000)
    }

    @Test("Many short queues make room for the next message, and labels without anything do not pile up")
    mutating func manyLabels() {
        for label in 0..<4_194 { #expect(append(1, to: UInt64(label)) == 0) }
        var dropCount = 0
        for label in 10_000..<60_000 { dropCount += append(2, to: UInt64(label)) }
        #expect(dropCount == 50_000 && queues.byteCount == 4_194_000)
        #expect(queues.labelCount <= 2 * 4_194 + 65)
        #expect(drain(room: .max).count == 4_194)
        #expect(queues.labelCount == 0)
    }

    @Test("Labels take turns, and long messages get no more than short ones")
    mutating func turns() {
        // The longest message has 20,499 bytes, so a turn passes two messages of 10,000 bytes or four of 5,000.
        for _ in 0..<6 { _ = append(1, count: 10_000, to: 1) }
        for _ in 0..<12 { _ = append(2, count: 5_000, to: 2) }
        #expect(drain(room: 3) == [1, 1, 2])
        #expect(drain(room: .max) == [2, 2, 2, 1, 1, 2, 2, 2, 2, 1, 1, 2, 2, 2, 2])
    }

    @Test("What waits for a lost label or link is dropped, and nothing else")
    mutating func removal() {
        for label in 1...3 { _ = append(UInt8(label), to: UInt64(label)) }
        _ = append(4, to: 1, on: 2)
        queues.remove(PathLabel(1), on: link)
        #expect(queues.byteCount == 3_000)
        #expect(drain(room: 1) == [2])
        queues.remove(link)
        #expect(queues.byteCount == 1_000)
        #expect(drain(room: .max) == [])
        #expect(queues.byteCount(of: PathLabel(1), lane: .bulk, on: LinkID(2)) == 1_000)
    }
}
