import MeshCore

/// A running hash over every effect of every host.
///
/// Equal runs have equal traces.
struct SimTrace: Sendable {
    private var sum = Checksum(seed: 0)

    var value: UInt64 { sum.value }

    mutating func add(_ effect: MeshEffect, host: Int, at time: MeshInstant) {
        sum.add(time.nanoseconds)
        sum.add(UInt64(host))
        switch effect {
        case .send(let bytes, let endpoint):
            add(1, UInt64(endpoint.interface.index), bytes)
            sum.add(endpoint.address.bytes[...])
        case .multicast(let bytes, let interface): add(2, UInt64(interface.index), bytes)
        case .deliver(let envelope, let id):
            add(3, UInt64(envelope.life), id.bytes)
        case .transmitted(let id): add(4, 0, id.bytes)
        case .carried(let id): add(5, 0, id.bytes)
        case .linkUp(let link, let node, _):
            add(6, link.value, [])
            sum.add(node.value)
        case .linkDown(let link, let node, let reason):
            add(7, link.value, [reason.rawValue])
            sum.add(node.value)
        case .dropped(let reason): add(8, 0, Array(reason.rawValue.utf8))
        case .pathMessage(let message): add(9, message.to.value, message.payload)
        case .pathLost(let label): add(10, label.value, [])
        case .pathRefused(let label): add(11, label.value, [])
        case .pathReady(let label): add(12, label.value, [])
        case .far(let far): add(14, UInt64(far.envelope.life), far.id.bytes)
        case .storeChanged(let records): add(13, UInt64(records.count), [])
        }
    }

    private mutating func add(_ kind: UInt64, _ detail: UInt64, _ bytes: [UInt8]) {
        sum.add(kind)
        sum.add(detail)
        sum.add(bytes[...])
    }
}
