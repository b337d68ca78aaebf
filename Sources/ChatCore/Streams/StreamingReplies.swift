import ChatCrypto

/// The streaming replies of peers, which are never stored.
///
/// Bounded by ``ContentLimits/streamingReplyCount`` replies of the longest text; the least recently changed makes room.
struct StreamingReplies: Sendable {
    private struct Reply {
        let question: MessageID
        let peer: PeerID
        /// The offset at which the known bytes begin: above 0 if parts were lost.
        var start = 0
        var bytes: [UInt8] = []
        var isOver = false
    }

    /// The replies, the least recently changed first.
    private var replies: [Reply] = []

    /// Adds a part.
    ///
    /// - Returns: The known text of the reply, with an ellipsis in place of a lost beginning; nil if the part adds
    ///   nothing, or the reply itself has arrived.
    mutating func take(_ part: StreamingReplyPart, from peer: PeerID) -> String? {
        let place = place(of: part.question, by: peer)
        var reply = place.map { replies.remove(at: $0) } ?? Reply(question: part.question, peer: peer)
        let (bytes, end) = (Array(part.text.utf8), reply.start + reply.bytes.count)
        let isChange = !reply.isOver && part.offset + bytes.count > end
        if isChange {
            if (reply.start...end).contains(part.offset) {
                reply.bytes.replaceSubrange((part.offset - reply.start)..., with: bytes)
            } else {
                reply.start = part.offset
                reply.bytes = bytes
            }
        }
        put(reply)
        // A part may begin in the middle of a false one, so the bytes may be no valid UTF-8.
        return isChange ? (reply.start > 0 ? "…" : "") + String(decoding: reply.bytes, as: UTF8.self) : nil
    }

    /// Notes that the reply itself has arrived, after which no part of it counts.
    mutating func end(_ question: MessageID, by peer: PeerID) {
        if let place = place(of: question, by: peer) { replies.remove(at: place) }
        put(Reply(question: question, peer: peer, isOver: true))
    }

    private func place(of question: MessageID, by peer: PeerID) -> Int? {
        replies.firstIndex { $0.question == question && $0.peer == peer }
    }

    private mutating func put(_ reply: Reply) {
        if replies.count >= ContentLimits.streamingReplyCount { replies.removeFirst() }
        replies.append(reply)
    }
}
