import Earshot

/// Something that another implementation has to do with this node, in the order in which it is best built.
enum ConformanceStep: String, CaseIterable, Codable, Sendable {
    case link, introduction, text, receipt, answer, group, groupText, groupReceipt, room, roomText

    /// The words of the step, with the chapter that describes it.
    var title: String {
        switch self {
        case .link: "a link is up (PROTOCOL §3 and §4)"
        case .introduction: "the other node is introduced: its prekey bundle is valid (§6 and §7)"
        case .text: "a text has opened (§7 and §10)"
        case .receipt: "this node's answer is confirmed (§8 and §10)"
        case .answer: "a text after the answer has opened, in the session (§8)"
        case .group: "this node has joined a group of the other (§16)"
        case .groupText: "a text to a group has opened (§16)"
        case .groupReceipt: "this node's answer in a group is confirmed (§16)"
        case .room: "the other is in the room (§17)"
        case .roomText: "a text in the room has opened (§17)"
        }
    }

    /// The step that an event shows; nil for any other event.
    ///
    /// - Parameter isAnswer: Whether a text of this conversation was confirmed before.
    init?(_ event: ChatEvent, isAnswer: Bool) {
        switch event {
        case .linkUp: self = .link
        case .contact: self = .introduction
        case .message(let message) where !message.isOutgoing && message.systemLine == nil:
            switch message.conversation {
            case .direct: self = isAnswer ? .answer : .text
            case .group: self = .groupText
            case .room: self = .roomText
            }
        case .status(.direct, _, .delivered): self = .receipt
        case .status(.group, _, .delivered): self = .groupReceipt
        case .group(_, .joined): self = .group
        case .room(_, .changed(.added)): self = .room
        default: return nil
        }
    }
}
