package import ChatCore
package import ChatCrypto
package import ChatHistory
package import Foundation

/// A message as the index has it.
package struct SearchEntry: Sendable {
    package let id: MessageID
    /// The conversation, as the store names it.
    let conversation: RowID
    let sender: PeerID
    let kind: MessageKind
    /// Units: milliseconds since 1970 by the clock that the message is shown with.
    let time: UInt64
    /// All that is found of it, folded.
    let text: [UInt8]

    /// An entry of a text that is not folded yet.
    package init(
        _ id: MessageID,
        _ text: String,
        in conversation: RowID,
        from sender: PeerID,
        kind: MessageKind = .text,
        time: UInt64
    ) {
        self.id = id
        self.conversation = conversation
        self.sender = sender
        self.kind = kind
        self.time = time
        self.text = FoldedText(text).bytes
    }
}

extension SearchEntry {
    /// Takes up a message as people see it: its text as it stands, the question and options of a poll, the names of files.
    init(_ message: Message, in conversation: RowID) {
        id = message.id
        self.conversation = conversation
        sender = message.sender
        kind = message.kind
        time = Timestamp(message.shownAt).milliseconds
        let fields = message.searchedTexts.filter { !$0.isEmpty }
        // The space at the end of one and that at the beginning of the next keep phrases from going on in another.
        text = Array(fields.flatMap { FoldedText($0).bytes }.prefix(SearchLimits.messageByteCount))
    }

    /// Whether it has all words and fits.
    func has(_ terms: SearchTerms, _ filter: SearchFilter) -> Bool {
        filter.fits(conversation: conversation, sender: sender, kind: kind, time: time)
            && text.withUnsafeBytes { terms.areAll(in: $0) }
    }
}

extension Message {
    /// The time that it is shown with: when it came, or of what is older than this node's time in a group, when it was sent.
    package var shownAt: Date { vouchedBy.isEmpty ? receivedAt : sentAt }

    /// What is found of it.
    var searchedTexts: [String] {
        [text] + (poll.map { [$0.poll.question] + $0.poll.options } ?? []) + files.map(\.name)
    }
}

/// What a message must be to be found, beside its words.
package struct SearchFilter: Sendable {
    package var conversation: RowID?
    package var sender: PeerID?
    package var kind: MessageKind?
    /// Units: milliseconds since 1970.
    package var times: Range<UInt64> = 0..<UInt64.max

    /// Everything fits.
    package init() {}

    func fits(conversation: RowID, sender: PeerID, kind: MessageKind, time: UInt64) -> Bool {
        (self.conversation ?? conversation) == conversation && (self.sender ?? sender) == sender
            && (self.kind ?? kind) == kind && times.contains(time)
    }
}
