import ChatCrypto

/// A content as a message brought it.
struct ReceivedContent {
    /// The content exactly as it was sealed.
    let bytes: [UInt8]
    /// The content; nil if it is malformed or exceeds a limit.
    let decoded: MessageContent.Decoded?
    /// The control message in it, if it is one.
    let control: ControlMessage?

    /// Returns the name by which a receipt confirms it; nil for a content that receipts do not confirm.
    func confirmedID(from sender: PeerID, to recipient: PeerID) -> MessageID? {
        decoded?.body.isConfirmed == true ? MessageContent.id(of: bytes, from: sender, to: recipient) : nil
    }

    /// Reads a content.
    ///
    /// - Parameter mayControl: Whether control messages count.
    init(_ bytes: [UInt8], mayControl: Bool) {
        self.bytes = bytes
        decoded = MessageContent.decode(bytes)
        guard mayControl, case .groupNote(let note)? = decoded?.body else {
            control = nil
            return
        }
        control = ControlMessage(decoding: note)
    }
}
