/// A reader of a store's log.
///
/// It takes the log in chunks and keeps the resulting state.
///
/// Bytes that are not an entry are skipped up to the next entry, so damage affects only the entries that it hit. The
/// work is bounded by a few times the log's size, and the memory by the entries that still count.
package struct StoreLogReader: Sendable {
    private struct Held: Sendable {
        let place: Int
        let envelope: Envelope
        var deadline: UInt32
        var isOwn: Bool
        let isApart: Bool
        let isFar: Bool
    }

    /// The version that the log states; nil if its beginning is not that of a log.
    package private(set) var version: UInt8?
    /// The number of entries read.
    package private(set) var entryCount = 0
    /// The number of damaged stretches that were skipped.
    package private(set) var damageCount = 0
    /// The size up to the end of the last entry.
    ///
    /// Units: bytes.
    package private(set) var soundByteCount = 0

    private var buffer: [UInt8] = []
    /// The next position in `buffer`.
    private var position = 0
    /// The size of the log before `buffer`.
    ///
    /// Units: bytes.
    private var passedByteCount = 0
    private var wastedByteCount = 0
    private var held: [UInt64: Held] = [:]
    private var shelf: StoreRecord?
    private var age: UInt32 = 0
    private var wall: UInt64?

    /// Creates a reader before the first byte.
    package init() {}

    /// Reads the next bytes.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        buffer.removeFirst(position)
        passedByteCount += position
        position = 0
        buffer.append(contentsOf: bytes)
        scan(isEnd: false)
    }

    /// Reads the remaining bytes when no more follow.
    package mutating func finish() {
        scan(isEnd: true)
    }

    /// Returns the contents of the log for this wall clock time, and the log's age at that time.
    ///
    /// The time since the last `time` entry counts as passed, unless the clock was set back to before it.
    package func contents(wall now: UInt64) -> (records: [StoreRecord], age: UInt32) {
        let passed = UInt32(clamping: wall.map { now > $0 ? now - $0 : 0 } ?? 0)
        let (sum, overflow) = age.addingReportingOverflow(passed)
        let age = overflow ? .max : sum
        let kept = held.sorted { $0.value.place < $1.value.place }.compactMap { shortID, held -> StoreRecord? in
            var envelope = held.envelope
            envelope.life = Self.life(until: held.deadline, age: age)
            return envelope.life > 0
                ? .held(
                    envelope,
                    shortID: shortID,
                    isOwn: held.isOwn,
                    isApart: held.isApart,
                    isFar: held.isFar
                ) : nil
        }
        let rest = wall.flatMap { now > $0 ? StoreRecord.rested(.seconds(passed)) : nil }
        return ([rest, shelf].compactMap { $0 } + kept, age)
    }

    private static func life(until deadline: UInt32, age: UInt32) -> UInt16 {
        deadline > age ? UInt16(clamping: (deadline - age - 1) / 10 + 1) : 0
    }

    // MARK: - Entries

    private mutating func scan(isEnd: Bool) {
        while position < buffer.count {
            switch StoreLogEntry.find(in: buffer[position...]) {
            case .entry(let entry, let byteCount):
                if passedByteCount + position > soundByteCount { damageCount += 1 }
                position += byteCount
                soundByteCount = passedByteCount + position
                take(entry)
            case .incomplete where !isEnd: return
            case .incomplete: skip(checked: 0)
            case .none(let checkedByteCount): skip(checked: checkedByteCount)
            }
        }
    }

    /// Moves to the next possible beginning of an entry.
    private mutating func skip(checked byteCount: Int) {
        wastedByteCount += byteCount
        // The log consists of beginnings only. Accidental damage does not look like that.
        guard wastedByteCount <= Self.wasteFactor * (passedByteCount + buffer.count) + Self.wasteAllowance else {
            position = buffer.count
            return
        }
        position = buffer[(position + 1)...].firstIndex(of: StoreLogFormat.magic[0]) ?? buffer.count
    }

    private mutating func take(_ entry: StoreLogEntry) {
        switch entry {
        case .begin(let version):
            if entryCount == 0 { self.version = version }
        case .time(let age, let wall):
            self.age = max(self.age, age)
            self.wall = wall
        case .held(let envelope, let shortID, let deadline, let isOwn, let isApart, let isFar):
            held[shortID] = Held(
                place: entryCount,
                envelope: envelope,
                deadline: deadline,
                isOwn: isOwn,
                isApart: isApart,
                isFar: isFar
            )
        case .renewed(let shortID, let deadline, let isOwn):
            held[shortID]?.deadline = deadline
            held[shortID]?.isOwn = isOwn
        case .shelf(let place, let depth): shelf = .shelf(place: place, depth: depth)
        }
        entryCount += 1
    }

    /// The number of times that a log's bytes may be examined without a result.
    private static let wasteFactor = 4
    /// The additional size that may be examined without a result.
    ///
    /// Units: bytes.
    private static let wasteAllowance = 1 << 20
}
