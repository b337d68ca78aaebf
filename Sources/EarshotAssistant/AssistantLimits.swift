/// What an assistant takes and keeps at most.
enum AssistantLimits {
    /// Units: bytes of the largest event of a model's stream, and of the largest answer that is not a stream.
    static let eventByteCount = 1 << 20
    /// Units: bytes of all that a model sends for one answer.
    static let streamByteCount = 16 << 20
    /// Units: bytes of the answer of a model server that refuses a request, of which no more is read.
    static let refusalByteCount = 65_536
    /// Units: bytes of a question.
    static let questionByteCount = 65_536
    /// Units: bytes of an answer; with what is said of its end it fits a message.
    static let answerByteCount = 65_000
    /// Units: bytes of the pictures of a question.
    static let pictureByteCount: UInt64 = 4 << 20
    /// Questions whose pictures are waited for.
    static let lookCount = 8
    /// How long the pictures of a question are waited for.
    static let lookTime = Duration.seconds(120)
    /// Questions that wait for their turn.
    static let queueCount = 8
    /// Conversations whose context is kept; the one that was used longest ago makes room.
    static let dialogueCount = 64
    /// Peers whose rate and refusals are remembered; the one remembered longest makes room.
    static let peerCount = 1_024
    /// How long nothing is said to a peer that was refused.
    static let refusalPause = Duration.seconds(3_600)
    /// Refusals to all peers together within ``refusalPause``.
    static let refusalCount = 120
    /// Wrong codes that a peer may try within ``refusalPause``.
    static let guessCount = 10
    /// Wrong codes that all peers together may try within ``refusalPause``.
    static let commonGuessCount = 600
    /// Characters of the shortest code.
    static let codeCharacterCount = 8
    /// The pause between two looks at a growing answer.
    static let showInterval = Duration.milliseconds(50)
    /// How long a peer is out of reach before nothing is done for it any more.
    static let absence = Duration.seconds(30)
    /// The pause between two pings of a peer that something is done for.
    static let pingInterval = Duration.seconds(10)
    /// The first and the longest pause before a model server that failed is tried again.
    static let retryIntervals = (first: Duration.seconds(1), longest: Duration.seconds(60))
    /// How long a model server may take to tell its models.
    static let modelListTime = Duration.seconds(10)
    /// What a token is taken for where nobody counts tokens.
    ///
    /// Units: bytes of UTF-8.
    static let bytesPerToken = 3
    /// What a picture is taken for.
    ///
    /// Units: tokens.
    static let tokensPerPicture = 1_000
    /// What the frame of a message is taken for.
    ///
    /// Units: tokens.
    static let tokensPerMessage = 4
}
