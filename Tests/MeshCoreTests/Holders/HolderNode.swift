import MeshSimulation

@testable import MeshCore

/// A machine of holders with a store, and the time around it.
struct HolderNode {
    static let object = ObjectTag(0x8000_0000_0000_0001)
    static let cryptography = ToyCryptography()

    var holders: Holders
    var store: EnvelopeStore
    var now = MeshInstant.zero
    var depth: UInt8 = 0
    /// The pieces that were taken, and whether they are kept.
    private(set) var taken: [(id: EnvelopeID, keeps: Bool)] = []
    /// A piece for which there is no room.
    var refused: EnvelopeID?
    /// The own labels that are no longer used.
    private(set) var ended: [PathLabel] = []

    init(
        _ configuration: HolderConfiguration = HolderConfiguration(),
        limits: StoreLimits = StoreLimits(),
        seed: UInt64 = 1
    ) {
        holders = Holders(
            configuration: configuration,
            cryptography: Self.cryptography,
            random: MeshRandom(seed: seed)
        )
        store = EnvelopeStore(limits: limits, kinds: .simulated)
        store.setShelf(place: 0x8000, depth: 0)
    }

    /// A piece of an object.
    static func piece(_ number: UInt8, of tag: ObjectTag = object) -> Envelope {
        let bytes = withUnsafeBytes(of: tag.value.bigEndian) { Array($0) }
        return Envelope(kind: .chunk, life: 360, body: bytes + [number, 1, 2, 3])
    }

    static func id(_ piece: Envelope) -> EnvelopeID {
        cryptography.envelopeID(kindByte: piece.kindByte, body: piece.body[...])
    }

    var surroundings: Surroundings {
        // As many visible nodes as that depth stands for.
        Surroundings(store: store, visibleCount: depth == 0 ? 0 : 8 << depth, holderCount: 8)
    }

    /// Stores pieces, as this node's own or others'.
    mutating func keep(_ numbers: [UInt8], of tag: ObjectTag = object, isOwn: Bool = true) {
        for number in numbers {
            let piece = Self.piece(number, of: tag)
            _ = store.insert(
                piece,
                id: Self.id(piece),
                proofHashes: [],
                origin: isOwn ? nil : NodeID(1),
                isOld: false,
                isApart: true,
                now: now
            )
        }
    }

    /// Lets time pass until the next deadline within a limit, and then to the limit; returns what was sent and sought.
    mutating func pass(_ time: Duration) -> [HolderEffect] {
        let end = now.advanced(by: time)
        var effects = takeEffects()
        var (last, count) = (now, 0)
        while holders.nextDeadline <= end, count < 100 {
            now = max(now, holders.nextDeadline)
            count = now == last ? count + 1 : 0
            last = now
            holders.tick(surroundings, now: now)
            effects += takeEffects()
        }
        precondition(count < 100, "the machine never rests")
        now = end
        return effects
    }

    /// Handles a payload.
    @discardableResult
    mutating func receive(_ message: HolderMessage, to: PathLabel, from: PathLabel? = nil, over link: UInt64 = 1)
        -> [HolderEffect]
    {
        let payload = PathMessage(to: to, from: from, hops: 1, payload: message.encoded())
        guard holders.owns(to) else { return [] }
        holders.receive(payload, over: LinkID(link), surroundings, now: now) { Self.id($0) }
        return takeEffects()
    }

    /// Handles a search of another node.
    mutating func receive(_ seek: Seek, as label: PathLabel) -> [HolderEffect] {
        holders.receiveSeek(seek, as: label, surroundings, now: now)
        return takeEffects()
    }

    /// Takes the effects; searches go out under their numbers as labels.
    mutating func takeEffects() -> [HolderEffect] {
        var all: [HolderEffect] = []
        while holders.hasEffects {
            let effects = holders.takeEffects()
            all += effects
            for effect in effects { carryOut(effect) }
        }
        return all
    }

    private mutating func carryOut(_ effect: HolderEffect) {
        switch effect {
        case .seek(let seek, let tag): holders.noteSearch(seek, for: tag, as: PathLabel(seek.number), now: now)
        case .take(let piece, let id, let keeps, let label):
            taken.append((id, keeps))
            let tag = ObjectTag(of: piece.body) ?? Self.object
            if keeps, refused == id {
                holders.refuse(tag, at: label)
            } else if keeps {
                keep([piece.body[8]], of: tag, isOwn: false)
            }
        case .confirm(let peer, let label): holders.confirm(to: peer, at: label, surroundings)
        case .end(let label): ended.append(label)
        case .send: break
        }
    }
}

extension [HolderEffect] {
    /// The searches.
    var seeks: [Seek] { compactMap { if case .seek(let seek, _) = $0 { seek } else { nil } } }

    /// The payloads, with their labels.
    var sent: [(to: PathLabel, from: PathLabel?, message: HolderMessage)] {
        compactMap { effect in
            guard case .send(let path) = effect, let message = HolderMessage(decoding: path.payload) else { return nil }
            return (path.to, path.from, message)
        }
    }
}
