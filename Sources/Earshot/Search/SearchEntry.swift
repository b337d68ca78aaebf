package import ChatCore
package import ChatCrypto
package import ChatHistory
package import Foundation

/// A message as the index holds it.
package struct SearchEntry: Sendable {
    package let id: MessageID
    /// The conversation, as the store names it.
    let conversation: RowID
    let sender: PeerID
    let kind: MessageKind
    /// Units: milliseconds since 1970 by the clock that the message is shown with.
    let time: UInt64
    /// The searchable text, folded.
    let text: [UInt8]

    /// Makes an entry from a text that is not folded yet.
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
    /// Makes the entry of a message: its present text, the question and options of a poll, the names of its files.
    init(_ message: Message, in conversation: RowID) {
        id = message.id
        self.conversation = conversation
        sender = message.sender
        kind = message.kind
        time = Timestamp(message.shownAt).milliseconds
        let fields = message.searchedTexts.filter { !$0.isEmpty }
        // The spaces at the end of one text and at the beginning of the next keep phrases from going on in another
        // text.
        text = Array(fields.flatMap { FoldedText($0).bytes }.prefix(SearchLimits.messageByteCount))
    }

    /// Whether the entry has all words and matches the filter.
    func has(_ terms: SearchTerms, _ filter: SearchFilter) -> Bool {
        filter.fits(conversation: conversation, sender: sender, kind: kind, time: time)
            && text.withUnsafeBytes { terms.areAll(in: $0) }
    }
}

extension Message {
    /// The time that is shown: that of receipt, or of sending for a group message from before this node joined.
    package var shownAt: Date { attestedBy.isEmpty ? receivedAt : sentAt }

    /// The texts that are searched.
    var searchedTexts: [String] {
        [text] + (poll.map { [$0.poll.question] + $0.poll.options } ?? []) + files.map(\.name)
    }
}

/// The conditions on a message besides its words.
package struct SearchFilter: Sendable {
    package var conversation: RowID?
    package var sender: PeerID?
    package var kind: MessageKind?
    /// Units: milliseconds since 1970.
    package var times: Range<UInt64> = 0..<UInt64.max

    /// Makes a filter that everything matches.
    package init() {}

    func fits(conversation: RowID, sender: PeerID, kind: MessageKind, time: UInt64) -> Bool {
        (self.conversation ?? conversation) == conversation && (self.sender ?? sender) == sender
            && (self.kind ?? kind) == kind && times.contains(time)
    }
}
