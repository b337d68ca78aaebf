import ChatCore
import ChatCrypto
import Foundation
import SwiftProtobuf

/// The checked content of an export's line: nothing in it is longer than, or different from, what a node would keep.
enum ArchiveEntry: Sendable {
    /// The owner of the exported history.
    case header(owner: PeerID)
    case contact(PublicIdentity, name: Nickname?, localName: Nickname?, isBlocked: Bool)
    case conversation(ArchiveConversation)
    case message(ProtoMessageRecord)
    case segment(ArchiveSegment)
    /// A kind that only newer versions know.
    case unknown

    /// Reads and checks a line.
    ///
    /// - Parameter owner: The owner of the history, as the first line named it; nil for that line.
    /// - Throws: ``ArchiveFault`` for a line that no export contains.
    init(reading line: [UInt8], of owner: PeerID?) throws(ArchiveFault) {
        guard line.count <= ArchiveLimits.lineByteCount else { throw .tooLong }
        let type = try Self.decode(ArchiveLine.Kind.self, line).type
        guard let owner else {
            guard type == "earshot" else { throw .noHeader }
            let header = try Self.decode(ArchiveLine.Header.self, line)
            guard header.version == 1 else { throw .newer }
            guard let id = PeerID(hex: header.id) else { throw .malformed }
            self = .header(owner: id)
            return
        }
        switch type {
        case "contact": self = try Self.contact(Self.decode(ArchiveLine.Contact.self, line))
        case "conversation":
            let conversation = try ArchiveConversation(Self.decode(ArchiveLine.Conversation.self, line))
            self = .conversation(conversation)
        case "message":
            let record = try Self.decode(ArchiveLine.Record.self, line).record
            self = .message(try ProtoMessageRecord(archived: record, of: owner))
        case "file": self = .segment(try ArchiveSegment(Self.decode(ArchiveLine.Segment.self, line)))
        case "earshot": throw .malformed
        default: self = .unknown
        }
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ line: [UInt8]) throws(ArchiveFault) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(line))
        } catch {
            throw .malformed
        }
    }

    private static func contact(_ line: ArchiveLine.Contact) throws(ArchiveFault) -> ArchiveEntry {
        guard
            let identity = PublicIdentity(
                signingKey: [UInt8](line.signingKey),
                agreementKey: [UInt8](line.agreementKey)
            ),
            identity.id.description == line.id
        else { throw .malformed }
        return .contact(
            identity,
            name: try? Nickname(line.name),
            localName: line.localName.flatMap { try? Nickname($0) },
            isBlocked: line.trust == "blocked"
        )
    }
}

/// The reason why an import skips a line.
package enum ArchiveFault: String, Error, Sendable {
    /// A line that is longer than any line of an export.
    case tooLong
    /// A line that is not JSON with the fields of its type, or has impossible values.
    case malformed
    /// A file that does not begin as an export does.
    case noHeader
    /// A file that a later version has written.
    case newer
    /// A message whose id does not match its content.
    case wrongID
    /// A disappearing message, which no export contains.
    case disappearing
    /// The peer's view of a conversation with this node's user, who has their own view.
    case ownConversation
    /// A piece of a file that does not follow the piece before, or belongs to no message of the file.
    case outOfPlace
}

/// A conversation of an export.
struct ArchiveConversation: Sendable {
    /// The conversation's id.
    let id: ConversationID
    let title: String
    let members: [(id: PeerID, name: String)]
    /// The largest number of messages that follow.
    let messageCount: UInt64

    init(_ line: ArchiveLine.Conversation) throws(ArchiveFault) {
        guard let bytes = [UInt8](hex: line.id), let id = ConversationID(bytes: bytes), !id.isRoom,
            line.messages >= 0, line.members.count <= ArchiveLimits.memberCount,
            line.title.utf8.count <= ArchiveLimits.nameByteCount
        else { throw .malformed }
        var members: [(id: PeerID, name: String)] = []
        for member in line.members {
            guard let peer = PeerID(hex: member.id), member.name.utf8.count <= ArchiveLimits.nameByteCount else {
                throw .malformed
            }
            members.append((peer, member.name))
        }
        self.id = id
        self.members = members
        title = line.title
        messageCount = min(UInt64(line.messages), ChatLimits.importedPositionCount / 2)
    }
}

/// A piece of a file of an export.
struct ArchiveSegment: Sendable {
    let message: MessageID
    let index: Int
    let offset: UInt64
    let bytes: [UInt8]

    init(_ line: ArchiveLine.Segment) throws(ArchiveFault) {
        guard let message = MessageID(hex: line.message), (0..<ChatLimits.fileCount).contains(line.index),
            line.data.count <= BlobReference.chunkByteCount
        else { throw .malformed }
        self.message = message
        index = line.index
        offset = line.offset
        bytes = [UInt8](line.data)
    }
}
