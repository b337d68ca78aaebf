#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks the admission to a room: join messages lost, duplicated, damaged, and made by peers with a wrong code or
/// none.
func fuzzJoin(_ input: [UInt8]) {
    var choices = Choices(input)
    var host = RoomHost(room: room, as: gathering.identities[0], admission: .approval, at: People.now)
    var joiner = RoomJoiner(with: .code(required { host.code }), bundle: people.tables[0].bundle)
    var air = [host.beacon(remainingSeconds: 60, at: People.now).bytes]
    var now = People.now
    for _ in 0..<24 where !choices.isAtEnd {
        let action = choices.byte()
        let body = air[choices.number(below: air.count)]
        let isDamaged = action & 8 == 8
        guard let packet = RoomPacket(decoding: isDamaged ? choices.variant(of: body) : body) else { continue }
        var sent: [UInt8]?
        switch (action % 4, packet) {
        case (0, .beacon(let beacon)): sent = try? joiner.joinRequest(at: beacon)
        case (1, _):
            if case .send(let body) = joiner.receive(packet) { sent = body }
        case (2, .hello(let hello)): sent = host.receive(hello, at: now).reply
        case (2, .request(let request)):
            sent = host.receive(request, hasCapacity: choices.flag(), bundle: people.tables[1].bundle, at: now).reply
        case (3, _): now = now.addingClamped(UInt32(choices.byte()) * 4)
        default: continue
        }
        if let sent, air.count < 16 { air.append(sent) }
        _ = host.expire(at: now)
        precondition(host.failures <= RoomLimits.maximumFailures && host.runs.count <= RoomLimits.maximumRuns)
        precondition(
            host.exhaustedCodes <= RoomLimits.maximumExhaustedCodes && joiner.runCount <= RoomLimits.runsPerCode
        )
        precondition(host.pending.allSatisfy { $0.bundle == people.tables[0].bundle })
    }
}

private let room = gathering.sessions[0].id
