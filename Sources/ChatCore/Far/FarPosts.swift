import Bytes
import ChatCrypto
import MeshCore

/// The envelopes that were written for mailboxes, so that each is written once a day, and released in all of them.
///
/// Invariants: `order` names each of `posts` once; `byName` holds the names of all posts.
struct FarPosts: Sendable {
    /// Mail with an envelope in it.
    struct Mail: Sendable {
        /// The name under which gateways and hubs know the mail.
        let name: [UInt8]
        /// The proof that ends its way; nil for mail that nobody releases.
        let proof: DeliveryProof?
    }

    private struct Post {
        var day: UInt32?
        /// The proofs that end its ways, the last ones first.
        var proofs: [DeliveryProof] = []
        /// The names of the mail of the last day.
        var names: [[UInt8]] = []
        var copies: [HubCopy] = []
    }

    /// The posts by the release hashes of their envelopes.
    private var posts: [[UInt8]: Post] = [:]
    private var byName: [[UInt8]: [UInt8]] = [:]
    private var order = Fifo<[UInt8]>()

    /// The most proofs of one envelope: those of the days for which it may wait.
    private static let proofCount = 16

    /// Returns whether an envelope was written on a day.
    func isWritten(_ hash: [UInt8], on day: UInt32?) -> Bool { posts[hash].map { $0.day == day } ?? false }

    /// Has each envelope written again.
    mutating func forgetDays() {
        for hash in Array(posts.keys) { posts[hash]?.day = nil }
    }

    /// Takes the proofs with which an envelope is released in mailboxes, also if it is in the outbox no more.
    mutating func takeProofs(of hash: [UInt8]) -> [DeliveryProof] {
        guard let post = posts[hash] else { return [] }
        posts[hash]?.proofs = []
        return post.proofs
    }

    /// Notes the mail in which an envelope was written on a day.
    ///
    /// Beyond ``FarLimits/writtenCount`` the oldest is forgotten; writing it again changes nothing on the same day.
    mutating func note(_ hash: [UInt8], _ mail: [Mail], on day: UInt32?) {
        var post = posts[hash] ?? Post()
        let proofs = mail.compactMap(\.proof)
        post.proofs = Array((proofs + post.proofs.filter { !proofs.contains($0) }).prefix(Self.proofCount))
        post.day = day
        for name in post.names { byName[name] = nil }
        post.names = mail.map(\.name)
        for name in post.names { byName[name] = hash }
        if posts.updateValue(post, forKey: hash) == nil { order.append(hash) }
        guard order.count > FarLimits.writtenCount, let oldest = order.first else { return }
        order.removeFirst()
        for name in posts.removeValue(forKey: oldest)?.names ?? [] { byName[name] = nil }
    }

    // MARK: - Hubs

    /// Notes that a hub has acknowledged mail; the first time at each hub counts, and beyond
    /// ``FarLimits/copyCount`` the oldest is forgotten.
    mutating func note(_ copy: HubCopy, of name: [UInt8]) {
        guard let hash = byName[name], var post = posts[hash], !post.copies.contains(where: { $0.hub == copy.hub })
        else { return }
        post.copies = post.copies.suffix(FarLimits.copyCount - 1) + [copy]
        posts[hash] = post
    }

    /// Returns the hubs that have acknowledged an envelope.
    func copies(of hash: [UInt8]) -> [HubCopy] { posts[hash]?.copies ?? [] }
}
