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
        // The seal binds everything but the prefix, which is random.
        guard case .message(let contents, let sender, 0) = opened.opening else { return }
        precondition(body.dropFirst(16) == gathering.packet.body.dropFirst(16) && contents == [[1, 2, 3]])
        precondition(sender == gathering.identities[1].publicIdentity)
        return
    }
    let device = gathering.identities[2].signing.publicKey
    for _ in 0..<4 where !choices.isAtEnd {
        let body = forged(&choices)
        let now = choices.flag() ? People.now : .max
        let answer: GroupSession.DeviceAnswer = choices.flag() ? .noList : choices.flag() ? .unlisted : .key(device)
        let opened = session.open(InboundPacket(kind: .sealed, body: body), devices: { _, _ in answer }, at: now)
        if case .message(_, let sender, let device) = opened?.opening {
            precondition(sender == gathering.identities[1].publicIdentity || device > 0)
        }
        let chains = session.epochs.flatMap(\.senders.values)
        precondition(chains.allSatisfy { $0.skippedCount <= GroupLimits.skippedPerMember })
        precondition(session.aheadKeys.count <= GroupLimits.maximumAheadChains)
        if choices.flag() { _ = session.expire(at: now) }
    }
}

private func forged(_ choices: inout Choices) -> [UInt8] {
    let maker = gathering.sessions[1]
    let epoch = required { maker.epochs.last }
    let items = choices.bytes(20)
    let padded = [0, choices.flag() ? UInt8(items.count) : choices.byte()] + items
    let body = padded + [UInt8](repeating: choices.flag() ? 0 : 1, count: 76 - 4 - padded.count)
    let slot = choices.flag() ? required { maker.slot } : UInt16(choices.number(below: 65_536))
    let device = choices.flag() ? 0 : choices.byte()
    let count = choices.flag() ? choices.number(below: 4) : choices.number(below: 2_100)
    let run = choices.flag() ? 0 : UInt32(choices.number(below: 1 << 20))
    let header = GroupHeader(
        slot: slot,
        device: device,
        epoch: choices.flag() ? epoch.number : UInt32(choices.byte()),
        run: run,
        iteration: choices.flag() ? UInt32(count) : UInt32(choices.number(below: .max))
    )
    var ahead = AheadKeys()
    let chain = device < GroupLimits.maximumDevices ? epoch.chain(slot, device, run: run, wrap: maker.wrap) : nil
    var key = epoch.noticeKey
    if case .open(let found) = chain?.lookUp(UInt32(count), ahead: &ahead, wrap: maker.wrap) { key = found }
    let message = GroupSeal.seal(
        padded: body,
        header: header,
        epoch: epoch,
        messageKey: key,
        sender: maker.own.id,
        signing: gathering.identities[choices.flag() ? 1 : 2].signing
    )
    return choices.field(16) + message
}
