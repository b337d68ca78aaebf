import MeshCore

@testable import ChatCore

extension EngineWorld {
    /// An announcement of a gateway that names one hub.
    static let announcement = [UInt8](repeating: 7, count: 17) + [1] + [UInt8](repeating: 7, count: 234)

    /// Whether an envelope of a kind gets from one node to the other.
    func crosses(_ kind: EnvelopeKind, from sender: Int, to recipient: Int) -> Bool {
        islands.isEmpty || islands[sender] == islands[recipient] || [.far, .farChunk].contains(kind) && isHubUp
    }

    /// Lets time pass in which gateways announce themselves every five minutes, as they do.
    func run(minutes: Int, withGateways: Bool = true) {
        for minute in 0..<minutes {
            if withGateways, minute.isMultiple(of: 5) {
                for node in nodes.indices {
                    deliver(.deliver(Envelope(kind: .gateway, life: 60, body: Self.announcement)), to: node)
                }
            }
            run(for: 60_000)
        }
    }
}
