#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks secrets that an owner sends on a session: those of all nodes to the next owner, and a member's fresh one.
func fuzzGroupSecret(_ input: [UInt8]) {
    var choices = Choices(input)
    guard choices.flag() else {
        var session = gathering.sessions[1]
        let bytes = choices.candidate(like: [leaf])
        guard let secret = try? LeafSecret(decoding: SecretBytes(copying: bytes)) else { return }
        precondition(secret.encoded().exposed == bytes && bytes.count == LeafSecret.byteCount)
        let outcome = session.apply(gathering.update.operation, leaf: secret, at: People.now).outcome
        precondition((outcome == .applied) == (bytes == leaf) && session.mustWait == (outcome != .applied))
        return
    }
    var session = gathering.heir
    let bytes = choices.candidate(like: [gathering.secrets])
    let sender = gathering.identities[Int(choices.byte()) % 3].publicIdentity.id
    let taken = try? session.takeTree(SecretBytes(copying: bytes), from: sender)
    precondition((taken != nil) == (session.tree != nil))
    guard taken != nil else { return }
    precondition(sender == gathering.identities[0].publicIdentity.id && session.isOwner && !session.needsTree)
    let slot = required { session.slot }
    let own = required { session.tree?.path(of: slot) }
    precondition(own.map { NodeSecret.next($0).exposed } == session.path?.secrets.map(\.exposed))
    for _ in 0..<3 where !session.slotsToRepair.isEmpty { _ = try? session.repair(at: People.now) }
    precondition(session.slotsToRepair.isEmpty)
    _ = try? session.perform([.renewBlock], at: People.now)
}

private let leaf = gathering.update.leaves[0].secret.encoded().exposed
