import ChatCrypto
import MeshCore

#if !FUZZING
    @testable import ChatCore
#endif

/// Checks content from a session: decoded content keeps to all limits.
func fuzzContent(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.candidate(like: ContentExamples.all)
    guard let content = MessageContent.decode(bytes) else { return }
    precondition(content.order <= ChatLimits.maximumOrder)
    check(content.context)
    switch content.body {
    case .text(let text):
        precondition(text.text.utf8.count <= ChatLimits.textByteCount && text.files.count <= ChatLimits.fileCount)
        for mention in content.context.mentions { precondition(mention.place.upperBound <= text.text.utf8.count) }
    case .poll(let poll):
        precondition(poll.isValid && content.context.mentions.isEmpty)
        precondition(Poll(checking: poll.encoded) == poll)
    case .timer(let seconds, let number): precondition(seconds <= ContentLimits.timerSeconds && number > 0)
    case .change(let target, let change):
        precondition(content.order == 0)
        let again = MessageChange.checked(change.encoded(target: target))
        precondition(again?.target == target && again?.change == change)
    case .receipt(let receipt):
        let count = receipt.delivered.count + receipt.read.count + receipt.packs.count
        precondition(count <= ChatLimits.receiptCount)
    case .groupNote(let bytes):
        if let control = ControlMessage(decoding: bytes) {
            precondition(ControlMessage(decoding: control.encoded)?.group == control.group)
        }
    case .statement, .unknown: break
    }
}

private func check(_ context: MessageContext) {
    precondition(context.seconds <= ContentLimits.timerSeconds)
    precondition(context.mentions.count <= ContentLimits.mentionCount)
    for (left, right) in zip(context.mentions, context.mentions.dropFirst()) {
        precondition(left.place.upperBound <= right.place.lowerBound)
    }
}

/// Contents of every kind, in the form that a node writes.
enum ContentExamples {
    private static let time = ChatTime(wall: 1_800_000_000_000, monotonic: .zero)
    private static let salt = [UInt8](repeating: 7, count: 16)

    static let all: [[UInt8]] = {
        guard let target = MessageID(bytes: [UInt8](repeating: 9, count: 16)),
            let peer = PeerID(bytes: [UInt8](repeating: 3, count: 32)), let group = GroupID(bytes: target.bytes)
        else { return [] }
        let people = try? SessionTable.restore([], identity: Identity(), nickname: nil, at: time.seconds)
        let bundles = [people?.table.bundle].compactMap(\.self)
        let context = MessageContext(replyTo: target, mentions: [Mention(peer, at: 0..<4)], seconds: 60)
        let poll = Poll("Tea?", options: ["yes", "no"])
        let bodies: [MessageContent.Body] = [
            .text(MessageContent.Text("@Bob")), .poll(poll), .timer(60, number: 1),
        ]
        let messages = bodies.map { body in
            let isText = if case .text = body { true } else { false }
            let context = isText ? context : MessageContext(seconds: 60)
            let content = MessageContent.Decoded(body, sentAt: time.wall, order: 1, context: context)
            return MessageContent.message(content, salt: salt)
        }
        let changes: [MessageChange] = [
            .react("🦊", isOn: true, number: 1), .edit("@Bob", mentions: context.mentions, number: 1), .delete,
            .vote(1, number: 1), .close(counting: [target]),
        ]
        let notes: [ControlMessage] = [
            .leave(group), .request(group, OperationRequest(from: 2)), .bundles(group, bundles),
        ]
        let statements: [IdentityStatement] = [.rotation(salt), .revocation(salt)]
        var contents = messages + changes.map { MessageContent.change(of: target, $0, salt: salt, at: time) }
        contents.append(MessageContent.receipt(.init(delivered: [target]), salt: salt, at: time))
        contents += statements.map { MessageContent.statement($0, at: time.wall) }
        return contents + notes.map { MessageContent.control($0, at: time) }
    }()
}
