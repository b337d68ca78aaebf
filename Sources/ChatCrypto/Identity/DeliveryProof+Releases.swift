/// The bodies of envelopes that publish delivery proofs.
///
/// Shape: 1, 4, 16 or 64 delivery proofs of one recipient; unused places are random bytes. Source: PROTOCOL §2.
extension DeliveryProof {
    /// The numbers of places.
    private static let counts = [1, 4, 16, 64]

    /// Makes the bodies that publish these delivery proofs.
    public static func releases(of proofs: [DeliveryProof]) -> [[UInt8]] {
        let most = counts[counts.count - 1]
        return stride(from: 0, to: proofs.count, by: most).map { start in
            let part = proofs[start...].prefix(most)
            let count = counts.first { $0 >= part.count } ?? most
            return part.flatMap(\.bytes) + randomBytes((count - part.count) * DeliveryProofHash.byteCount)
        }
    }

    /// Reads the delivery proofs in a body; none if it has another length.
    public static func all(in body: [UInt8]) -> [DeliveryProof] {
        let (count, rest) = body.count.quotientAndRemainder(dividingBy: DeliveryProofHash.byteCount)
        guard rest == 0, counts.contains(count) else { return [] }
        return (0..<count).compactMap { index in
            DeliveryProof(bytes: body[index * DeliveryProofHash.byteCount..<(index + 1) * DeliveryProofHash.byteCount])
        }
    }
}
