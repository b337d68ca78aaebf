#if !FUZZING
    @testable import ChatCrypto
#endif

/// Opens mail, and reads messages and requests of mailboxes; what is read is encoded as it came.
func fuzzMailbox(_ input: [UInt8]) {
    if let message = MailboxMessage(decoding: input) {
        precondition(message.encoded() == input)
        let smallest = message.piece.flatMap { MailboxMessage(piece: $0) }?.body.count ?? 0
        precondition(smallest <= message.body.count)
        _ = message.bundle
    }
    if let tags = MailboxWatch.tags(in: input) { precondition(tags.count == MailboxWatch.tagCount) }
    var choices = Choices(input)
    let token = SecretBytes(copying: [UInt8](repeating: 7, count: MailboxToken.byteCount))
    let owner = people.tables[0].identity.publicIdentity.id
    guard let mailboxes = Mailboxes(token: token, of: owner, isOwner: false, from: 1) else { return }
    let day = UInt32(choices.byte())
    if let invites = MailboxInvite.decode(SecretBytes(copying: input)) {
        precondition(MailboxInvite.encode(invites).withBytes { Array($0) } == input)
    }
    guard let key = mailboxes.incoming.mailbox(of: day) else { return }
    precondition(key.open(key.tag.bytes + choices.bytes(300)) == nil)
}
