import Bytes

/// A message between the two ends of a transfer, over a path.
///
/// Shape: type (1) ‖ transfer (4, chosen by the fetching node) ‖ fields, big-endian. Source: PROTOCOL §5.4.
package enum BlobMessage: Equatable, Sendable {
    /// Requests parts of the blob with this root: root (32) ‖ per range: first part (4) ‖ count (2).
    case get(transfer: UInt32, root: [UInt8], [Range<UInt32>])
    /// Carries a piece of a part: part (4) ‖ piece (1) ‖ bytes.
    case fragment(transfer: UInt32, part: UInt32, fragment: UInt8, ArraySlice<UInt8>)
    /// Reports that the node has no blob with this root.
    case absent(transfer: UInt32)
    /// Ends this transfer: nothing more is wanted.
    case cancel(transfer: UInt32)

    /// The most bytes of a part in one message; the largest part needs two.
    ///
    /// Units: bytes.
    static let fragmentByteCount = 16_392
    /// The most ranges in one message.
    static let rangeLimit = 32
    /// The most parts that one message may request.
    static let partLimit = 256

    private enum Kind: UInt8 {
        case get = 1
        case fragment = 2
        case absent = 3
        case cancel = 4
    }

    /// Reads a message; nil if it is malformed or requests more than one message may.
    package init?(decoding bytes: [UInt8]) {
        self.init(decoding: bytes[...])
    }

    /// Reads a message; nil if it is malformed or requests more than one message may.
    package init?(decoding bytes: ArraySlice<UInt8>) {
        var reader = ByteReader(bytes)
        guard let kind = reader.integer(UInt8.self).flatMap(Kind.init), let transfer = reader.integer(UInt32.self)
        else {
            return nil
        }
        switch kind {
        case .get:
            guard let root = reader.take(BlobReference.hashByteCount), let ranges = Self.ranges(&reader) else {
                return nil
            }
            self = .get(transfer: transfer, root: Array(root), ranges)
        case .fragment:
            guard let part = reader.integer(UInt32.self), let fragment = reader.integer(UInt8.self),
                (1...Self.fragmentByteCount).contains(reader.remainingCount)
            else { return nil }
            self = .fragment(transfer: transfer, part: part, fragment: fragment, reader.takeRest())
        case .absent: self = .absent(transfer: transfer)
        case .cancel: self = .cancel(transfer: transfer)
        }
        guard reader.isAtEnd else { return nil }
    }

    private static func ranges(_ reader: inout ByteReader) -> [Range<UInt32>]? {
        var ranges: [Range<UInt32>] = []
        var partCount = 0
        while !reader.isAtEnd {
            guard let first = reader.integer(UInt32.self), let count = reader.integer(UInt16.self), count > 0,
                first <= .max - UInt32(count)
            else { return nil }
            ranges.append(first..<(first + UInt32(count)))
            partCount += Int(count)
            guard ranges.count <= rangeLimit, partCount <= partLimit else { return nil }
        }
        return ranges.isEmpty ? nil : ranges
    }

    /// Computes the range of a piece in a part of this length; empty if the part has no such piece.
    package static func range(ofFragment fragment: UInt8, in byteCount: Int) -> Range<Int> {
        let start = min(Int(fragment) * fragmentByteCount, byteCount)
        return start..<min(start + fragmentByteCount, byteCount)
    }

    /// Whether the message can wait, because it is part of a blob.
    package var isBulk: Bool {
        if case .fragment = self { true } else { false }
    }

    /// Encodes the message for the path.
    package func encoded() -> [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .get(let transfer, let root, let ranges):
            writer.append(integer: Kind.get.rawValue)
            writer.append(integer: transfer)
            writer.append(root)
            for range in ranges {
                writer.append(integer: range.lowerBound)
                writer.append(integer: UInt16(range.count))
            }
        case .fragment(let transfer, let part, let fragment, let bytes):
            writer = ByteWriter(capacity: 10 + bytes.count)
            writer.append(integer: Kind.fragment.rawValue)
            writer.append(integer: transfer)
            writer.append(integer: part)
            writer.append(integer: fragment)
            writer.append(bytes)
        case .absent(let transfer):
            writer.append(integer: Kind.absent.rawValue)
            writer.append(integer: transfer)
        case .cancel(let transfer):
            writer.append(integer: Kind.cancel.rawValue)
            writer.append(integer: transfer)
        }
        return writer.bytes
    }
}
