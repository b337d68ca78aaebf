import Bytes
import ChatCrypto
import MeshCore

/// The envelopes that were written for mailboxes, so that each is written once a day, and released in all of them.
///
/// Invariant: `order` names each of `posts` once.
struct FarPosts: Sendable {
    private struct Post {
        var day: UInt32?
        var tags: [MailboxTag]
    }

    private var posts: [EnvelopeID: Post] = [:]
    private var order = Fifo<EnvelopeID>()

    /// The most mailboxes of one envelope that are remembered: those of the days for which it may wait.
    private static let tagCount = 16

    /// Returns whether an envelope was written on a day.
    func isWritten(_ envelope: EnvelopeID, on day: UInt32?) -> Bool { posts[envelope].map { $0.day == day } ?? false }

    /// Returns the mailboxes for which an envelope was written, the last ones first.
    func mailboxes(of envelope: EnvelopeID) -> [MailboxTag] { posts[envelope]?.tags ?? [] }

    /// Notes the mailboxes for which an envelope was written on a day.
    ///
    /// Beyond ``FarLimits/writtenCount`` the oldest is forgotten; writing it again changes nothing on the same day.
    mutating func note(_ envelope: EnvelopeID, in tags: [MailboxTag], on day: UInt32?) {
        if let known = posts[envelope] {
            let earlier = known.tags.filter { !tags.contains($0) }
            posts[envelope] = Post(day: day, tags: Array((tags + earlier).prefix(Self.tagCount)))
            return
        }
        posts[envelope] = Post(day: day, tags: tags)
        order.append(envelope)
        guard order.count > FarLimits.writtenCount, let oldest = order.first else { return }
        order.removeFirst()
        posts[oldest] = nil
    }
}
