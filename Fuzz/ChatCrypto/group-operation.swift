#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks operations from any peer on a group that has begun, some of them with arbitrary content and the owner's or the
/// successor's signature.
func fuzzGroupOperation(_ input: [UInt8]) {
    var choices = Choices(input)
    let signer = choices.byte() % 3
    var session = gathering.sessions[Int(choices.byte()) % 3]
    var bytes = choices.candidate(like: examples)
    if let key = [nil, gathering.owner, gathering.sessions[1].offeredKey][Int(signer)] {
        let fields = Array(bytes.dropLast(64))
        bytes = fields + key.signing.sign(.groupOperation, fields)
    }
    if let proposal = try? GroupProposal(decoding: bytes) {
        precondition(proposal.bytes == bytes)
        _ = proposal.actions(for: session.own.id, in: session.log)
    }
    guard let operation = try? GroupOperation(decoding: bytes) else { return }
    precondition(operation.bytes == bytes && GroupOperation.epochs ~= operation.epoch)
    let before = session.log.epoch
    switch session.apply(operation, leaf: leaf, at: People.now).outcome {
    case .applied: precondition(session.log.epoch == before + 1 && session.log.hash == operation.hash)
    case .forked(let fork): precondition(session.log.fork == fork && fork.own.hash != fork.other.hash)
    case .known, .gap, .refused: precondition(session.log.epoch == before && session.log.fork == nil)
    }
    // Without a signature only the operations of the owner change anything.
    precondition(
        signer > 0 || examples.contains { $0.dropLast(64) == bytes.dropLast(64) } || session.log.epoch == before
    )
    session.markAll()
    let table = required { try GroupTable.restore(session.takeChange().saved) }
    precondition(table.damaged.isEmpty && table[session.id]?.log.hash == session.log.hash)
    precondition(table[session.id]?.log.fork == session.log.fork && table[session.id]?.isMember == session.isMember)
    _ = session.open(gathering.packet, at: People.now)
    _ = try? session.perform([.renewBlock], at: People.now)
    _ = try? session.takeOver(at: People.now)
    _ = try? session.repair(at: People.now)
}

private let leaf = gathering.update.leaves.first?.secret

/// All operations of the group, and possible next ones.
private let examples: [[UInt8]] = {
    let owner = gathering.sessions[0]
    let (policy, member) = (
        GroupPolicy.standard, GroupMember(identity: people.tables[0].identity.publicIdentity, nickname: nil)
    )
    let next: [[GroupEdit]] = [
        [], [.policy(policy)], [.add(3, member)], [.add(9, member)], [.takeover],
        [.handover(2, signingKey: GroupOwnerKey().publicKey)],
    ]
    let made = next.map { edits in
        let state = (try? owner.log.apply(edits))?.state ?? owner.log.state
        return GroupOperation(
            edits,
            of: owner.id,
            epoch: owner.log.epoch + 1,
            after: owner.log.hash,
            result: (state.root, state.table.depth),
            tree: nil,
            by: gathering.owner
        ).bytes
    }
    return owner.log.operations.map(\.bytes) + [gathering.update.operation.bytes] + made
}()
