import ChatCore
import ChatCrypto
import Foundation

/// The lines of an export as JSON: the fields for other programs, and those that an import needs besides.
///
/// Each line is one object, and its `type` names its kind. Ids are lower-case hexadecimal digits, times RFC 3339 with
/// milliseconds in UTC, bytes base64. Source: PROTOCOL §11.1.
enum ArchiveLine {
    /// The first line, which names the owner of the history.
    struct Header: Codable {
        var type = "earshot"
        let version: Int
        let exportedAt: String
        let id: String
        let name: String
    }

    /// A peer that the exporting node knows.
    struct Contact: Codable {
        var type = "contact"
        let id: String
        let name: String
        /// The name that the user gave the peer; absent for none.
        let localName: String?
        /// The trust state at the exporting node; an import uses nothing of it but `blocked`.
        let trust: String
        let fingerprint: String
        /// The public keys that the id is made of.
        let signingKey: Data
        let agreementKey: Data
    }

    /// A member of a conversation.
    struct Member: Codable {
        let id: String
        let name: String
    }

    /// A conversation, before its messages.
    struct Conversation: Codable {
        var type = "conversation"
        let id: String
        /// `direct` or `group`.
        let kind: String
        let title: String
        let members: [Member]
        /// The largest number of messages that follow.
        let messages: Int
    }

    /// A piece of a message's file, after the message; the pieces of a file follow each other.
    struct Segment: Codable {
        var type = "file"
        let message: String
        let index: Int
        let offset: UInt64
        let data: Data
    }

    /// The field that every line has.
    struct Kind: Codable {
        let type: String
    }

    /// The field of a message that an import reads.
    struct Record: Codable {
        let record: Data
    }

    /// Encodes a value as a line, with its line feed.
    static func bytes(_ value: some Encodable) throws -> [UInt8] {
        Array(try JSONEncoder.ofLines.encode(value)) + [UInt8(ascii: "\n")]
    }
}
