import Synchronization

/// The room that a home has for files of messages, for its node and for all its rooms together.
///
/// What is there and what is expected counts alike, so that what was promised to somebody who sends is there when it comes.
/// Never more than the limit is taken, whichever of them asks at the same moment. Units: bytes, before they are sealed.
package final class MediaSpace: Sendable {
    private struct Use {
        var taken: [Int: UInt64] = [:]
        /// What is being sealed and belongs to no message yet.
        var held: UInt64 = 0
        var nextNumber = 0

        var sum: UInt64 { taken.values.reduce(held, +) }
    }

    /// All that there is.
    package let limit: UInt64
    private let use = Mutex(Use())

    package init(limit: UInt64) { self.limit = limit }

    /// What is taken.
    package var byteCount: UInt64 { use.withLock { $0.sum } }

    /// A share of one that takes nothing yet.
    package func share() -> MediaShare {
        let number = use.withLock { use in
            use.nextNumber += 1
            return use.nextNumber
        }
        return MediaShare(space: self, number: number)
    }

    fileprivate func set(_ byteCount: UInt64, of number: Int) {
        use.withLock { $0.taken[number] = byteCount > 0 ? byteCount : nil }
    }

    fileprivate func canTake(_ byteCount: UInt64, as number: Int) -> Bool {
        use.withLock { Self.fits(byteCount, as: number, $0, limit) }
    }

    fileprivate func take(_ byteCount: UInt64, as number: Int) -> Bool {
        use.withLock { use in
            guard Self.fits(byteCount, as: number, use, limit) else { return false }
            use.taken[number] = max(use.taken[number] ?? 0, byteCount)
            return true
        }
    }

    private static func fits(_ byteCount: UInt64, as number: Int, _ use: Use, _ limit: UInt64) -> Bool {
        let others = use.sum - (use.taken[number] ?? 0)
        return others <= limit && byteCount <= limit - others
    }

    fileprivate func hold(_ byteCount: UInt64) -> Bool {
        use.withLock { use in
            guard use.sum <= limit, byteCount <= limit - use.sum else { return false }
            use.held += byteCount
            return true
        }
    }

    fileprivate func letGo(_ byteCount: UInt64) {
        use.withLock { $0.held -= min($0.held, byteCount) }
    }
}

/// What one of those takes who share the room of a home.
package struct MediaShare: Sendable {
    fileprivate let space: MediaSpace
    fileprivate let number: Int

    /// All that there is.
    package var limit: UInt64 { space.limit }

    /// Notes what it takes now, be it too much: what is there stays when the limit is lowered.
    package func set(_ byteCount: UInt64) { space.set(byteCount, of: number) }

    /// Whether it may take so much in all.
    package func canTake(_ byteCount: UInt64) -> Bool { space.canTake(byteCount, as: number) }

    /// Takes so much in all, unless that is too much; `set` says what became of it.
    package func take(_ byteCount: UInt64) -> Bool { space.take(byteCount, as: number) }

    /// Keeps so much free for what is being sealed, unless there is not so much.
    package func hold(_ byteCount: UInt64) -> Bool { space.hold(byteCount) }

    /// Ends a hold.
    package func letGo(_ byteCount: UInt64) { space.letGo(byteCount) }
}

extension Sequence<UInt64> {
    /// The sum, or the largest number where that is less.
    package var saturatingSum: UInt64 {
        reduce(0) { sum, next in
            let (more, overflow) = sum.addingReportingOverflow(next)
            return overflow ? .max : more
        }
    }
}
