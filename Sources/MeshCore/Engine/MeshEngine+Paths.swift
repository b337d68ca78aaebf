extension MeshEngine {
    /// Passes a message of a link to the machine that handles it.
    mutating func receive(_ bytes: [UInt8], lane: Lane, from link: LinkID, now: MeshInstant) {
        if PathFrame.begins(with: bytes.first) {
            paths.receive(bytes, from: link, now: now, over: &links, into: &pathEffects)
        } else {
            let count = routerEffects.count
            router.machine.receive(bytes, lane: lane, from: link, now: now, over: &links, into: &routerEffects)
            let isFirst = routerEffects[count...].contains { if case .deliver = $0 { true } else { false } }
            if isFirst { links.table.noteFirstDelivery(on: link, now: now) }
        }
    }

    /// Floods a hello under a label of this node.
    mutating func openPath(_ label: PathLabel, hello: [UInt8], now: MeshInstant) {
        guard router.machine.admitsProbe(now: now), paths.open(label, now: now) else {
            return pathEffects.append(.refused(label))
        }
        router.machine.submit(
            kind: .probe,
            body: label.bytes + hello,
            life: KindRule.probe.longestLife,
            now: now,
            over: &links,
            into: &routerEffects
        )
    }
}
