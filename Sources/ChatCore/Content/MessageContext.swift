package import ChatCrypto

/// The parts of a text or a poll besides its own content.
package struct MessageContext: Hashable, Sendable {
    /// The message that it answers.
    package var replyTo: MessageID?
    /// The members named in the text.
    package var mentions: [Mention]
    /// The time from reading until it disappears.
    ///
    /// Units: seconds; 0 for never.
    package var seconds: UInt32

    package init(replyTo: MessageID? = nil, mentions: [Mention] = [], seconds: UInt32 = 0) {
        self.replyTo = replyTo
        self.mentions = mentions
        self.seconds = seconds
    }
}
