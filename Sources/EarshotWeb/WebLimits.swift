/// What the page's server takes from the programs of this machine, and what it holds for them.
package enum WebLimits {
    /// The port that is taken where none is named and this one is free, so that a browser knows the page again.
    package static let usualPort: UInt16 = 47_770
    /// Units: bytes of a request's line and headers.
    package static let headByteCount = 16_384
    /// Connections without a session; one more takes the place of the oldest of them.
    package static let strangerCount = 64
    /// Connections with a session; one more is refused.
    package static let guestCount = 96
    /// Sessions; one more takes the place of the oldest.
    package static let sessionCount = 16
    /// Tokens that nobody has used; one more takes the place of the oldest.
    package static let tokenCount = 8
    /// Units: bytes of a token and of a session's secret, before they become digits.
    static let secretByteCount = 32
    /// Units: bytes of a nonce that a proof is made over.
    static let nonceByteCount = 32
    /// Units: bytes of the body that brings a token.
    package static let tokenBodyByteCount = 256
    /// Units: bytes of the body that describes a message.
    package static let sendBodyByteCount = 1 << 20
    /// Units: bytes of the body that asks for an export.
    package static let exportBodyByteCount = 4_096
    /// Units: bytes of the text that is drawn as a code.
    package static let codeBodyByteCount = 1_024
    /// Units: bytes of a message on a WebSocket, be it in one piece or in several.
    package static let messageByteCount = 1 << 20
    /// The pieces that such a message may come in.
    package static let fragmentCount = 1_024
    /// Files that have come or are coming, and belong to no message yet.
    package static let uploadCount = 32
    /// Units: bytes that are read of a file at once.
    static let pieceByteCount: UInt64 = 256 << 10
    /// Units: bytes of a body that are read and dropped after a refusal, so that the refusal is heard.
    static let drainByteCount = 16 << 20
    /// Wrong tokens after which answers to further ones are not held back for longer.
    static let countedWrongTokens = 10
}

/// How long the page's server waits.
package struct WebTimes: Sendable {
    /// For a request's line and headers, from the connection on.
    package var head = Duration.seconds(10)
    /// For the next byte of a body, or until some bytes of an answer are taken.
    package var idle = Duration.seconds(60)
    /// Between two pings on a WebSocket, by which one that is not taken any more is noticed.
    package var ping = Duration.seconds(20)
    /// For the proof of a page on its WebSocket.
    package var proof = Duration.seconds(10)
    /// Before a wrong token is answered, times the number of them.
    package var wrongToken = Duration.milliseconds(250)
    /// For a token that was not used yet.
    package var token = Duration.seconds(600)
    /// For a session of which nothing is heard.
    package var sessionIdle = Duration.seconds(12 * 3_600)
    /// For a session, however much it is used.
    package var session = Duration.seconds(30 * 86_400)
    /// For a file that has come to be sent.
    package var upload = Duration.seconds(600)

    /// The times that hold unless a test takes others.
    package init() {}
}
