package import ChatCrypto

/// The answers that peers are making and show as they grow: nothing of them is ever stored.
///
/// Bounded by ``ContentLimits/growingCount`` answers of the longest text; the one that grew longest ago makes room.
package struct GrowingAnswers: Sendable {
    private struct Answer {
        let question: MessageID
        let peer: PeerID
        /// Where what is known begins: beyond the beginning where parts were lost.
        var start = 0
        var bytes: [UInt8] = []
        var isOver = false
    }

    /// The one that grew longest ago first.
    private var answers: [Answer] = []

    package init() {}

    /// Takes a part.
    ///
    /// - Returns: All that is known of the answer, with an ellipsis in place of a beginning that was lost; nil if the
    ///   part tells nothing new, or the answer has come.
    package mutating func take(_ part: GrowingPart, from peer: PeerID) -> String? {
        let place = place(of: part.question, by: peer)
        var answer = place.map { answers.remove(at: $0) } ?? Answer(question: part.question, peer: peer)
        let (bytes, end) = (Array(part.text.utf8), answer.start + answer.bytes.count)
        let isNews = !answer.isOver && part.offset + bytes.count > end
        if isNews {
            if (answer.start...end).contains(part.offset) {
                answer.bytes.replaceSubrange((part.offset - answer.start)..., with: bytes)
            } else {
                answer.start = part.offset
                answer.bytes = bytes
            }
        }
        put(answer)
        // Another part may begin in the middle of what a false one has said.
        return isNews ? (answer.start > 0 ? "…" : "") + String(decoding: answer.bytes, as: UTF8.self) : nil
    }

    /// Notes that the answer itself has come, after which no part of it counts.
    package mutating func end(_ question: MessageID, by peer: PeerID) {
        if let place = place(of: question, by: peer) { answers.remove(at: place) }
        put(Answer(question: question, peer: peer, isOver: true))
    }

    private func place(of question: MessageID, by peer: PeerID) -> Int? {
        answers.firstIndex { $0.question == question && $0.peer == peer }
    }

    private mutating func put(_ answer: Answer) {
        if answers.count >= ContentLimits.growingCount { answers.removeFirst() }
        answers.append(answer)
    }
}
