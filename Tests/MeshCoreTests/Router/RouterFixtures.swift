import Bytes
import MeshCore
import MeshSimulation

/// Test cryptography with a hash good enough to tell test envelopes apart.
struct ToyCryptography: MeshCryptography {
    func envelopeID(kindByte: UInt8, body: ArraySlice<UInt8>) -> EnvelopeID {
        let bytes = digest([kindByte] + body, seed: 1)
        guard let id = EnvelopeID(bytes: bytes) else { preconditionFailure("16 bytes") }
        return id
    }

    func proofHash(deliveryProof: [UInt8]) -> [UInt8] { digest(deliveryProof, seed: 2) }
    func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] { digest(key + message, seed: 3) }
    func shortHash(of shortID: UInt64, salt: UInt64) -> UInt64 { toyHash(shortID, salt) }
    func networkTags() -> [UInt32] { [] }
    var beaconKey: [UInt8]? { nil }
    func nodeKey(seed: UInt64) -> any NodeKey { NullCryptography().nodeKey(seed: seed) }
    func nodeID(of publicKey: [UInt8]) -> NodeID { NullCryptography().nodeID(of: publicKey) }

    private func digest(_ bytes: [UInt8], seed: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        for word in [seed, seed + 100] {
            var mixer = SplitMix64(seed: word)
            var state = mixer.next()
            for byte in bytes {
                mixer = SplitMix64(seed: state ^ UInt64(byte))
                state = mixer.next()
            }
            writer.append(integer: state)
        }
        return writer.bytes
    }
}

/// Mixes an id and a salt.
func toyHash(_ shortID: UInt64, _ salt: UInt64) -> UInt64 {
    var salted = SplitMix64(seed: salt)
    var mixer = SplitMix64(seed: shortID ^ salted.next())
    return mixer.next()
}

/// Links that only record what is sent, with room for a number of messages on all links and lanes together.
struct RecordedLinks: LinkSending {
    struct Sent: Equatable {
        let message: [UInt8]
        let lane: Lane
        let tag: UInt64
        let link: LinkID
    }

    struct Live: Equatable {
        let bytes: [UInt8]
        let link: LinkID
    }

    var room = Int.max
    var sent: [Sent] = []
    /// The live datagrams sent so far.
    var live: [Live] = []

    mutating func send(_ message: [UInt8], lane: Lane, tag: UInt64, on link: LinkID, now: MeshInstant) -> Bool {
        guard room > 0 else { return false }
        room -= 1
        sent.append(Sent(message: message, lane: lane, tag: tag, link: link))
        return true
    }

    mutating func sendLive(_ bytes: [UInt8], on link: LinkID, now: MeshInstant) -> Bool {
        guard room > 0 else { return false }
        room -= 1
        live.append(Live(bytes: bytes, link: link))
        return true
    }

    func roundTrip(of link: LinkID) -> Duration? { .milliseconds(10) }

    /// Returns and clears the messages sent since the last call.
    mutating func takeSent() -> [Sent] {
        defer { sent = [] }
        return sent
    }
}

extension StoreSummary {
    /// The summary of some store that keeps everything.
    init(digest: UInt32, count: Int) {
        var sums = SIMD16<UInt32>.zero
        sums[0] = digest
        self.init(shelf: .everything, sums: sums, count: count)
    }
}

/// A router with recorded links, and the calls that drive it.
struct RouterBench {
    var router: Router
    var links = RecordedLinks()
    /// The trails that messages and submissions left, in order.
    private(set) var trails: [Trail] = []
    var now = MeshInstant.zero
    let cryptography = ToyCryptography()

    init(
        _ configuration: RouterConfiguration = RouterConfiguration(),
        kinds: KindPolicy = .simulated,
        isRested: Bool = true,
        seed: UInt64 = 1
    ) {
        var configuration = configuration
        configuration.kinds = kinds
        if isRested {
            // Links begin with what they would have after a pause.
            configuration.inboundStart = .seconds(4)
            configuration.pushStart = .seconds(3)
        }
        router = Router(
            configuration: configuration,
            cryptography: cryptography,
            random: MeshRandom(seed: seed),
            now: .zero
        )
    }

    mutating func connect(_ numbers: UInt64..., dialledHere: Bool = false) {
        for number in numbers {
            router.linkUp(LinkID(number), node: NodeID(number), dialledHere: dialledHere, now: now, over: &links)
        }
    }

    /// Connects spare links of a segment with a crowd factor.
    mutating func connect(_ numbers: ClosedRange<UInt64>, crowdFactor: Int, isSpare: Bool = true) {
        for number in numbers {
            router.linkUp(
                LinkID(number),
                node: NodeID(number),
                dialledHere: false,
                crowdFactor: crowdFactor,
                isSpare: isSpare,
                now: now,
                over: &links
            )
        }
    }

    /// Connects links of a segment.
    mutating func connect(_ numbers: ClosedRange<UInt64>, on segment: InterfaceID) {
        for number in numbers {
            router.linkUp(
                LinkID(number),
                node: NodeID(number),
                dialledHere: false,
                segment: segment,
                now: now,
                over: &links
            )
        }
    }

    /// Has the router hear a push on a segment.
    mutating func hearPush(_ envelope: Envelope, on segment: InterfaceID) -> [RouterEffect] {
        var effects: [RouterEffect] = []
        router.receivePush(
            envelope.encoded(),
            from: Self.pusher,
            on: segment,
            now: now,
            over: &links,
            into: &effects
        )
        return takeTrails(of: effects)
    }

    /// The node that sends the pushes that the router hears.
    static var pusher: Trail.Pusher {
        let interface = InterfaceID(index: 1, family: .v4)
        let endpoint = Endpoint(interface: interface, address: ipv4(10, 0, 0, 9), port: 9)
        return Trail.Pusher(node: NodeID(99), endpoint: endpoint)
    }

    /// Restores own envelopes of the node from before its start, so that no neighbour is notified of them.
    mutating func hold(_ numbers: some Sequence<Int>, life: UInt16 = 25_000) {
        let records = numbers.map { number in
            let envelope = Self.envelope(number, life: life)
            return StoreRecord.held(envelope, shortID: id(envelope).shortID, isOwn: true)
        }
        var effects: [RouterEffect] = []
        router.restore(records, now: now, into: &effects)
    }

    /// Delivers the store summary of a neighbour to the router.
    @discardableResult
    mutating func hear(_ summary: StoreSummary, on link: UInt64) -> [RouterEffect] {
        var effects: [RouterEffect] = []
        router.status(summary, from: LinkID(link), now: now, into: &effects)
        return effects
    }

    mutating func receive(_ envelope: Envelope, on link: UInt64, lane: Lane = .interactive) -> [RouterEffect] {
        receive(envelope.encoded(), on: link, lane: lane)
    }

    mutating func receive(_ message: [UInt8], on link: UInt64, lane: Lane = .interactive) -> [RouterEffect] {
        var effects: [RouterEffect] = []
        router.receive(message, lane: lane, from: LinkID(link), now: now, over: &links, into: &effects)
        return takeTrails(of: effects)
    }

    mutating func submit(_ envelope: Envelope) -> [RouterEffect] {
        var effects: [RouterEffect] = []
        router.submit(
            kind: envelope.kind,
            body: envelope.body,
            life: envelope.life,
            now: now,
            over: &links,
            into: &effects
        )
        return takeTrails(of: effects)
    }

    /// Moves the trails among effects to `trails`.
    private mutating func takeTrails(of effects: [RouterEffect]) -> [RouterEffect] {
        effects.filter { effect in
            guard case .trail(let trail) = effect else { return true }
            trails.append(trail)
            return false
        }
    }

    /// Advances the time, then calls the router's tick once.
    @discardableResult
    mutating func pass(_ duration: Duration) -> [RouterEffect] {
        now = now.advanced(by: duration)
        var effects: [RouterEffect] = []
        router.tick(now: now, over: &links, into: &effects)
        return effects
    }

    func id(_ envelope: Envelope) -> EnvelopeID {
        cryptography.envelopeID(kindByte: envelope.kindByte, body: envelope.body[...])
    }

    /// Makes an envelope whose content follows from `number`.
    static func envelope(
        _ number: Int,
        kind: EnvelopeKind = .sealed,
        life: UInt16 = 25_920,
        byteCount: Int = 20
    ) -> Envelope {
        let head = (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        let tail = [UInt8](repeating: 7, count: max(0, byteCount - head.count))
        return Envelope(kind: kind, life: life, body: head + tail)
    }

    static func message(_ type: UInt8, _ ids: [EnvelopeID]) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(integer: type)
        writer.append(integer: UInt16(ids.count))
        for id in ids { writer.append(id.bytes.prefix(8)) }
        return writer.bytes
    }

    static func offer(_ ids: [EnvelopeID]) -> [UInt8] { message(1, ids) }
    /// The message that ends the offers to who asked for everything.
    static func endOfOffers(to ask: [UInt8]) -> [UInt8] { Array(ask[..<9]) + [0xFF, 0xFF, 0, 0, 0, 0] }
    static func want(_ ids: [EnvelopeID]) -> [UInt8] { message(2, ids) }
    static func announce(_ ids: [EnvelopeID]) -> [UInt8] { [0x20] + ids.flatMap { $0.bytes.prefix(8) } }
    static func graft(_ ids: [EnvelopeID]) -> [UInt8] { [0x21] + ids.flatMap { $0.bytes.prefix(8) } }
}

extension InterfaceID {
    static let one = InterfaceID(index: 1, family: .v4)
    static let two = InterfaceID(index: 2, family: .v4)
    static let three = InterfaceID(index: 3, family: .v4)
}

extension RouterEffect {
    var isDelivery: Bool {
        if case .deliver = self { true } else { false }
    }
}
