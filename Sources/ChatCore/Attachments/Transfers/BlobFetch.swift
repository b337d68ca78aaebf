package import MeshCore

/// The fetching of one blob as a machine: messages come in, requests go out; it has no path, disk or clock.
///
/// The machine requests parts in order, as many at once as the window allows. It checks each complete part against the
/// root and returns it. It requests late parts again. After five late or false parts in a row it stops and asks for
/// another path, to the same holder or another one, and continues there. Source: PROTOCOL §5.4.
package struct BlobFetch: Sendable {
    /// An effect for the shell to carry out.
    package enum Effect: Equatable, Sendable {
        /// Sends this to the holder.
        case send(BlobMessage)
        /// Keeps this sealed chunk, which is the right one.
        case keep(chunk: Int, [UInt8])
        /// Reports that the blob is complete.
        case finished
        /// Asks for another path: the holder does not answer, or answers falsely.
        ///
        /// Nothing happens until ``BlobFetch/resume(now:into:)``.
        case wantsPath
    }

    private struct Request {
        let part: Int
        let askedAt: MeshInstant
        var fragments: [ArraySlice<UInt8>?]
        /// The number of parts that were requested later and have arrived.
        var overtakenCount = 0
    }

    /// The number of late or false parts in a row after which another path is wanted.
    package static let failureLimit = 5

    /// The number of later requested parts that arrive before a part is considered lost.
    static let overtakingLimit = 3
    /// The fraction of the window (one in this number) that has to be free before more is requested.
    static let bundleShare = 8

    /// The blob to fetch.
    package let reference: BlobReference
    /// This node's number for the transfer.
    package let transfer: UInt32
    /// The chunks that were returned.
    package private(set) var chunks: ChunkSet
    /// The number of parts requested again because they were late or false.
    package private(set) var retryCount = 0

    private let hashing: any BlobHashing
    private var top: [UInt8]?
    private var lists: [[UInt8]?]
    private var window = PullWindow()
    private var requests: [Request] = []
    /// The part to request next; all parts before it were requested at least once.
    private var cursor = 0
    private var again: [Int] = []
    private var failureCount = 0
    private var lastArrival = MeshInstant.zero
    private var isPaused = true
    private var isFinished = false

    /// Begins a transfer, or continues one with the given chunks.
    package init(_ reference: BlobReference, transfer: UInt32, chunks: ChunkSet, hashing: any BlobHashing) {
        self.reference = reference
        self.transfer = transfer
        self.chunks = chunks
        self.hashing = hashing
        lists = Array(repeating: nil, count: reference.listCount)
    }

    /// The time of the next ``tick(now:into:)``.
    package var nextDeadline: MeshInstant {
        // The oldest request is due first, because requests are in the order of their times.
        guard !isPaused, let oldest = requests.first else { return .distantFuture }
        let isOvertaken = oldest.overtakenCount >= Self.overtakingLimit
        return window.deadline(for: oldest.askedAt, isOvertaken: isOvertaken)
    }

    /// Requests all missing parts on a new path.
    package mutating func resume(now: MeshInstant, into effects: inout [Effect]) {
        guard !isFinished else { return }
        isPaused = false
        failureCount = 0
        window = PullWindow()
        requests = []
        again = []
        cursor = 0
        finishOrAsk(now: now, into: &effects)
    }

    /// Stops the requests, because the path is lost.
    package mutating func pause() {
        isPaused = true
        requests = []
    }

    /// Accepts a message of the holder; parts that were not requested change nothing.
    package mutating func receive(_ message: BlobMessage, now: MeshInstant, into effects: inout [Effect]) {
        guard !isPaused, case .fragment(transfer, let part, let fragment, let bytes) = message else { return }
        receive(bytes, fragment: Int(fragment), of: Int(part), now: now, into: &effects)
    }

    /// Gives up late parts.
    package mutating func tick(now: MeshInstant, into effects: inout [Effect]) {
        guard giveUpLate(now: now, into: &effects) else { return }
        ask(now: now, into: &effects)
    }

    /// Removes late requests; false if there are none.
    private mutating func giveUpLate(now: MeshInstant, into effects: inout [Effect]) -> Bool {
        guard nextDeadline <= now else { return false }
        let lateCount = requests.prefix { request in
            let isOvertaken = request.overtakenCount >= Self.overtakingLimit
            return window.deadline(for: request.askedAt, isOvertaken: isOvertaken) <= now
        }.count
        for request in requests.prefix(lateCount) {
            again.append(request.part)
            retryCount += 1
            // A path that has brought a part since then is not dead, even if it dropped this one.
            if request.askedAt >= lastArrival { fail(into: &effects) }
        }
        requests.removeFirst(min(lateCount, requests.count))
        window.late(now: now)
        return true
    }

    // MARK: - Receiving

    private mutating func receive(
        _ bytes: ArraySlice<UInt8>,
        fragment: Int,
        of number: Int,
        now: MeshInstant,
        into effects: inout [Effect]
    ) {
        guard let index = requests.firstIndex(where: { $0.part == number }), let part = reference.part(number),
            requests[index].fragments.indices.contains(fragment),
            bytes.count == Self.byteCount(ofFragment: fragment, in: reference.byteCount(of: part))
        else { return }
        requests[index].fragments[fragment] = bytes
        guard requests[index].fragments.allSatisfy({ $0 != nil }) else { return }
        let request = requests.remove(at: index)
        for earlier in 0..<index { requests[earlier].overtakenCount += 1 }
        var whole: [UInt8] = []
        whole.reserveCapacity(reference.byteCount(of: part))
        for case let fragment? in request.fragments { whole += fragment }
        if take(whole, as: part, into: &effects) {
            failureCount = 0
            lastArrival = now
            window.arrived(askedAt: request.askedAt, now: now)
        } else {
            again.append(number)
            retryCount += 1
            fail(into: &effects)
        }
        _ = giveUpLate(now: now, into: &effects)
        finishOrAsk(now: now, into: &effects)
    }

    /// Keeps a part if its hash is right.
    private mutating func take(_ bytes: [UInt8], as part: BlobReference.Part, into effects: inout [Effect]) -> Bool {
        switch part {
        case .top:
            guard BlobHashes.root(byteCount: reference.byteCount, top: bytes, hashing) == reference.root else {
                return false
            }
            top = bytes
        case .list(let index):
            guard let top, hashing.hash(level: 1, bytes[...])[...] == Self.hash(index, in: top) else { return false }
            lists[index] = bytes
        case .chunk(let index):
            let place = index.quotientAndRemainder(dividingBy: BlobReference.chunksPerList)
            guard let list = lists[place.quotient],
                hashing.hash(level: 0, bytes[...])[...] == Self.hash(place.remainder, in: list)
            else { return false }
            chunks.insert(index)
            effects.append(.keep(chunk: index, bytes))
        }
        return true
    }

    private static func hash(_ index: Int, in list: [UInt8]) -> ArraySlice<UInt8> {
        list[(index * BlobReference.hashByteCount)..<((index + 1) * BlobReference.hashByteCount)]
    }

    static func byteCount(ofFragment fragment: Int, in byteCount: Int) -> Int {
        min(BlobMessage.fragmentByteCount, byteCount - fragment * BlobMessage.fragmentByteCount)
    }

    // MARK: - Asking

    private mutating func finishOrAsk(now: MeshInstant, into effects: inout [Effect]) {
        if chunks.isComplete {
            isFinished = true
            isPaused = true
            requests = []
            effects.append(.finished)
        } else {
            ask(now: now, into: &effects)
        }
    }

    private mutating func ask(now: MeshInstant, into effects: inout [Effect]) {
        // A request for each part would cost as much as a part: parts are requested in groups.
        guard !isPaused, requests.isEmpty || window.count - requests.count >= max(1, window.count / Self.bundleShare)
        else { return }
        var parts: [Int] = []
        while requests.count < window.count, parts.count < BlobMessage.rangeLimit, let part = nextPart() {
            parts.append(part)
            let byteCount = reference.part(part).map(reference.byteCount) ?? 0
            let fragmentCount = (byteCount + BlobMessage.fragmentByteCount - 1) / BlobMessage.fragmentByteCount
            requests.append(
                Request(part: part, askedAt: now, fragments: Array(repeating: nil, count: fragmentCount))
            )
        }
        guard !parts.isEmpty else { return }
        effects.append(.send(.get(transfer: transfer, root: reference.root, Self.ranges(of: parts))))
    }

    /// Returns the next missing part whose hash is known.
    private mutating func nextPart() -> Int? {
        if !again.isEmpty { return again.removeFirst() }
        while let part = reference.part(cursor) {
            switch part {
            case .top where top != nil: break
            case .list where top == nil: return nil
            case .list(let index) where lists[index] != nil: break
            case .chunk(let index) where chunks.contains(index): break
            case .chunk(let index) where lists[index / BlobReference.chunksPerList] == nil: return nil
            case .top, .list, .chunk:
                cursor += 1
                return cursor - 1
            }
            cursor += 1
        }
        return nil
    }

    private static func ranges(of parts: [Int]) -> [Range<UInt32>] {
        parts.map(UInt32.init).reduce(into: []) { ranges, part in
            if let last = ranges.last, last.upperBound == part {
                ranges[ranges.count - 1] = last.lowerBound..<(part + 1)
            } else {
                ranges.append(part..<(part + 1))
            }
        }
    }

    private mutating func fail(into effects: inout [Effect]) {
        failureCount += 1
        if failureCount == Self.failureLimit { giveUp(into: &effects) }
    }

    private mutating func giveUp(into effects: inout [Effect]) {
        pause()
        effects.append(.wantsPath)
    }
}
