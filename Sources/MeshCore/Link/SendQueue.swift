/// The four lanes of one link: 0 and 1 strictly first, then 2 and 3 by deficit round robin, 4 to 1.
///
/// Source: PROTOCOL §3.5; Shreedhar and Varghese, "Efficient fair queuing using deficit round robin", SIGCOMM 1995.
struct SendQueue {
    /// The size of a turn of lane 3; a turn of lane 2 is four times that.
    ///
    /// Units: bytes.
    private static let quantum = LinkDatagram.DataPacket.maximumFramesByteCount
    private static let backgroundShare = 4

    private var lanes: [LaneQueue]
    private var turn = Lane.background
    private var deficit = Self.quantum * Self.backgroundShare

    init(capacities: [Int]) {
        lanes = zip(Lane.allCases, capacities).map { LaneQueue(lane: $0, capacity: $1) }
    }

    /// Whether any lane has something to send.
    var hasWork: Bool { lanes.indices.contains { lanes[$0].hasWork } }

    /// Whether the lane with priority over all others has something to send.
    var hasControl: Bool { has(.control) }

    /// The capacity of lane 3 for messages; the capacities of the others are fixed.
    ///
    /// Units: bytes.
    var bulkCapacity: Int {
        get { lanes[Int(Lane.bulk.rawValue)].capacity }
        set { lanes[Int(Lane.bulk.rawValue)].capacity = newValue }
    }

    /// Appends a message; returns false if its lane has no room.
    mutating func append(_ message: [UInt8], lane: Lane, tag: UInt64) -> Bool {
        lanes[Int(lane.rawValue)].append(message, tag: tag)
    }

    /// Returns the next piece that fits `room` bytes, from the lane whose turn it is.
    mutating func nextFragment(
        room: Int
    ) -> (frame: Frame.MessageFrame, fragment: LaneQueue.Fragment, startedTag: UInt64?)? {
        guard let lane = nextLane(), let next = lanes[Int(lane.rawValue)].nextFragment(room: room) else { return nil }
        if lane == turn { deficit -= next.fragment.range.count }
        return next
    }

    /// Records that the peer has the piece; returns the message's tag if that was the last missing piece.
    mutating func acknowledge(_ fragment: LaneQueue.Fragment) -> UInt64? {
        lanes[Int(fragment.lane.rawValue)].acknowledge(fragment)
    }

    /// Puts a lost piece ahead of everything that its lane has not sent yet.
    mutating func lose(_ fragment: LaneQueue.Fragment) {
        lanes[Int(fragment.lane.rawValue)].lose(fragment)
    }

    /// Returns whether a lane that refused a message since then has a quarter of its room free; returns true only once.
    mutating func takeWritable() -> Bool {
        var isWritable = false
        for index in lanes.indices where lanes[index].takeWritable() { isWritable = true }
        return isWritable
    }

    private mutating func nextLane() -> Lane? {
        for lane in [Lane.control, .interactive] where has(lane) { return lane }
        switch (has(.background), has(.bulk)) {
        case (false, false): return nil
        case (true, false): return .background
        case (false, true): return .bulk
        case (true, true):
            if deficit <= 0 {
                turn = turn == .background ? .bulk : .background
                deficit += turn == .background ? Self.quantum * Self.backgroundShare : Self.quantum
            }
            return turn
        }
    }

    private func has(_ lane: Lane) -> Bool {
        lanes[Int(lane.rawValue)].hasWork
    }
}
