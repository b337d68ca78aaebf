/// The limits of an assistant.
enum AssistantLimits {
    /// Units: bytes of the largest event of a model's stream, and of the largest answer that is not a stream.
    static let eventByteCount = 1 << 20
    /// Units: bytes of everything that a model sends for one answer.
    static let streamByteCount = 16 << 20
    /// Units: bytes of the body that is kept when a model server refuses a request; the rest is discarded.
    static let refusalByteCount = 65_536
    /// Units: bytes of a question.
    static let questionByteCount = 65_536
    /// Units: bytes of an answer; together with the remark at its end it fits a message.
    static let answerByteCount = 65_000
    /// Units: bytes of the pictures of a question.
    static let pictureByteCount: UInt64 = 4 << 20
    /// Questions whose pictures are awaited.
    static let pictureLoadCount = 8
    /// The longest wait for the pictures of a question.
    static let pictureLoadTime = Duration.seconds(120)
    /// Questions that wait for their turn.
    static let queueCount = 8
    /// Conversations whose context is kept; the least recently used makes room.
    static let dialogueCount = 64
    /// Peers whose rate and refusals are remembered; the least recently set makes room.
    static let peerCount = 1_024
    /// The pause between two replies to a refused peer.
    static let refusalPause = Duration.seconds(3_600)
    /// Replies to all refused peers together within ``refusalPause``.
    static let refusalCount = 120
    /// Codes that a peer may try within ``refusalPause``.
    static let guessCount = 10
    /// Codes that all peers together may try within ``refusalPause``.
    static let commonGuessCount = 600
    /// Characters of the shortest code.
    static let codeCharacterCount = 8
    /// The pause between two updates of a streaming reply.
    static let showInterval = Duration.milliseconds(50)
    /// The time out of reach after which the assistant ends a peer's questions and answers.
    static let absence = Duration.seconds(30)
    /// The pause between two pings of a watched peer.
    static let pingInterval = Duration.seconds(10)
    /// The first and the longest pause before a model server that failed is tried again.
    static let retryIntervals = (first: Duration.seconds(1), longest: Duration.seconds(60))
    /// The longest time for the list of a server's models.
    static let modelListTime = Duration.seconds(10)
    /// The estimated size of a token, because only the model server counts tokens.
    ///
    /// Units: bytes of UTF-8.
    static let bytesPerToken = 3
    /// The estimated size of a picture.
    ///
    /// Units: tokens.
    static let tokensPerPicture = 1_000
    /// The estimated size of the frame of a message.
    ///
    /// Units: tokens.
    static let tokensPerMessage = 4
}
