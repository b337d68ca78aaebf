import Foundation

/// A hub's answer to mail.
///
/// A guest of the hub can have the answer to its own mail sent here, so it is a hint: authors repeat until the receipt.
enum Acknowledgement: Equatable, Sendable {
    /// The hub has the envelope, as this number of this stream.
    case stored(stream: String, sequence: UInt64, isDuplicate: Bool)
    /// The mailbox is full.
    case mailboxFull
    /// The hub takes no mail at present.
    case hubFull
    /// The hub never takes this envelope.
    case tooLarge
    /// Nobody keeps mail.
    case noStore
    /// No acknowledgement at all.
    case none

    private struct Reply: Decodable {
        let stream: String?
        let seq: UInt64?
        let duplicate: Bool?
        let error: StoreFailure?
    }

    /// The number of JetStream's error for a message that is too large.
    private static let tooLargeCode = 10_054
    /// The number of JetStream's error for a message that is not stored, for the hub or the mailbox is full.
    private static let storeFailedCode = 10_077

    init(_ answer: HubAnswer) {
        guard !answer.isUnanswered else {
            self = .noStore
            return
        }
        guard answer.body.count <= GatewayLimits.acknowledgementByteCount,
            let reply = try? JSONDecoder().decode(Reply.self, from: Data(answer.body))
        else {
            self = .none
            return
        }
        if let error = reply.error {
            self = Self.refusal(error)
        } else if let stream = reply.stream, MailStream.isMail(stream), let sequence = reply.seq, sequence > 0 {
            self = .stored(stream: stream, sequence: sequence, isDuplicate: reply.duplicate ?? false)
        } else {
            self = .none
        }
    }

    private static func refusal(_ error: StoreFailure) -> Acknowledgement {
        if error.code == tooLargeCode { return .tooLarge }
        // An error of another kind answers another question: guests can have their own answers sent here.
        guard error.code == storeFailedCode else { return .none }
        return error.text.contains("maximum messages per subject") ? .mailboxFull : .hubFull
    }
}

extension MailStream {
    /// Returns whether a stream keeps mail: `MAIL`, or `MAIL-` and a digit at a hub that was split.
    static func isMail(_ stream: String) -> Bool {
        stream == name || "0123456789abcdef".contains { stream == "\(name)-\($0)" }
    }
}
