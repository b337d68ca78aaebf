import Testing

@testable import MeshCore

@Suite("Loss detection")
struct SentPacketsTests {
    private var rate = RateController(roundTrip: RoundTripEstimate(initial: .milliseconds(10)), now: .zero)

    private mutating func packet(_ number: UInt64) -> SentPacket {
        let at = MeshInstant.zero.advanced(by: .milliseconds(Int(number)))
        var content = PacketContent()
        content.carriesPing = true
        return SentPacket(
            number: number,
            sentAt: at,
            byteCount: 100,
            stamp: rate.stamp(inFlightByteCount: 0, now: at),
            content: content
        )
    }

    private mutating func outstanding(_ count: UInt64) -> SentPackets {
        var sent = SentPackets()
        for number in 0..<count where sent.hasCapacity(for: number) { sent.record(packet(number)) }
        return sent
    }

    /// Makes an acknowledgement of exactly these packet numbers.
    private func acknowledgement(_ numbers: [UInt64]) -> (Frame.Acknowledgement, largest: UInt64) {
        var window = ReplayWindow(count: 2048)
        for number in numbers { window.insert(number) }
        let largest = numbers.max() ?? 0
        let bitmap = window.bitmap(below: largest, maximumByteCount: 128)
        return (Frame.Acknowledgement(lowLargest: UInt32(largest), delay: 0, bitmap: bitmap), largest)
    }

    private func acknowledge(_ numbers: [UInt64], in sent: inout SentPackets) -> [UInt64] {
        let (frame, largest) = acknowledgement(numbers)
        return sent.acknowledge(frame, largest: largest).map(\.number)
    }

    @Test("A packet is lost when three newer ones are acknowledged and it is old enough, and not before")
    mutating func overtaking() {
        var sent = outstanding(5)
        let now = MeshInstant.zero.advanced(by: .milliseconds(10))
        #expect(acknowledge([2, 3], in: &sent) == [2, 3])
        #expect(sent.takeOvertaken(olderThan: .milliseconds(5), now: now).map(\.number) == [])
        #expect(acknowledge([4], in: &sent) == [4])
        #expect(sent.takeOvertaken(olderThan: .milliseconds(20), now: now).map(\.number) == [])
        #expect(sent.lossDeadline == MeshInstant.zero.advanced(by: .milliseconds(20)))
        #expect(sent.takeOvertaken(olderThan: .milliseconds(10), now: now).map(\.number) == [0])
        #expect(sent.lossDeadline == MeshInstant.zero.advanced(by: .milliseconds(11)))
        #expect(sent.inFlightCount == 1 && sent.inFlightByteCount == 100)
    }

    @Test("A late acknowledgement of a lost packet is still heard, once")
    mutating func lateAcknowledgement() {
        var sent = outstanding(2)
        let now = MeshInstant.zero.advanced(by: .seconds(1))
        #expect(sent.takeAll(olderThan: .milliseconds(5), now: now).map(\.number) == [0, 1])
        #expect(sent.inFlightCount == 0 && sent.oldestSentAt == nil)
        #expect(acknowledge([1], in: &sent) == [1])
        #expect(acknowledge([1], in: &sent) == [])
        #expect(sent.inFlightCount == 0)
    }

    @Test("As many packets are on their way as a bitmap reaches, and lost ones are remembered for as long again")
    mutating func limits() {
        var sent = outstanding(3000)
        #expect(sent.inFlightCount == 1024)
        #expect(sent.takeAll(olderThan: .zero, now: MeshInstant.zero.advanced(by: .seconds(9))).count == 1024)
        for number in 1024..<UInt64(2100) where sent.hasCapacity(for: number) { sent.record(packet(number)) }
        #expect(sent.inFlightCount == 1024)
        #expect(acknowledge([0], in: &sent) == [0])
        sent.record(packet(2047))
        sent.record(packet(2049))
        #expect(acknowledge([1], in: &sent) == [])
        #expect(acknowledge([2], in: &sent) == [2])
    }

    @Test("It agrees with a set of numbers, whatever is acknowledged, lost and left out", arguments: [1, 2, 3])
    mutating func model(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var sent = SentPackets()
        var awaited: [UInt64] = []
        var number: UInt64 = 0
        for _ in 0..<2000 {
            number += random.next() % 8 == 0 ? 1 + random.next() % 40 : 1
            if sent.hasCapacity(for: number) {
                sent.record(packet(number))
                awaited = (awaited + [number]).filter { number - $0 < 2048 }
            }
            guard random.next() % 4 == 0 else { continue }
            let low = number - min(number, random.next() % 300)
            let told = (low...number).filter { _ in random.next() % 3 > 0 }
            guard !told.isEmpty else { continue }
            #expect(acknowledge(told, in: &sent) == awaited.filter(Set(told).contains))
            awaited = awaited.filter { !told.contains($0) }
            let now = MeshInstant.zero.advanced(by: .milliseconds(Int(number)))
            _ = sent.takeOvertaken(olderThan: .milliseconds(20), now: now)
        }
        #expect(sent.inFlightCount > 0)
    }
}
