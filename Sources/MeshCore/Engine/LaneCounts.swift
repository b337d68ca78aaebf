/// A number for each lane that is cheap to increment.
struct LaneCounts: Sendable, Equatable {
    private var counts = [Int](repeating: 0, count: Lane.allCases.count)

    subscript(lane: Lane) -> Int {
        get { counts[Int(lane.rawValue)] }
        set { counts[Int(lane.rawValue)] = newValue }
    }

    /// The numbers above zero.
    var byLane: [Lane: Int] {
        Dictionary(uniqueKeysWithValues: Lane.allCases.map { ($0, self[$0]) }).filter { $0.value > 0 }
    }
}
