#if !FUZZING
    @testable import MeshCore
    @testable import MeshSimulation
#endif

/// Performs the due work, which must end.
func tick(_ table: inout LinkTable, now: MeshInstant, into effects: inout [LinkEffect]) {
    table.flush(now: now, into: &effects)
    var count = 0
    while table.nextDeadline <= now {
        table.tick(now: now, into: &effects)
        table.flush(now: now, into: &effects)
        count += 1
        precondition(count < 100, "always something due")
    }
}

/// Checks that no table, queue or datagram exceeds its limit.
func check(_ table: LinkTable, _ effects: [LinkEffect]) {
    let limits = table.configuration
    precondition(table.established.count <= limits.maximumLinkCount)
    precondition(table.dials.count <= limits.maximumDialCount)
    precondition(table.answers.count <= limits.maximumAnswerCount)
    precondition(table.established.reassemblyByteCount <= limits.reassemblyTotalByteLimit)
    for link in table.established {
        precondition(link.end == nil, "an ended link is still here")
        precondition(link.reassembly.byteCount >= 0 && link.reassembly.byteCount <= limits.reassemblyByteLimit)
        precondition(link.reassembly.messageCount <= limits.reassemblyMessageLimit)
        precondition(link.sent.inFlightCount >= 0 && link.sent.inFlightCount <= LinkProtocol.packetSpread)
        precondition(link.sent.inFlightByteCount >= 0)
    }
    for case .send(let bytes, _) in effects {
        precondition(bytes.count <= LinkProtocol.maximumDatagramByteCount)
    }
    for case .message(let bytes, _, _) in effects {
        precondition(!bytes.isEmpty && bytes.count <= LinkProtocol.maximumMessageByteCount)
    }
}
