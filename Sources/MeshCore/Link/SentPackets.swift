/// A packet whose acknowledgement is awaited.
struct SentPacket {
    let number: UInt64
    let sentAt: MeshInstant
    var pieces: [LaneQueue.Piece] = []
    var carriesPing = false
    var carriesStatus = false
    fileprivate var overtakenCount = 0
    fileprivate(set) var isLost = false

    init(number: UInt64, sentAt: MeshInstant) {
        self.number = number
        self.sentAt = sentAt
    }

    /// Whether the peer owes an acknowledgement.
    var isEliciting: Bool { carriesPing || carriesStatus || !pieces.isEmpty }
}

/// The packets on their way, in the order of their numbers, and which of them count as lost.
///
/// A lost packet stays for a while: an acknowledgement that comes late still tells the round trip.
struct SentPackets {
    /// Newer packets acknowledged before an older one counts as lost.
    private static let overtakingLimit = 3
    /// Units: lost packets remembered.
    static let maximumLostCount = 128

    private var packets: [SentPacket] = []
    /// Units: packets neither acknowledged nor lost.
    private(set) var inFlightCount = 0
    /// When the next overtaken packet is old enough to count as lost.
    private(set) var lossDeadline = MeshInstant.distantFuture

    /// The largest number acknowledged so far.
    private(set) var newestAcknowledged: UInt64?

    /// When the oldest packet in flight was sent.
    var oldestSentAt: MeshInstant? { packets.first { !$0.isLost }?.sentAt }

    mutating func record(_ packet: SentPacket) {
        packets.append(packet)
        inFlightCount += 1
    }

    /// Removes the packets acknowledged and answers them, oldest first.
    mutating func acknowledge(where isCovered: (UInt64) -> Bool) -> [SentPacket] {
        var acknowledged: [SentPacket] = []
        for index in packets.indices.reversed() {
            if isCovered(packets[index].number) {
                acknowledged.append(packets[index])
                if !packets[index].isLost { inFlightCount -= 1 }
            } else {
                packets[index].overtakenCount += acknowledged.count
            }
        }
        guard let newest = acknowledged.first else { return [] }
        newestAcknowledged = max(newest.number, newestAcknowledged ?? 0)
        packets.removeAll { isCovered($0.number) }
        return acknowledged.reversed()
    }

    /// Declares overtaken packets lost that are older than `delay` and answers them, oldest first.
    mutating func takeOvertaken(olderThan delay: Duration, now: MeshInstant) -> [SentPacket] {
        lossDeadline = .distantFuture
        var lost: [SentPacket] = []
        for index in packets.indices
        where !packets[index].isLost && packets[index].overtakenCount >= Self.overtakingLimit {
            let deadline = packets[index].sentAt.advanced(by: delay)
            guard deadline <= now else {
                lossDeadline = min(lossDeadline, deadline)
                continue
            }
            lost.append(declareLost(at: index))
        }
        forgetOldest()
        return lost
    }

    /// Declares all packets lost that are older than `delay` and answers them, oldest first.
    mutating func takeAll(olderThan delay: Duration, now: MeshInstant) -> [SentPacket] {
        var lost: [SentPacket] = []
        for index in packets.indices where !packets[index].isLost && packets[index].sentAt.advanced(by: delay) <= now {
            lost.append(declareLost(at: index))
        }
        forgetOldest()
        return lost
    }

    private mutating func declareLost(at index: Int) -> SentPacket {
        packets[index].isLost = true
        inFlightCount -= 1
        return packets[index]
    }

    private mutating func forgetOldest() {
        var excess = packets.count - inFlightCount - Self.maximumLostCount
        guard excess > 0 else { return }
        packets.removeAll { packet in
            guard packet.isLost, excess > 0 else { return false }
            excess -= 1
            return true
        }
    }
}
