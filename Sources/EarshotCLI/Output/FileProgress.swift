import EarshotRPC

/// The progress of a file of a message.
struct FileProgress: Equatable, Sendable {
    let message: String
    /// The index of the file in the message.
    let index: Int
    let byteCount: Int
    let total: Int

    /// Units: columns of a name; a line that the terminal breaks could not be erased.
    private static let nameWidth = 40

    /// Formats the progress for a line.
    func line(_ name: String) -> String {
        let part = Double(min(max(byteCount, 0), total)) / Double(total)
        let percentage = total > 0 ? Int(part * 100) : 100
        return
            "\(DisplayText.shortened(name, to: Self.nameWidth))  \(percentage) %  \(Self.size(byteCount)) of \(Self.size(total))"
    }

    /// The progress as an event of JSON-RPC.
    var event: RPCEvent { .progress(message: message, index: index, byteCount: byteCount, total: total) }

    /// Formats a number of bytes in the largest unit that is not above it.
    static func size(_ byteCount: Int) -> String {
        let units = ["B", "KiB", "MiB", "GiB"]
        let place = (1..<units.count).last { byteCount >= 1 << (10 * $0) } ?? 0
        guard place > 0 else { return "\(byteCount) B" }
        let tenths = (min(byteCount, .max / 10) * 10) >> (10 * place)
        return "\(tenths / 10).\(tenths % 10) \(units[place])"
    }
}
