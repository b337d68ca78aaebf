import Testing

@testable import MeshCore

@Suite("Replay window")
struct ReplayWindowTests {
    @Test("It agrees with a set over the last 2,048 numbers", arguments: [1, 2, 3] as [UInt64])
    func model(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var window = ReplayWindow()
        var seen: Set<UInt64> = []
        var largest: UInt64 = 0
        for _ in 0..<4000 {
            let spread: UInt64 = random.next() % 50 == 0 ? 5000 : 60
            let base = random.next() % 4 == 0 ? largest &- min(largest, random.next() % 2200) : largest
            let number = base + random.next() % spread
            let isNew = !seen.contains(number) && (number > largest || largest - number < 2048)
            #expect(window.insert(number) == isNew)
            seen.insert(number)
            largest = max(largest, number)
        }
        let bitmap = window.bitmap(below: largest, maximumByteCount: 128)
        let frame = Frame.Acknowledgement(lowLargest: 0, delay: 0, bitmap: bitmap)
        for distance in 1...min(1024, largest) {
            #expect(frame.covers(largest - distance, largest: largest) == window.contains(largest - distance))
        }
    }

    @Test("A bitmap ends with its last number and never claims one that was not seen")
    func bitmap() {
        var window = ReplayWindow()
        for number: UInt64 in [0, 2, 9, 10] { window.insert(number) }
        #expect(window.bitmap(below: 10, maximumByteCount: 32) == [0b1000_0001, 0b0100_0000])
        #expect(window.bitmap(below: 0, maximumByteCount: 32) == [])
        window.insert(100_000)
        #expect(window.bitmap(below: 10, maximumByteCount: 32) == [])
        #expect(window.contains(1))
        #expect(!window.contains(99_999))
    }

    @Test("The largest numbers are no trouble")
    func ends() {
        var window = ReplayWindow()
        let numbers: [UInt64] = [.max, .max, .max - 2047, .max - 2048]
        #expect(numbers.map { window.insert($0) } == [true, false, true, false])
    }
}

@Suite("Byte ranges and queues")
struct LinkQueueTests {
    @Test("Ranges merge like a set of bytes", arguments: [1, 2, 3] as [UInt64])
    func ranges(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var ranges = ByteRanges()
        var model: Set<Int> = []
        for _ in 0..<60 {
            let start = Int(random.next() % 200)
            let range = start..<(start + Int(random.next() % 12))
            ranges.insert(range)
            model.formUnion(range)
            let flat = ranges.ranges.flatMap { Array($0) }
            #expect(flat == model.sorted())
            #expect(zip(ranges.ranges, ranges.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            let probe = start..<(start + 5)
            #expect(ranges.contains(probe) == model.isSuperset(of: probe))
        }
    }

    @Test("A queue gives back what it took, in order")
    func fifo() {
        var queue = Fifo<Int>()
        var expected = 0
        for value in 0..<1000 {
            queue.append(value)
            if value % 3 != 0 {
                #expect(queue.first == expected)
                queue.removeFirst()
                expected += 1
            }
            #expect(queue.count == value + 1 - expected)
            if !queue.isEmpty { #expect(queue[queue.count - 1] == value) }
        }
    }

    @Test("Lanes 0 and 1 go first, then 2 and 3 share 4 to 1")
    func lanes() {
        var queue = SendQueue(capacities: LinkConfiguration().laneCapacities)
        for lane in Lane.allCases.reversed() {
            for _ in 0..<10 { _ = queue.append([UInt8](repeating: 0, count: 20_000), lane: lane, tag: 0) }
        }
        var counts: [Int] = []
        var order: [Lane] = []
        while let next = queue.nextPiece(room: 1200) {
            if order.last != next.piece.lane {
                order.append(next.piece.lane)
                counts.append(0)
            }
            counts[counts.count - 1] += next.piece.range.count
        }
        #expect(order.prefix(6) == [.control, .interactive, .background, .bulk, .background, .bulk])
        #expect(counts.prefix(2) == [200_000, 200_000])
        let background = counts[2] + counts[4] + counts[6] + counts[8]
        let bulk = counts[3] + counts[5] + counts[7] + counts[9]
        #expect((3.5...4.5).contains(Double(background) / Double(bulk)))
    }

    @Test("No more than 1,024 messages of a lane are under way, so that the receiver can tell old from new")
    func spread() {
        var lane = LaneQueue(lane: .background, capacity: 1 << 20)
        for _ in 0..<2000 { _ = lane.append([1], tag: 0) }
        var pieces: [LaneQueue.Piece] = []
        while let next = lane.nextPiece(room: 1200) { pieces.append(next.piece) }
        #expect(pieces.count == 1024)
        for piece in pieces.dropFirst() { #expect(lane.acknowledge(piece) == 0) }
        #expect(lane.nextPiece(room: 1200) == nil)
        #expect(lane.acknowledge(pieces[0]) == 0)
        #expect(lane.nextPiece(room: 1200)?.piece.number == 1024)
    }

    @Test("Even the smallest message counts 64 bytes of a lane")
    func minimumCost() {
        var lane = LaneQueue(lane: .bulk, capacity: 640)
        let taken = (0..<12).count { _ in lane.append([1], tag: 0) }
        #expect(taken == 10)
    }
}

@Suite("Reassembly")
struct ReassemblyTests {
    private func frame(_ number: UInt64, _ offset: Int, _ count: Int, total: Int) -> Frame.MessageFrame {
        let data = (offset..<(offset + count)).map { UInt8(truncatingIfNeeded: $0) }
        return Frame.MessageFrame(
            lane: .interactive,
            number: number,
            offset: offset,
            total: offset == 0 ? total : nil,
            data: data[...]
        )
    }

    @Test("Pieces in any order, doubled and overlapping, make the message once", arguments: [1, 2, 3] as [UInt64])
    func anyOrder(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var reassembly = Reassembly(messageLimit: 256, byteLimit: 1 << 20)
        let starts = Array(stride(from: 0, to: 5000, by: 500))
        let pieces = (starts + starts).map { frame(0, $0, min(700, 5000 - $0), total: 5000) }
        let outcomes = pieces.shuffled(using: &random).map { reassembly.add($0) }
        let message = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }
        #expect(outcomes.filter { $0 != .waiting } == [.complete(message)])
        #expect(reassembly.messageCount == 0 && reassembly.byteCount == 0)
    }

    @Test("256 messages and no more are kept, and the rest may come again")
    func messageLimit() {
        var reassembly = Reassembly(messageLimit: 256, byteLimit: 1 << 20)
        for number in 0..<256 { #expect(reassembly.add(frame(UInt64(number), 10, 5, total: 99)) == .waiting) }
        #expect(reassembly.add(frame(256, 10, 5, total: 99)) == .noRoom)
        #expect(reassembly.add(frame(7, 0, 10, total: 15)) != .noRoom)
        #expect(reassembly.messageCount == 255)
        #expect(reassembly.add(frame(256, 10, 5, total: 99)) == .waiting)
    }

    @Test("1 MiB and no more is kept")
    func byteLimit() {
        var reassembly = Reassembly(messageLimit: 256, byteLimit: 1 << 20)
        var number: UInt64 = 0
        while reassembly.add(frame(number, 20_000, 100, total: 0)) == .waiting { number += 1 }
        #expect(number == (1 << 20) / 20_100)
        #expect(reassembly.byteCount <= 1 << 20)
    }

    @Test("Pieces that contradict each other are refused")
    func contradictions() {
        var reassembly = Reassembly(messageLimit: 256, byteLimit: 1 << 20)
        #expect(reassembly.add(frame(0, 0, 10, total: 50)) == .waiting)
        #expect(reassembly.add(frame(0, 0, 10, total: 60)) == .malformed)
        #expect(reassembly.add(frame(0, 45, 10, total: 50)) == .malformed)
        #expect(reassembly.add(frame(1, 45, 10, total: 50)) == .waiting)
        #expect(reassembly.add(frame(1, 0, 10, total: 50)) == .malformed)
    }

    @Test("A message in more than 64 parts with gaps between is given up")
    func gaps() {
        var reassembly = Reassembly(messageLimit: 256, byteLimit: 1 << 20)
        let outcomes = (1...65).map { reassembly.add(frame(0, $0 * 2, 1, total: 0)) }
        #expect(outcomes == Array(repeating: .waiting, count: 64) + [.malformed])
        #expect(reassembly.messageCount == 0 && reassembly.byteCount == 0)
    }
}

@Suite("Loss detection")
struct SentPacketsTests {
    private func outstanding(_ count: Int) -> SentPackets {
        var sent = SentPackets()
        for number in 0..<count {
            let at = MeshInstant.zero.advanced(by: .milliseconds(number))
            sent.record(SentPacket(number: UInt64(number), sentAt: at))
        }
        return sent
    }

    @Test("A packet is lost when three newer ones are acknowledged and it is old enough, and not before")
    func overtaking() {
        var sent = outstanding(5)
        let now = MeshInstant.zero.advanced(by: .milliseconds(10))
        #expect(sent.acknowledge { $0 == 2 || $0 == 3 }.map(\.number) == [2, 3])
        #expect(sent.takeOvertaken(olderThan: .milliseconds(5), now: now).map(\.number) == [])
        #expect(sent.acknowledge { $0 == 4 }.map(\.number) == [4])
        #expect(sent.takeOvertaken(olderThan: .milliseconds(20), now: now).map(\.number) == [])
        #expect(sent.lossDeadline == MeshInstant.zero.advanced(by: .milliseconds(20)))
        #expect(sent.takeOvertaken(olderThan: .milliseconds(10), now: now).map(\.number) == [0])
        #expect(sent.lossDeadline == MeshInstant.zero.advanced(by: .milliseconds(11)))
        #expect(sent.inFlightCount == 1)
    }

    @Test("A late acknowledgement of a lost packet is still heard, once")
    func lateAcknowledgement() {
        var sent = outstanding(2)
        let now = MeshInstant.zero.advanced(by: .seconds(1))
        #expect(sent.takeAll(olderThan: .milliseconds(5), now: now).map(\.number) == [0, 1])
        #expect(sent.inFlightCount == 0 && sent.oldestSentAt == nil)
        #expect(sent.acknowledge { $0 == 1 }.map(\.number) == [1])
        #expect(sent.acknowledge { $0 == 1 }.map(\.number) == [])
        #expect(sent.inFlightCount == 0)
    }

    @Test("128 lost packets are remembered, the newest")
    func lostLimit() {
        var sent = outstanding(300)
        _ = sent.takeAll(olderThan: .zero, now: MeshInstant.zero.advanced(by: .seconds(1)))
        #expect(sent.acknowledge { _ in true }.map(\.number) == Array(172..<300))
    }
}
