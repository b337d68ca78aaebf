import Bytes

/// The part of an operation that brings fresh secrets: a hash of the new root secret, and the secrets of nodes, each
/// sealed for the members under one child.
///
/// Shape: salt (16) ‖ check (32) ‖ wraps (48 each). Source: PROTOCOL §16.
struct TreePart: Hashable, Sendable {
    /// The salt of the wraps' keys, so that none of them is used twice, not even by an owner restored from a backup.
    let salt: [UInt8]
    /// The hash of the secret of the root.
    let check: [UInt8]
    /// The wraps, one after the other.
    let wraps: [UInt8]

    static let checkByteCount = SHA256.byteCount
    static let fixedByteCount = NodeSecret.saltByteCount + checkByteCount

    var wrapCount: Int { wraps.count / NodeSecret.wrapByteCount }

    var encoded: [UInt8] { salt + check + wraps }

    init(salt: [UInt8], check: [UInt8], wraps: [UInt8]) {
        self.salt = salt
        self.check = check
        self.wraps = wraps
    }

    /// Reads a part that fills its bytes.
    init?(decoding bytes: ArraySlice<UInt8>) {
        var reader = ByteReader(bytes)
        guard let salt = reader.bytes(NodeSecret.saltByteCount), let check = reader.bytes(Self.checkByteCount),
            reader.remainingCount.isMultiple(of: NodeSecret.wrapByteCount)
        else { return nil }
        self.init(salt: salt, check: check, wraps: Array(reader.takeRest()))
    }

    /// The wrap with a number, which must be less than the count.
    func wrap(_ number: Int) -> ArraySlice<UInt8> {
        wraps[number * NodeSecret.wrapByteCount..<(number + 1) * NodeSecret.wrapByteCount]
    }
}
