import Bytes
import MeshCore

@testable import ChatCore

/// The standard library's hash in place of a cryptographic one: fast in debug builds, wide enough for accidents.
struct ChecksumHashing: BlobHashing {
    func hash(level: UInt8, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var hasher = Hasher()
        hasher.combine(level)
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        var mix = SplitMix64(seed: UInt64(bitPattern: Int64(hasher.finalize())))
        var writer = ByteWriter(capacity: 32)
        for _ in 0..<4 { writer.append(integer: mix.next()) }
        return writer.bytes
    }
}

/// A blob with known bytes.
///
/// A holder sends it.
struct HeldBlob {
    let hashes: BlobHashes
    let reference: BlobReference
    let chunks: [[UInt8]]

    init(byteCount: Int, seed: UInt64 = 1) throws {
        var random = SplitMix64(seed: seed)
        var hashes = BlobHashes(byteCount: UInt64(byteCount), hashing: ChecksumHashing())
        let starts = byteCount == 0 ? [0] : Array(stride(from: 0, to: byteCount, by: BlobReference.chunkByteCount))
        chunks = starts.map { start in
            let count = min(byteCount - start, BlobReference.chunkByteCount) + BlobReference.sealByteCount
            let byte = UInt8(truncatingIfNeeded: random.next())
            return [UInt8](repeating: byte, count: count)
        }
        for chunk in chunks { hashes.add(chunk[...]) }
        guard let reference = hashes.reference else { throw MissingReference() }
        self.hashes = hashes
        self.reference = reference
    }

    struct MissingReference: Error {}

    func bytes(_ fragment: BlobRequests.Fragment) -> BlobMessage? {
        let chunk = reference.chunk(ofPart: fragment.part).map { chunks[$0] }
        return (chunk ?? hashes.bytes(ofPart: fragment.part)).flatMap { BlobMessage.fragment(fragment, of: $0) }
    }
}

extension BlobMessage {
    /// Makes the message with a piece of a part's bytes; nil if the part has no such piece.
    static func fragment(_ fragment: BlobRequests.Fragment, of bytes: [UInt8]) -> BlobMessage? {
        let range = range(ofFragment: fragment.fragment, in: bytes.count)
        guard !range.isEmpty else { return nil }
        return .fragment(transfer: fragment.transfer, part: fragment.part, fragment: fragment.fragment, bytes[range])
    }
}

/// One transfer over a path with a rate, a delay and losses, on a virtual clock.
struct BlobPipe {
    private struct Event: Comparable {
        let instant: MeshInstant
        let number: Int
        let message: BlobMessage
        let toHolder: Bool

        static func < (left: Event, right: Event) -> Bool {
            (left.instant, left.number) < (right.instant, right.number)
        }

        static func == (left: Event, right: Event) -> Bool { left.number == right.number }
    }

    var blob: HeldBlob
    var fetch: BlobFetch
    var loss = 0.0
    var delay = Duration.milliseconds(2)
    /// The rate of the holder.
    ///
    /// Units: bytes per second.
    var rate = 6_250_000
    /// The rate of a relay behind the holder; nil for no relay.
    ///
    /// The relay drops everything beyond its buffer.
    ///
    /// Units: bytes per second.
    var relayRate: Int?
    /// The buffer of the relay.
    ///
    /// Units: bytes.
    var relayBuffer = 320 << 10
    private var relayFree = MeshInstant.zero
    /// The holder's change to a message before it leaves.
    var forge: (BlobMessage) -> BlobMessage = { $0 }
    private(set) var requests = BlobRequests()
    private(set) var kept: [Int: [UInt8]] = [:]
    private(set) var isFinished = false
    private(set) var wantsPath = false
    private(set) var sentByteCount = 0
    private(set) var now = MeshInstant.zero
    private var random = SplitMix64(seed: 7)
    private var events = PriorityQueue<Event>()
    private var eventCount = 0
    private var lineFree = MeshInstant.zero

    init(_ blob: HeldBlob, chunks: ChunkSet? = nil) {
        self.blob = blob
        fetch = BlobFetch(
            blob.reference,
            transfer: 1,
            chunks: chunks ?? ChunkSet(chunkCount: blob.reference.chunkCount),
            hashing: ChecksumHashing()
        )
    }

    /// Opens the path and lets everything happen until the fetch ends or stops, or this number of chunks has arrived.
    mutating func run(until chunkCount: Int = .max) {
        wantsPath = false
        perform { $0.resume(now: $1, into: &$2) }
        while !isFinished, !wantsPath, kept.count < chunkCount {
            let next = [
                events.first?.instant ?? .distantFuture, fetch.nextDeadline,
                requests.isEmpty ? .distantFuture : lineFree,
            ]
            guard let instant = next.min(), instant < .distantFuture else { return }
            now = max(now, instant)
            pump()
            while let event = events.first, event.instant <= now {
                _ = events.removeFirst()
                take(event)
            }
            perform { $0.tick(now: $1, into: &$2) }
        }
    }

    private mutating func perform(_ body: (inout BlobFetch, MeshInstant, inout [BlobFetch.Effect]) -> Void) {
        var effects: [BlobFetch.Effect] = []
        body(&fetch, now, &effects)
        for effect in effects {
            switch effect {
            case .send(let message): queue(message, toHolder: true, at: now.advanced(by: delay))
            case .keep(let chunk, let bytes): kept[chunk] = bytes
            case .finished: isFinished = true
            case .wantsPath: wantsPath = true
            }
        }
    }

    /// Sends the next piece when the line is free.
    private mutating func pump() {
        guard lineFree <= now, let fragment = requests.first, let message = blob.bytes(fragment) else { return }
        requests.removeFirst()
        let byteCount = message.encoded().count
        sentByteCount += byteCount
        lineFree = now.advanced(by: .nanoseconds(Int64(byteCount) * 1_000_000_000 / Int64(rate)))
        guard let passed = passRelay(byteCount) else { return }
        queue(forge(message), toHolder: false, at: passed.advanced(by: delay))
    }

    /// Returns the time at which the relay has sent a message of the holder; nil if the relay drops it.
    private mutating func passRelay(_ byteCount: Int) -> MeshInstant? {
        guard let relayRate else { return lineFree }
        let backlog = max(relayFree, lineFree).nanoseconds - lineFree.nanoseconds
        guard backlog * UInt64(relayRate) / 1_000_000_000 <= UInt64(relayBuffer) else { return nil }
        relayFree = max(relayFree, lineFree)
            .advanced(by: .nanoseconds(Int64(byteCount) * 1_000_000_000 / Int64(relayRate)))
        return relayFree
    }

    private mutating func queue(_ message: BlobMessage, toHolder: Bool, at instant: MeshInstant) {
        guard Double.random(in: 0..<1, using: &random) >= loss else { return }
        eventCount += 1
        events.insert(Event(instant: instant, number: eventCount, message: message, toHolder: toHolder))
    }

    private mutating func take(_ event: Event) {
        // Every message is encoded and decoded, as on a real path.
        guard let message = BlobMessage(decoding: event.message.encoded()) else { return }
        guard event.toHolder else {
            return perform { $0.receive(message, now: $1, into: &$2) }
        }
        switch message {
        case .get(let transfer, blob.reference.root, let ranges):
            requests.add(ranges, of: blob.reference, transfer: transfer)
        case .cancel(let transfer): requests.cancel(transfer)
        case .get, .fragment, .absent: break
        }
    }
}
