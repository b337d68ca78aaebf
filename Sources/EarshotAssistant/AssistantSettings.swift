/// What an assistant does for whom, and how much of it.
public struct AssistantSettings: Sendable {
    /// Whom it answers.
    public var access = AccessRule()
    /// What the model is told before every conversation; nil for nothing.
    public var instruction: String?
    /// Whether the model is given the pictures of messages; they are refused otherwise.
    ///
    /// What a node without a media cleaner takes for a picture is only what its sender says of it.
    public var seesPictures = false
    /// How much of a conversation the model is given.
    ///
    /// Units: tokens, of about three bytes each.
    public var contextTokenCount = 4_096
    /// How often one peer may ask.
    public var rate = AnswerRate(6, in: .seconds(60))
    /// How many answers are made at once; of one peer it is one.
    public var concurrentCount = 2
    /// How long an answer may take.
    public var answerTimeout = Duration.seconds(300)
    /// Whether all that a peer said is erased once it is out of reach, and when the assistant ends.
    public var forgetsOnDisconnect = false

    /// Makes the defaults: verified contacts alone, six questions a minute, two answers at once, five minutes each.
    public init() {}
}
