import ChatCore
import ChatCrypto
import Foundation

/// The lines of an export as JSON: what other programs read, and what an import needs beside it.
///
/// Each is one object whose `type` says what it is. Ids are lower-case hexadecimal digits, times RFC 3339 with
/// milliseconds in UTC, bytes base64. Source: PROTOCOL §11.1.
enum ArchiveLine {
    /// The first line: whose history it is.
    struct Header: Codable {
        var type = "earshot"
        let version: Int
        let exportedAt: String
        let id: String
        let name: String
    }

    /// Somebody this node knows.
    struct Contact: Codable {
        var type = "contact"
        let id: String
        let name: String
        /// How far it was trusted where the export was made; an import takes nothing of it but `blocked`.
        let trust: String
        let fingerprint: String
        /// The public keys that the id is made of.
        let signingKey: Data
        let agreementKey: Data
    }

    /// Somebody in a conversation.
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
        /// How many messages follow at most.
        let messages: Int
    }

    /// A piece of a message's file, after the message; the pieces of a file follow each other.
    struct Piece: Codable {
        var type = "file"
        let message: String
        let index: Int
        let offset: UInt64
        let data: Data
    }

    /// What every line says.
    struct Kind: Codable {
        let type: String
    }

    /// What an import reads of a message.
    struct Record: Codable {
        let record: Data
    }

    /// The line of a value, with its line feed.
    static func bytes(_ value: some Encodable) throws -> [UInt8] {
        Array(try JSONEncoder.ofLines.encode(value)) + [UInt8(ascii: "\n")]
    }
}
