import ChatHistory

/// The costs of a history that a fresh process opens and reads.
struct OpenedFigures: Codable {
    /// The time from the start until the record book is open and watched.
    let openingSeconds: Double
    /// Units: bytes; the peak resident memory of the process until the history is open.
    let residentBytesOpen: Int
    /// The times to read pages of 50 messages of a conversation, each from another position.
    let page: Spread
    let usage: ProcessUsage

    init(directory: String, messages: Int, pages: Int) throws {
        let clock = ContinuousClock()
        let begin = clock.now
        let database = try SealedDatabase(directory: directory)
        openingSeconds = begin.duration(to: clock.now).seconds
        residentBytesOpen = ProcessUsage.current.peakResidentBytes
        let rows = SampleRows()
        var times: [Duration] = []
        for number in 0..<pages {
            // A step that has no divisor in common with the number of messages visits all of them.
            let place = number * 7_919 % messages
            let conversation = rows.conversation(place / 1_000)
            let elapsed = try clock.measure {
                let position = RowPosition(sequence: UInt64(place))
                _ = try database.recordStore.page(.messages, conversation: conversation, before: position, limit: 50)
            }
            times.append(elapsed)
        }
        page = Spread(times)
        usage = .current
        try database.close()
    }
}
