/// The access policy of an assistant, and the limits of its answers.
public struct AssistantSettings: Sendable {
    /// The access policy.
    public var access = AccessRule()
    /// The system message before every conversation; nil for none.
    public var instruction: String?
    /// Whether the model is given the pictures of messages; otherwise they are refused.
    ///
    /// Without a media sanitizer in the node, the only evidence that a file is a picture is the claim of its sender.
    public var seesPictures = false
    /// The part of a conversation that the model is given.
    ///
    /// Units: tokens, of about three bytes each.
    public var contextTokenCount = 4_096
    /// The limit on the questions of one peer.
    public var rate = AnswerRate(6, in: .seconds(60))
    /// The number of answers that are made at once; each peer has at most one.
    public var concurrentCount = 2
    /// The longest time for an answer.
    public var answerTimeout = Duration.seconds(300)
    /// Whether everything that a peer said is erased once it is out of reach, and when the assistant ends.
    public var forgetsOnDisconnect = false

    /// Makes the defaults: verified contacts only, six questions a minute, two answers at once, five minutes each.
    public init() {}
}
