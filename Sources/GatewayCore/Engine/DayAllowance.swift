/// The bytes that a gateway may exchange with its hubs on a day; beyond them only this node's own mail goes.
package struct DayAllowance: Sendable {
    /// The bytes of a day; nil without a limit.
    let limit: Int?
    private var day = 0
    private var used = 0

    package init(limit: Int?) { self.limit = limit }

    /// Whether the bytes of the day are used up.
    var isSpent: Bool { limit.map { used >= $0 } ?? false }

    /// Begins a day, if it is another one; returns whether it ends a time without bytes.
    mutating func begin(_ day: Int) -> Bool {
        guard day != self.day else { return false }
        defer { (self.day, used) = (day, 0) }
        return isSpent
    }

    /// Counts bytes in either direction; returns whether they were the last ones.
    mutating func note(_ byteCount: Int) -> Bool {
        guard limit != nil, !isSpent else { return false }
        used += byteCount
        return isSpent
    }
}
