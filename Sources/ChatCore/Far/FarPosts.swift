import Bytes
import ChatCrypto
import MeshCore

/// The envelopes that were written for mailboxes, so that each is written once a day, and released in all of them.
///
/// Invariant: `order` names each of `posts` once.
struct FarPosts: Sendable {
    private struct Post {
        var day: UInt32?
        /// The proofs that end its ways, the last ones first.
        var proofs: [DeliveryProof]
    }

    /// The posts by the release hashes of their envelopes.
    private var posts: [[UInt8]: Post] = [:]
    private var order = Fifo<[UInt8]>()

    /// The most proofs of one envelope: those of the days for which it may wait.
    private static let proofCount = 16

    /// Returns whether an envelope was written on a day.
    func isWritten(_ hash: [UInt8], on day: UInt32?) -> Bool { posts[hash].map { $0.day == day } ?? false }

    /// Takes the proofs with which an envelope is released in mailboxes, also if it is in the outbox no more.
    mutating func takeProofs(of hash: [UInt8]) -> [DeliveryProof] {
        guard let post = posts[hash] else { return [] }
        posts[hash]?.proofs = []
        return post.proofs
    }

    /// Notes that an envelope was written on a day, and the proofs that end its ways.
    ///
    /// Beyond ``FarLimits/writtenCount`` the oldest is forgotten; writing it again changes nothing on the same day.
    mutating func note(_ hash: [UInt8], _ proofs: [DeliveryProof], on day: UInt32?) {
        if let known = posts[hash] {
            let earlier = known.proofs.filter { !proofs.contains($0) }
            posts[hash] = Post(day: day, proofs: Array((proofs + earlier).prefix(Self.proofCount)))
            return
        }
        posts[hash] = Post(day: day, proofs: proofs)
        order.append(hash)
        guard order.count > FarLimits.writtenCount, let oldest = order.first else { return }
        order.removeFirst()
        posts[oldest] = nil
    }
}
