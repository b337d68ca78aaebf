import Bytes
import MeshCore

/// The rate at which prekey messages are opened, and the memory of those that were tried.
///
/// Opening one costs a decapsulation, and its maker nothing. Beyond the rate, a message stays unopened in the store of
/// the mesh and is tried again after a pause. Each is tried once, whether it opened or not, so that no number of stored
/// forgeries costs more than one try each, or keeps genuine ones waiting for longer. The memory holds two generations,
/// each as large as the store of the mesh; a message may be tried again after one or two hours. One that opened and was
/// of no use yet is tried again as soon as that may have changed.
struct PrekeyMessageGate: Sendable {
    private var bucket = TokenBucket(rate: ChatLimits.decapsulationRate, burst: ChatLimits.decapsulationBurst)
    /// The envelopes that were tried since `rotatedAt`.
    private var tried: Set<EnvelopeID> = []
    /// The envelopes of the generation before.
    private var triedBefore: Set<EnvelopeID> = []
    private var rotatedAt = MeshInstant.zero
    /// The envelopes that opened too early to be of use, in the order in which they came.
    private var aside: [EnvelopeID] = []
    /// The time at which the messages that had to wait are tried again.
    private(set) var nextDeadline = MeshInstant.distantFuture

    /// Whether an envelope was tried.
    func hasTried(_ envelope: EnvelopeID) -> Bool { tried.contains(envelope) || triedBefore.contains(envelope) }

    /// Whether the costly part of opening a message may begin now.
    mutating func mayDecapsulate(at now: MeshInstant) -> Bool { bucket.take(at: now.nanoseconds) }

    /// Notes that an envelope was tried.
    mutating func note(_ envelope: EnvelopeID, at now: MeshInstant) {
        let isOld = rotatedAt.duration(to: now) >= ChatLimits.triedPrekeyMessageLife
        if isOld || tried.count >= ChatLimits.triedPrekeyMessageCount {
            (triedBefore, tried, rotatedAt) = (tried, [], now)
        }
        tried.insert(envelope)
    }

    /// Forgets an envelope that came too early: it opens when it comes again.
    ///
    /// - Parameter envelope: The envelope; nil for one that no memory keeps.
    mutating func forget(_ envelope: EnvelopeID?) {
        guard let envelope else { return }
        tried.remove(envelope)
        triedBefore.remove(envelope)
    }

    /// Notes that an envelope opened and may be welcome later, for example once the user accepts its sender.
    ///
    /// - Parameter envelope: The envelope; nil for one that no memory keeps.
    mutating func setAside(_ envelope: EnvelopeID?) {
        guard let envelope else { return }
        if aside.count >= ChatLimits.asidePrekeyMessageCount { aside.removeFirst() }
        aside.append(envelope)
    }

    /// Lets the envelopes that were set aside be tried again; whether there are any.
    mutating func readmit() -> Bool {
        defer { aside = [] }
        for envelope in aside { forget(envelope) }
        return !aside.isEmpty
    }

    /// Schedules another try of the messages that had to wait.
    mutating func postpone(at now: MeshInstant) {
        nextDeadline = min(nextDeadline, now.advanced(by: ChatLimits.decapsulationPause))
    }

    /// Whether the messages that had to wait are due; if so, the next pause begins with the next of them.
    mutating func takeDue(at now: MeshInstant) -> Bool {
        guard nextDeadline <= now else { return false }
        nextDeadline = .distantFuture
        return true
    }
}
