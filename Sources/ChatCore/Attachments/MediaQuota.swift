import Synchronization

/// The room for files of messages in a data directory, for its node and for all its rooms together.
///
/// Bytes that are present and bytes that are expected count alike, so that an accepted file always finds its room. No
/// request takes more than the limit, even if several accounts ask at the same moment. Units: bytes, before they are
/// sealed.
package final class MediaQuota: Sendable {
    fileprivate struct Use {
        var taken: [Int: UInt64] = [:]
        /// The bytes that are being sealed and belong to no message yet.
        var held: UInt64 = 0
        var nextNumber = 0

        var sum: UInt64 { taken.values.reduce(held, +) }
    }

    /// The size of the whole room.
    package let limit: UInt64
    fileprivate let use = Mutex(Use())

    package init(limit: UInt64) { self.limit = limit }

    /// The number of bytes taken.
    package var byteCount: UInt64 { use.withLock { $0.sum } }

    /// Makes a share for an account that takes nothing yet.
    package func share() -> MediaQuotaShare {
        let number = use.withLock { use in
            use.nextNumber += 1
            return use.nextNumber
        }
        return MediaQuotaShare(space: self, number: number)
    }
}

/// The part of a data directory's room that one account takes.
package struct MediaQuotaShare: Sendable {
    fileprivate let space: MediaQuota
    fileprivate let number: Int

    /// The size of the whole room.
    package var limit: UInt64 { space.limit }

    /// Sets the bytes that the account takes, even above the limit: existing files stay when the limit is lowered.
    package func set(_ byteCount: UInt64) {
        space.use.withLock { $0.taken[number] = byteCount > 0 ? byteCount : nil }
    }

    /// Whether the account may take this number of bytes in total.
    package func canTake(_ byteCount: UInt64) -> Bool {
        space.use.withLock { fits(byteCount, besides: $0.sum - ($0.taken[number] ?? 0)) }
    }

    /// Takes this number of bytes in total, unless it is too much; `set` reports the result.
    package func take(_ byteCount: UInt64) -> Bool {
        space.use.withLock { use in
            guard fits(byteCount, besides: use.sum - (use.taken[number] ?? 0)) else { return false }
            use.taken[number] = max(use.taken[number] ?? 0, byteCount)
            return true
        }
    }

    /// Reserves bytes for attachments that are being sealed, unless there is not enough room.
    package func hold(_ byteCount: UInt64) -> Bool {
        space.use.withLock { use in
            guard fits(byteCount, besides: use.sum) else { return false }
            use.held += byteCount
            return true
        }
    }

    /// Ends a reservation.
    package func release(_ byteCount: UInt64) { space.use.withLock { $0.held -= min($0.held, byteCount) } }

    private func fits(_ byteCount: UInt64, besides others: UInt64) -> Bool {
        others <= limit && byteCount <= limit - others
    }
}

extension Sequence<UInt64> {
    /// The sum, or the largest number if the sum overflows.
    package var saturatingSum: UInt64 {
        reduce(0) { sum, next in
            let (more, overflow) = sum.addingReportingOverflow(next)
            return overflow ? .max : more
        }
    }
}
