extension MeshEngine {
    /// Sends a message of a link to the part that it is for.
    mutating func receive(_ bytes: [UInt8], lane: Lane, from link: LinkID, now: MeshInstant) {
        if PathFrame.begins(with: bytes.first) {
            paths.receive(bytes, from: link, now: now, over: &links, into: &pathEffects)
        } else {
            router.receive(bytes, lane: lane, from: link, now: now, over: &links, into: &routerEffects)
        }
    }

    /// Floods a hello under a label of this node.
    mutating func openPath(_ label: PathLabel, hello: [UInt8], now: MeshInstant) {
        guard router.admitsProbe(now: now), paths.open(label, now: now) else {
            return pathEffects.append(.refused(label))
        }
        router.submit(
            kind: .probe,
            body: label.bytes + hello,
            life: EnvelopeKind.probe.maximumLife,
            now: now,
            over: &links,
            into: &routerEffects
        )
    }
}
