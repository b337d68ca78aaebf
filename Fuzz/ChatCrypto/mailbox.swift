#if !FUZZING
    @testable import ChatCrypto
#endif

/// Reads the bodies of mailbox envelopes, and sealed bundles; what is read is encoded as it came.
func fuzzMailbox(_ input: [UInt8]) {
    if let message = MailboxMessage(decoding: input) { precondition(message.encoded() == input) }
    if let piece = MailboxPiece(decoding: input) { precondition(piece.encoded() == input) }
    if let tags = MailboxWatch.tags(in: input) { precondition(tags.count == MailboxWatch.tagCount) }
    var choices = Choices(input)
    let token = SecretBytes(copying: [UInt8](repeating: 7, count: MailboxToken.byteCount))
    let owner = people.tables[0].identity.publicIdentity.id
    guard let mailboxes = Mailboxes(token: token, of: owner, isOwner: false, from: 1) else { return }
    let day = UInt32(choices.byte())
    if let invites = MailboxInvite.decode(SecretBytes(copying: input)) {
        precondition(MailboxInvite.encode(invites).withBytes { Array($0) } == input)
    }
    precondition(mailboxes.openBundle(choices.bytes(Mailboxes.sealedBundleByteCount), on: day) == nil)
}
