import Foundation
import MeshCore

/// Random mail, which a hub cannot tell from a short text of this node.
///
/// Its moments are those of a Poisson process: after each of them the next one is as likely as ever. So no publication
/// shows by its time that it is a text.
struct CoverMail: Sendable {
    /// The time of the next one; nil if there is none.
    private(set) var due: MeshInstant?

    init(isOn: Bool) { due = isOn ? .zero : nil }

    /// Returns an envelope if one is due.
    mutating func next(now: MeshInstant, using random: inout MeshRandom) -> Envelope? {
        guard let due, due <= now else { return nil }
        let share = Double.random(in: Double.leastNonzeroMagnitude..<1, using: &random)
        self.due = now.advanced(by: min(GatewayLimits.coverTime * -log(share), GatewayLimits.longestCoverTime))
        // The first one would show the start.
        guard due > .zero else { return nil }
        let body = random.bytes(count: GatewayLimits.coverByteCount)
        return Envelope(kind: .far, life: GatewayLimits.coverLife, body: body)
    }
}
