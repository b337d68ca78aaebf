/// The rules for the kinds of envelope, which the program that uses the mesh supplies.
///
/// All nodes of a mesh need the same policy: a node drops an envelope of a kind without a rule as malformed.
public struct KindPolicy: Hashable, Sendable {
    private let rules: [KindRule?]

    /// Makes a policy of the rules for the program's kinds; the mesh has its own for searches for paths.
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

    /// The rule of a kind; nil if it has none.
    package subscript(kind: EnvelopeKind) -> KindRule? { rules[Int(kind.rawValue)] }

    /// The rule for an envelope; nil if its kind has none, or its body is of a length that the rule does not allow.
    func rule(for envelope: Envelope) -> KindRule? {
        guard let rule = self[envelope.kind] else { return nil }
        let byteCount = envelope.body.count
        let isWellFormed =
            switch rule.deliveryProof {
            case .expected: byteCount > StoragePolicy.releaseByteCount
            case .given: byteCount == StoragePolicy.releaseByteCount
            case .none: envelope.kind != .probe || StoragePolicy.probeByteCounts.contains(byteCount)
            }
        return isWellFormed ? rule : nil
    }
}
