/// The padding of a record and its binding to its position, before it is sealed.
///
/// Source: PROTOCOL §11.
enum RecordSeal {
    static let label = "earshot/v1/rec"

    /// Encodes the position of a record.
    ///
    /// Shape: label length 1, label, store 16, table 1, row 16, conversation 16, sequence 8, version 4; integers
    /// big-endian.
    static func associatedData(
        databaseID: [UInt8],
        key: RowKey,
        conversation: RowID,
        sequence: UInt64,
        version: UInt32
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(76)
        bytes.append(UInt8(label.utf8.count))
        bytes.append(contentsOf: label.utf8)
        bytes.append(contentsOf: databaseID)
        bytes.append(key.table.rawValue)
        bytes.append(key.id)
        bytes.append(conversation)
        bytes.append(bigEndian: sequence)
        bytes.append(bigEndian: version)
        return bytes
    }

    /// Adds 0x80 and zeros up to a multiple of `HistoryLimits.paddingByteCount`, so that lengths reveal little.
    static func pad(_ plaintext: [UInt8]) -> [UInt8] {
        let unit = HistoryLimits.paddingByteCount
        let count = (plaintext.count / unit + 1) * unit
        var padded: [UInt8] = []
        padded.reserveCapacity(count)
        padded += plaintext
        padded.append(0x80)
        padded += repeatElement(0, count: count - padded.count)
        return padded
    }

    /// Removes the padding; returns nil if it is not exactly the padding that `pad` adds.
    static func unpad(_ padded: [UInt8]) -> [UInt8]? {
        let unit = HistoryLimits.paddingByteCount
        guard padded.count.isMultiple(of: unit), let end = padded.lastIndex(where: { $0 != 0 }) else { return nil }
        guard padded[end] == 0x80, padded.count - end <= unit else { return nil }
        return Array(padded[..<end])
    }
}
