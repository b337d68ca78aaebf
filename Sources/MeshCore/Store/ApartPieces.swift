/// The pieces of large objects that chosen nodes keep, instead of all.
///
/// While a segment is crowded, neighbours are not offered them. Source: PROTOCOL §5.5 holders.
struct ApartPieces: Sendable {
    /// The pieces of each object in the order of arrival, at most `pieceLimit`, by the first byte of the tags.
    private var objects: [UInt8: [ObjectTag: [UInt64]]] = [:]
    /// The size of those of others.
    ///
    /// Units: bytes for which they count.
    var charge = 0
    /// The depth of the shelf of those of others.
    var depth: UInt8 = 0
    /// Whether a segment of this node is crowded.
    var isCrowded = false

    /// The most pieces of one object that are found by its tag.
    static let pieceLimit = 256
    /// The most objects with the same first byte of the tag.
    static let tagLimit = 1_024
    /// The share of the store that those of others take: one part in this many.
    static let share = 4

    /// The objects, in order.
    var tags: [ObjectTag] { objects.values.flatMap(\.keys).sorted() }

    /// Returns the objects whose tags begin with a byte, in order.
    func tags(startingWith firstByte: UInt8) -> [ObjectTag] { objects[firstByte]?.keys.sorted() ?? [] }

    /// Returns the pieces of an object, in the order of arrival.
    func pieces(of tag: ObjectTag) -> [UInt64] { objects[tag.firstByte]?[tag] ?? [] }

    /// Returns whether a piece of an object has a place among those that its tag finds.
    func hasRoom(for tag: ObjectTag) -> Bool {
        guard let pieces = objects[tag.firstByte]?[tag] else {
            return objects[tag.firstByte].map { $0.count < Self.tagLimit } ?? true
        }
        return pieces.count < Self.pieceLimit
    }

    /// Adds a piece.
    mutating func add(_ shortID: UInt64, of tag: ObjectTag) {
        objects[tag.firstByte, default: [:]][tag, default: []].append(shortID)
    }

    /// Removes a piece.
    mutating func remove(_ shortID: UInt64, of tag: ObjectTag) {
        objects[tag.firstByte]?[tag]?.removeAll { $0 == shortID }
        if objects[tag.firstByte]?[tag]?.isEmpty == true { objects[tag.firstByte]?[tag] = nil }
        if objects[tag.firstByte]?.isEmpty == true { objects[tag.firstByte] = nil }
    }
}

extension EnvelopeStore {
    /// The places of the pieces that this node keeps apart for others.
    var apartShelf: Shelf { Shelf(of: shelfPlace, depth: max(shelf.depth, apart.depth)) }

    /// Returns whether this node keeps pieces of a place apart.
    func keepsApart(_ place: UInt16) -> Bool { apartShelf.covers(place) }

    /// Returns whether the first bits of this node's place are those of another.
    func isNear(_ place: UInt16, depth: UInt8) -> Bool { Shelf(of: shelfPlace, depth: depth).covers(place) }

    /// Returns the short ids of the pieces of an object that are apart, in the order of arrival.
    func pieces(of tag: ObjectTag) -> [UInt64] { apart.pieces(of: tag) }

    /// Returns the objects of which pieces are apart and whose places begin with a byte, in order.
    func tags(inPlacesOf firstByte: UInt8) -> [ObjectTag] { apart.tags(startingWith: firstByte) }

    /// Returns whether neighbours are not offered an envelope, because chosen nodes keep it.
    func isHidden(_ entry: StoredEnvelope) -> Bool { entry.isApart && apart.isCrowded }

    /// Sets whether a segment of this node is crowded, so that pieces that are apart are offered to nobody.
    mutating func setCrowded(_ isCrowded: Bool, now: MeshInstant) {
        guard apart.isCrowded != isCrowded else { return }
        apart.isCrowded = isCrowded
        for tag in apart.tags {
            for entry in apart.pieces(of: tag).compactMap({ entries[$0] }) {
                let isLasting = entry.deadline > now.advanced(by: Self.leastOfferedLife)
                setOffered(entry.id.shortID, isLasting && !isHidden(entry))
            }
        }
    }

    /// Gives up half of the places of others' pieces for as long as they take more than their part of the store.
    mutating func makeRoomForApart() {
        let limit = limits.byteCount / ApartPieces.share
        while apart.charge > limit, apart.depth < Shelf.maximumDepth {
            apart.depth += 1
            for tag in apart.tags where !apartShelf.covers(tag.place) {
                for shortID in apart.pieces(of: tag) where entries[shortID]?.origin != nil {
                    evict(shortID)
                    seen.note(uncoveredPlace: tag.place, of: shortID)
                }
            }
        }
        if apart.depth > 0, apart.charge < limit / 4 { apart.depth -= 1 }
    }
}
