import Bytes

#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks welcomes and states of any peer, some of them of a former owner, who can sign what it wants.
func fuzzGroupWelcome(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.flag() ? forged(&choices) : choices.candidate(like: [gathering.checkpoint])
    let isGenuine = bytes == gathering.checkpoint
    let key = gathering.owner.publicKey
    let state = try? GroupCheckpoint(decoding: bytes, foundingKey: key)
    if let state {
        precondition(state.encoded() == bytes && state.groupID == gathering.sessions[0].id)
        let log = state.log(at: People.now)
        precondition(
            log.epoch == state.epoch && log.transfers.count(where: \.isTransfer) <= GroupLimits.maximumTransfers
        )
        _ = log.prepare(gathering.update.operation)
        precondition(log.continues(gathering.sessions[1].log) || !isGenuine)
    }
    let whole = choices.candidate(like: gathering.welcomes)
    guard let welcome = try? GroupWelcome(decoding: SecretBytes(copying: whole)) else { return }
    precondition(welcome.encoded().exposed == whole)
    var pulled = state
    if choices.flag() { pulled = try? welcome.checkpoint(from: bytes) }
    let own = gathering.identities[2].publicIdentity
    for var session in gathering.sessions {
        guard (try? session.rejoin(welcome, checkpoint: pulled, at: People.now)) != nil else { continue }
        use(&session)
    }
    guard var session = try? GroupSession.join(welcome, checkpoint: pulled, as: own, at: People.now).session else {
        return
    }
    use(&session)
}

private func use(_ session: inout GroupSession) {
    precondition(session.isMember && session.epochs.last?.number == session.log.epoch)
    _ = session.open(gathering.packet, at: People.now)
    _ = session.apply(gathering.update.operation, at: People.now)
    session.markAll()
    precondition(required { try GroupTable.restore(session.takeChange().saved) }.damaged.isEmpty)
}

/// A state with arbitrary operations that the owner has signed.
private func forged(_ choices: inout Choices) -> [UInt8] {
    let log = gathering.sessions[0].log
    let examples = log.operations.map(\.bytes)
    let operations = (0..<Int(choices.byte() % 4)).map { _ in
        let fields = Array(choices.variant(of: examples[Int(choices.byte()) % examples.count]).dropLast(64))
        return fields + gathering.owner.signing.sign(.groupOperation, fields)
    }
    let all = operations + (choices.flag() ? [] : [examples[examples.count - 1]])
    var writer = ByteWriter()
    writer.append(integer: UInt16(clamping: max(1, all.count) - 1))
    for operation in all { writer.append(UInt16(clamping: operation.count).bigEndianBytes + operation) }
    let entries = log.table.members.flatMap { $0.entry.encoded(in: $0.slot) }
    return writer.take() + choices.variant(of: log.state.settings + UInt16(log.table.count).bigEndianBytes + entries)
}
