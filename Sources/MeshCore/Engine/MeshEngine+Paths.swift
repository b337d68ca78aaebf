extension MeshEngine {
    /// Sends a message of a link to the part that it is for; a probe passes the paths' scrutiny before it may flood.
    mutating func receive(_ bytes: [UInt8], lane: Lane, from link: LinkID, now: MeshInstant) {
        if PathFrame.begins(with: bytes.first) {
            return paths.receive(bytes, from: link, now: now, over: &links, into: &pathEffects)
        }
        if bytes.first == Self.firstProbeByte, let probe = Envelope(decoding: bytes[...]),
            StoragePolicy.isWellFormed(probe)
        {
            let id = router.envelopeID(kind: .probe, body: probe.body)
            let isNew = !router.knows(id.shortID, now: now)
            guard paths.admits(probe, isNew: isNew, from: link, now: now, into: &pathEffects) else { return }
        }
        router.receive(bytes, lane: lane, from: link, now: now, over: &links, into: &routerEffects)
    }

    /// Floods a hello under a label of this node.
    mutating func openPath(_ label: PathLabel, hello: [UInt8], now: MeshInstant) {
        guard paths.open(label, now: now, into: &pathEffects) else { return }
        router.submit(
            kind: .probe,
            body: label.bytes + hello,
            life: EnvelopeKind.probe.maximumLife,
            now: now,
            over: &links,
            into: &routerEffects
        )
    }

    private static let firstProbeByte = Envelope.version << 4 | EnvelopeKind.probe.rawValue
}
