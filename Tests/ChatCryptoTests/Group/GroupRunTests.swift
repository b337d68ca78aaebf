import Testing

@testable import ChatCrypto

@Suite("Runs of a device")
struct GroupRunTests {
    @Test("What an earlier copy of a member's state says opens, and nobody is accused")
    func earlierCopy() throws {
        var circle = try GroupCircle(3)
        #expect(circle.hear(try circle.say("first", by: 1), by: 0) == .text("first", circle.id(1)))
        let copy = circle.stores[1]
        for number in 0..<5 {
            let packet = try circle.say("\(number)", by: 1)
            #expect(circle.hear(packet, by: 0) == .text("\(number)", circle.id(1)))
        }
        circle.stores[1] = copy
        try circle.restart(1)
        for number in 5..<10 {
            let packet = try circle.say("\(number)", by: 1)
            for other in [0, 2] { #expect(circle.hear(packet, by: other) == .text("\(number)", circle.id(1))) }
        }
        // A copy of the copy is told apart by the time.
        circle.stores[1] = copy
        try circle.restart(1)
        let later = GroupCircle.now + GroupLimits.runSeconds * 2
        let packet = try circle.say("again", by: 1, at: later)
        #expect(circle.hear(packet, by: 0, at: later) == .text("again", circle.id(1)))
    }

    @Test("An earlier copy writes nothing under the keys that were used in an epoch after the copy")
    func earlierCopyOfLaterEpoch() throws {
        var circle = try GroupCircle(3)
        let copy = circle.stores[1]
        let update = try circle.perform([.policy(.standard)])
        #expect(circle.hear(try circle.say("first", by: 1), by: 0) == .text("first", circle.id(1)))
        circle.stores[1] = copy
        try circle.restart(1)
        let later = GroupCircle.now + 86_400
        #expect(circle.take(update, by: 1, at: later) == .applied)
        let packet = try circle.say("second", by: 1, at: later)
        #expect(circle.hear(packet, by: 0, at: later) == .text("second", circle.id(1)))
    }

    @Test("Messages of several runs open in any order, each once, over restarts of their reader")
    func order() throws {
        var circle = try GroupCircle(2)
        var packets: [InboundPacket] = []
        for number in 0..<6 {
            let now = GroupCircle.now + UInt32(number) * 1_000
            packets.append(try circle.say("\(number)", by: 1, at: now))
            packets.append(try circle.say("\(number)!", by: 1, at: now))
            try circle.restart(1)
        }
        for index in [11, 4, 0, 7, 1, 2, 10, 3, 5, 6, 9, 8] {
            let text = "\(index / 2)" + (index.isMultiple(of: 2) ? "" : "!")
            #expect(circle.hear(packets[index], by: 0) == .text(text, circle.id(1)))
            try circle.restart(0)
            #expect(circle.hear(packets[index], by: 0) == .refused)
        }
    }

    @Test("A run that was begun cannot be begun again, and one that was left out can")
    func erasure() throws {
        let wrap = KeyWrap()
        let name = MessageChain.Name(epoch: 1, slot: 2, device: 0)
        var runs = DeviceRuns(name, leaf: .random(count: 32), wrap: wrap)
        let before = try #require(runs.chain(of: 5, wrap: wrap))
        runs.take(9, wrap: wrap)
        #expect(runs.chain(of: 9, wrap: wrap) == nil && runs.next == 10)
        let after = try #require(runs.chain(of: 5, wrap: wrap))
        let keys = [before, after].map { wrap.unwrap($0.wrappedChainKey, for: $0.name.place(0))?.exposed }
        #expect(keys[0] == keys[1] && keys[0] != nil)
        #expect(runs.chain(of: GroupLimits.maximumRun, wrap: wrap) != nil)
        #expect(runs.chain(of: GroupLimits.maximumRun + 1, wrap: wrap) == nil)
    }

    @Test("A device that begins runs without end costs bounded memory, and its newest runs open")
    func bound() throws {
        let wrap = KeyWrap()
        let name = MessageChain.Name(epoch: 1, slot: 2, device: 0)
        var sender = SlotChains(epoch: 1, slot: 2, leaf: .random(count: 32), wrap: wrap)
        for number in 0..<200 as Range<UInt32> {
            let chain = try #require(sender.chain(0, run: number * 4_001, wrap: wrap))
            _ = sender.keep(chain, wrap: wrap)
            let read = SlotChains(decoding: sender.encoded(), epoch: 1, slot: 2, entries: [:])
            sender = try #require(read)
        }
        #expect(sender.chains.count == GroupLimits.runsPerDevice)
        #expect(sender.encoded().count < (GroupLimits.runNodesPerDevice + 64) * 65)
        #expect(sender.chain(0, run: 800_201, wrap: wrap) != nil, "the next run")
        #expect(sender.chain(0, run: 1, wrap: wrap) == nil, "left out at the beginning")
        #expect(DeviceRuns(name, next: 0, nodes: [DeviceRuns.Node(level: DeviceRuns.depth + 1, index: 0): []]) == nil)
        #expect(DeviceRuns(name, next: 0, nodes: [DeviceRuns.Node(level: DeviceRuns.depth - 1, index: 2): []]) == nil)
    }
}
