import Bytes

/// One change in an operation of a group.
///
/// Source: PROTOCOL §16.
public enum GroupEdit: Hashable, Sendable {
    /// Adds a member in an empty slot.
    case add(UInt16, GroupMember)
    /// Removes the member of a slot.
    case remove(UInt16)
    /// Changes the title of the group.
    case rename(GroupTitle)
    /// Makes the member of a slot the owner; it signs with this key from the next operation on.
    case handover(UInt16, signingKey: [UInt8])
    /// Changes the policy of the group.
    case policy(GroupPolicy)
    /// Gives the members of a block of 2^height slots fresh secrets.
    case renew(first: UInt16, height: UInt8)
    /// Removes a member that has announced its departure; otherwise it works like ``remove(_:)``.
    case removeLeaver(UInt16)
    /// Makes the successor the owner; the successor signs the operation.
    case takeover

    /// The slot whose member the edit removes; nil if it removes none.
    public var emptied: UInt16? {
        switch self {
        case .remove(let slot), .removeLeaver(let slot): slot
        default: nil
        }
    }

    /// Whether the operation of the edit brings fresh secrets.
    var changesSecrets: Bool {
        switch self {
        case .remove, .removeLeaver, .renew: true
        case .add, .rename, .handover, .policy, .takeover: false
        }
    }

    /// Whether the edit has to be the only one of its operation.
    ///
    /// New members verify such operations long afterwards, and so these stay short and bring no secrets.
    var standsAlone: Bool {
        switch self {
        case .handover, .takeover: true
        case .policy(let policy): policy.successor != nil
        case .add, .remove, .removeLeaver, .rename, .renew: false
        }
    }

    /// The slots of a renewed block.
    static func block(first: UInt16, height: UInt8) -> Range<Int> { Int(first)..<Int(first) + 1 << Int(height) }

    var encoded: [UInt8] {
        switch self {
        case .add(let slot, let member): [1] + slot.bigEndianBytes + member.encoded
        case .remove(let slot): [2] + slot.bigEndianBytes
        case .rename(let title): [3, UInt8(title.bytes.count)] + title.bytes
        case .handover(let slot, let key): [4] + slot.bigEndianBytes + key
        case .policy(let policy): [5] + policy.encoded
        case .renew(let first, let height): [6] + first.bigEndianBytes + [height]
        case .removeLeaver(let slot): [7] + slot.bigEndianBytes
        case .takeover: [8]
        }
    }

    init?(decoding reader: inout ByteReader) {
        guard let kind = reader.byte(), let edit = Self.read(kind, &reader) else { return nil }
        self = edit
    }

    private static func read(_ kind: UInt8, _ reader: inout ByteReader) -> GroupEdit? {
        switch kind {
        case 1:
            guard let slot = slot(&reader) else { return nil }
            return GroupMember(decoding: &reader).map { .add(slot, $0) }
        case 2: return slot(&reader).map { .remove($0) }
        case 3: return reader.shortField().flatMap { GroupTitle(decoding: $0) }.map { .rename($0) }
        case 4:
            guard let slot = slot(&reader), let key = reader.bytes(32) else { return nil }
            return .handover(slot, signingKey: key)
        case 5: return GroupPolicy(decoding: &reader).map { .policy($0) }
        case 6:
            guard let first = slot(&reader), let height = reader.byte(), height <= GroupLimits.maximumBlockHeight,
                Int(first).isMultiple(of: 1 << Int(height))
            else { return nil }
            return .renew(first: first, height: height)
        case 7: return slot(&reader).map { .removeLeaver($0) }
        case 8: return .takeover
        default: return nil
        }
    }

    private static func slot(_ reader: inout ByteReader) -> UInt16? {
        reader.integer(UInt16.self).flatMap { $0 < GroupLimits.maximumMembers ? $0 : nil }
    }
}
