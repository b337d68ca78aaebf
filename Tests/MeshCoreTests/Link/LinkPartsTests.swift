import Testing

@testable import MeshCore

@Suite("Replay window")
struct ReplayWindowTests {
    @Test("It agrees with a set over the last 2,048 numbers, and so do its bitmaps", arguments: [1, 2, 3] as [UInt64])
    func model(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var window = ReplayWindow(count: 2048)
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
        for number in (largest - min(1024, largest))..<largest {
            let isCovered = frame.bits(ofWord: number / 64, largest: largest) >> (number % 64) & 1 == 1
            #expect(isCovered == window.contains(number))
        }
        #expect(frame.bits(ofWord: largest / 64, largest: largest) >> (largest % 64) == 1)
        #expect(frame.bits(ofWord: largest / 64 + 1, largest: largest) == 0)
        #expect(frame.bits(ofWord: (largest - min(1100, largest)) / 64, largest: largest) & 1 == 0)
    }

    @Test("A bitmap ends with its last number and never claims one that was not seen")
    func bitmap() {
        var window = ReplayWindow(count: 2048)
        for number: UInt64 in [0, 2, 9, 10] { window.insert(number) }
        #expect(window.bitmap(below: 10, maximumByteCount: 32) == [0b1000_0001, 0b0100_0000])
        #expect(window.bitmap(below: 10, maximumByteCount: 1) == [0b1000_0001])
        #expect(window.bitmap(below: 0, maximumByteCount: 32) == [])
        window.insert(100_000)
        #expect(window.bitmap(below: 10, maximumByteCount: 32) == [])
        #expect(window.contains(1))
        #expect(!window.contains(99_999))
    }

    @Test("The largest numbers are no trouble")
    func ends() {
        var window = ReplayWindow(count: 2048)
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
        while let next = queue.nextFragment(room: 1200) {
            if order.last != next.fragment.lane {
                order.append(next.fragment.lane)
                counts.append(0)
            }
            counts[counts.count - 1] += next.fragment.range.count
        }
        #expect(order.prefix(6) == [.control, .interactive, .background, .bulk, .background, .bulk])
        #expect(counts.prefix(2) == [200_000, 200_000])
        let background = counts[2] + counts[4] + counts[6] + counts[8]
        let bulk = counts[3] + counts[5] + counts[7] + counts[9]
        #expect((3.5...4.5).contains(Double(background) / Double(bulk)))
    }

    @Test("No more than 2,048 messages of a lane are under way, so that the receiver can tell old from new")
    func spread() {
        var lane = LaneQueue(lane: .background, capacity: 1 << 20)
        for _ in 0..<4000 { _ = lane.append([1], tag: 0) }
        var fragments: [LaneQueue.Fragment] = []
        while let next = lane.nextFragment(room: 1200) { fragments.append(next.fragment) }
        #expect(fragments.count == 2048)
        for fragment in fragments.dropFirst() { #expect(lane.acknowledge(fragment) == 0) }
        #expect(lane.nextFragment(room: 1200) == nil)
        #expect(lane.acknowledge(fragments[0]) == 0)
        #expect(lane.nextFragment(room: 1200)?.fragment.number == 2048)
    }

    @Test("Even the smallest message counts 64 bytes of a lane")
    func minimumCost() {
        var lane = LaneQueue(lane: .bulk, capacity: 640)
        let taken = (0..<12).count { _ in lane.append([1], tag: 0) }
        #expect(taken == 10)
    }
}
