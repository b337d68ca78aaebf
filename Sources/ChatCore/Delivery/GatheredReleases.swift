import ChatCrypto
import MeshCore

/// The releases of receipts that members of large groups have carried to this node.
///
/// A post releases many of them at once, where an envelope for each would take a way as long as that of its receipt.
/// Source: PROTOCOL §10 carrying.
struct GatheredReleases: Sendable {
    private var proofs: [GroupID: [DeliveryProof]] = [:]
    private var dues = Deadlines<GroupID>()

    /// The time at which the next ones are to be posted.
    var nextDeadline: MeshInstant { dues.first ?? .distantFuture }

    /// Adds the release of a receipt for a group; the first waits for others for ``ChatLimits/gatheringDelay``, and
    /// ``ChatLimits/gatheredReleaseCount`` of them wait no longer.
    mutating func insert(_ proof: DeliveryProof, of group: GroupID, at now: MeshInstant) {
        guard proofs[group]?.contains(proof) != true else { return }
        if proofs[group] == nil { dues[group] = now.advanced(by: ChatLimits.gatheringDelay) }
        proofs[group, default: []].append(proof)
        if proofs[group]?.count == ChatLimits.gatheredReleaseCount { dues[group] = now }
    }

    /// Takes the releases that are to be posted, those of each group together.
    mutating func take(until now: MeshInstant) -> [[DeliveryProof]] {
        let groups = dues.keys(until: now)
        for group in groups { dues[group] = nil }
        return groups.compactMap { proofs.removeValue(forKey: $0) }
    }
}
