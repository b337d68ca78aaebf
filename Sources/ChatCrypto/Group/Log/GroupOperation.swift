import Bytes

/// A signed operation of a group: up to 64 edits that begin an epoch, and the hash of the group after them.
///
/// Invariant: the form of the fields was checked. `MembershipLog` checks whether the owner signed the operation and whether
/// it fits. Shape: version 1 (1) ‖ group (16) ‖ epoch (4) ‖ hash of the operation before (32) ‖ edit count (1) ‖ edits ‖
/// hash of members and settings (32) ‖ depth (1) ‖ tree part, if an edit changes secrets ‖ signature (64). Source:
/// PROTOCOL §16.
public struct GroupOperation: Hashable, Sendable {
    /// The encoded operation with its signature.
    public let bytes: [UInt8]
    /// The ID of the group that the operation changes.
    public let groupID: GroupID
    /// The number of the operation, counted from 1, which is also the epoch that it begins; less than `UInt32.max`.
    public let epoch: UInt32
    /// The changes that the owner makes.
    public let edits: [GroupEdit]
    /// The hash that stands for this operation and all before it.
    ///
    /// The hash does not cover the signature: an operation that is signed twice stays the same operation. Shape: 32
    /// bytes.
    public let hash: [UInt8]
    let previousHash: [UInt8]
    /// The hash of the members and the settings after the operation.
    let stateRoot: [UInt8]
    let depth: Int
    /// The fresh secrets; nil if no edit changes secrets.
    let tree: TreePart?

    static let label = Label.groupOperation
    static let historyLabel = Label.groupHistory
    static let firstPreviousHash = [UInt8](repeating: 0, count: 32)
    /// The epochs that operations begin; no number follows the largest one.
    static let epochs: Range<UInt32> = 1..<(.max)
    private static let signatureByteCount = Ed25519.signatureByteCount
    private static let version: UInt8 = 1
    /// Units: bytes of an operation without edits and sealed secrets.
    static let fixedByteCount = 1 + GroupID.byteCount + 4 + 32 + 1 + 32 + 1 + Ed25519.signatureByteCount

    /// Reads an operation from any peer and checks its form.
    ///
    /// - Throws: `unknownVersion`, `malformed`.
    public init(decoding bytes: [UInt8]) throws(CryptoError) {
        guard bytes.count <= GroupLimits.maximumOperationByteCount else { throw Self.malformed }
        var reader = ByteReader(bytes.dropLast(Self.signatureByteCount))
        guard let version = reader.integer(UInt8.self) else { throw Self.malformed }
        guard version == Self.version else {
            throw CryptoError(.unknownVersion, "The version of the operation is unknown.")
        }
        guard let group = reader.bytes(GroupID.byteCount).flatMap({ GroupID(bytes: $0) }),
            let epoch = reader.integer(UInt32.self), Self.epochs ~= epoch, let previousHash = reader.bytes(32),
            let edits = Self.edits(&reader), let stateRoot = reader.bytes(32), let depth = reader.byte(),
            depth <= GroupLimits.maximumDepth
        else { throw Self.malformed }
        let rest = reader.takeRest()
        let tree = edits.contains(where: \.changesSecrets) ? TreePart(decoding: rest) : nil
        guard tree != nil || rest.isEmpty && !edits.contains(where: \.changesSecrets) else { throw Self.malformed }
        self.init(
            bytes: bytes,
            place: (group, epoch, previousHash),
            edits: edits,
            result: (stateRoot, Int(depth)),
            tree: tree
        )
    }

    /// Makes and signs an operation.
    init(
        _ edits: [GroupEdit],
        of group: GroupID,
        epoch: UInt32,
        after previousHash: [UInt8],
        result: (stateRoot: [UInt8], depth: Int),
        tree: TreePart?,
        by owner: GroupOwnerKey
    ) {
        var fields = [Self.version] + group.bytes + epoch.bigEndianBytes + previousHash
        fields += [UInt8(edits.count)] + edits.flatMap(\.encoded)
        fields += result.stateRoot + [UInt8(result.depth)] + (tree?.encoded ?? [])
        self.init(
            bytes: fields + owner.signing.sign(Self.label, fields),
            place: (group, epoch, previousHash),
            edits: edits,
            result: result,
            tree: tree
        )
    }

    private init(
        bytes: [UInt8],
        place: (group: GroupID, epoch: UInt32, previousHash: [UInt8]),
        edits: [GroupEdit],
        result: (stateRoot: [UInt8], depth: Int),
        tree: TreePart?
    ) {
        self.bytes = bytes
        (groupID, epoch, previousHash) = place
        self.edits = edits
        (stateRoot, depth) = result
        self.tree = tree
        hash = SHA256.hash(label: Self.historyLabel, Array(bytes.dropLast(Self.signatureByteCount)))
    }

    /// Whether the successor, not the owner, signs the operation.
    var isTakeover: Bool { edits == [.takeover] }

    /// Whether the holder of the given key signed the operation.
    func isSigned(by key: [UInt8]) -> Bool {
        let fields = Array(bytes.dropLast(Self.signatureByteCount))
        return Ed25519.verify(Array(bytes.suffix(Self.signatureByteCount)), Self.label, fields, key: key)
    }

    /// Reads edits, of which at most 64 are there, and one that stands alone is the only one.
    private static func edits(_ reader: inout ByteReader) -> [GroupEdit]? {
        guard let count = reader.byte(), count <= GroupLimits.maximumEdits else { return nil }
        var edits: [GroupEdit] = []
        for _ in 0..<count {
            guard let edit = GroupEdit(decoding: &reader) else { return nil }
            edits.append(edit)
        }
        guard edits.count < 2 || !edits.contains(where: \.standsAlone) else { return nil }
        return edits
    }

    private static let malformed = CryptoError(.malformed, "The bytes are not an operation of a group.")
}
