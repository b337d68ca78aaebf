import ChatCrypto
import Earshot
import Foundation

@testable import ChatCore

/// A notification policy with a clock, and the screen that it changes.
struct NoticeScene {
    private(set) var policy: NoticePolicy
    private(set) var now = Duration.zero
    /// The notices on the screen.
    private(set) var screen: [NoticeTopic: Notice] = [:]
    /// Every notice that was shown, with its time.
    private(set) var raised: [(at: Duration, notice: Notice)] = []
    /// The number of withdrawals of a notice that was not on the screen.
    private(set) var vainWithdrawals = 0

    init(_ settings: NoticeSettings = NoticeSettings(kinds: Set(NoticeKind.allCases))) {
        policy = NoticePolicy(settings)
    }

    private static let peers = (0...UInt8.max).compactMap { PeerID(bytes: [UInt8](repeating: $0, count: 32)) }

    /// Returns the conversation of a number up to 255.
    ///
    /// Each number has its own.
    static func conversation(_ number: Int) -> ConversationID { .direct(peers[number]) }

    private static let messages = (0...UInt8.max).compactMap { MessageID(bytes: [UInt8](repeating: $0, count: 16)) }

    /// Returns the message id of a number up to 255.
    ///
    /// Each number has its own.
    static func message(_ number: Int) -> MessageID { messages[number] }

    /// Returns the facts of a message.
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

    /// Closes the notice about a topic, as the user does.
    mutating func close(_ topic: NoticeTopic) {
        screen[topic] = nil
        policy.closed(topic)
    }

    /// Lets time pass, and wakes the policy at its deadlines.
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

    /// The notices on the screen, each as two lines and a number.
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
