/// The readable rows of a damaged database, whatever else is damaged: each page is read by itself.
///
/// `SalvagedHistory` decides whether a row is authentic and in its position.
package struct RowSalvage {
    /// The ids that the database may have; the first is the likeliest.
    package private(set) var databaseIDs: [[UInt8]] = []
    /// The rows, in no order; a row with several versions occurs in each of them.
    package private(set) var rows: [Row] = []
    /// The number of pages with rows that could not be read completely.
    package private(set) var damagedPageCount = 0

    /// The number of times that a page may be the continuation of a row.
    ///
    /// Damage needs one; a malicious file could have many.
    private static let shareLimit: UInt8 = 8

    /// Reads the database of a directory and changes nothing there.
    ///
    /// - Throws: what the system reports if the file cannot be opened.
    package init(directory: String) throws(StoreError) {
        let image = try DatabaseImage(path: HistoryFile(directory: directory).path)
        var shares: [Int: UInt8] = [:]
        // The first page describes the tables and holds no row.
        for number in image.pages where number > 1 {
            guard let page = image.page(number) else {
                damagedPageCount += 1
                continue
            }
            add(page, of: image, &shares)
        }
        for page in image.furtherPages { add(page, of: image, &shares) }
        // The anchor has the id as well, because the only page that has it may be lost.
        let stored = (try? AnchorFile(directory: directory).read()).flatMap(HistoryAnchor.databaseID)
        if let stored, !databaseIDs.contains(stored) { databaseIDs.append(stored) }
    }

    private mutating func add(_ page: [UInt8], of image: DatabaseImage, _ shares: inout [Int: UInt8]) {
        var isDamaged = false
        for cell in TableLeaf(page).cells {
            guard let payload = Self.payload(of: cell, image, &shares), let record = TableRecord(payload) else {
                isDamaged = true
                continue
            }
            if case .bytes(let id) = record.values.first, record.values.count == 1, id.count == RowID.byteCount {
                if !databaseIDs.contains(Array(id)) { databaseIDs.append(Array(id)) }
            } else if let row = Row(record) {
                rows.append(row)
            } else {
                isDamaged = true
            }
        }
        if isDamaged { damagedPageCount += 1 }
    }

    /// Collects the bytes of a record, including those on other pages; nil if some are missing.
    private static func payload(
        of cell: TableLeaf.Cell,
        _ image: DatabaseImage,
        _ shares: inout [Int: UInt8]
    ) -> [UInt8]? {
        var bytes = Array(cell.local)
        var next = cell.overflow
        while bytes.count < cell.byteCount {
            guard next > 1, shares[next, default: 0] < shareLimit, let page = image.page(next) else { return nil }
            shares[next, default: 0] += 1
            bytes += page.dropFirst(4).prefix(cell.byteCount - bytes.count)
            next = page.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        }
        return bytes
    }
}

extension Row {
    /// Reads a row in the layout of `Schema`; nil for any other record.
    fileprivate init?(_ record: TableRecord) {
        let values = record.values
        guard values.count == 6, case .integer(let kind) = values[0], case .bytes(let id) = values[1],
            case .bytes(let conversation) = values[2], case .integer(let sequence) = values[3],
            case .integer(let version) = values[4], case .bytes(let sealed) = values[5],
            let table = UInt8(exactly: kind).flatMap(RecordTable.init), let id = RowID(bytes: id),
            let conversation = RowID(bytes: conversation), let version = UInt32(exactly: version)
        else { return nil }
        self.init(
            table: table,
            id: id,
            conversation: conversation,
            sequence: UInt64(stored: sequence),
            version: version,
            sealed: Array(sealed)
        )
    }
}
