import ChatCrypto

#if !FUZZING
    @testable import ChatCore
#endif

/// Checks changes of one message by some members, built from the fuzzer's bytes: any order gives the same state,
/// within limits, and the record of a state gives that state again.
func fuzzChanges(_ input: [UInt8]) {
    var choices = Choices(input)
    let poll = Poll("?", options: ["a", "b", "c"], allowsSeveral: choices.flag(), allowsChange: choices.flag())
    let kinds = [ChangeTarget.Kind.text, .poll(poll), .other]
    let target = ChangeTarget(author: member(0), kinds[choices.number(below: kinds.count)])
    var operations: [ChangeOperation] = []
    while !choices.isAtEnd, operations.count < 64 {
        operations.append(operation(UInt8(operations.count), &choices))
    }
    var (forwards, backwards) = (MessageChanges(), MessageChanges())
    for operation in operations { _ = forwards.apply(operation, to: target) }
    for operation in operations.reversed() { _ = backwards.apply(operation, to: target) }
    precondition(forwards == backwards)
    precondition(forwards.edits.edits.count <= ContentLimits.editCount)
    precondition(forwards.reactions.byMember.values.allSatisfy { $0.count <= ContentLimits.reactionCount })
    precondition(forwards.ballots.byMember.values.allSatisfy { $0.count <= ContentLimits.voteCount })
    precondition(forwards.isDeleted || MessageChanges(forwards.record) == forwards)
    var merged = forwards
    merged.merge(backwards)
    precondition(merged == forwards)
}

/// Makes an operation with a unique id, as a hash of its content would be.
private func operation(_ index: UInt8, _ choices: inout Choices) -> ChangeOperation {
    let (author, id) = (member(choices.byte() % 4), message(index))
    let number = 1 + UInt32(choices.byte() % 16)
    let change: MessageChange =
        switch choices.byte() % 16 {
        case 0: .delete
        case 1: .close(counting: choices.bytes(4).map(message))
        case 2..<6: .vote(UInt32(choices.byte()), number: number)
        case 6..<10: .edit("\(choices.byte())", mentions: [], number: number)
        default: .react(Emoji.quickSet[Int(choices.byte()) % 6], isOn: choices.flag(), number: number)
        }
    return ChangeOperation(id: id, author: author, target: message(255), sentAt: UInt64(number), change)
}

private func member(_ byte: UInt8) -> PeerID {
    guard let id = PeerID(bytes: [UInt8](repeating: byte, count: 32)) else { preconditionFailure("32 bytes") }
    return id
}

private func message(_ byte: UInt8) -> MessageID {
    guard let id = MessageID(bytes: [UInt8](repeating: byte, count: 16)) else { preconditionFailure("16 bytes") }
    return id
}
