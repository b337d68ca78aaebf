import ChatCrypto
package import MeshCore

extension EnvelopeKind {
    /// A ratchet or group message, after the hash of its delivery proof.
    package static let sealed: EnvelopeKind = 0
    /// A handshake message with its first ratchet message, after the hash of its delivery proof.
    package static let prekey: EnvelopeKind = 1
    /// A signed prekey bundle.
    package static let bundle: EnvelopeKind = 2
    /// A room's beacon or join message.
    package static let room: EnvelopeKind = 3
    /// A message that is worthless later.
    package static let live: EnvelopeKind = 4
    /// Delivery proofs of one recipient.
    package static let release: EnvelopeKind = 6
    /// A piece of a small attachment for an offline contact.
    package static let chunk: EnvelopeKind = 7
    /// A message that also lies in a mailbox on the internet.
    package static let far: EnvelopeKind = 8
    /// A request for the mail of some mailboxes.
    package static let watch: EnvelopeKind = 9
    /// The head of a message that a few nodes hold; this version relays it.
    package static let head: EnvelopeKind = 10
    /// The announcement of a node that reaches hubs.
    package static let gateway: EnvelopeKind = 11
    /// A piece of a small attachment that also lies in a mailbox on the internet.
    package static let farChunk: EnvelopeKind = 12
    /// The kinds that only later versions know; this version relays them unread.
    package static let later: [EnvelopeKind] = [13, 14, 15]
}

extension KindPolicy {
    /// The kinds of envelope that chat sends.
    ///
    /// Source: PROTOCOL §2.
    package static let chat = KindPolicy(
        [
            .sealed: .message.sized(.oneOf(EnvelopeSizes.sealed)),
            .prekey: .firstMessage.sized(.oneOf(EnvelopeSizes.prekey)),
            .bundle: .introduction.sized(.range(EnvelopeSizes.bundle)),
            .room: .announcement.sized(.oneOf(EnvelopeSizes.room)),
            .live: .live.sized(.oneOf(EnvelopeSizes.live)),
            .release: .proof,
            .chunk: .chunk.sized(.range(EnvelopeSizes.chunk)),
            .far: .farMessage.sized(.oneOf(EnvelopeSizes.far)),
            .farChunk: .farChunk.sized(.oneOf(EnvelopeSizes.farChunk)),
            .watch: .watch.sized(.oneOf([EnvelopeSizes.watch])),
            .gateway: .gateway.sized(.oneOf([EnvelopeSizes.watch])),
            .head: .head.sized(.oneOf([EnvelopeSizes.head])),
        ].merging(EnvelopeKind.later.map { ($0, .later.sized(.oneOf(EnvelopeSizes.padded))) }) { own, _ in own }
    )
}
