import ChatCrypto
import MeshCore

/// The operations of a group that this node is known to lack, and the requests for them.
struct MissingOperations: Sendable {
    /// The highest epoch known to be missing.
    private(set) var epoch: UInt32 = 0
    /// A member that is known to have them.
    private(set) var source: PeerID?
    /// The time of the next request.
    private(set) var askAt = MeshInstant.distantFuture
    /// Whether a welcome is requested, because operations alone do not help.
    private(set) var needsPath = false
    private var pause = ChatLimits.groupAskPause
    /// The number of requests since the operations were first missed.
    private(set) var askCount = 0

    /// Notes that operations up to an epoch are missing; operations in transit may still arrive by themselves.
    mutating func want(_ epoch: UInt32, from source: PeerID, at instant: MeshInstant) {
        guard epoch > self.epoch else { return }
        self.epoch = epoch
        self.source = source
        guard askAt == .distantFuture else { return }
        askAt = instant
        pause = ChatLimits.groupAskPause
        askCount = 0
    }

    /// Notes that this member cannot follow an operation and needs a welcome by the owner.
    mutating func wantPath(_ epoch: UInt32, from owner: PeerID?, at instant: MeshInstant) {
        needsPath = true
        guard let owner else { return }
        want(epoch, from: owner, at: instant)
    }

    /// Notes a request.
    mutating func noteAsked(at now: MeshInstant) {
        askCount += 1
        askAt = now.advanced(by: pause)
        pause = min(pause * 2, ChatLimits.longestGroupAskPause)
    }

    /// Notes that nothing is missing any more.
    mutating func haveAll() {
        epoch = 0
        source = nil
        needsPath = false
        askAt = .distantFuture
    }
}
