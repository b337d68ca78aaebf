extension MeshEngine {
    /// Returns whether posts take so much of this node that messages to one peer should not be posted.
    public func isBusy(at now: MeshInstant) -> Bool { router.machine.isBusy(now: now) }

    /// Passes a message of a link to the machine that handles it.
    mutating func receive(_ bytes: [UInt8], lane: Lane, from link: LinkID, now: MeshInstant) {
        if PathFrame.begins(with: bytes.first) {
            if let label = PathHeader(of: bytes)?.to, holds(.passing(bytes, from: link), to: label, now: now) { return }
            let count = pathEffects.count
            paths.receive(bytes, from: link, now: now, over: &links, into: &pathEffects)
            let isDropped = pathEffects[count...].contains { if case .dropped = $0 { true } else { false } }
            if !isDropped { links.table.noteUse(of: link, now: now) }
        } else {
            let count = routerEffects.count
            router.machine.receive(bytes, lane: lane, from: link, now: now, over: &links, into: &routerEffects)
            let isFirst = routerEffects[count...].contains { if case .deliver = $0 { true } else { false } }
            if isFirst { links.table.noteFirstDelivery(on: link, now: now) }
        }
    }

    /// Floods a hello, whose short id is the label of this node.
    mutating func openPath(hello: [UInt8], now: MeshInstant) {
        guard router.machine.admitsProbe(byteCount: hello.count, now: now) else {
            let id = envelopeID(kind: .probe, body: hello)
            return pathEffects.append(.refused(PathLabel(trailOf: id)))
        }
        router.machine.submit(
            kind: .probe,
            body: hello,
            life: KindRule.probe.longestLife,
            now: now,
            over: &links,
            into: &routerEffects
        )
    }

    /// Sends a payload of this node, and reports when an envelope has left.
    mutating func sendOnPath(_ message: PathMessage, now: MeshInstant) {
        if holds(.own(message), to: message.to, now: now) { return }
        guard paths.send(message, now: now, over: &links, into: &pathEffects), message.isEnvelope,
            let envelope = Envelope(decoding: message.payload[...])
        else { return }
        routerEffects.append(.transmitted(envelopeID(kind: envelope.kind, body: envelope.body)))
    }
}
