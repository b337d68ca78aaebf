import Earshot
import Foundation

/// Values as a program makes them for previews and tests of view models, with the public interface alone.
enum Previews {
    static let alice = peer(1)
    static let bob = peer(2)
    static let group = GroupID(hex: String(repeating: "04", count: 16))
    static let time = Timestamp(Date(timeIntervalSince1970: 1_700_000_000))

    static func peer(_ number: Int) -> PublicIdentity? {
        let byte = UInt8(number)
        return PublicIdentity(
            signingKey: [UInt8](repeating: byte, count: 32),
            agreementKey: [UInt8](repeating: byte, count: 32)
        )
    }

    static func message(_ number: Int, in conversation: ConversationID, by sender: PeerID) -> Message? {
        let id = MessageID(hex: String(repeating: "0\(number)", count: 16))
        return id.map { id in
            Message(
                id: id,
                conversation: conversation,
                sender: sender,
                senderName: "Bob",
                text: "Hello",
                sentTime: time
            )
        }
    }
}
