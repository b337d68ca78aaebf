/// The reassembly of the messages of one link.
///
/// Each message is returned once.
struct Reassembly {
    /// The result of adding a piece.
    enum Outcome: Equatable {
        /// The piece was the last one missing.
        case complete([UInt8])
        /// The piece is stored, or was already present.
        case waiting
        /// There is no room.
        ///
        /// The packet must not be acknowledged, so that the piece is sent again.
        case noRoom
        /// The piece contradicts earlier ones.
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

        /// The size that the message counts: its whole length once that is known.
        ///
        /// Units: bytes.
        var cost: Int { total ?? bytes.count }

        /// Stores data at an offset.
        ///
        /// Most pieces arrive in order.
        mutating func put(_ data: ArraySlice<UInt8>, at offset: Int) {
            if offset > bytes.count { bytes.append(contentsOf: repeatElement(0, count: offset - bytes.count)) }
            let overlap = offset..<min(offset + data.count, bytes.count)
            if !overlap.isEmpty { bytes.replaceSubrange(overlap, with: data.prefix(overlap.count)) }
            bytes.append(contentsOf: data.dropFirst(overlap.count))
        }

        var isComplete: Bool { total.map { present.contains(0..<$0) } ?? false }
    }

    private let messageLimit: Int
    private let byteLimit: Int
    private var finished = [ReplayWindow](
        repeating: ReplayWindow(count: LinkProtocol.messageWindowCount),
        count: Lane.allCases.count
    )
    private var partials: [Key: Partial] = [:]
    /// The size stored for incomplete messages.
    ///
    /// Units: bytes.
    private(set) var byteCount = 0

    init(messageLimit: Int, byteLimit: Int) {
        self.messageLimit = messageLimit
        self.byteLimit = byteLimit
    }

    /// The number of incomplete messages.
    var messageCount: Int { partials.count }

    /// Adds one piece.
    ///
    /// - Parameter room: The size by which the stored bytes may still grow. Units: bytes.
    mutating func add(_ frame: Frame.MessageFrame, room: Int) -> Outcome {
        let lane = Int(frame.lane.rawValue)
        guard !finished[lane].contains(frame.number) else { return .waiting }
        let key = Key(lane: frame.lane, number: frame.number)
        if frame.offset == 0, frame.total == frame.data.count {
            finished[lane].insert(frame.number)
            if let old = partials.removeValue(forKey: key) { byteCount -= old.cost }
            return .complete(Array(frame.data))
        }
        guard let index = partials.index(forKey: key) else { return begin(key, with: frame, room: room) }
        let oldCost = partials.values[index].cost
        let outcome = Self.put(frame, into: &partials.values[index], room: freeCount(for: frame, room: room))
        byteCount += partials.values[index].cost - oldCost
        return finish(at: index, after: outcome)
    }

    private mutating func begin(_ key: Key, with frame: Frame.MessageFrame, room: Int) -> Outcome {
        guard partials.count < messageLimit else { return .noRoom }
        var partial = Partial()
        let outcome = Self.put(frame, into: &partial, room: freeCount(for: frame, room: room))
        guard !partial.bytes.isEmpty else { return outcome }
        byteCount += partial.cost
        partials[key] = partial
        return outcome
    }

    /// Returns a complete message, and discards a malformed one.
    private mutating func finish(at index: Dictionary<Key, Partial>.Index, after outcome: Outcome) -> Outcome {
        let isScattered = partials.values[index].present.ranges.count > LinkProtocol.maximumGapCount
        guard isScattered || partials.values[index].isComplete else { return outcome }
        let (key, partial) = partials.remove(at: index)
        byteCount -= partial.cost
        guard !isScattered else { return .malformed }
        finished[Int(key.lane.rawValue)].insert(key.number)
        return .complete(partial.bytes)
    }

    /// The size by which a message may grow.
    ///
    /// Units: bytes.
    ///
    /// Messages of unknown length may take only half of the room. The others are sure to become complete, because their
    /// room is reserved completely from the start, and then there is room again.
    private func freeCount(for frame: Frame.MessageFrame, room: Int) -> Int {
        let limit = frame.total == nil ? byteLimit / 2 : byteLimit
        return min(room, limit - byteCount)
    }

    private static func put(_ frame: Frame.MessageFrame, into partial: inout Partial, room: Int) -> Outcome {
        let end = frame.offset + frame.data.count
        let oldCount = partial.bytes.count
        let total = frame.total ?? partial.total
        guard partial.total == nil || total == partial.total else { return .malformed }
        if let total, max(end, partial.total == nil ? oldCount : 0) > total { return .malformed }
        let growth = max(total ?? 0, total == nil ? end : 0, partial.cost) - partial.cost
        guard growth <= max(0, room) else { return .noRoom }
        partial.total = total
        if let total { partial.bytes.reserveCapacity(total) }
        partial.put(frame.data, at: frame.offset)
        partial.present.insert(frame.offset..<end)
        return .waiting
    }
}
