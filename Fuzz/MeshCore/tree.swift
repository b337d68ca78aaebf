#if !FUZZING
    @testable import MeshCore
    @testable import MeshSimulation
#endif

/// Checks the messages of the tree: a decoded message is encoded to the same bytes.
func fuzzTree(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.candidate(like: treeMessages)
    if let message = TreeMessage(decoding: bytes) {
        precondition(message.encoded() == bytes)
    }
}

/// The messages of the tree about the envelopes among `messages`, and about an envelope that no node has.
let treeMessages: [[UInt8]] = [
    TreeMessage.announce(treeIDs).encoded(), TreeMessage.graft(treeIDs).encoded(), TreeMessage.prune.encoded(),
]

private let treeIDs =
    messages.compactMap { Envelope(decoding: $0[...]) }.map { envelope in
        NullCryptography().envelopeID(kindByte: envelope.kindByte, body: envelope.body[...]).shortID
    } + [7]
