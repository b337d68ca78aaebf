#if !FUZZING
    @testable import MeshCore
    @testable import MeshSimulation
#endif

/// Limits that a short input reaches.
private let pathLimits: PathConfiguration = {
    var limits = PathConfiguration()
    limits.labelLimit = 5
    limits.labelsPerLink = 3
    limits.queueByteLimit = 60
    limits.queuedByteLimit = 100
    limits.controlBurst = 4
    limits.liveBurst = 4
    return limits
}()

/// Checks neighbours that send any path messages in any order, while this node has paths of its own.
func fuzzPath(_ input: [UInt8]) {
    var choices = Choices(input)
    var sender = FickleSender(refusals: choices.byte())
    var relay = PathRelay(configuration: pathLimits)
    var now = MeshInstant.zero
    var effects: [PathEffect] = []
    while !choices.isAtEnd {
        let action = choices.byte()
        let link = LinkID(UInt64(action >> 6))
        let label = PathLabel(UInt64(action >> 4 & 3))
        switch action % 8 {
        case 0: relay.linkUp(link)
        case 1: relay.linkDown(link, now: now, over: &sender, into: &effects)
        case 2: relay.writable(link, now: now, over: &sender, into: &effects)
        case 3: now = now.advanced(by: .milliseconds(choices.number(below: .max)))
        case 4:
            let trail = Trail(label: label, link: choices.flag() ? link : nil, isProbe: choices.flag())
            relay.note(trail, now: now)
        case 5:
            let own = choices.flag() ? PathLabel(UInt64(choices.byte())) : nil
            let payload = [UInt8](repeating: 1, count: 1 + Int(choices.byte() % 40))
            var message = PathMessage(to: label, from: own, hops: 0, isBulk: choices.flag(), payload: payload)
            message.isLive = own == nil && !message.isBulk && choices.flag()
            message.isEnvelope = !message.isLive && !message.isBulk && choices.flag()
            relay.send(message, now: now, over: &sender, into: &effects)
        default:
            let bytes = choices.candidate(like: pathFrames)
            if let frame = PathFrame(decoding: bytes) { precondition(frame.encoded() == bytes) }
            if let message = HolderMessage(decoding: bytes) { precondition(message.encoded() == bytes) }
            if let seek = Seek(decoding: bytes) { precondition(seek.encoded() == bytes) }
            if choices.flag() {
                relay.receiveLive(bytes, from: link, now: now, over: &sender, into: &effects)
            } else {
                relay.receive(bytes, from: link, now: now, over: &sender, into: &effects)
            }
        }
        relay.tick(now: now)
        precondition(relay.nextDeadline > now)
        precondition(relay.table.count <= pathLimits.labelLimit)
        precondition((0..<4).allSatisfy { relay.table.count(over: .link(LinkID($0))) <= pathLimits.labelsPerLink })
        precondition(relay.queues.byteCount <= pathLimits.queuedByteLimit)
    }
}

private let pathFrames: [[UInt8]] = [
    PathFrame.routed(PathMessage(to: PathLabel(1), hops: 3, payload: [1, 2, 3])).encoded(),
    PathFrame.routed(PathMessage(to: PathLabel(1), from: PathLabel(2), hops: 3, isBulk: true, payload: [1])).encoded(),
    PathFrame.routed(PathMessage(to: PathLabel(2), hops: 254, isBulk: true, payload: [1, 2])).encoded(),
    PathFrame.routed(PathMessage(to: PathLabel(2), hops: 4, isLive: true, payload: [3])).encoded(),
    PathFrame.routed(PathMessage(to: PathLabel(1), from: PathLabel(3), hops: 4, isEnvelope: true, payload: [16, 9]))
        .encoded(),
    PathFrame.routeLost(PathLabel(2)).encoded(),
]
