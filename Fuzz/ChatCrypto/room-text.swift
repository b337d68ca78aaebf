#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks codes, invites and identities as people type, paste and photograph them.
func fuzzRoomText(_ input: [UInt8]) {
    var choices = Choices(input)
    let text = String(decoding: choices.candidate(like: examples), as: UTF8.self)
    if let code = RoomCode(text) {
        precondition((0..<100).contains(code.door) && code.secret.count == 6)
        precondition(RoomCode(code.text)?.text == code.text)
    }
    if let invite = RoomInvite(text) {
        precondition(invite.key.count == 16 && RoomInvite(invite.text)?.text == invite.text)
    }
    if let code = IdentityCode(text) { precondition(IdentityCode(code.text) == code) }
    if let title = try? GroupTitle(text) { precondition(GroupTitle(decoding: title.bytes) == title) }
    precondition(GroupTitle(decoding: input).map { $0.bytes == input } ?? true)
}

private let examples = [
    Array("47-482913".utf8), Array(" 47 48\u{2013}29 13".utf8),
    Array(RoomInvite(for: gathering.sessions[0].id).text.utf8),
    Array(
        IdentityCode(of: gathering.identities[0].publicIdentity.id, for: gathering.identities[1].publicIdentity.id).text
            .utf8
    ),
    Array(farCode.text.utf8),
]

private let farCode: IdentityCode = {
    guard let token = MailboxToken(bytes: [UInt8](repeating: 7, count: MailboxToken.byteCount), day: 20_000) else {
        fatalError("a token of another size")
    }
    let hubs = ["tls://hub.example.org", "tls://user:a%20b@10.0.0.1:4222"]
    return IdentityCode(of: gathering.identities[0].publicIdentity.id, token, hubs: hubs)
}()
