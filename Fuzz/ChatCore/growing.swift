import ChatCrypto
import MeshCore

#if !FUZZING
    @testable import ChatCore
#endif

/// Checks path payloads with streaming replies: parts in any order and with any text keep to the limits.
func fuzzGrowing(_ input: [UInt8]) {
    var choices = Choices(input)
    guard let question = MessageID(bytes: [UInt8](repeating: 9, count: 16)),
        let peer = PeerID(bytes: [UInt8](repeating: 3, count: 32)),
        let example = StreamingReplyPart(of: question, upTo: "Zähl bis zehn 🦊")
    else { return }
    let contents: [PathContent] = [.streamingReply(example), .typing(true), .request(7), .answer(NodeID(5))]
    let examples = contents.map { $0.encoded(startingHops: 3) }
    var replies = StreamingReplies()
    while !choices.isAtEnd {
        if choices.byte() == 0 { replies.end(question, by: peer) }
        let bytes = choices.variant(of: examples[choices.number(below: examples.count)])
        guard let (content, hops) = PathContent.decode(bytes[...]) else { continue }
        let again = PathContent.decode(content.encoded(startingHops: hops)[...])
        precondition(again?.content == content && again?.startingHops == hops)
        guard case .streamingReply(let part) = content else { continue }
        precondition(part.text.utf8.count <= ContentLimits.streamingReplyPartByteCount)
        guard let text = replies.take(part, from: peer) else { continue }
        precondition(text.utf8.count <= ChatLimits.longTextByteCount * 3 + 3)
        precondition(replies.take(part, from: peer) == nil)
    }
}
