/// The rules for the kinds of envelope.
///
/// The program that uses the mesh supplies them.
///
/// All nodes of a mesh need the same policy: a node drops an envelope of a kind without a rule as malformed.
public struct KindPolicy: Hashable, Sendable {
    private let rules: [KindRule?]

    /// Creates a policy from the rules for the program's kinds.
    ///
    /// The mesh has its own rule for path probes.
    public init(_ rules: [EnvelopeKind: KindRule]) {
        precondition(rules[.probe] == nil, "searches for paths are the mesh's own")
        let all = rules.merging([.probe: .probe]) { own, _ in own }
        self.rules = (0..<UInt8(EnvelopeKind.count)).map { number in
            EnvelopeKind(rawValue: number).flatMap { all[$0] }
        }
    }

    /// The kinds that have a rule, in order.
    package var kinds: [EnvelopeKind] {
        (0..<UInt8(EnvelopeKind.count)).compactMap { EnvelopeKind(rawValue: $0) }.filter { self[$0] != nil }
    }

    /// Returns the rule of a kind; nil if it has none.
    package subscript(kind: EnvelopeKind) -> KindRule? { rules[Int(kind.rawValue)] }

    /// Returns the rule for an envelope; nil if its kind has none, or if the rule does not allow the size of its
    /// body.
    func rule(for envelope: Envelope) -> KindRule? {
        let byteCount = envelope.body.count
        guard let rule = self[envelope.kind], rule.sizes.contains(byteCount) else { return nil }
        let isWellFormed =
            switch rule.deliveryProof {
            case .expected: byteCount > rule.proofOffset + StoragePolicy.releaseByteCount
            case .given:
                byteCount.isMultiple(of: StoragePolicy.releaseByteCount)
                    && StoragePolicy.releaseCounts.contains(byteCount / StoragePolicy.releaseByteCount)
            case .none: true
            }
        return isWellFormed ? rule : nil
    }
}
