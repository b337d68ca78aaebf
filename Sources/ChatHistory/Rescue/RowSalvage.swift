/// The rows that can be read of a damaged database, whatever of it is damaged besides: each page is looked at by itself.
///
/// Whether a row is what was written, and stands where it was, is for `SalvagedHistory`.
package struct RowSalvage {
    /// The ids that the database may have; the first is the likeliest.
    package private(set) var databaseIDs: [[UInt8]] = []
    /// The rows, in no order; one that stands in several versions is there in each of them.
    package private(set) var rows: [Row] = []
    /// Pages with rows of which something could not be read.
    package private(set) var damagedPageCount = 0

    /// How often a page may be the continuation of a row: damage can have one only, what was made on purpose many.
    private static let shareLimit: UInt8 = 8

    /// Reads the database of a folder, and changes nothing there.
    ///
    /// - Throws: what the system reports where the file cannot be opened.
    package init(directory: String) throws(StoreError) {
        let image = try DatabaseImage(path: HistoryFile(directory: directory).path)
        var shares: [Int: UInt8] = [:]
        // The first page describes the tables, and holds no row.
        for number in image.pages where number > 1 {
            guard let page = image.page(number) else {
                damagedPageCount += 1
                continue
            }
            add(page, of: image, &shares)
        }
        for page in image.furtherPages { add(page, of: image, &shares) }
        // The anchor has the id too, for the one page that has it may be lost.
        let told = (try? AnchorFile(directory: directory).read()).flatMap(HistoryAnchor.databaseID)
        if let told, !databaseIDs.contains(told) { databaseIDs.append(told) }
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

    /// The bytes of a record, with those on other pages; nil where some are missing.
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
    /// A row as `Schema` lays it out; nil for any other record.
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
