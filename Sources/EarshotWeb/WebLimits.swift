/// The limits of the page's server for the programs of this machine.
package enum WebLimits {
    /// The default port; it is used if no port is named and this one is free, so that a browser recognises the page.
    package static let usualPort: UInt16 = 47_770
    /// Units: bytes of a request's line and headers.
    package static let headByteCount = 16_384
    /// Connections without a session; one more replaces the oldest of them.
    package static let unauthenticatedCount = 64
    /// Connections with a session; one more is refused.
    package static let guestCount = 96
    /// Sessions; one more replaces the oldest.
    package static let sessionCount = 16
    /// Unused tokens; one more replaces the oldest.
    package static let tokenCount = 8
    /// Units: bytes of a token and of a session's secret, before they are written as digits.
    static let secretByteCount = 32
    /// Units: bytes of a nonce of a proof.
    static let nonceByteCount = 32
    /// Units: bytes of the body that carries a token.
    package static let tokenBodyByteCount = 256
    /// Units: bytes of the body that describes a message.
    package static let sendBodyByteCount = 1 << 20
    /// Units: bytes of the body that requests an export.
    package static let exportBodyByteCount = 4_096
    /// Units: bytes of the text of a QR code.
    package static let codeBodyByteCount = 1_024
    /// Units: bytes of a message on a WebSocket, in one or several fragments.
    package static let messageByteCount = 1 << 20
    /// The number of fragments of such a message.
    package static let fragmentCount = 1_024
    /// Uploads that are complete or in progress and belong to no message yet.
    package static let uploadCount = 32
    /// Units: bytes of a file that are read at once.
    static let pieceByteCount: UInt64 = 256 << 10
    /// Units: bytes of a body that are read and dropped after a refusal, so that the client reads the refusal.
    static let drainByteCount = 16 << 20
    /// The number of wrong tokens after which the delay of answers no longer grows.
    static let countedWrongTokens = 10
}

/// The time limits of the page's server.
package struct WebTimes: Sendable {
    /// The time for a request's line and headers, from the start of the connection.
    package var head = Duration.seconds(10)
    /// The time for the next byte of a body, or until the client takes some bytes of an answer.
    package var idle = Duration.seconds(60)
    /// The time between two pings on a WebSocket, which detect a client that no longer reads.
    package var ping = Duration.seconds(20)
    /// The time for the proof of a page on its WebSocket.
    package var proof = Duration.seconds(10)
    /// The delay of the answer to a wrong token, multiplied by the number of wrong tokens.
    package var wrongToken = Duration.milliseconds(250)
    /// The lifetime of an unused token.
    package var token = Duration.seconds(600)
    /// The lifetime of a session without activity.
    package var sessionIdle = Duration.seconds(12 * 3_600)
    /// The lifetime of a session in any case.
    package var session = Duration.seconds(30 * 86_400)
    /// The lifetime of an uploaded file that is not sent.
    package var upload = Duration.seconds(600)

    /// Makes the default times; tests change them.
    package init() {}
}
