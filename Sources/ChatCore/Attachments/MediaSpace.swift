import Synchronization

/// The room that a home has for files of messages, for its node and for all its rooms together.
///
/// Bytes that are here and bytes that are expected count alike, so that there is room for what a sender was promised.
/// Never more than the limit is taken, whichever of them asks at the same moment. Units: bytes, before they are sealed.
package final class MediaSpace: Sendable {
    fileprivate struct Use {
        var taken: [Int: UInt64] = [:]
        /// The bytes that are being sealed and belong to no message yet.
        var held: UInt64 = 0
        var nextNumber = 0

        var sum: UInt64 { taken.values.reduce(held, +) }
    }

    /// All that there is.
    package let limit: UInt64
    fileprivate let use = Mutex(Use())

    package init(limit: UInt64) { self.limit = limit }

    /// The bytes that are taken.
    package var byteCount: UInt64 { use.withLock { $0.sum } }

    /// A share of one that takes nothing yet.
    package func share() -> MediaShare {
        let number = use.withLock { use in
            use.nextNumber += 1
            return use.nextNumber
        }
        return MediaShare(space: self, number: number)
    }
}

/// The part of a data directory's room that one account takes.
package struct MediaShare: Sendable {
    fileprivate let space: MediaSpace
    fileprivate let number: Int

    /// All that there is.
    package var limit: UInt64 { space.limit }

    /// Notes what it takes now, be it too much: what is there stays when the limit is lowered.
    package func set(_ byteCount: UInt64) {
        space.use.withLock { $0.taken[number] = byteCount > 0 ? byteCount : nil }
    }

    /// Whether it may take so much in all.
    package func canTake(_ byteCount: UInt64) -> Bool {
        space.use.withLock { fits(byteCount, besides: $0.sum - ($0.taken[number] ?? 0)) }
    }

    /// Takes so much in all, unless that is too much; `set` says what became of it.
    package func take(_ byteCount: UInt64) -> Bool {
        space.use.withLock { use in
            guard fits(byteCount, besides: use.sum - (use.taken[number] ?? 0)) else { return false }
            use.taken[number] = max(use.taken[number] ?? 0, byteCount)
            return true
        }
    }

    /// Keeps so much free for what is being sealed, unless there is not so much.
    package func hold(_ byteCount: UInt64) -> Bool {
        space.use.withLock { use in
            guard fits(byteCount, besides: use.sum) else { return false }
            use.held += byteCount
            return true
        }
    }

    /// Ends a hold.
    package func letGo(_ byteCount: UInt64) { space.use.withLock { $0.held -= min($0.held, byteCount) } }

    private func fits(_ byteCount: UInt64, besides others: UInt64) -> Bool {
        others <= limit && byteCount <= limit - others
    }
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
