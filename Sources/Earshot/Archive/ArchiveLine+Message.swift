import ChatCore
import ChatCrypto
import Foundation

extension ArchiveLine {
    /// A message: as it stands for other programs, and in `record` all there is of it.
    struct Message: Codable {
        struct Poll: Codable {
            struct Option: Codable {
                let text: String
                let votes: [String]
            }

            let question: String
            let options: [Option]
            let multiple: Bool
            let mayChange: Bool
            let closed: Bool
        }

        struct File: Codable {
            let name: String
            let type: String
            let size: UInt64
            /// Whether its pieces follow.
            let complete: Bool
        }

        struct Reaction: Codable {
            let emoji: String
            let from: [String]
        }

        struct Mention: Codable {
            let peer: String
            let start: Int
            let count: Int
        }

        struct Earlier: Codable {
            let text: String
            let sentAt: String
        }

        var type = "message"
        let id: String
        let conversation: String
        let from: String
        let fromName: String
        let kind: String
        let text: String
        let poll: Poll?
        /// What happened, for a line of the system.
        let system: String?
        let files: [File]?
        let replyTo: String?
        let mentions: [Mention]
        let reactions: [Reaction]
        let earlier: [Earlier]
        let deleted: Bool
        let sentAt: String
        let receivedAt: String
        let outgoing: Bool
        let status: String
        /// A `MessageRecord`.
        let record: Data

        init(_ message: ChatCore.Message, record: [UInt8]) {
            id = message.id.description
            conversation = message.conversation.description
            from = message.sender.description
            fromName = message.senderName
            kind = message.kind.rawValue
            text = message.text
            poll = message.poll.map(Poll.init)
            system = message.systemLine.map(ArchiveLine.text)
            let all = message.files.map {
                File(name: $0.name, type: $0.type, size: $0.byteCount, complete: $0.isComplete)
            }
            files = all.isEmpty ? nil : all
            replyTo = message.replyTo?.id.description
            mentions = message.mentions.map {
                Mention(peer: $0.peer.description, start: $0.place.lowerBound, count: $0.place.count)
            }
            reactions = message.reactions.map { Reaction(emoji: $0.emoji, from: $0.members.map(\.description)) }
            earlier = message.earlierTexts.map { Earlier(text: $0.text, sentAt: Timestamp($0.sentAt).text) }
            deleted = message.isDeleted
            sentAt = Timestamp(message.sentAt).text
            receivedAt = Timestamp(message.receivedAt).text
            outgoing = message.isOutgoing
            status = message.status.name
            self.record = Data(record)
        }
    }

    /// What a line of the system says, in words.
    static func text(_ line: SystemLine) -> String {
        switch line {
        case .timer(nil): "messages stay from now on"
        case .timer(let duration?): "messages go \(duration.components.seconds) s after they were read"
        case .founded: "founded the group"
        case .added(_, let name): "took \(name) in"
        case .removed(_, let name): "put \(name) out"
        case .left: "left"
        case .renamed(let title): "called the group \(title)"
        case .handedOver(_, let name): "handed the group over to \(name)"
        }
    }
}

extension ArchiveLine.Message.Poll {
    fileprivate init(_ state: PollState) {
        question = state.poll.question
        options = zip(state.poll.options, state.votes).map { Option(text: $0, votes: $1.map(\.description)) }
        multiple = state.poll.allowsSeveral
        mayChange = state.poll.allowsChange
        closed = state.isClosed
    }
}
