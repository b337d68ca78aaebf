import MeshCore
import MeshSimulation

/// Two engines on one segment with a delay of 1 ms, and a record of all datagrams that they send.
struct EnginePair {
    /// A datagram in transit or delivered.
    struct Sent {
        let time: MeshInstant
        let sender: Int
        let bytes: [UInt8]
        let isMulticast: Bool
    }

    private static let interface = InterfaceID(index: 1, family: .v4)

    private let firstPort: UInt16
    private(set) var engines: [MeshEngine]
    private(set) var now = MeshInstant.zero
    private(set) var sent: [Sent] = []
    private var arrived = 0
    /// The effects of each engine other than datagrams, for the program around it.
    private(set) var outputs: [[MeshEffect]] = [[], []]

    /// Starts both engines; the ports stand for those that the system assigns, which differ at each start.
    init(seed: UInt64, firstPort: UInt16) {
        self.firstPort = firstPort
        engines = (0..<2).map { side in
            MeshEngine(
                configuration: .simulated,
                cryptography: NullCryptography(),
                random: MeshRandom(seed: seed &* 2 &+ UInt64(side)),
                now: .zero
            )
        }
        for side in 0..<2 {
            let endpoint = endpoint(of: side)
            let prefixes = [Prefix(address: endpoint.address, length: 24)]
            handle(.interfaceUp(Self.interface, prefixes: prefixes, unicastPort: endpoint.port), by: side)
        }
    }

    mutating func handle(_ event: MeshEvent, by side: Int) {
        var effects: [MeshEffect] = []
        engines[side].handle(event, at: now, into: &effects)
        for effect in effects {
            switch effect {
            case .send(let bytes, _):
                sent.append(Sent(time: now, sender: side, bytes: bytes, isMulticast: false))
            case .multicast(let bytes, _):
                sent.append(Sent(time: now, sender: side, bytes: bytes, isMulticast: true))
            default: outputs[side].append(effect)
            }
        }
    }

    mutating func run(for duration: Duration) {
        let end = now.advanced(by: duration)
        while true {
            let arrival = arrived < sent.count ? sent[arrived].time.advanced(by: .milliseconds(1)) : .distantFuture
            let next = min(arrival, engines.map(\.nextDeadline).min() ?? .distantFuture)
            guard next <= end else { break }
            now = max(now, next)
            if arrival <= now {
                let datagram = sent[arrived]
                arrived += 1
                let source = endpoint(of: datagram.sender)
                let event = MeshEvent.datagram(datagram.bytes, from: source, multicast: datagram.isMulticast)
                handle(event, by: 1 - datagram.sender)
            }
            for side in 0..<2 where engines[side].nextDeadline <= now { handle(.tick, by: side) }
        }
        now = end
    }

    /// Opens a path from the first engine to the second.
    ///
    /// - Returns: The label of the first.
    mutating func openPath(answerer: PathLabel) -> PathLabel {
        let opener = PathLabel(trailOf: engines[0].envelopeID(kind: .probe, body: [1]))
        handle(.openPath(hello: [1]), by: 0)
        run(for: .milliseconds(100))
        handle(.sendOnPath(PathMessage(to: opener, from: answerer, hops: 0, payload: [2])), by: 1)
        run(for: .milliseconds(100))
        return opener
    }

    private func endpoint(of side: Int) -> Endpoint {
        guard let address = IPAddress(bytes: [10, 0, 0, UInt8(side + 1)]) else { preconditionFailure("4 bytes") }
        return Endpoint(interface: Self.interface, address: address, port: firstPort + UInt16(side))
    }
}

extension EnginePair.Sent {
    /// The bytes by which an eavesdropper could recognise the sender: a beacon, or the head of a sealed packet.
    ///
    /// The end of a beacon does not count: the shelf of a store that is not full, reserved bytes, the minutes since the
    /// id is in use, and the tag of the mesh identify no node.
    var visible: ArraySlice<UInt8> {
        switch bytes.first {
        case UInt8(ascii: "E"): bytes.prefix(20)
        case 0x40, 0x41: bytes.prefix(9)
        default: []
        }
    }
}
