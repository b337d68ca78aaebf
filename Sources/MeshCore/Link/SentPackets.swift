/// A packet that waits for its acknowledgement.
struct SentPacket {
    enum State {
        case inFlight
        /// The packet was not acknowledged in time.
        ///
        /// It may still be acknowledged.
        case lost
        case acknowledged
    }

    let number: UInt64
    let sentAt: MeshInstant
    /// The size of the datagram.
    ///
    /// Units: bytes.
    let byteCount: Int
    let stamp: RateController.Stamp
    fileprivate(set) var content: PacketContent
    fileprivate(set) var state = State.inFlight

    init(
        number: UInt64,
        sentAt: MeshInstant,
        byteCount: Int,
        stamp: RateController.Stamp,
        content: PacketContent
    ) {
        self.number = number
        self.sentAt = sentAt
        self.byteCount = byteCount
        self.stamp = stamp
        self.content = content
    }
}

/// The content of a packet that its acknowledgement or loss affects.
///
/// Most packets carry one piece of one message. Only more pieces need an array.
struct PacketContent {
    var carriesPing = false
    var carriesStatus = false
    /// Whether the packet carries live datagrams, which are never sent again.
    var carriesDatagram = false
    private(set) var firstFragment: LaneQueue.Fragment?
    private(set) var otherFragments: [LaneQueue.Fragment] = []

    /// Whether the peer must acknowledge the packet.
    var isEliciting: Bool { carriesPing || carriesStatus || carriesDatagram || firstFragment != nil }

    mutating func append(_ fragment: LaneQueue.Fragment) {
        if firstFragment == nil {
            firstFragment = fragment
        } else {
            otherFragments.append(fragment)
        }
    }
}

/// The packets in flight in the order of their numbers, and those that count as lost.
///
/// A lost packet stays as long as an acknowledgement can name it: a late acknowledgement still shows the round trip.
/// Invariant: no packet before `firstInFlight` is in flight, and the stored numbers span less than `2 *
/// LinkProtocol.packetSpread`.
struct SentPackets {
    /// The number of newer acknowledged packets after which an older one counts as lost.
    private static let overtakingLimit = 3
    /// The largest span of the stored packet numbers.
    static let maximumSpan = 2 * LinkProtocol.packetSpread

    private var packets = Fifo<SentPacket>()
    /// The position of the oldest packet in flight.
    private var firstInFlight = 0
    /// The packets in flight or lost.
    private var awaited = BitRing(count: Self.maximumSpan)
    /// The largest acknowledged numbers, as many as overtake a packet, largest first.
    private var newest: [UInt64] = []
    /// The numbers that were not used, oldest first.
    private var skipped: [UInt64] = []
    /// The number of packets neither acknowledged nor lost.
    private(set) var inFlightCount = 0
    /// The size of the packets neither acknowledged nor lost.
    ///
    /// Units: bytes.
    private(set) var inFlightByteCount = 0
    /// The time at which the next overtaken packet is old enough to count as lost.
    private(set) var lossDeadline = MeshInstant.distantFuture

    /// The largest number acknowledged so far.
    var newestAcknowledged: UInt64? { newest.first }

    /// The sending time of the oldest packet in flight.
    var oldestSentAt: MeshInstant? { firstInFlight < packets.count ? packets[firstInFlight].sentAt : nil }

    /// Returns whether an acknowledgement can distinguish a packet of this number from those in flight.
    func hasCapacity(for number: UInt64) -> Bool {
        firstInFlight >= packets.count || number - packets[firstInFlight].number < LinkProtocol.packetSpread
    }

    /// Notes a number that no packet has; it is larger than all before.
    mutating func skip(_ number: UInt64) {
        skipped.removeAll { number - $0 >= Self.maximumSpan }
        skipped.append(number)
    }

    /// Returns whether an acknowledgement names a number that no packet has.
    func hasSkipped(any acknowledgement: Frame.Acknowledgement, largest: UInt64) -> Bool {
        skipped.contains { number in
            number <= largest && acknowledgement.bits(ofWord: number / 64, largest: largest) >> (number % 64) & 1 == 1
        }
    }

    /// Adds a packet for which there is room.
    ///
    /// Its number is larger than all before.
    mutating func record(_ packet: SentPacket) {
        while let oldest = packets.first, packet.number - oldest.number >= Self.maximumSpan {
            if oldest.state == .lost { awaited[oldest.number] = false }
            packets.removeFirst()
            firstInFlight -= 1
        }
        packets.append(packet)
        awaited[packet.number] = true
        inFlightCount += 1
        inFlightByteCount += packet.byteCount
    }

    /// Returns the packets that are acknowledged for the first time, oldest first, in their earlier state.
    mutating func acknowledge(_ acknowledgement: Frame.Acknowledgement, largest: UInt64) -> [SentPacket] {
        guard let oldest = packets.first?.number, let youngest = packets.last?.number else { return [] }
        let reach = UInt64(acknowledgement.bitmap.count * 8)
        let bottom = max(oldest, largest - min(reach, largest))
        let top = min(youngest, largest)
        guard bottom <= top else { return [] }
        var acknowledged: [SentPacket] = []
        acknowledged.reserveCapacity(min(inFlightCount, Int(top - bottom) + 1))
        var place = 0
        for index in (bottom / 64)...(top / 64) {
            var bits = awaited[word: index] & acknowledgement.bits(ofWord: index, largest: largest)
            while bits != 0 {
                let number = index * 64 + UInt64(bits.trailingZeroBitCount)
                bits &= bits - 1
                place = self.place(of: number, from: place)
                acknowledged.append(settle(at: place))
                noteAcknowledged(number)
            }
        }
        forgetSettled()
        return acknowledged
    }

    /// Declares overtaken packets lost that are older than `delay`; returns them, oldest first.
    mutating func takeOvertaken(olderThan delay: Duration, now: MeshInstant) -> [SentPacket] {
        lossDeadline = .distantFuture
        guard newest.count == Self.overtakingLimit, let overtaking = newest.last else { return [] }
        var lost: [SentPacket] = []
        while firstInFlight < packets.count, packets[firstInFlight].number < overtaking {
            let deadline = packets[firstInFlight].sentAt.advanced(by: delay)
            guard deadline <= now else {
                lossDeadline = deadline
                break
            }
            lost.append(declareFirstLost())
        }
        return lost
    }

    /// Declares all packets lost that are older than `delay`; returns them, oldest first.
    mutating func takeAll(olderThan delay: Duration, now: MeshInstant) -> [SentPacket] {
        var lost: [SentPacket] = []
        while let sentAt = oldestSentAt, sentAt.advanced(by: delay) <= now { lost.append(declareFirstLost()) }
        return lost
    }

    // MARK: - Parts

    private mutating func declareFirstLost() -> SentPacket {
        let packet = packets[firstInFlight]
        packets[firstInFlight].state = .lost
        inFlightCount -= 1
        inFlightByteCount -= packet.byteCount
        skipSettled()
        return packet
    }

    private mutating func settle(at place: Int) -> SentPacket {
        let packet = packets[place]
        if packet.state == .inFlight {
            inFlightCount -= 1
            inFlightByteCount -= packet.byteCount
        }
        packets[place].state = .acknowledged
        packets[place].content = PacketContent()
        awaited[packet.number] = false
        return packet
    }

    private mutating func noteAcknowledged(_ number: UInt64) {
        let place = newest.firstIndex { $0 < number } ?? newest.endIndex
        newest.insert(number, at: place)
        if newest.count > Self.overtakingLimit { newest.removeLast() }
    }

    private mutating func skipSettled() {
        while firstInFlight < packets.count, packets[firstInFlight].state != .inFlight { firstInFlight += 1 }
    }

    private mutating func forgetSettled() {
        skipSettled()
        while packets.first?.state == .acknowledged {
            packets.removeFirst()
            firstInFlight -= 1
        }
    }

    /// Returns the position of a stored packet.
    private func place(of number: UInt64, from start: Int) -> Int {
        var low = start
        // Usually it is the next one.
        for place in start..<min(start + 2, packets.count) where packets[place].number == number { return place }
        var high = packets.count
        while low < high {
            let middle = (low + high) / 2
            if packets[middle].number < number {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
