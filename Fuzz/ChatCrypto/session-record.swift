#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks records of sessions: a decoded record is encoded to the same bytes, and is usable.
func fuzzSessionRecord(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.candidate(like: people.sessionRecords)
    guard var session = try? Session(decoding: SecretBytes(copying: bytes), exchange: exchange) else { return }
    precondition(session.encoded().exposed == bytes)
    session.ratchet.skipped.trim(at: People.now)
    precondition(session.ratchet.skipped.count <= SessionLimits.maximumSkippedKeys)
    _ = session.isExpired(at: People.now)
    _ = try? session.seal([[1]], as: .sealed, at: People.now)
    guard let message = MessageSeal(packet[...]), let opened = session.ratchet.open(message, at: People.now) else {
        return
    }
    session.received(opened.next, at: People.now)
}

private let exchange = people.session(of: 1).ratchet.exchange.encoded()

/// A message that the last of the records opens.
private let packet = required {
    var session = people.session(of: 1)
    return try session.ratchet.seal(padded: [0, 2, 1, 7]).bytes
}
