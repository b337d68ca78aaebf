import Bytes
import Testing

@testable import MeshCore

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
        var reassembly = Reassembly(messageLimit: 1024, byteLimit: 1 << 20)
        let starts = Array(stride(from: 0, to: 5000, by: 500))
        let fragments = (starts + starts).map { frame(0, $0, min(700, 5000 - $0), total: 5000) }
        let outcomes = fragments.shuffled(using: &random).map { reassembly.add($0, room: .max) }
        let message = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }
        #expect(outcomes.filter { $0 != .waiting } == [.complete(message)])
        #expect(reassembly.messageCount == 0 && reassembly.byteCount == 0)
    }

    @Test("The last 4,096 messages of a lane are told from new ones, and older ones are taken for done")
    func window() {
        var reassembly = Reassembly(messageLimit: 1024, byteLimit: 1 << 20)
        for number in 0..<4_097 as Range<UInt64> where number != 1 && number != 2_000 {
            #expect(reassembly.add(frame(number, 0, 4, total: 4), room: .max) == .complete([0, 1, 2, 3]))
        }
        for number in [0, 2, 4_096] as [UInt64] {
            #expect(reassembly.add(frame(number, 0, 4, total: 4), room: .max) == .waiting)
        }
        #expect(reassembly.add(frame(2_000, 0, 4, total: 4), room: .max) == .complete([0, 1, 2, 3]))
        #expect(reassembly.add(frame(4_097, 0, 4, total: 4), room: .max) == .complete([0, 1, 2, 3]))
        // Number 1 never arrived, and is too old to be told apart from the numbers that did.
        #expect(reassembly.add(frame(1, 0, 4, total: 4), room: .max) == .waiting)
        #expect(reassembly.messageCount == 0)
    }

    @Test("A message of 24,576 bytes comes whole, and a piece of a longer one is refused")
    func longest() {
        func encoded(_ offset: Int, _ count: Int, total: Int) -> [UInt8] {
            var writer = ByteWriter()
            Frame.message(frame(0, offset, count, total: total)).encode(into: &writer)
            return writer.bytes
        }
        let longest = 24_576
        #expect(Frame.decode(encoded(longest - 10, 10, total: longest)) != nil)
        #expect(Frame.decode(encoded(longest - 10, 11, total: longest)) == nil)
        #expect(Frame.decode(encoded(0, 10, total: longest)) != nil)
        #expect(Frame.decode(encoded(0, 10, total: longest + 1)) == nil)
    }

    @Test("1,024 messages and no more are kept, and the rest may come again")
    func messageLimit() {
        var reassembly = Reassembly(messageLimit: 1024, byteLimit: 1 << 20)
        let outcomes = (0...1024).map { reassembly.add(frame(UInt64($0), 10, 5, total: 99), room: .max) }
        #expect(outcomes == Array(repeating: .waiting, count: 1024) + [.noRoom])
        #expect(reassembly.add(frame(7, 0, 10, total: 15), room: .max) != .noRoom)
        #expect(reassembly.messageCount == 1023)
        #expect(reassembly.add(frame(1024, 10, 5, total: 99), room: .max) == .waiting)
    }

    @Test("Half a MiB of messages of unknown length is kept, and a MiB of known ones with them")
    func byteLimit() {
        var reassembly = Reassembly(messageLimit: 1024, byteLimit: 1 << 20)
        var number: UInt64 = 0
        while reassembly.add(frame(number, 20_000, 100, total: 0), room: .max) == .waiting { number += 1 }
        #expect(number == (1 << 19) / 20_100)
        while reassembly.add(frame(number, 0, 100, total: 20_100), room: .max) == .waiting { number += 1 }
        #expect(number == (1 << 20) / 20_100)
        #expect(reassembly.byteCount <= 1 << 20)
    }

    @Test("A message that was begun with its length is finished, however full everything is")
    func noDeadlock() {
        var reassembly = Reassembly(messageLimit: 1024, byteLimit: 1 << 20)
        var number: UInt64 = 0
        while reassembly.add(frame(number, 0, 1000, total: 24_000), room: .max) == .waiting { number += 1 }
        #expect(number == (1 << 20) / 24_000)
        let outcomes = (0..<number).map { reassembly.add(frame($0, 1000, 23_000, total: 24_000), room: 0) }
        #expect(outcomes.allSatisfy { if case .complete = $0 { true } else { false } })
    }

    @Test("Nothing is begun that the other links leave no room for")
    func sharedRoom() {
        var reassembly = Reassembly(messageLimit: 1024, byteLimit: 1 << 20)
        #expect(reassembly.add(frame(0, 0, 10, total: 500), room: 499) == .noRoom)
        #expect(reassembly.add(frame(0, 0, 10, total: 500), room: 500) == .waiting)
        #expect(reassembly.add(frame(1, 90, 10, total: 0), room: 99) == .noRoom)
        #expect(reassembly.byteCount == 500)
    }

    @Test("Pieces that contradict each other are refused")
    func contradictions() {
        var reassembly = Reassembly(messageLimit: 1024, byteLimit: 1 << 20)
        #expect(reassembly.add(frame(0, 0, 10, total: 50), room: .max) == .waiting)
        #expect(reassembly.add(frame(0, 0, 10, total: 60), room: .max) == .malformed)
        #expect(reassembly.add(frame(0, 45, 10, total: 50), room: .max) == .malformed)
        #expect(reassembly.add(frame(1, 45, 10, total: 50), room: .max) == .waiting)
        #expect(reassembly.add(frame(1, 0, 10, total: 50), room: .max) == .malformed)
    }

    @Test("A message in more than 64 parts with gaps between is given up")
    func gaps() {
        var reassembly = Reassembly(messageLimit: 1024, byteLimit: 1 << 20)
        let outcomes = (1...65).map { reassembly.add(frame(0, $0 * 2, 1, total: 0), room: .max) }
        #expect(outcomes == Array(repeating: .waiting, count: 64) + [.malformed])
        #expect(reassembly.messageCount == 0 && reassembly.byteCount == 0)
    }
}
