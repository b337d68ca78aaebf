import Bytes
import ChatCrypto
import Earshot
import MeshCore

@testable import ChatCore

/// A stand-in for a cryptographic hash: fast in debug builds, wide enough for accidents.
struct SummingHash: BlobHashing {
    func hash(level: UInt8, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var sum: UInt64 = UInt64(level) &+ 0xCBF2_9CE4_8422_2325
        bytes.withUnsafeBytes { buffer in
            for index in stride(from: 0, to: buffer.count - buffer.count % 8, by: 8) {
                sum = (sum ^ buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* 0x100_0000_01B3
                sum ^= sum >> 29
            }
            for byte in buffer.suffix(buffer.count % 8) { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        var random = SplitMix64(seed: sum)
        return (0..<32).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}

/// A blob of which the holder has everything: the sealed chunks, the lists and the top, one after the other.
struct HeldObject {
    let blob: BlobUploads.Blob
    private(set) var file: [UInt8]

    init(_ id: BlobID, byteCount: Int) throws {
        var hashes = BlobHashes(byteCount: UInt64(byteCount), hashing: SummingHash())
        file = []
        var rest = byteCount
        // An empty blob has one chunk too.
        repeat {
            let count = min(rest, BlobReference.chunkByteCount)
            rest -= count
            let chunk = [UInt8](
                repeating: UInt8(truncatingIfNeeded: rest / BlobReference.chunkByteCount),
                count: count + BlobReference.sealByteCount
            )
            hashes.add(chunk[...])
            file += chunk
        } while rest > 0
        guard let reference = hashes.reference else { throw ChatError(.tooLarge, "No such object.") }
        blob = BlobUploads.Blob(id: id, file: "\(byteCount)", reference: reference)
        file += hashes.bytes
        file += hashes.bytes(ofPart: 0) ?? []
    }

    func message(_ fragment: UInt8, of part: UInt32, transfer: UInt32) -> BlobMessage? {
        guard let place = blob.reference.place(ofPart: part) else { return nil }
        let range = BlobMessage.range(ofFragment: fragment, in: place.byteCount)
        let start = Int(place.offset) + range.lowerBound
        return .fragment(transfer: transfer, part: part, fragment: fragment, file[start..<(start + range.count)])
    }

    func order(from peer: PeerID, or others: [PeerID] = [], chunks: ChunkSet? = nil) -> BlobOrder {
        BlobOrder(
            id: blob.id,
            peer: peer,
            others: others,
            file: blob.file,
            reference: blob.reference,
            chunks: chunks ?? ChunkSet(chunkCount: blob.reference.chunkCount)
        )
    }
}

/// One node that fetches, the holders that it fetches from, and the paths between them, with a rate, a delay and
/// losses.
///
/// All time is the world's own.
struct TransferWorld {
    private struct Event: Comparable {
        let instant: MeshInstant
        let number: Int
        let peer: PeerID
        let message: BlobMessage
        let toHolder: Bool

        static func < (left: Event, right: Event) -> Bool {
            (left.instant, left.number) < (right.instant, right.number)
        }

        static func == (left: Event, right: Event) -> Bool { left.number == right.number }
    }

    var downloads = BlobDownloads(hashing: SummingHash(), firstTransfer: 7)
    var uploads = BlobUploads()
    var held: [PeerID: [HeldObject]] = [:]
    var loss = 0.0
    /// The rate of each holder.
    ///
    /// Units: bytes per second.
    var rate = 20_000_000
    /// Whether the search for a path to a peer succeeds.
    var isReachable: (PeerID) -> Bool = { _ in true }
    /// Whether the disk fails to record the chunks that were written.
    var diskFails = false
    private(set) var looks: [(PeerID, MeshInstant)] = []
    private(set) var written: [BlobID: [Int]] = [:]
    private(set) var notes: [BlobID: ChunkSet] = [:]
    private(set) var finished: [BlobID] = []
    private(set) var missed: [BlobID] = []
    private(set) var told: [BlobID: [UInt64]] = [:]
    private(set) var cancelCount = 0
    private(set) var mostActive = 0
    private(set) var mostBytesWaiting = 0
    private(set) var now = MeshInstant.zero
    private var paths: Set<PeerID> = []
    private var random: SplitMix64
    private var events = PriorityQueue<Event>()
    private var eventCount = 0
    private var lineFree: [PeerID: MeshInstant] = [:]

    init(seed: UInt64 = 1) {
        random = SplitMix64(seed: seed)
    }

    static func peer(_ number: UInt8) throws -> PeerID {
        guard let peer = PeerID(bytes: [UInt8](repeating: number, count: 32)) else {
            throw ChatError(.notFound, "This is no id.")
        }
        return peer
    }

    static func id(_ number: UInt8, _ index: Int = 0) throws -> BlobID {
        guard let message = MessageID(bytes: [UInt8](repeating: number, count: 16)) else {
            throw ChatError(.notFound, "This is no id.")
        }
        return BlobID(message: message, index: index)
    }

    // MARK: - Effects

    mutating func perform(_ body: (inout BlobDownloads, MeshInstant, inout [BlobDownloads.Effect]) -> Void) {
        var effects: [BlobDownloads.Effect] = []
        body(&downloads, now, &effects)
        mostActive = max(mostActive, downloads.activeCount)
        for effect in effects { carryOut(effect) }
    }

    mutating func add(_ order: BlobOrder) { perform { $0.add(order, now: $1, into: &$2) } }

    mutating func lose(_ peer: PeerID) {
        paths.remove(peer)
        uploads.forget(peer)
        perform { $0.pathLost(to: peer, now: $1, into: &$2) }
    }

    private mutating func carryOut(_ effect: BlobDownloads.Effect) {
        switch effect {
        case .send(let message, let peer):
            if case .cancel = message { cancelCount += 1 }
            queue(message, peer, toHolder: true, at: now.advanced(by: .milliseconds(1)))
        case .findPath(let peer):
            looks.append((peer, now))
            guard isReachable(peer) else { return }
            paths.insert(peer)
            perform { $0.pathOpened(to: peer, now: $1, into: &$2) }
        case .abandonPaths(let peer):
            paths.remove(peer)
            uploads.forget(peer)
        case .write(_, let chunk, _, let id): written[id, default: []].append(chunk)
        case .note(let id, _, let chunks):
            guard !diskFails else { return perform { $0.failed(id, now: $1, into: &$2) } }
            notes[id] = chunks
            downloads.noted(id, chunks)
        case .finish(let id, _):
            finished.append(id)
            perform { $0.remove(id, now: $1, into: &$2) }
        case .miss(let id): missed.append(id)
        case .notify(let id, let byteCount, _): told[id, default: []].append(byteCount)
        }
    }

    // MARK: - Time

    /// Lets everything happen until the condition holds, the time has passed, or nothing more is due.
    mutating func run(for limit: Duration? = nil, until isEnough: (TransferWorld) -> Bool = { _ in false }) {
        let end = limit.map { now.advanced(by: $0) } ?? .distantFuture
        defer { if limit != nil { now = max(now, end) } }
        while !isEnough(self) {
            pump()
            let next = [
                events.first?.instant ?? .distantFuture, downloads.nextDeadline,
                uploads.hasWork ? lineFree.values.max() ?? now : .distantFuture,
            ]
            guard let instant = next.min(), instant < .distantFuture, instant <= end else { break }
            now = max(now, instant)
            pump()
            while let event = events.first, event.instant <= now {
                _ = events.removeFirst()
                take(event)
            }
            if downloads.nextDeadline <= now { perform { $0.tick(now: $1, into: &$2) } }
        }
    }

    /// Sends the pieces for which the lines of the holders are free.
    private mutating func pump() {
        while lineFree.values.allSatisfy({ $0 <= now }), let batch = uploads.next() {
            for (fragment, blob) in batch.fragments {
                guard let holder = held[batch.peer]?.first(where: { $0.blob == blob }),
                    let message = holder.message(fragment.fragment, of: fragment.part, transfer: fragment.transfer)
                else { continue }
                let start = max(now, lineFree[batch.peer] ?? now)
                let sent = start.advanced(by: .nanoseconds(Int64(16_400) * 1_000_000_000 / Int64(rate)))
                lineFree[batch.peer] = sent
                queue(message, batch.peer, toHolder: false, at: sent.advanced(by: .milliseconds(1)))
            }
            _ = uploads.sent(batch, refused: [], now: now)
        }
    }

    private mutating func queue(_ message: BlobMessage, _ peer: PeerID, toHolder: Bool, at instant: MeshInstant) {
        guard Double.random(in: 0..<1, using: &random) >= loss else { return }
        eventCount += 1
        events.insert(Event(instant: instant, number: eventCount, peer: peer, message: message, toHolder: toHolder))
    }

    private mutating func take(_ event: Event) {
        guard paths.contains(event.peer) else { return }
        guard event.toHolder else {
            return perform { $0.receive(event.message, from: event.peer, now: $1, into: &$2) }
        }
        switch event.message {
        case .get(let transfer, let root, let ranges):
            guard let blob = held[event.peer]?.first(where: { $0.blob.reference.root == root })?.blob else {
                return queue(
                    .absent(transfer: transfer),
                    event.peer,
                    toHolder: false,
                    at: now.advanced(by: .milliseconds(1))
                )
            }
            uploads.ask(ranges, of: blob, transfer: transfer, by: event.peer, on: PathLabel(1))
        case .cancel(let transfer): uploads.cancel(transfer, by: event.peer)
        case .fragment, .absent: break
        }
    }
}
