package import ChatCrypto

/// What a text or a poll says besides itself.
package struct MessageContext: Hashable, Sendable {
    /// The message that it answers.
    package var replyTo: MessageID?
    /// Who is named in the text.
    package var mentions: [Mention]
    /// Units: seconds from being read until it is to be gone; 0 for never.
    package var seconds: UInt32

    package init(replyTo: MessageID? = nil, mentions: [Mention] = [], seconds: UInt32 = 0) {
        self.replyTo = replyTo
        self.mentions = mentions
        self.seconds = seconds
    }
}
