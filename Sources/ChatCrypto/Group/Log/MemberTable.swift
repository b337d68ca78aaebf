import Bytes

/// The members of a group in their slots, as a Merkle tree, so that one hash names all of them.
///
/// A change of one slot computes one hash per level. Invariant: hashes, counts and the index of slots follow from the
/// entries. Shape of the hashes: leaf = H("earshot/v1/gtab", 0 ‖ slot (2) ‖ member ‖ epoch (4)), an empty slot 32
/// zeros; inner = H("earshot/v1/gtab", 1 ‖ left ‖ right). Source: PROTOCOL §16.
public struct MemberTable: Sendable {
    /// A member in its slot.
    public struct Entry: Hashable, Sendable {
        /// The member.
        public let member: GroupMember
        /// The epoch that began with the addition of the member.
        public let epoch: UInt32
    }

    /// The levels of the tree above the slots; the table has 2^depth slots.
    public private(set) var depth: Int
    /// The number of members.
    public var count: Int { slots.count }

    private var entries: [Entry?]
    /// The hashes of all nodes, by level; 32 bytes each.
    private var hashes: [[UInt8]]
    /// The numbers of members under all nodes, by level.
    private var counts: [[UInt16]]
    private var slots: [PeerID: UInt16] = [:]

    private static let label = Label.groupTable
    private static let hashByteCount = SHA256.byteCount
    private static let emptySlot = [UInt8](repeating: 0, count: hashByteCount)

    /// Makes a table with one slot, which is empty.
    init() {
        depth = 0
        entries = [nil]
        hashes = [Self.emptySlot]
        counts = [[0]]
    }

    /// Makes a table of entries; nil if a slot is outside the tree, is named twice, or a member is.
    init?(depth: Int, entries: [(slot: UInt16, entry: Entry)]) {
        guard (0...GroupLimits.maximumDepth).contains(depth), entries.count <= 1 << depth else { return nil }
        self.depth = depth
        self.entries = Array(repeating: nil, count: 1 << depth)
        hashes = []
        var empty = Self.emptySlot
        for level in 0...depth {
            hashes.append(Array(repeatElement(empty, count: 1 << (depth - level)).joined()))
            empty = Self.hash(inner: empty[...], empty[...])
        }
        counts = (0...depth).map { [UInt16](repeating: 0, count: 1 << (depth - $0)) }
        slots.reserveCapacity(entries.count)
        for (slot, entry) in entries {
            guard Int(slot) < 1 << depth, self.entries[Int(slot)] == nil,
                slots.updateValue(slot, forKey: entry.member.identity.id) == nil
            else { return nil }
            self.entries[Int(slot)] = entry
            counts[0][Int(slot)] = 1
            put(Self.hash(entry, in: slot), TreeNode(slot: slot))
        }
        guard depth > 0 else { return }
        for level in 1...depth {
            // Bytes of an unknown peer cost as many hashes as they name members.
            for index in 0..<(1 << (depth - level)) where isUsed(level, index) {
                rehash(TreeNode(level: level, index: index))
            }
        }
    }

    private func isUsed(_ level: Int, _ index: Int) -> Bool {
        counts[level - 1][2 * index] > 0 || counts[level - 1][2 * index + 1] > 0
    }

    // MARK: - Reading

    /// The entry of a slot; nil for an empty slot, and for one outside the tree.
    public subscript(slot: UInt16) -> Entry? {
        Int(slot) < entries.count ? entries[Int(slot)] : nil
    }

    /// The slot of a member; nil if there is no such member.
    public func slot(of peer: PeerID) -> UInt16? { slots[peer] }

    /// The members with their slots, in the order of the slots.
    public var members: [(slot: UInt16, entry: Entry)] {
        entries.indices.compactMap { index in entries[index].map { (UInt16(index), $0) } }
    }

    /// The hash that names the whole table.
    ///
    /// Shape: 32 bytes.
    var root: [UInt8] { hashes[depth] }

    /// Whether a member's slot lies under the node.
    func hasMember(under node: TreeNode) -> Bool {
        Int(node.level) <= depth && Int(node.index) < counts[Int(node.level)].count
            && counts[Int(node.level)][Int(node.index)] > 0
    }

    /// Lists the members' slots in a range.
    func slots(in range: Range<Int>) -> [UInt16] {
        range.clamped(to: 0..<entries.count).compactMap { entries[$0] == nil ? nil : UInt16($0) }
    }

    /// The first empty slot for which `isAllowed` holds; nil if there is none in a tree of the depth.
    func emptySlot(where isAllowed: (UInt16) -> Bool) -> UInt16? {
        guard count < entries.count else { return nil }
        return entries.indices.first { entries[$0] == nil && isAllowed(UInt16($0)) }.map { UInt16($0) }
    }

    // MARK: - Changing

    /// Puts a member into an empty slot, or empties one; the slot must be inside the tree.
    mutating func set(_ entry: Entry?, in slot: UInt16) {
        if let old = entries[Int(slot)] { slots[old.member.identity.id] = nil }
        if let entry { slots[entry.member.identity.id] = slot }
        entries[Int(slot)] = entry
        counts[0][Int(slot)] = entry == nil ? 0 : 1
        var node = TreeNode(slot: slot)
        put(entry.map { Self.hash($0, in: slot) } ?? Self.emptySlot, node)
        while node.level < depth {
            node = node.parent
            rehash(node)
        }
    }

    /// Adds a level; the slots of the right half are empty.
    mutating func grow() {
        var empty = Self.emptySlot
        for level in 0...depth {
            let count = counts[level].count
            counts[level] += repeatElement(0, count: count)
            hashes[level].reserveCapacity(2 * hashes[level].count)
            for _ in 0..<count { hashes[level] += empty }
            empty = Self.hash(inner: empty[...], empty[...])
        }
        entries += repeatElement(nil, count: entries.count)
        depth += 1
        counts.append([0])
        hashes.append(Self.emptySlot)
        rehash(TreeNode(level: depth, index: 0))
    }

    private func range(_ index: Int) -> Range<Int> {
        index * Self.hashByteCount..<(index + 1) * Self.hashByteCount
    }

    private mutating func put(_ hash: [UInt8], _ node: TreeNode) {
        hashes[Int(node.level)].replaceSubrange(range(Int(node.index)), with: hash)
    }

    /// Computes hash and count of an inner node from those of its children.
    private mutating func rehash(_ node: TreeNode) {
        let (below, left) = (Int(node.level) - 1, 2 * Int(node.index))
        counts[below + 1][Int(node.index)] = counts[below][left] + counts[below][left + 1]
        put(Self.hash(inner: hashes[below][range(left)], hashes[below][range(left + 1)]), node)
    }

    // MARK: - Hashes

    /// Computes the hash that names the settings of a group together with its table.
    static func stateRoot(of table: MemberTable, _ settings: [UInt8]) -> [UInt8] {
        SHA256.hash(label: label, [2] + table.root + settings)
    }

    private static func hash(_ entry: Entry, in slot: UInt16) -> [UInt8] {
        let place: [UInt8] = [0] + slot.bigEndianBytes + entry.member.identity.encoded
        let name = entry.member.nickname?.bytes ?? []
        return SHA256.hash(label: label, place + entry.epoch.bigEndianBytes, [UInt8(name.count)] + name)
    }

    private static func hash(inner left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> [UInt8] {
        var state = SHA256.State()
        state.update(innerPrefix)
        state.update(left)
        state.update(right)
        return state.finish()
    }

    private static let innerPrefix = label.bytes + [1]
}

extension MemberTable.Entry {
    /// Encodes the entry behind its slot.
    ///
    /// Shape: slot (2) ‖ signing key (32) ‖ agreement key (32) ‖ epoch (4) ‖ nickname length (1) ‖ nickname.
    func encoded(in slot: UInt16) -> [UInt8] {
        let name = member.nickname?.bytes ?? []
        return slot.bigEndianBytes + member.identity.encoded + epoch.bigEndianBytes + [UInt8(name.count)] + name
    }

    /// Reads the output of `encoded(in:)`.
    static func read(_ reader: inout ByteReader) -> (slot: UInt16, entry: MemberTable.Entry)? {
        guard let slot = reader.integer(UInt16.self),
            let identity = reader.bytes(PublicIdentity.byteCount).flatMap({ PublicIdentity(decoding: $0) }),
            let epoch = reader.integer(UInt32.self), epoch > 0, let name = reader.shortField()
        else { return nil }
        let nickname = name.isEmpty ? nil : try? Nickname(decoding: name)
        guard name.isEmpty || nickname != nil else { return nil }
        return (slot, MemberTable.Entry(member: GroupMember(identity: identity, nickname: nickname), epoch: epoch))
    }
}
