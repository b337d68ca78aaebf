/// The messages of one lane that the peer has not acknowledged completely.
///
/// Messages are numbered in the order of insertion. The queue keeps those from `baseNumber` on; the first one is never
/// a finished one.
struct LaneQueue {
    /// A message in transit.
    private struct Message {
        var bytes: [UInt8]
        let tag: UInt64
        var acknowledged = ByteRanges()
        var isFinished = false
    }

    /// A piece of a message inside one packet.
    struct Fragment: Equatable {
        let lane: Lane
        let number: UInt64
        private let start: UInt16
        private let end: UInt16

        init(lane: Lane, number: UInt64, range: Range<Int>) {
            self.lane = lane
            self.number = number
            start = UInt16(range.lowerBound)
            end = UInt16(range.upperBound)
        }

        var range: Range<Int> { Int(start)..<Int(end) }
    }

    /// The minimum size that a message counts.
    ///
    /// Units: bytes.
    static let minimumMessageCost = 64
    /// The size below which a piece waits for the next packet, unless it is the message's last.
    ///
    /// Units: bytes.
    private static let minimumFragmentByteCount = 64

    let lane: Lane
    /// The largest size of all kept messages.
    ///
    /// Units: bytes.
    var capacity: Int
    private var messages = Fifo<Message>()
    private var baseNumber: UInt64 = 0
    private var unsentIndex = 0
    private var unsentOffset = 0
    private var lostFragments = Fifo<Fragment>()
    private var cost = 0
    private var hasRefused = false

    init(lane: Lane, capacity: Int) {
        self.lane = lane
        self.capacity = capacity
    }

    /// Appends a message; returns false if the lane has no room.
    mutating func append(_ bytes: [UInt8], tag: UInt64) -> Bool {
        let messageCost = max(bytes.count, Self.minimumMessageCost)
        guard cost + messageCost <= capacity else {
            hasRefused = true
            return false
        }
        cost += messageCost
        messages.append(Message(bytes: bytes, tag: tag))
        return true
    }

    /// Returns whether the lane refused a message and since then has a quarter of its room free; returns true only
    /// once.
    mutating func takeWritable() -> Bool {
        guard hasRefused, cost <= capacity / 4 * 3 else { return false }
        hasRefused = false
        return true
    }

    /// Whether a piece can be sent.
    var hasWork: Bool {
        !lostFragments.isEmpty || hasUnsent
    }

    private var hasUnsent: Bool {
        unsentIndex < messages.count && unsentIndex < LinkProtocol.messageSpread
    }

    /// Returns the next piece that fits `room` bytes, with the message's tag if it is the first piece; nil if none
    /// fits.
    mutating func nextFragment(room: Int) -> (frame: Frame.MessageFrame, fragment: Fragment, startedTag: UInt64?)? {
        let dataRoom = room - Frame.MessageFrame.maximumHeaderByteCount
        if let lost = lostFragments.first {
            guard let count = Self.fragmentCount(of: lost.range.count, room: dataRoom) else { return nil }
            let fragment = Fragment(lane: lane, number: lost.number, range: lost.range.prefix(count))
            if count < lost.range.count {
                let rest = fragment.range.upperBound..<lost.range.upperBound
                lostFragments[0] = Fragment(lane: lane, number: lost.number, range: rest)
            } else {
                lostFragments.removeFirst()
                dropStaleLostFragments()
            }
            return (frame(of: fragment), fragment, nil)
        }
        guard hasUnsent else { return nil }
        let total = messages[unsentIndex].bytes.count
        guard let count = Self.fragmentCount(of: total - unsentOffset, room: dataRoom) else { return nil }
        let range = unsentOffset..<(unsentOffset + count)
        let fragment = Fragment(lane: lane, number: baseNumber + UInt64(unsentIndex), range: range)
        let startedTag = unsentOffset == 0 ? messages[unsentIndex].tag : nil
        let frame = frame(of: fragment)
        unsentOffset += count
        if unsentOffset == total {
            unsentIndex += 1
            unsentOffset = 0
        }
        return (frame, fragment, startedTag)
    }

    /// Records that the peer has the piece; returns the message's tag if that was the last missing piece.
    mutating func acknowledge(_ fragment: Fragment) -> UInt64? {
        guard let index = index(of: fragment.number) else { return nil }
        let byteCount = messages[index].bytes.count
        // Most messages consist of one piece.
        if fragment.range.count < byteCount {
            messages[index].acknowledged.insert(fragment.range)
            guard messages[index].acknowledged.contains(0..<byteCount) else { return nil }
        }
        let tag = messages[index].tag
        cost -= max(byteCount, Self.minimumMessageCost)
        messages[index].bytes = []
        messages[index].isFinished = true
        while messages.first?.isFinished == true {
            messages.removeFirst()
            baseNumber += 1
            unsentIndex -= 1
        }
        dropStaleLostFragments()
        return tag
    }

    /// Puts a lost piece ahead of everything that is not sent yet.
    mutating func lose(_ fragment: Fragment) {
        guard isWanted(fragment) else { return }
        lostFragments.append(fragment)
    }

    private mutating func dropStaleLostFragments() {
        while let fragment = lostFragments.first, !isWanted(fragment) {
            lostFragments.removeFirst()
        }
    }

    private func isWanted(_ fragment: Fragment) -> Bool {
        guard let index = index(of: fragment.number) else { return false }
        return !messages[index].acknowledged.contains(fragment.range)
    }

    /// Returns the position of an unfinished message.
    private func index(of number: UInt64) -> Int? {
        guard number >= baseNumber, number - baseNumber < UInt64(messages.count) else { return nil }
        let index = Int(number - baseNumber)
        return messages[index].isFinished ? nil : index
    }

    private func frame(of fragment: Fragment) -> Frame.MessageFrame {
        let bytes = messages[Int(fragment.number - baseNumber)].bytes
        return Frame.MessageFrame(
            lane: lane,
            number: fragment.number,
            offset: fragment.range.lowerBound,
            total: fragment.range.lowerBound == 0 ? bytes.count : nil,
            data: bytes[fragment.range]
        )
    }

    private static func fragmentCount(of remaining: Int, room: Int) -> Int? {
        let count = min(remaining, room)
        return count >= min(remaining, minimumFragmentByteCount) ? count : nil
    }
}
