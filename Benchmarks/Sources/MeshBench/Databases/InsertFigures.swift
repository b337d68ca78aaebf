import ChatHistory
import Foundation

/// The rates at which rows are written, one row in a transaction.
struct InsertFigures: Codable {
    let count: Int
    let earshot: Spread
    let earshotPerSecond: Double
    let plainSQLite: Spread
    let plainSQLitePerSecond: Double
    /// The times of SQLCipher; nil if its library is not installed.
    let sqlCipher: Spread?
    let sqlCipherPerSecond: Double?
    /// The ratio of the rates; above 1 Earshot is faster.
    let earshotToPlain: Double
    let earshotToSQLCipher: Double?

    /// Writes the rows to each database; to SQLCipher only if it is installed.
    init(folder: URL, count: Int) throws {
        func path(_ name: String) -> String { folder.appending(path: name).path }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let sealed = try SealedDatabase(directory: path("sealed"))
        let plain = try PlainDatabase(library: "libsqlite3.so.0", file: path("plain.sqlite"))
        var cipher: PlainDatabase?
        do {
            cipher = try PlainDatabase(library: "libsqlcipher.so.0", file: path("cipher.sqlite"), key: "a passphrase")
        } catch {
            Progress.say("without SQLCipher: \(error)")
        }
        let times = try Self.times(sealed, [plain, cipher].compactMap(\.self), count)
        try sealed.close()
        plain.close()
        cipher?.close()
        let rates = times.map { (Double($0.count) / $0.reduce(Duration.zero, +).seconds).rounded() }
        self.count = count
        earshot = Spread(times[0])
        earshotPerSecond = rates[0]
        plainSQLite = Spread(times[1])
        plainSQLitePerSecond = rates[1]
        sqlCipher = cipher.map { _ in Spread(times[2]) }
        sqlCipherPerSecond = cipher.map { _ in rates[2] }
        earshotToPlain = rates[0] / rates[1]
        earshotToSQLCipher = cipher.map { _ in rates[0] / rates[2] }
    }

    /// Measures the time of each row.
    ///
    /// The databases take turns, a tenth of the rows at a time, so that other load of the machine affects all of them
    /// alike.
    private static func times(
        _ sealed: SealedDatabase,
        _ others: [PlainDatabase],
        _ count: Int
    ) throws -> [[Duration]] {
        let (rows, clock) = (SampleRows(), ContinuousClock())
        var times = [[Duration]](repeating: [], count: 1 + others.count)
        for part in 0..<10 {
            let numbers = count * part / 10..<count * (part + 1) / 10
            for number in numbers {
                let message = (name: rows.name(number), sequence: UInt64(number), content: rows.content(number))
                let conversation = rows.conversation(number)
                times[0].append(try clock.measure { try sealed.insert([message], in: conversation) })
            }
            for (index, database) in others.enumerated() {
                for number in numbers {
                    let (name, content) = (rows.name(number), rows.content(number))
                    let conversation = rows.conversation(number).bytes
                    let elapsed = try clock.measure {
                        try database.insert(id: name, conversation: conversation, sequence: number, content: content)
                    }
                    times[index + 1].append(elapsed)
                }
            }
            Progress.say("\(numbers.upperBound) of \(count) rows, one in a transaction")
        }
        return times
    }
}
