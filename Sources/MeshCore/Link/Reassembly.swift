/// Puts the messages of one link together again, each handed out once.
struct Reassembly {
    /// What came of a piece.
    enum Outcome: Equatable {
        /// The piece was the last one missing.
        case complete([UInt8])
        /// The piece is kept, or was there already.
        case waiting
        /// There is no room; the packet must not be acknowledged, so that the piece comes again.
        case noRoom
        /// The piece contradicts the ones before.
        case malformed
    }

    private struct Key: Hashable {
        var lane: Lane
        var number: UInt64
    }

    private struct Partial {
        var bytes: [UInt8] = []
        var total: Int?
        var present = ByteRanges()

        var isComplete: Bool { total.map { present.contains(0..<$0) } ?? false }
    }

    private let messageLimit: Int
    private let byteLimit: Int
    private var finished = [ReplayWindow](repeating: ReplayWindow(), count: Lane.allCases.count)
    private var partials: [Key: Partial] = [:]
    /// Units: bytes kept of messages that are not complete.
    private(set) var byteCount = 0

    init(messageLimit: Int, byteLimit: Int) {
        self.messageLimit = messageLimit
        self.byteLimit = byteLimit
    }

    /// Units: messages that are not complete.
    var messageCount: Int { partials.count }

    /// Takes one piece.
    mutating func add(_ frame: Frame.MessageFrame) -> Outcome {
        let lane = Int(frame.lane.rawValue)
        guard !finished[lane].contains(frame.number) else { return .waiting }
        if frame.offset == 0, frame.total == frame.data.count {
            finished[lane].insert(frame.number)
            if let old = partials.removeValue(forKey: Key(lane: frame.lane, number: frame.number)) {
                byteCount -= old.bytes.count
            }
            return .complete(Array(frame.data))
        }
        return keep(frame)
    }

    private mutating func keep(_ frame: Frame.MessageFrame) -> Outcome {
        let key = Key(lane: frame.lane, number: frame.number)
        let end = frame.offset + frame.data.count
        // Taken out while it changes, so that its bytes are not copied.
        var partial = partials.removeValue(forKey: key) ?? Partial()
        let oldCount = partial.bytes.count
        var outcome = Outcome.waiting
        let total = frame.total ?? partial.total
        if total != partial.total ?? total || max(end, oldCount) > total ?? .max {
            outcome = .malformed
        } else if partials.count >= messageLimit || byteCount + max(0, end - oldCount) > byteLimit {
            outcome = .noRoom
        } else {
            partial.total = total
            partial.bytes.append(contentsOf: repeatElement(0, count: max(0, end - oldCount)))
            partial.bytes.replaceSubrange(frame.offset..<end, with: frame.data)
            partial.present.insert(frame.offset..<end)
            byteCount += partial.bytes.count - oldCount
        }
        guard partial.present.ranges.count <= LinkProtocol.maximumGapCount else {
            byteCount -= partial.bytes.count
            return .malformed
        }
        if partial.isComplete {
            byteCount -= partial.bytes.count
            finished[Int(frame.lane.rawValue)].insert(frame.number)
            return .complete(partial.bytes)
        }
        if partial.bytes.isEmpty { return outcome }
        partials[key] = partial
        return outcome
    }
}
