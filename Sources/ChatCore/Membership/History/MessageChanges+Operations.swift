import ChatCrypto
import SwiftProtobuf

extension MessageChanges {
    /// Returns the changes of a message as the operations that made them.
    func operations(on target: MessageID, by author: PeerID) -> [ChangeOperation] {
        func operation(_ id: MessageID, _ member: PeerID, _ change: MessageChange, at sentAt: UInt64 = 0)
            -> ChangeOperation
        {
            ChangeOperation(id: id, author: member, target: target, sentAt: sentAt, change)
        }
        var operations = edits.edits.map { edit in
            let change = MessageChange.edit(edit.text, mentions: edit.mentions, number: edit.revision.number)
            return operation(edit.revision.id, author, change, at: edit.sentAt)
        }
        for member in reactions.byMember.keys.sorted() {
            operations += (reactions.byMember[member] ?? []).map { reaction in
                let change = MessageChange.react(reaction.emoji, isOn: reaction.isOn, number: reaction.revision.number)
                return operation(reaction.revision.id, member, change)
            }
        }
        for member in ballots.byMember.keys.sorted() {
            operations += (ballots.byMember[member] ?? []).map { vote in
                operation(vote.revision.id, member, .vote(vote.choice, number: vote.revision.number))
            }
        }
        if let close = ballots.close {
            operations.append(operation(close.id, author, .close(counting: close.counted.sorted())))
        }
        return operations
    }
}

extension MessageContent {
    /// Encodes a change as one member attests it to another: without salt, since its id is sent with it.
    static func change(_ operation: ChangeOperation) -> [UInt8] {
        var content = ProtoContent()
        content.sentAt = operation.sentAt
        content.body = operation.change.encoded(target: operation.target)
        return encoded(content)
    }
}
