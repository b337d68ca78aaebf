/// One line of a NATS server, with its payload if it has one.
package enum NATSOperation: Equatable, Sendable {
    /// The server's description of itself.
    case info(NATSInfo)
    /// A message for a subscription of this program.
    case message(NATSMessage)
    /// The server asks for a sign of life.
    case ping
    /// The answer to a sign of life.
    case pong
    /// The server has taken a line.
    case ok
    /// The server has refused something, in its words.
    case error(String)
}

/// The parts of a server's description of itself that count.
package struct NATSInfo: Equatable, Sendable, Decodable {
    /// Whether the server speaks TLS only.
    package var needsTLS: Bool?
    /// Whether the server can speak TLS.
    package var offersTLS: Bool?
    /// Whether messages can have headers.
    package var hasHeaders: Bool?
    /// Units: bytes of the largest message that the server takes.
    package var payloadByteCount: Int?
    /// Whether the server keeps mail.
    package var keepsMail: Bool?
    /// The name of the cluster that the server is part of; nil for one that stands alone.
    package var cluster: String?

    /// The part that the server has in its hub.
    package var role: HubRole { keepsMail == true && cluster == nil ? .whole : .part }

    private enum CodingKeys: String, CodingKey {
        case needsTLS = "tls_required"
        case offersTLS = "tls_available"
        case hasHeaders = "headers"
        case payloadByteCount = "max_payload"
        case keepsMail = "jetstream"
        case cluster
    }
}

/// A message of a NATS server.
package struct NATSMessage: Equatable, Sendable {
    /// The subject: printable ASCII of limited length.
    package let subject: String
    /// The number of the subscription.
    package let subscription: Int
    /// The headers that count.
    package let headers: NATSHeaders
    /// The data.
    package let body: [UInt8]
}

/// Bytes that no NATS server sends.
package struct NATSViolation: Error, Equatable {
    package init() {}
}

/// The rules of subjects.
package enum NATSSubject {
    /// Returns whether a subject is printable ASCII of limited length.
    package static func isValid(_ bytes: some Collection<UInt8>) -> Bool {
        (1...HubLimits.subjectByteCount).contains(bytes.count) && bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
