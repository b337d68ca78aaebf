#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks sender keys and updates from a member's session with any content: a member cannot deliver another member's
/// key.
func fuzzSenderKey(_ input: [UInt8]) {
    var choices = Choices(input)
    var session = gathering.sessions[2]
    if choices.flag() {
        let bytes = choices.candidate(like: [gathering.update])
        guard let update = try? GroupUpdate(decoding: SecretBytes(copying: bytes)) else { return }
        precondition(update.encoded().exposed == bytes)
        let (outcome, change) = session.apply(update, at: People.now)
        precondition(outcome == .applied || session.log.fork != nil || change.isEmpty)
        precondition(session.isMember == (outcome != .applied))
        return
    }
    let bytes = choices.candidate(like: [gathering.senderKey])
    guard let key = try? SenderKeyMessage(decoding: SecretBytes(copying: bytes)) else { return }
    precondition(key.encoded().exposed == bytes && bytes.count == SenderKeyMessage.byteCount)
    let maker = gathering.identities[1].publicIdentity.id
    precondition(session.accept(key, from: gathering.identities[0].publicIdentity.id, at: 0).outcome == .refused)
    let outcome = session.accept(key, from: maker, at: People.now).outcome
    precondition((outcome == .accepted) == (session.received.count == 1))
    _ = session.open(gathering.packet, at: People.now)
    _ = session.expire(at: .max)
}
