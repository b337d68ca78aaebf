#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks packets against a group with its keys: damaged ones, and ones by a member that obeys no rule.
func fuzzGroupPacket(_ input: [UInt8]) {
    var choices = Choices(input)
    var session = gathering.sessions[0]
    guard choices.flag() else {
        let body = choices.variant(of: gathering.packet.body)
        guard let opened = session.open(InboundPacket(kind: .sealed, body: body), at: People.now) else { return }
        // The seal binds everything but the release hash, which is random.
        guard case .message(let contents, let sender) = opened.opening else { return }
        precondition(body.dropFirst(16) == gathering.packet.body.dropFirst(16) && contents == [[1, 2, 3]])
        precondition(sender == gathering.identities[1].publicIdentity)
        return
    }
    for _ in 0..<4 where !choices.isAtEnd {
        let body = forged(&choices)
        let now = choices.flag() ? People.now : .max
        guard let opened = session.open(InboundPacket(kind: .sealed, body: body), at: now) else { continue }
        if case .message(_, let sender) = opened.opening {
            precondition(sender == gathering.identities[1].publicIdentity)
        }
        let key = required { session.received.values.first }
        precondition(key.entries.count <= Int(GroupLimits.messagesPerSenderKey))
    }
}

private func forged(_ choices: inout Choices) -> [UInt8] {
    let maker = gathering.sessions[1]
    var key = required { maker.senderKey }
    let epoch = required { maker.epochs.last }
    let count = choices.flag() ? choices.number(below: 4) : choices.number(below: 1_100)
    for _ in 0..<count { _ = key.advance() }
    let (iteration, messageKey) = key.advance()
    let items = choices.bytes(20)
    let padded = [0, choices.flag() ? UInt8(items.count) : choices.byte()] + items
    let zeros = [UInt8](repeating: choices.flag() ? 0 : 1, count: 76 - 4 - padded.count)
    let message = GroupSeal.seal(
        padded: padded + zeros,
        header: GroupHeader(
            keyID: key.id,
            epoch: choices.flag() ? epoch.number : UInt32(choices.byte()),
            iteration: choices.flag() ? iteration : UInt32(choices.number(below: .max))
        ),
        epoch: epoch,
        messageKey: messageKey,
        sender: maker.own.id,
        signing: choices.flag() ? key.signing : gathering.identities[2].signing
    )
    return choices.field(16) + message
}
