#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks operations from any peer on a group that has begun, some of them with arbitrary content and the owner's
/// signature.
func fuzzGroupOperation(_ input: [UInt8]) {
    var choices = Choices(input)
    let isSigned = choices.flag()
    var bytes = choices.candidate(like: examples)
    if isSigned {
        let fields = Array(bytes.dropLast(64))
        bytes = fields + gathering.owner.signing.sign(.groupOperation, fields)
    }
    // An operation that the owner has signed is valid, whichever peer forwards it.
    let isGenuine = isSigned || examples.contains(bytes)
    guard let operation = try? GroupOperation(decoding: bytes) else { return }
    precondition(operation.bytes == bytes && bytes.count <= GroupOperation.maximumByteCount && operation.epoch > 0)
    var log = gathering.sessions[0].log
    let before = log.epoch
    switch log.apply(operation) {
    case .applied: precondition(isGenuine && log.epoch == before + 1 && log.hash == operation.hash)
    case .forked(let fork): precondition(isGenuine && log.fork == fork && fork.own.hash != fork.other.hash)
    case .known, .gap, .refused: precondition(log.epoch == before && log.fork == nil)
    }
    precondition(log.members.count <= GroupLimits.maximumMembers)
    let read = required { try MembershipLog(decoding: log.encoded()) }
    precondition(read.hash == log.hash && read.fork == log.fork)
}

/// All operations of the group, and the possible next ones.
private let examples: [[UInt8]] = {
    let log = gathering.sessions[0].log
    let member = log.members[1].identity.id
    let next: [GroupOperation.Action] = [
        .remove(member), .handover(member, signingKey: GroupOwnerKey().publicKey), .renew, .policy(.standard),
    ]
    let hash = [UInt8](repeating: 1, count: 32)
    return log.operations.map(\.bytes)
        + next.map { action in
            GroupOperation(
                action,
                of: log.groupID,
                epoch: log.epoch + 1,
                after: log.hash,
                headerKeyHash: action.bringsHeaderKey ? hash : nil,
                by: gathering.owner
            ).bytes
        }
}()
