import Foundation

/// How fast rows are written, one in a transaction.
struct InsertFigures: Codable {
    let count: Int
    let earshot: Spread
    let earshotPerSecond: Double
    let plainSQLite: Spread
    let plainSQLitePerSecond: Double
    /// Nil where its library is not installed.
    let sqlCipher: Spread?
    let sqlCipherPerSecond: Double?
    /// Above 1 Earshot is the faster.
    let earshotToPlain: Double
    let earshotToSQLCipher: Double?

    /// Writes the rows in turns of a tenth, so that what else the machine does is shared by all.
    init(folder: URL, count: Int) throws {
        func path(_ name: String) -> String { folder.appending(path: name).path }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let sealed = try SealedDatabase(directory: path("sealed"))
        let plain = try PlainDatabase(library: "libsqlite3.so.0", file: path("plain.sqlite"))
        let cipher: PlainDatabase?
        do {
            cipher = try PlainDatabase(library: "libsqlcipher.so.0", file: path("cipher.sqlite"), key: "a passphrase")
        } catch {
            Progress.say("without SQLCipher: \(error)")
            cipher = nil
        }
        let rows = SampleRows()
        var times: [[Duration]] = [[], [], []]
        let clock = ContinuousClock()
        for part in 0..<10 {
            let numbers = count * part / 10..<count * (part + 1) / 10
            for number in numbers {
                let message = (name: rows.name(number), sequence: UInt64(number), content: rows.content(number))
                let conversation = rows.conversation(number)
                times[0].append(try clock.measure { try sealed.insert([message], in: conversation) })
            }
            for (index, database) in [plain, cipher].enumerated() {
                guard let database else { continue }
                for number in numbers {
                    let (name, content) = (rows.name(number), rows.content(number))
                    let conversation = rows.conversation(number).bytes
                    times[index + 1].append(
                        try clock.measure {
                            try database.insert(
                                id: name,
                                conversation: conversation,
                                sequence: number,
                                content: content
                            )
                        }
                    )
                }
            }
            Progress.say("rows of transaction \(numbers.upperBound) of \(count)")
        }
        try sealed.close()
        plain.close()
        cipher?.close()
        func rate(_ times: [Duration]) -> Double {
            (Double(times.count) / times.reduce(Duration.zero, +).seconds).rounded()
        }
        self.count = count
        earshot = Spread(times[0])
        earshotPerSecond = rate(times[0])
        plainSQLite = Spread(times[1])
        plainSQLitePerSecond = rate(times[1])
        sqlCipher = cipher.map { _ in Spread(times[2]) }
        sqlCipherPerSecond = cipher.map { _ in rate(times[2]) }
        earshotToPlain = earshotPerSecond / plainSQLitePerSecond
        earshotToSQLCipher = sqlCipherPerSecond.map { rate(times[0]) / $0 }
    }
}
