import ChatCrypto
import Earshot
import Foundation

@testable import ChatCore

/// A policy of notices with a clock, and the screen that it changes.
struct NoticeScene {
    private(set) var policy: NoticePolicy
    private(set) var now = Duration.zero
    /// What is on the screen.
    private(set) var screen: [NoticeTopic: Notice] = [:]
    /// Everything that was raised, with its moment.
    private(set) var raised: [(at: Duration, notice: Notice)] = []
    /// How often something was taken away that was not there.
    private(set) var vainWithdrawals = 0

    init(_ settings: NoticeSettings = NoticeSettings(kinds: Set(NoticeKind.allCases))) {
        policy = NoticePolicy(settings)
    }

    private static let peers = (0...UInt8.max).compactMap { PeerID(bytes: [UInt8](repeating: $0, count: 32)) }

    /// A conversation of its own for each number up to 255.
    static func conversation(_ number: Int) -> ConversationID { .direct(peers[number]) }

    private static let messages = (0...UInt8.max).compactMap { MessageID(bytes: [UInt8](repeating: $0, count: 16)) }

    /// An id of its own for each number up to 255.
    static func message(_ number: Int) -> MessageID { messages[number] }

    /// What is known of a message.
    static func facts(
        _ text: String = "Hello",
        in number: Int = 1,
        _ kind: NoticeKind = .direct,
        from name: String = "Bob",
        group: String? = nil,
        message: Int = 0
    ) -> NoticeFacts {
        NoticeFacts(
            message: messages[message],
            conversation: conversation(number),
            kind: kind,
            senderName: name,
            groupTitle: group,
            text: text,
            receivedAt: Date(timeIntervalSince1970: 1_800_000_000)
        )
    }

    mutating func receive(_ facts: NoticeFacts) {
        apply(policy.receive(facts, at: now))
    }

    mutating func read(_ number: Int) {
        apply(policy.withdraw(Self.conversation(number)))
    }

    mutating func decide(on number: Int) {
        apply(policy.withdrawRequest(of: Self.conversation(number)))
    }

    /// The user closes what is shown about a topic.
    mutating func close(_ topic: NoticeTopic) {
        screen[topic] = nil
        policy.closed(topic)
    }

    /// Lets time pass, waking the policy when it wants to be woken.
    mutating func pass(_ span: Duration) {
        let end = now + span
        while let deadline = policy.nextDeadline, deadline <= end {
            now = max(now, deadline)
            apply(policy.tick(at: now))
        }
        now = end
    }

    /// The notice about a conversation.
    subscript(number: Int) -> Notice? { screen[.conversation(Self.conversation(number))] }

    /// What is on the screen, as two lines and a number each.
    var lines: Set<String> { Set(screen.values.map { "\($0.title)|\($0.body)|\($0.count)" }) }

    private mutating func apply(_ changes: [NoticeChange]) {
        for change in changes {
            switch change {
            case .show(let notice):
                screen[notice.topic] = notice
                raised.append((now, notice))
            case .withdraw(let topic):
                if screen.removeValue(forKey: topic) == nil { vainWithdrawals += 1 }
            }
        }
    }
}
